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
  private let environment: FlowEnvironment
  private let journal: (any FlowJournal)?
  /// The same journal, if it accepts records without encoding.
  private let recordJournal: (any RecordJournal)?
  private let draws: any DrawSource
  private let isReplay: Bool
  /// Answers awaited draws in a replay; nil if seams and sinks do.
  private let answers: (any RecordedAnswers)?
  private let masker = Masker(policy: Core.policy)
  private let state: Locked<State>

  private struct State {
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

  private enum Input {
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
  private struct Step {
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
  private func submit(_ input: Input) {
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

  private func step(_ input: Input, _ state: inout State) -> Step {
    var step = Step()
    process(input, &state, &step)
    append(&step, &state)
    return step
  }

  private func process(_ input: Input, _ state: inout State, _ step: inout Step) {
    let now = environment.clock.now()
    switch input {
    case .call(var made, let snapshot, let token, let sink):
      if let failure = state.failure {
        step.failure = failure
        step.failedSinks = [sink]
        return
      }
      // A call without a status begins something new.
      if made.on == nil { state.usage = FlowUsage() }
      made.arguments = masker.mask(made.arguments, as: masker.policy.arguments, into: &state.vault)
      state.sinks[state.nextRevision] = sink
      state.revisions[token] = state.nextRevision
      take(.callMade(made), cause: nil, at: now, snapshot: snapshot, &state, &step)
    case .giveUp(let token):
      guard let call = state.revisions[token], state.core.openCalls.contains(call) else { return }
      let made = CallMade(call: CallMade.giveUp, arguments: ["call": .int(call)])
      take(.callMade(made), cause: nil, at: now, snapshot: nil, &state, &step)
    case .release:
      guard !isReplay, state.failure == nil, !state.core.openCalls.isEmpty else { return }
      let made = CallMade(call: CallMade.release, arguments: [:])
      take(.callMade(made), cause: nil, at: now, snapshot: nil, &state, &step)
    case .response(let response, let request):
      let masked = masker.mask(response, into: &state.vault)
      take(.responseReceived(masked), cause: request, at: now, snapshot: nil, &state, &step)
    case .failure(let error, let request):
      // An application's own transport may quote what it was sending.
      URLMasking.collect(inside: error.detail, vault: &state.vault)
      let safe = TransportError(error.code, state.vault.mask(error.detail))
      take(.requestFailed(RequestFailed(safe)), cause: request, at: now, snapshot: nil, &state, &step)
    case .timer(let timer):
      // Never dropped, even if no call waits for it any more: the core decides what it means.
      state.timers[timer] = nil
      take(.timerFired(TimerFired()), cause: timer, at: now, snapshot: nil, &state, &step)
    case .note(let text):
      URLMasking.collect(inside: text, vault: &state.vault)
      let masked = state.vault.mask(text)
      take(.noteAdded(NoteAdded(text: masked)), cause: nil, at: now, snapshot: nil, &state, &step)
    case .draw(let result, let asked):
      // The first answer counts.
      guard let kind = state.asks.removeValue(forKey: asked) else { return }
      state.answering[asked] = nil
      let masked = masker.mask(result, as: Core.draws[kind]?.schema, into: &state.vault)
      let draw = DrawMade(kind: kind, ordinal: state.drawCount, result: masked)
      state.drawCount += 1
      take(.drawMade(draw), cause: asked, at: now, snapshot: nil, &state, &step)
    case .recorded(let record, let snapshot):
      if case .drawMade = record.event { state.drawCount += 1 }
      take(record.event, cause: record.cause, at: record.at, snapshot: snapshot, &state, &step)
    }
  }

  /// Folds an input, lets the core decide, folds what follows.
  private func take(
    _ event: FlowEvent, cause: Int?, at time: Timestamp, snapshot: Core?, _ state: inout State, _ step: inout Step
  ) {
    guard state.failure == nil else { return }
    let input = add(event, cause: cause, at: time, &state, &step)
    // `decide` draws while the state is in use: the draws are collected here and folded in the order in which they were
    // taken.
    let drawn = Collected(ordinal: state.drawCount, revision: state.nextRevision, vault: state.vault)
    let outputs = state.core.decide(
      input, on: snapshot,
      draws: Draws { [draws, masker, isReplay] kind, input in
        var result = draws.draw(
          kind, input: drawn.vault.reveal(input), ordinal: drawn.ordinal, revision: drawn.revision)
        // A recorded value is already masked.
        if !isReplay { result = masker.mask(result, as: Core.draws[kind]?.schema, into: &drawn.vault) }
        drawn.events.append(DrawMade(kind: kind, ordinal: drawn.ordinal, result: result))
        drawn.ordinal += 1
        drawn.revision += 1
        return result
      })
    for draw in drawn.events { _ = add(.drawMade(draw), cause: input.revision, at: time, &state, &step) }
    state.drawCount = drawn.ordinal
    state.vault = drawn.vault
    for output in outputs {
      let output = listened(output, cause: input.revision, at: time, &state, &step)
      _ = add(output, cause: input.revision, at: time, &state, &step)
    }
  }

  /// The request as changed by the application's listener, whose answer is recorded as a draw; other events are
  /// unchanged.
  private func listened(
    _ event: FlowEvent, cause: Int, at time: Timestamp, _ state: inout State, _ step: inout Step
  ) -> FlowEvent {
    guard state.hasListener, case .requestSent(let request) = event else { return event }
    let listening = RequestListening(masker: masker)
    let value =
      if let listener = environment.requestListener, !isReplay {
        listening.answer(of: listener, to: request, vault: &state.vault)
      } else {
        (try? draws.draw(
          .requestListener, input: .null, ordinal: state.drawCount, revision: state.nextRevision
        ).get()) ?? .null
      }
    let draw = DrawMade(kind: .requestListener, ordinal: state.drawCount, result: .success(value))
    state.drawCount += 1
    _ = add(.drawMade(draw), cause: cause, at: time, &state, &step)
    return .requestSent(listening.request(value, instead: request))
  }

  /// Numbers an event, encodes it if it will be written, and folds it.
  private func add(
    _ event: FlowEvent, cause: Int?, at time: Timestamp, _ state: inout State, _ step: inout Step
  ) -> FlowRecord {
    let record = FlowRecord(revision: state.nextRevision, at: time, cause: cause, event: event)
    step.records.append(record)
    state.nextRevision += 1
    if recordJournal != nil {
      state.nextRevision += EventCoding.partCount(of: event)
    } else if journal != nil {
      let encoded = EventCoding.encode(event)
      state.nextRevision += encoded.parts.count
      step.entries.append(JournalEntry(record: record, encoded: encoded))
    }
    if case .flowStarted(let started) = event { state.hasListener = started.settings["listener"]?.bool == true }
    if event.needsBarrier { step.needsBarrier = true }
    state.core.fold(record)
    return record
  }

  private func append(_ step: inout Step, _ state: inout State) {
    if !isReplay, environment.limits.recordedBytes < .max {
      // The same without a log.
      let isEncoded = journal != nil && recordJournal == nil
      state.usage.record(
        isEncoded ? EventCoding.size(of: step.entries.map(\.encoded)) : EventCoding.size(of: step.records))
    }
    if let recordJournal {
      if !step.records.isEmpty { recordJournal.append(step.records) }
      return
    }
    guard let journal, !step.entries.isEmpty else { return }
    do throws(AuditError) {
      try journal.append(step.entries)
    } catch {
      state.failure = error
      step.failure = error
    }
  }

  /// Ends the flow because its log cannot be written. Returns the sinks that await an outcome.
  private func end(_ error: AuditError) -> [CallSink<Core>] {
    state.withLock { state in
      state.failure = error
      state.hasEnded = true
      let waiting = state.sinks.sorted { $0.key < $1.key }.map(\.value)
      state.sinks = [:]
      for timer in state.timers.values { timer.cancel() }
      state.timers = [:]
      return waiting
    }
  }

  // MARK: Performing

  /// Performs a step. If it could not be written, every open call fails instead.
  private func finish(_ step: Step, _ core: Core, failure: AuditError?) {
    guard !isReplay else { return }
    guard let failure else {
      if !state.withLock({ $0.hasEnded }) { perform(step, core) }
      return
    }
    for sink in end(failure) + step.failedSinks { sink.returned(.failure(failure), core) }
  }

  private func perform(_ step: Step, _ core: Core) {
    for record in step.records {
      switch record.event {
      case .requestSent(let request): send(request, revision: record.revision)
      case .timerSet(let timer):
        let sinks = state.withLock { $0.sinks }
        for (call, sink) in sinks where call <= record.revision { sink.waits() }
        if let call = core.call(retriedBy: record.revision) { sinks[call]?.retries(timer.milliseconds) }
        start(timer, revision: record.revision)
      case .drawAsked(let asked): ask(asked, revision: record.revision, core)
      case .domain(let event):
        event.audience.flatMap { call in state.withLock { $0.sinks[call] } }?.heard(event, core)
      case .callReturned(let returned):
        let sink = state.withLock { state in
          if let token = state.revisions.first(where: { $0.value == returned.call })?.key {
            state.revisions[token] = nil
          }
          return state.sinks.removeValue(forKey: returned.call)
        }
        sink?.returned(.success(returned.outcome), core)
      case .flowStarted, .flowEnded, .noteAdded, .callMade, .responseReceived, .requestFailed, .drawMade, .timerFired:
        break
      }
    }
    stopTimers(notIn: core.awaitedTimers)
    stopDraws(notIn: core)
  }

  /// Asks the seam named by the draw's declaration, or else the sink of the call given by `call` in the input.
  private func ask(_ asked: DrawAsked, revision: Int, _ core: Core) {
    let (sink, vault) = state.withLock { state in
      state.asks[revision] = asked.kind
      return (asked.input["call"]?.int.flatMap { state.sinks[$0] }, state.vault)
    }
    if let answers {
      answers.ask(revision) { [self] in submit(.draw($0, asked: revision)) }
    } else if let answer = Core.draws[asked.kind]?.answer {
      let input = vault.reveal(asked.input)
      state.withLock { state in
        // Started under the lock, so that its answer cannot arrive before it is stored.
        state.answering[revision] = Task(executorPreference: DrawExecutor.shared) { [self] in
          submit(.draw(await answer(input, environment), asked: revision))
        }
      }
    } else {
      sink?.asked(asked, core) { [self] result in submit(.draw(result, asked: revision)) }
    }
  }

  private func send(_ request: RequestSent, revision: Int) {
    let (vault, refusal) = state.withLock { ($0.vault, $0.usage.send(within: environment.limits)) }
    if let refusal { return submit(.failure(refusal, request: revision)) }
    let real = request.revealed(by: vault)
    environment.transport.send(real) { [self] result in
      switch result {
      case .success(let response): submit(.response(response, request: revision))
      case .failure(let error): submit(.failure(error, request: revision))
      }
    }
  }

  private func start(_ timer: TimerSet, revision: Int) {
    let task = environment.timers.schedule(milliseconds: timer.milliseconds) { [weak self] in
      self?.submit(.timer(revision))
    }
    state.withLock { $0.timers[revision] = task }
  }

  private func stopDraws(notIn core: Core) {
    let stale = state.withLock { state -> [Task<Void, Never>] in
      if state.answering.isEmpty { return [] }
      let stale = state.answering.filter { !core.awaits(draw: $0.key) }
      for key in stale.keys { state.answering[key] = nil }
      return Array(stale.values)
    }
    for task in stale { task.cancel() }
  }

  private func stopTimers(notIn awaited: Set<Int>) {
    let stale = state.withLock { state -> [Int: any TimerTask] in
      if state.timers.isEmpty { return [:] }
      let stale = state.timers.filter { !awaited.contains($0.key) }
      for key in stale.keys { state.timers[key] = nil }
      return stale
    }
    for timer in stale.values { timer.cancel() }
  }
}

/// Draws collected while `decide` runs.
private final class Collected {
  var ordinal: Int
  var revision: Int
  var vault: Vault
  var events: [DrawMade] = []

  init(ordinal: Int, revision: Int, vault: Vault) {
    self.ordinal = ordinal
    self.revision = revision
    self.vault = vault
  }
}
