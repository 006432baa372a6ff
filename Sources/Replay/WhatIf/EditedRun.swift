// Runs a flow on recorded inputs with edits: in their order as long as the flow waits for them; when it waits for
// anything else, on remaining recorded answers, on scripted answers, on recorded answers that edits replaced, and on
// timers that fire.

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
  /// The new flow's note about its origin, added before it is released or at its end.
  private var remark: String?
  /// The revision of that note in the new flow; `nil` if it was not added.
  private(set) var remarkRevision: Int?
  private let situations: RecordedSituations<Kind>
  private let limit: Int
  private var fed = 0
  /// How many microseconds the application is behind the recording: it takes as long as recorded before each call.
  private var behind: Int64 = 0
  private var facts = SignInFacts()
  private var lastError: String?
  private var isCancelled = false
  /// True if the last call did not end with an error.
  private var isAnswered = false
  /// The outcome of the flow, and the revision of the event that has it.
  private var ended: (outcome: String, at: Int)?
  /// The revision of the last event that answered the application.
  private var lastReturn: Int?
  /// The revision of the last event; the remark does not count.
  private var latest = 0
  /// The revision, in the new flow, of the event that its ending speaks of.
  private(set) var endingRevision = 0

  /// The revisions of inputs that had no place, neither as recorded nor as an edit changed them.
  var unused: [Int] { Set(spare.map(\.input.revision)).subtracting(replaced).union(refused).sorted() }
  private var refused: [Int] = []
  /// The revisions of recorded answers that an edit replaced.
  private let replaced: Set<Int>

  /// Makes the run.
  ///
  /// - Parameter situations: those of the recorded flow, which all runs of it share.
  init(
    _ flow: RecordedFlow, in situations: RecordedSituations<Kind>, _ plan: EditedSteps, _ answers: [ScriptedAnswer],
    remark: String?
  ) {
    self.situations = situations
    remaking = FlowRemaking(flow, pairsDrawsByKind: plan.masking != nil)
    masking = plan.masking ?? EditMasking(flow, policy: Kind.policy)
    self.remark = remark
    queue = plan.items
    spare = plan.spare
    replaced = Set(plan.spare.map(\.input.revision))
    self.answers = answers
    limit = 200 + 4 * plan.items.count
  }

  /// The flow so far.
  var flow: RecordedFlow { remaking.flow }

  /// Adds the remark, unless it was added already: a flow that the application has released accepts none.
  func addRemark() {
    guard let remark else { return }
    self.remark = nil
    let at = remaking.records.last?.at ?? Timestamp(microseconds: 0)
    remarkRevision = remaking.feed(.noteAdded(NoteAdded(text: remark)), cause: nil, at: at)?.first?.revision
  }

  /// Feeds all inputs.
  func run() -> FlowEnding {
    while !queue.isEmpty {
      guard fed < limit else { return giveUp(.loops, at: latest) }
      if case .recorded(let step, _) = queue[0], situations.quiet.contains(step.input.revision),
        !remaking.core.openCalls.isEmpty
      {
        // The application makes this call after the earlier ones have ended.
        if !goOn(before: true) { refused.append(queue.removeFirst().step.input.revision) }
        continue
      }
      take(queue.removeFirst())
    }
    // A flow that has ended waits for nothing more.
    while remaking.core.isOpen, goOn(before: false) { guard fed < limit else { return giveUp(.loops, at: latest) } }
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

  /// The new time of a recorded input: answers take as long as recorded, timers as long as they now run, and the
  /// application as long as recorded.
  private func time(of step: FlowStep, late: Int = 0) -> Timestamp {
    guard let cause = step.input.cause, let old = situations.records[cause], let waits = remaking.wait(of: step) else {
      return step.input.at.adding(behind)
    }
    if case (.timerSet(let before), .timerSet(let now)) = (old.event, waits.event),
      before.milliseconds != now.milliseconds
    {
      return waits.since.adding(Int64(now.duration + late) * 1_000)
    }
    return step.input.at.adding(waits.since.microseconds &- old.at.microseconds).adding(Int64(late) * 1_000)
  }

  /// Updates how far the run is behind after a recorded input.
  private func keepTime(after step: FlowStep) {
    guard let now = remaking.records.last?.at else { return }
    behind = now.microseconds &- step.input.at.microseconds
  }

  /// True if the application would make a recorded call now: it holds an object that the call can be made on, and a
  /// cancellation has something to cancel.
  private func isDue(_ step: FlowStep) -> Bool {
    guard case .callMade(let made) = step.input.event else { return true }
    // A flow that has ended is not released.
    if made.call == CallMade.release { return remaking.core.isOpen }
    if let on = made.on {
      // An application that held an older object in the recording still holds it.
      guard
        situations.statuses[on] == facts.status || situations.statuses[on] != situations.statuses[step.input.revision]
      else { return false }
    }
    guard let recorded = situations.objects[step.input.revision] else { return true }
    return Kind.isDue(made, in: remaking.core, on: remaking.object(of: made), as: recorded)
  }

  /// The call, in the new flow, that a recorded step belongs to.
  private func call(of step: FlowStep) -> Int? {
    var record: FlowRecord? = step.input
    while let current = record {
      if case .callMade(let made) = current.event, !made.isControl {
        return remaking.revisions[current.revision].flatMap { remaking.core.openCalls.contains($0) ? $0 : nil }
      }
      record = current.cause.flatMap { $0 < current.revision ? situations.records[$0] : nil }
    }
    return remaking.core.openCalls.max()
  }

  /// Completes one operation that the flow waits for.
  ///
  /// - Parameter before: whether recorded inputs are still to come; the operations that they answer are left to them.
  /// - Returns: whether anything happened.
  private func goOn(before: Bool) -> Bool {
    for waits in remaking.waiting {
      if before, isAwaitedInQueue(waits) { continue }
      if answer(waits) { return true }
    }
    let timers = remaking.waiting.compactMap { waits -> (revision: Int, due: Timestamp)? in
      guard case .timerSet(let timer) = waits.event, !(before && isAwaitedInQueue(waits)) else { return nil }
      return (waits.revision, Timestamp(microseconds: waits.since.microseconds + Int64(timer.duration) * 1_000))
    }
    guard let next = timers.min(by: { ($0.due, $0.revision) < ($1.due, $1.revision) }) else { return false }
    // The recorded end of this timer, if it came too early, has its place here.
    if let index = spare.firstIndex(where: { remaking.wait(of: $0)?.revision == next.revision }) {
      spare.remove(at: index)
    }
    feed(.timerFired(TimerFired()), cause: next.revision, at: next.due)
    return true
  }

  /// True if an input before the next call will answer this.
  private func isAwaitedInQueue(_ waits: FlowRemaking<Kind.Core>.Waiting) -> Bool {
    for item in queue {
      let step = item.step
      if case .callMade = step.input.event { return false }
      if let cause = step.input.cause, remaking.revisions[cause] == waits.revision { return true }
    }
    return false
  }

  /// Answers a request or a draw with a remaining recorded answer, or as scripted.
  private func answer(_ waits: FlowRemaking<Kind.Core>.Waiting) -> Bool {
    if case .timerSet = waits.event { return false }
    let index = spare.firstIndex { step in
      step.input.cause.flatMap { situations.records[$0] }.map { FlowRemaking<Kind.Core>.isAlike($0.event, waits.event) }
        == true
    }
    // What an edit replaced did not come, so that what was scripted comes before it.
    if let index, replaced.contains(spare[index].input.revision), answerAsScripted(waits) { return true }
    if let index {
      let step = spare.remove(at: index)
      if let made = remaking.feed(step, at: time(of: step)) {
        note(made)
        return true
      }
    }
    return answerAsScripted(waits)
  }

  /// Answers a request as scripted.
  private func answerAsScripted(_ waits: FlowRemaking<Kind.Core>.Waiting) -> Bool {
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
      latest = record.revision
      switch record.event {
      case .callReturned(let returned):
        lastReturn = record.revision
        if case .failed(let code, _) = returned.outcome { lastError = code } else { lastError = nil }
        isCancelled = returned.outcome == .cancelled
        isAnswered = lastError == nil && !isCancelled
      case .flowEnded(let event): ended = (event.outcome, record.revision)
      case .callMade(let made): if !made.isControl { ended = nil }
      case .flowStarted, .noteAdded, .requestSent, .responseReceived, .requestFailed, .drawAsked, .drawMade, .timerSet,
        .timerFired, .domain:
        break
      }
    }
  }

  // MARK: The end

  private func ending() -> FlowEnding {
    for waits in remaking.waiting {
      if case .requestSent(let request) = waits.event, isAwaited(waits) {
        return giveUp(.unanswered(request.path), at: waits.revision)
      }
      if case .drawAsked(let asked) = waits.event { return giveUp(.asks(asked.kind.rawValue), at: waits.revision) }
    }
    if let call = remaking.core.openCalls.min() { return giveUp(.hangs, at: call) }
    endingRevision = ended?.at ?? lastReturn ?? latest
    if let ended { return .ended(ended.outcome) }
    if let lastError, !lastError.isEmpty { return .failed(lastError) }
    if isCancelled { return .ended("cancelled") }
    if let status = facts.status { return .waits(status) }
    // The call did its work but led to no status, such as one that stops polling after a failed sign-in.
    if isAnswered { return .waits("no status") }
    return remaking.core.isOpen ? .unnamed : .ended("nothing")
  }

  /// True if a call waits for the answer to a request: after its call was cancelled, none does.
  private func isAwaited(_ waits: FlowRemaking<Kind.Core>.Waiting) -> Bool { !remaking.core.openCalls.isEmpty }

  /// Cancels waiting calls, so that the new flow has an end.
  ///
  /// - Parameter revision: that of the event that the ending speaks of.
  private func giveUp(_ ending: FlowEnding, at revision: Int) -> FlowEnding {
    endingRevision = revision
    let at = remaking.records.last?.at ?? Timestamp(microseconds: 0)
    for call in remaking.core.openCalls.sorted() {
      feed(.callMade(CallMade(call: CallMade.giveUp, arguments: ["call": .int(call)])), cause: nil, at: at)
    }
    return ending
  }
}

extension Timestamp {
  /// The time that many microseconds later, clamped to the latest time, since a recording may contain any time.
  fileprivate func adding(_ microseconds: Int64) -> Timestamp {
    let (sum, overflows) = self.microseconds.addingReportingOverflow(microseconds)
    return overflows ? self : Timestamp(microseconds: sum)
  }
}
