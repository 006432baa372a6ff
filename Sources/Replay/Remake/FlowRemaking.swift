// Runs the SDK's decisions on inputs of a recording, some of them left out, changed or moved. The outputs are what the
// SDK makes now, so that the resulting flow folds and replays.

import EventStore
import FlowRecording

/// Remakes a flow from a recorded one, one input at a time. Nothing is sent and no time passes.
final class FlowRemaking<Core: FlowCore> {
  /// An operation that the flow waits for.
  struct Waiting {
    /// The revision, in the new flow, of the event that began the wait.
    var revision: Int
    /// The event that began the wait.
    var event: FlowEvent
    /// When it began to wait.
    var since: Timestamp
  }

  /// The events so far.
  private(set) var records: [FlowRecord] = []
  /// What the flow waits for, the oldest first.
  private(set) var waiting: [Waiting] = []
  /// Unanswered draws that nothing waits for any more: the log still records a late answer.
  private var overdue: [Waiting] = []
  private let stream: String
  private let live: Flow<Core>
  private let journal = ReplayingJournal()
  private let draws: RemadeDraws
  /// The recorded events by their revisions.
  private let recorded: [Int: FlowRecord]
  /// The recorded revisions that later calls were made on.
  private let held: Set<Int>
  /// The revisions of recorded events in the new flow.
  private(set) var revisions: [Int: Int] = [:]
  private var snapshots: [Int: Core] = [:]
  private var drawCount = 0
  /// Whether a requested draw matches the recorded one only if both are of the same kind.
  private let pairsDrawsByKind: Bool

  /// - Parameter pairsDrawsByKind: whether a requested draw matches the recorded one only if both are of the same kind:
  ///   changed inputs may request another kind, which the recorded answer does not fit.
  init(_ flow: RecordedFlow, pairsDrawsByKind: Bool = false) {
    stream = flow.stream
    self.pairsDrawsByKind = pairsDrawsByKind
    draws = RemadeDraws(flow.records)
    recorded = Dictionary(flow.records.map { ($0.revision, $0) }) { first, _ in first }
    held = Set(
      flow.records.compactMap { if case .callMade(let made) = $0.event { made.on } else { nil } })
    live = Flow(replaying: flow.stream, journal: journal, draws: draws)
  }

  /// The flow so far.
  var flow: RecordedFlow { RecordedFlow(stream: stream, records: records) }

  /// The current state.
  var core: Core { live.core }

  // MARK: Recorded inputs

  /// Feeds a recorded input, if the new flow still has the event that it answers.
  ///
  /// - Parameters:
  ///   - step: the input and what followed from it.
  ///   - event: the event to use instead; `nil` for the recorded one.
  ///   - time: the time to use instead.
  /// - Returns: the SDK's records for it, the input first; `nil` if the flow has nothing that it answers.
  @discardableResult
  func feed(_ step: FlowStep, as event: FlowEvent? = nil, at time: Timestamp? = nil) -> [FlowRecord]? {
    var event = event ?? step.input.event
    var snapshot: Core?
    var cause: Int?
    if case .callMade(let made) = event {
      guard let call = remade(made) else { return nil }
      event = .callMade(call)
      snapshot = call.on == nil ? nil : object(of: made)
    } else if let old = step.input.cause {
      guard let waits = match(old) else { return nil }
      cause = waits.revision
    }
    let made = feed(event, cause: cause, on: snapshot, at: time ?? step.input.at, draws: step.outputs)
    if let made { note(step, made) }
    return made
  }

  /// A call with the revisions of the new flow; `nil` if it has no such call or status.
  private func remade(_ made: CallMade) -> CallMade? {
    var made = made
    if made.call == CallMade.giveUp {
      guard let old = made.arguments["call"]?.int, let call = revisions[old], core.openCalls.contains(call) else {
        return nil
      }
      made.arguments = ["call": .int(call)]
    } else if let old = made.on {
      guard let revision = revisions[old].flatMap({ snapshots[$0] == nil ? nil : $0 }) ?? core.snapshotRevision else {
        return nil
      }
      made.on = revision
    }
    return made
  }

  /// The state of the object that a recorded call is made on: its counterpart in the new flow, or else the current one.
  func object(of made: CallMade) -> Core {
    remade(made)?.on.flatMap { snapshots[$0] } ?? core
  }

  /// The wait that a recorded input answers now; nil if there is none.
  func wait(of step: FlowStep) -> Waiting? { step.input.cause.flatMap(match) }

  /// The wait that an input answers: the counterpart of the event that it answered, or the oldest wait of the same
  /// kind.
  private func match(_ old: Int) -> Waiting? {
    if let revision = revisions[old],
      let waits = (waiting + overdue).first(where: { $0.revision == revision })
    {
      return waits
    }
    guard let event = recorded[old]?.event else { return nil }
    return waiting.first { Self.isAlike($0.event, event) }
  }

  /// Whether two events wait for the same kind of answer.
  static func isAlike(_ one: FlowEvent, _ other: FlowEvent) -> Bool {
    switch (one, other) {
    case (.requestSent(let one), .requestSent(let other)): one.place == other.place
    case (.timerSet(let one), .timerSet(let other)): one.purpose == other.purpose
    case (.drawAsked(let one), .drawAsked(let other)): one.kind == other.kind
    default: false
    }
  }

  /// Remembers the counterparts of recorded events: the first, second … of a type in the step correspond to those in
  /// the new step.
  private func note(_ step: FlowStep, _ made: [FlowRecord]) {
    var left: [String: [Int]] = [:]
    for record in made.dropFirst() { left[pairing(record.event), default: []].append(record.revision) }
    revisions[step.input.revision] = made[0].revision
    var isHeld = false
    for output in step.outputs {
      let pairing = pairing(output.event)
      guard var candidates = left[pairing], !candidates.isEmpty else { continue }
      let revision = candidates.removeFirst()
      left[pairing] = candidates
      revisions[output.revision] = revision
      if held.contains(output.revision) { isHeld = true }
    }
    if isHeld {
      let core = core
      if let revision = core.snapshotRevision { snapshots[revision] = core }
    }
  }

  /// The key for pairing: events of one step with the same key are paired in their order.
  private func pairing(_ event: FlowEvent) -> String {
    guard pairsDrawsByKind, case .drawAsked(let asked) = event else { return event.type }
    return "\(event.type) \(asked.kind.rawValue)"
  }

  // MARK: Any input

  /// Feeds an input.
  ///
  /// - Parameters:
  ///   - event: the input.
  ///   - cause: the revision, in the new flow, of the event that it answers.
  ///   - snapshot: the state of the object that is called.
  ///   - time: when it comes.
  ///   - outputs: the recorded events whose draws it is given.
  /// - Returns: the SDK's records for it, the input first; `nil` if it accepts no input.
  func feed(
    _ event: FlowEvent, cause: Int?, on snapshot: Core? = nil, at time: Timestamp, draws outputs: [FlowRecord] = []
  ) -> [FlowRecord]? {
    var event = event
    if case .drawMade(var draw) = event {
      draw.ordinal = drawCount
      event = .drawMade(draw)
    }
    draws.begin(outputs)
    let at = max(time, records.last?.at ?? time)
    live.feed(FlowRecord(revision: live.recordCount, at: at, cause: cause, event: event), on: snapshot)
    let made = journal.take()
    guard !made.isEmpty else { return nil }
    records += made
    waiting.removeAll { $0.revision == cause }
    overdue.removeAll { $0.revision == cause }
    for record in made {
      switch record.event {
      case .requestSent, .timerSet, .drawAsked:
        waiting.append(Waiting(revision: record.revision, event: record.event, since: at))
      case .drawMade: drawCount += 1
      case .flowStarted, .flowEnded, .noteAdded, .callMade, .callReturned, .responseReceived, .requestFailed,
        .timerFired, .domain:
        break
      }
    }
    let core = core
    let timers = core.awaitedTimers
    waiting.removeAll { waits in
      if case .timerSet = waits.event { return !timers.contains(waits.revision) }
      guard case .drawAsked = waits.event, !core.awaits(draw: waits.revision) else { return false }
      overdue.append(waits)
      return true
    }
    return made
  }
}

extension RequestSent {
  /// The method and the URL without its query and secrets, which identify a request in another run of the flow.
  var place: String {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    return method + " " + path.replacing(/\$secret\.[^$]*\$/, with: "*")
  }
}
