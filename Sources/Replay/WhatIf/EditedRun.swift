// Runs a flow on recorded inputs with edits: in their order as long as the flow waits for them, and when it waits for
// something else, on what the recording has left for that, on scripted answers, and on timers that run out.

import EventStore
import FlowRecording

/// One run of a flow with edits.
final class EditedRun<Kind: FlowKind> {
  private let remaking: FlowRemaking<Kind.Core>
  private var queue: [EditedSteps.Item]
  /// Recorded answers that the flow did not wait for when they came.
  private var spare: [FlowStep]
  /// The scripted answers that were not given yet.
  private(set) var answers: [ScriptedAnswer]
  /// Masks them.
  private var masking: EditMasking
  /// What the new flow says of its origin, before it is let go of or at its end.
  private var remark: String?
  /// Whether it says so.
  private(set) var isRemarked = false
  private let recorded: [Int: FlowRecord]
  /// The recorded calls that were made while no other was under way.
  private let quiet: Set<Int>
  /// The status of the recorded flow at each record that a call was made on.
  private let statuses: [Int: String]
  private let limit: Int
  private var fed = 0
  /// By how many microseconds the application is behind the recording: it takes as long as it did before each call.
  private var behind: Int64 = 0
  private var facts = SignInFacts()
  private var lastError: String?
  private var isCancelled = false
  /// Whether the last call was answered otherwise than by an error.
  private var isAnswered = false
  private var outcome: String?

  /// The revisions of recorded inputs that had no place.
  var unused: [Int] { Set(spare.map(\.input.revision) + refused).subtracting(edited).sorted() }
  private var refused: [Int] = []
  /// Those whose answers an edit replaced.
  private let edited: Set<Int>

  init(_ flow: RecordedFlow, _ plan: EditedSteps, _ answers: [ScriptedAnswer], remark: String?) {
    remaking = FlowRemaking(flow, pairsDrawsByKind: plan.masking != nil)
    masking = plan.masking ?? EditMasking(flow, policy: Kind.policy)
    self.remark = remark
    queue = plan.items
    spare = plan.spare
    edited = Set(plan.spare.map(\.input.revision))
    self.answers = answers
    recorded = Dictionary(flow.records.map { ($0.revision, $0) }) { first, _ in first }
    limit = 200 + 4 * plan.items.count
    var open: Set<Int> = []
    var (quiet, statuses) = (Set<Int>(), [Int: String]())
    var facts = SignInFacts()
    for record in flow.records {
      Kind.note(record.event.type, { record.event.data }, in: &facts)
      statuses[record.revision] = facts.status
      if case .callMade(let made) = record.event {
        if open.isEmpty { quiet.insert(record.revision) }
        if !made.isControl { open.insert(record.revision) }
      }
      if case .callReturned(let returned) = record.event { open.remove(returned.call) }
    }
    (self.quiet, self.statuses) = (quiet, statuses)
  }

  /// The flow as far as it came.
  var flow: RecordedFlow { remaking.flow }

  /// Adds the remark, if that was not done yet: a flow that the application let go of takes none.
  func addRemark() {
    guard let remark else { return }
    self.remark = nil
    let at = remaking.records.last?.at ?? Timestamp(microseconds: 0)
    isRemarked = remaking.feed(.noteAdded(NoteAdded(text: remark)), cause: nil, at: at) != nil
  }

  /// Feeds all there is.
  func run() -> FlowEnding {
    while !queue.isEmpty {
      guard fed < limit else { return giveUp(.loops) }
      if case .recorded(let step, _) = queue[0], quiet.contains(step.input.revision), !remaking.core.openCalls.isEmpty {
        // The application makes this call once those before are over.
        if !goOn(before: true) { refused.append(queue.removeFirst().step.input.revision) }
        continue
      }
      take(queue.removeFirst())
    }
    while goOn(before: false) { guard fed < limit else { return giveUp(.loops) } }
    return ending()
  }

  // MARK: What comes next

  private func take(_ item: EditedSteps.Item) {
    switch item {
    case .recorded(let step, let late):
      let isDue = isDue(step)
      if isDue, step.isRelease { addRemark() }
      guard isDue, let made = remaking.feed(step, at: time(of: step, late: late)) else {
        if step.input.cause == nil { refused.append(step.input.revision) } else { spare.append(step) }
        return
      }
      note(made)
      keepTime(after: step)
    case .instead(let step, let event):
      guard let made = remaking.feed(step, as: event, at: time(of: step)) else {
        return refused.append(step.input.revision)
      }
      note(made)
      keepTime(after: step)
    case .cancel(let step):
      guard let call = call(of: step) else { return refused.append(step.input.revision) }
      feed(.callMade(CallMade(call: CallMade.giveUp, arguments: ["call": .int(call)])), cause: nil, at: time(of: step))
    }
  }

  // MARK: Times

  /// When a recorded input comes now: what the flow waits for takes as long as it did, a timer as long as it runs now,
  /// and the application as long as it took.
  private func time(of step: FlowStep, late: Int = 0) -> Timestamp {
    guard let cause = step.input.cause, let old = recorded[cause], let waits = remaking.wait(of: step) else {
      return step.input.at.adding(behind)
    }
    if case (.timerSet(let before), .timerSet(let now)) = (old.event, waits.event),
      before.milliseconds != now.milliseconds
    {
      return waits.since.adding(Int64(now.milliseconds + late) * 1_000)
    }
    return step.input.at.adding(waits.since.microseconds &- old.at.microseconds).adding(Int64(late) * 1_000)
  }

  /// Takes note of how far the run is behind after a recorded input.
  private func keepTime(after step: FlowStep) {
    guard let now = remaking.records.last?.at else { return }
    behind = now.microseconds &- step.input.at.microseconds
  }

  /// Whether the application would make a recorded call now: it holds an object of the same status, and something is to
  /// be given up.
  private func isDue(_ step: FlowStep) -> Bool {
    guard case .callMade(let made) = step.input.event else { return true }
    // A flow that has ended is not let go of.
    if made.call == CallMade.release { return remaking.core.isOpen }
    guard let on = made.on else { return true }
    // An application that held an older object when it was recorded holds it still.
    return statuses[on] == facts.status || statuses[on] != statuses[step.input.revision]
  }

  /// The call, in the new flow, that a recorded step belongs to.
  private func call(of step: FlowStep) -> Int? {
    var record: FlowRecord? = step.input
    while let current = record {
      if case .callMade(let made) = current.event, !made.isControl {
        return remaking.revisions[current.revision].flatMap { remaking.core.openCalls.contains($0) ? $0 : nil }
      }
      record = current.cause.flatMap { $0 < current.revision ? recorded[$0] : nil }
    }
    return remaking.core.openCalls.max()
  }

  /// Lets one thing happen that the flow waits for.
  ///
  /// - Parameter before: whether recorded inputs are still to come: what they answer is left to them.
  /// - Returns: whether anything happened.
  private func goOn(before: Bool) -> Bool {
    for waits in remaking.waiting {
      if before, isAwaitedInQueue(waits) { continue }
      if answer(waits) { return true }
    }
    let timers = remaking.waiting.compactMap { waits -> (revision: Int, due: Timestamp)? in
      guard case .timerSet(let timer) = waits.event, !(before && isAwaitedInQueue(waits)) else { return nil }
      return (waits.revision, Timestamp(microseconds: waits.since.microseconds + Int64(timer.milliseconds) * 1_000))
    }
    guard let next = timers.min(by: { ($0.due, $0.revision) < ($1.due, $1.revision) }) else { return false }
    feed(.timerFired(TimerFired()), cause: next.revision, at: next.due)
    return true
  }

  /// Whether an input before the next call will answer this.
  private func isAwaitedInQueue(_ waits: FlowRemaking<Kind.Core>.Waiting) -> Bool {
    for item in queue {
      let step = item.step
      if case .callMade = step.input.event { return false }
      if let cause = step.input.cause, remaking.revisions[cause] == waits.revision { return true }
    }
    return false
  }

  /// Answers a request or a draw from what the recording has left, or as scripted.
  private func answer(_ waits: FlowRemaking<Kind.Core>.Waiting) -> Bool {
    if case .timerSet = waits.event { return false }
    if let index = spare.firstIndex(where: { step in
      step.input.cause.flatMap { recorded[$0] }.map { FlowRemaking<Kind.Core>.isAlike($0.event, waits.event) } == true
    }) {
      let step = spare.remove(at: index)
      if let made = remaking.feed(step, at: time(of: step)) {
        note(made)
        return true
      }
    }
    guard case .requestSent(let request) = waits.event,
      let index = answers.firstIndex(where: { $0.fits(request.path) })
    else { return false }
    let answer = answers.remove(at: index)
    let response = masking.response(status: answer.status, headers: answer.headers, body: answer.body)
    feed(.responseReceived(response), cause: waits.revision, at: waits.since)
    return true
  }

  private func feed(_ event: FlowEvent, cause: Int?, at time: Timestamp) {
    if let made = remaking.feed(event, cause: cause, at: time) { note(made) }
  }

  private func note(_ made: [FlowRecord]) {
    fed += 1
    for record in made {
      Kind.note(record.event.type, { record.event.data }, in: &facts)
      switch record.event {
      case .callReturned(let returned):
        if case .failed(let code, _) = returned.outcome { lastError = code } else { lastError = nil }
        isCancelled = returned.outcome == .cancelled
        isAnswered = lastError == nil && !isCancelled
      case .flowEnded(let ended): outcome = ended.outcome
      case .callMade(let made): if !made.isControl { outcome = nil }
      case .flowStarted, .noteAdded, .requestSent, .responseReceived, .requestFailed, .drawAsked, .drawMade, .timerSet,
        .timerFired, .domain:
        break
      }
    }
  }

  // MARK: The end

  private func ending() -> FlowEnding {
    for waits in remaking.waiting {
      if case .requestSent(let request) = waits.event, isAwaited(waits) { return giveUp(.unanswered(request.path)) }
      if case .drawAsked(let asked) = waits.event { return giveUp(.asks(asked.kind.rawValue)) }
    }
    guard remaking.core.openCalls.isEmpty else { return giveUp(.hangs) }
    if let outcome { return .ended(outcome) }
    if let lastError, !lastError.isEmpty { return .failed(lastError) }
    if isCancelled { return .ended("cancelled") }
    if let status = facts.status { return .waits(status) }
    // The call did what it was made for, and no status came of it: one that stops polling, say, after a sign-in that
    // failed.
    if isAnswered { return .waits("no status") }
    return remaking.core.isOpen ? .unnamed : .ended("nothing")
  }

  /// Whether a call waits for the answer of a request: after its call was given up, no call waits for it.
  private func isAwaited(_ waits: FlowRemaking<Kind.Core>.Waiting) -> Bool { !remaking.core.openCalls.isEmpty }

  /// Gives up what waits, so that the new flow has an end.
  private func giveUp(_ ending: FlowEnding) -> FlowEnding {
    let at = remaking.records.last?.at ?? Timestamp(microseconds: 0)
    for call in remaking.core.openCalls.sorted() {
      feed(.callMade(CallMade(call: CallMade.giveUp, arguments: ["call": .int(call)])), cause: nil, at: at)
    }
    return ending
  }
}

extension Timestamp {
  /// The time so many microseconds later; a recording may say any time, so it ends where times end.
  fileprivate func adding(_ microseconds: Int64) -> Timestamp {
    let (sum, overflows) = self.microseconds.addingReportingOverflow(microseconds)
    return overflows ? self : Timestamp(microseconds: sum)
  }
}
