// The mailbox of one flow: inputs arrive from any thread and are processed one at a time, in the order of the log.
// SPINE §1-§2 explains why it is a lock and a drain instead of an actor.

public import EventStore

/// One flow of a kind: live, or in a replay.
///
/// A step: mask the input, append and fold it, let the core decide, append and fold what follows; then, past the
/// barrier and outside the lock, perform it. Nothing is performed before it is appended. A step is taken by the thread
/// that submits its input, even while another thread performs earlier steps, so a caller sees the effect of a call in
/// the state right afterwards, unless the flow is waiting for its log.
public final class Flow<Core: FlowCore>: Sendable, CustomReflectable {
  /// The flow's stream in the log: `authn/01JD…`.
  public let stream: String
  let environment: FlowEnvironment
  let journal: (any FlowJournal)?
  /// The same journal, if it accepts records without encoding.
  let recordJournal: (any RecordJournal)?
  let draws: any DrawSource
  let isReplay: Bool
  /// Answers awaited draws in a replay; nil if seams and sinks do.
  let answers: (any RecordedAnswers)?
  let masker = Masker(policy: Core.policy)
  let state: Locked<State>

  struct State {
    var core = Core()
    var vault = Vault()
    /// Inputs waiting for their step.
    var inbox: [Input] = []
    /// Whether a step waits for the log. Inputs wait too: a log that is closed after a failure calls back, and the flow
    /// that is calling it must not hold a lock then.
    var isWaiting = false
    /// Steps that are taken but not yet performed, in the order of the log.
    var outbox: [(Step, Core)] = []
    /// Whether a thread is performing.
    var isDraining = false
    var nextRevision = 0
    var drawCount = 0
    var tokens = 0
    var sinks: [Int: CallSink<Core>] = [:]
    var revisions: [CallToken: Int] = [:]
    var timers: [Int: any TimerTask] = [:]
    /// Pending awaited draws, by the revision of their `draw.asked`.
    var asks: [Int: DrawKind] = [:]
    /// The tasks of draws that a seam answers.
    var answering: [Int: Task<Void, Never>] = [:]
    /// Why the log could not be written: no further step is taken.
    var failure: AuditError?
    /// Whether the application was notified of that: pending steps are not performed.
    var hasEnded = false
    /// Whether requests are passed to a listener of the application.
    var hasListener = false
    /// The counters for the limits.
    var usage = FlowUsage()
  }

  enum Input {
    case call(CallMade, snapshot: Core?, CallToken, CallSink<Core>)
    case giveUp(CallToken)
    case release
    case response(HTTPResponse, request: Int)
    case failure(TransportError, request: Int)
    case timer(Int)
    case draw(Result<JSON, DrawFailure>, asked: Int)
    case note(String)
    case recorded(FlowRecord, snapshot: Core?)
  }

  /// The records of a step, and what to perform. The state after it is stored separately: keeping a copy of the state
  /// while it changes would force each change to copy it.
  struct Step {
    var records: [FlowRecord] = []
    var entries: [JournalEntry] = []
    var failure: AuditError?
    var failedSinks: [CallSink<Core>] = []
    /// Whether something leaves the machine or reaches the application, so that the log must be written first.
    var needsBarrier = false
  }

  /// Starts a live flow and records `flow.started`.
  ///
  /// - Parameters:
  ///   - environment: the seams, captured here for the flow's life.
  ///   - settings: the configuration of the core, unmasked.
  ///   - resumes: the stream of the flow that this one resumes.
  public init(environment: FlowEnvironment, settings: JSON, resumes: String? = nil) {
    let now = environment.clock.now()
    let rerun = environment.rerun
    stream = rerun?.stream ?? FlowIdentifier.make(kind: Core.kind, at: now, entropy: environment.entropy)
    var environment = environment
    environment.stream = stream
    self.environment = environment
    journal = environment.recorder?.journal(for: stream)
    recordJournal = journal as? any RecordJournal
    draws = rerun?.draws ?? LiveDraws(environment: environment, declarations: Core.draws)
    isReplay = false
    answers = rerun?.answers
    state = Locked(State())
    var start = rerun?.start ?? FlowStarted(kind: Core.kind, sdk: UserAgent.product, settings: [:])
    let hasListener = environment.requestListener != nil || start.settings["listener"]?.bool == true
    (start.settings, start.resumes) = (settings, resumes)
    begin(start, context: environment.context?.json, hasListener: hasListener, at: now)
  }

  /// Records how the flow was started.
  private func begin(_ start: FlowStarted, context: JSON?, hasListener: Bool, at now: Timestamp) {
    var start = start
    state.withLock { state in
      start.settings = masker.mask(start.settings, as: masker.policy.settings, into: &state.vault)
      if hasListener, case .object(var object) = start.settings {
        object["listener"] = true
        start.settings = .object(object)
      }
      // After the settings, because the application's data may contain one of their secrets.
      if let context { start.context = masker.mask(context, as: FlowContext.schema, into: &state.vault) }
    }
    submit(.recorded(FlowRecord(revision: 0, at: now, cause: nil, event: .flowStarted(start)), snapshot: nil))
  }

  /// Makes a flow that replays: it performs nothing, and takes its draws from a recording.
  ///
  /// - Parameters:
  ///   - stream: the recorded flow's stream.
  ///   - journal: compares each record with the recorded one.
  ///   - draws: gives the recorded draws.
  public init(replaying stream: String, journal: any FlowJournal, draws: any DrawSource) {
    self.stream = stream
    self.journal = journal
    recordJournal = journal as? any RecordJournal
    self.draws = draws
    environment = FlowEnvironment(transport: InertTransport())
    isReplay = true
    answers = nil
    state = Locked(State())
  }

  deinit {
    // The application has released the flow, which ends it. No other thread can hold the lock now.
    guard !isReplay else { return }
    let release = CallMade(call: CallMade.release, arguments: [:])
    state.withLock { state in
      guard state.failure == nil, state.core.isOpen else { return }
      var step = Step()
      take(.callMade(release), cause: nil, at: environment.clock.now(), snapshot: nil, &state, &step)
      if let recordJournal { recordJournal.append(step.records) } else { try? journal?.append(step.entries) }
    }
  }

  /// Only the stream: a dump does not show the application's seams or any secret.
  public var customMirror: Mirror { Mirror(self, children: ["stream": stream]) }

  /// The state now.
  public var core: Core { state.withLock { $0.core } }

  /// The revision under which an application holds the current state; nil before the first status.
  package var snapshotRevision: Int? { state.withLock { $0.core.snapshotRevision } }

  /// Whether a timer still matters, by the revision of its `timer.set`.
  package func awaits(timer revision: Int) -> Bool { state.withLock { $0.core.awaitedTimers.contains(revision) } }

  /// The flow's secrets now, to reveal what a state shows.
  public var vault: Vault { state.withLock { $0.vault } }

  /// Returns text with every secret known to the flow replaced: for showing a live flow outside of its log.
  public func masked(_ text: String) -> String {
    var vault = vault
    return vault.mask(text)
  }

  /// The number of records of the flow.
  public var recordCount: Int { state.withLock { $0.nextRevision } }

  // MARK: Inputs

  /// Makes a call. Returns at once; the sink receives its progress, unless the call is cancelled.
  ///
  /// - Parameters:
  ///   - call: the intent's name.
  ///   - arguments: its arguments by their wire names, unmasked.
  ///   - snapshot: the state of the called object; nil for one without a status.
  ///   - sink: receives its progress and outcome.
  /// - Returns: a token for cancelling the call.
  @discardableResult
  public func call(
    _ call: String, arguments: JSON, on snapshot: Core?, sink: CallSink<Core>
  ) -> CallToken {
    let token = state.withLock { state in
      state.tokens += 1
      return CallToken(number: state.tokens)
    }
    let made = CallMade(call: call, arguments: arguments, on: snapshot?.snapshotRevision)
    submit(.call(made, snapshot: snapshot, token, sink))
    return token
  }

  /// Cancels a call. Its sink receives `cancelled`; a late reply is still recorded but not delivered. Has no effect
  /// after the call has ended.
  public func giveUp(_ token: CallToken) { submit(.giveUp(token)) }

  /// Cancels the call of a revision, as the cancellation of its task does. Has no effect after it has ended.
  package func giveUp(call revision: Int) {
    let token = state.withLock { state in state.revisions.first { $0.value == revision }?.key }
    if let token { giveUp(token) }
  }

  /// Records that the application released its last object; ends pending calls. Has no effect if none is pending.
  public func release() { submit(.release) }

  /// Adds a remark to the flow's record. Secrets the flow knows are replaced in it.
  public func note(_ text: String) { submit(.note(text)) }

  /// Feeds a recorded input of a replay.
  public func feed(_ record: FlowRecord, on snapshot: Core?) { submit(.recorded(record, snapshot: snapshot)) }

  /// Replaces the flow's state with a recorded one, so that a replay can continue after a divergence.
  ///
  /// - Parameters:
  ///   - core: the state that the records so far fold to.
  ///   - nextRevision: the revision of the next record.
  ///   - draws: the number of draws in those records.
  package func adopt(_ core: Core, nextRevision: Int, draws: Int) {
    guard isReplay else { return }
    state.withLock { state in
      state.core = core
      state.nextRevision = nextRevision
      state.drawCount = draws
    }
  }

  /// Takes the step of an input, and performs it unless another thread is performing, which will then do it.
  func submit(_ input: Input) {
    // Nothing is performed, so that no copy of the state is kept, which each change of it would copy.
    if isReplay { return state.withLock { state in _ = step(input, &state) } }
    let mustDrain = state.withLock { state in
      if environment.requestListener == nil, !state.isWaiting {
        let step = step(input, &state)
        state.outbox.append((step, state.core))
      } else {
        state.inbox.append(input)
      }
      defer { state.isDraining = true }
      return !state.isDraining
    }
    if mustDrain { drain() }
  }

  // MARK: The drain

  /// Performs steps until there are none. One thread at a time is here; `isDraining` stays set while it performs and
  /// while it waits for the log.
  private func drain() {
    while true {
      guard let (step, core) = environment.requestListener == nil ? nextStep() : nextStepUnlocked() else { return }
      guard step.failure == nil, step.needsBarrier, let journal else {
        finish(step, core, failure: step.failure)
        continue
      }
      let outcome = journal.barrier { [self] error in
        leaveBarrier(step, core, failure: error)
        drain()
      }
      switch outcome {
      case .passed: leaveBarrier(step, core, failure: nil)
      case .failed(let error): leaveBarrier(step, core, failure: error)
      case .pending: return
      }
    }
  }

  /// Takes the steps of inputs that arrived in the meantime, and finishes the step that waited. After a failure, these
  /// inputs find the flow ended.
  private func leaveBarrier(_ step: Step, _ core: Core, failure: AuditError?) {
    if failure != nil { finish(step, core, failure: failure) }
    state.withLock { state in
      state.isWaiting = false
      guard environment.requestListener == nil else { return }
      while !state.inbox.isEmpty {
        let input = state.inbox.removeFirst()
        let step = self.step(input, &state)
        state.outbox.append((step, state.core))
      }
    }
    if failure == nil { finish(step, core, failure: nil) }
  }

  private func nextStep() -> (Step, Core)? {
    state.withLock { state in
      guard !state.outbox.isEmpty else {
        state.isDraining = false
        return nil
      }
      let next = state.outbox.removeFirst()
      state.isWaiting = journal != nil && next.0.needsBarrier && next.0.failure == nil
      return next
    }
  }

  /// A step in which the application's listener may run: on a copy of the state, so that the listener can read the flow
  /// and make calls, which are processed after this step. Meanwhile only the inbox and the tokens can change, because
  /// one thread drains.
  private func nextStepUnlocked() -> (Step, Core)? {
    let taken = state.withLock { state in nextInput(&state).map { (input: $0, state: state) } }
    guard let taken else { return nil }
    var working = taken.state
    let done = step(taken.input, &working)
    state.withLock { state in
      working.inbox = state.inbox
      working.tokens = state.tokens
      state = working
    }
    return (done, working.core)
  }

  private func nextInput(_ state: inout State) -> Input? {
    guard state.inbox.isEmpty else { return state.inbox.removeFirst() }
    state.isDraining = false
    return nil
  }
}
