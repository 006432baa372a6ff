// Runs recorded flows with changes.

import EventStore
public import FlowKinds
public import FlowRecording

/// How a changed flow ended.
public enum FlowEnding: Sendable, Hashable, CustomStringConvertible {
  /// The flow ended with this outcome.
  case ended(String)
  /// Nothing is in progress, and the application must act next in this status.
  case waits(String)
  /// Nothing is in progress, and the last call failed with this error.
  case failed(String)
  /// The flow sends a request for which neither the recording nor the script has an answer. Its calls were cancelled.
  case unanswered(String)
  /// The flow asks for a draw of this kind for which the recording has no answer. Its calls were cancelled.
  case asks(String)
  /// Calls wait, and nothing in progress could end them.
  case hangs
  /// The flow ran for so long that it does not seem to end.
  case loops
  /// The flow is open, and neither a status nor an error describes its position.
  case unnamed

  /// True if this ending must never occur, whatever the org does.
  public var isFinding: Bool {
    switch self {
    case .ended, .waits, .failed, .unanswered, .asks: false
    case .hangs, .loops, .unnamed: true
    }
  }

  /// A few words: `ended success`, `unanswered POST /api/v1/authn`.
  public var description: String {
    switch self {
    case .ended(let outcome): "ended \(outcome)"
    case .waits(let status): "waits in \(status)"
    case .failed(let code): "failed \(code)"
    case .unanswered(let request): "unanswered \(request)"
    case .asks(let kind): "asks \(kind)"
    case .hangs: "hangs"
    case .loops: "loops"
    case .unnamed: "ends unnamed"
    }
  }
}

/// Runs recorded flows with changes in them.
public enum WhatIf {
  /// The result of running a changed flow.
  public struct Result: Sendable {
    /// The new flow.
    public var flow: RecordedFlow
    /// How it ended.
    public var ending: FlowEnding
    /// The revisions of inputs of the recording that have no place in the new flow, neither as recorded nor as edited.
    public var unused: [Int]
    /// The scripted answers that no request asked for, in order.
    public var unusedAnswers: [ScriptedAnswer]
    /// True if the new flow has a note about its origin.
    public var isNoted: Bool
    /// The revision, in the new flow, of its first event that is another than the recorded one, or comes at another
    /// time; the note does not count. `nil` if there is none: the flow is the recorded one, or the beginning of it.
    public var firstDifference: Int?
    /// The revision, in the new flow, of the event that its ending speaks of: the end of the flow; the request or the
    /// draw that has no answer; the call that hangs; otherwise the last return of a call, or the last event.
    public var endingRevision: Int
  }

  /// Runs a recorded flow with edits. The SDK's decisions run on the recorded inputs as long as these fit, then on
  /// scripted answers, then on recorded ones that edits replaced; a flow that waits for more is abandoned, and its ending says what it waited for. No time passes,
  /// and nothing is sent.
  ///
  /// - Parameters:
  ///   - flow: the recorded flow.
  ///   - edits: the changes; secrets in them become placeholders, like those in an org's answers.
  ///   - name: the name of the recording, for a note about the origin in the new flow, before it is released or at its
  ///     end. Its placeholders are numbered as in a recording, as far as the numbering can be determined.
  ///   - kinds: the known kinds of flow.
  /// - Throws: `ReplayError` if the flow is not valid; `EditError` if it has nothing at the revision of an edit.
  public static func run(
    _ flow: RecordedFlow, _ edits: FlowEdits, of name: String? = nil, kinds: KindRegistry = .standard
  ) throws -> Result {
    guard let kind = kinds.kind(of: flow.records), let steps = flow.steps else {
      throw ReplayError.noKind(of: flow)
    }
    for answer in edits.answers {
      guard let name = answer.headers.first(where: { kind.policy.headers[$0.name.lowercased()] == nil })?.name
      else { continue }
      throw EditedSteps.noHeader(name, "the answer to \(answer.request)", kind.policy)
    }
    let masking = EditMasking(flow, policy: kind.policy)
    let plan = try EditedSteps(flow, steps, edits.edits, policy: kind.policy, masking: masking)
    let changes = plan.summary.isEmpty ? "nothing changed" : plan.summary
    var result = kind.run(flow, plan, edits.answers, note: name.map { "what if: made of \($0), \(changes)" })
    if name != nil, !edits.edits.isEmpty || !edits.answers.isEmpty, let renamed = kind.renamed(result.flow) {
      let recording = Recording(name: flow.stream, flows: [renamed])
      if (try? Replay.replay(recording, kinds: kinds))?.isEmpty == true { result.flow = renamed }
    }
    return result
  }

}

extension FlowKind {
  /// Runs a recorded flow once by a plan.
  fileprivate static func run(
    _ flow: RecordedFlow, _ plan: EditedSteps, _ answers: [ScriptedAnswer], note: String?
  ) -> WhatIf.Result {
    run(flow, in: RecordedSituations(flow), plan, answers, note: note)
  }

  /// The endings of a recorded flow with the SDK's own edits, which have no secrets: one for each list of edits.
  ///
  /// - Parameter before: called before each run with the number of its list.
  static func endings(
    of flow: RecordedFlow, _ steps: [FlowStep], _ edits: [[FlowEdit]], before: (Int) -> Void
  ) throws -> [FlowEnding] {
    let situations = RecordedSituations<Self>(flow)
    return try edits.enumerated().map { number, edits in
      before(number)
      return try run(
        flow, in: situations, EditedSteps(flow, steps, edits, policy: policy)
      ).ending
    }
  }

  /// Runs a recorded flow by a plan.
  ///
  /// - Parameter situations: those of the recorded flow, which all runs of it share.
  static func run(
    _ flow: RecordedFlow, in situations: RecordedSituations<Self>, _ plan: EditedSteps,
    _ answers: [ScriptedAnswer] = [], note: String? = nil
  ) -> WhatIf.Result {
    let run = EditedRun<Self>(flow, in: situations, plan, answers, remark: note)
    let ending = run.run()
    run.addRemark()
    let difference = firstDifference(of: run.flow.records, from: flow.records, noteAt: run.remarkRevision)
    return WhatIf.Result(
      flow: run.flow, ending: ending, unused: run.unused, unusedAnswers: run.answers,
      isNoted: run.remarkRevision != nil, firstDifference: difference, endingRevision: run.endingRevision)
  }

  /// The revision of the first event of a new flow that the recorded one does not have there, or has at another time.
  /// The note about its origin, at the revision `note`, is no difference. It moves the revisions of what follows it:
  /// the end of the flow and late answers, which have none of these revisions in their data.
  private static func firstDifference(
    of made: [FlowRecord], from recorded: [FlowRecord], noteAt note: Int?
  ) -> Int? {
    let moved = note.flatMap { note in made.first { $0.revision > note }.map { $0.revision - note } } ?? 0
    func unmoved(_ revision: Int) -> Int { note.map { revision > $0 } == true ? revision - moved : revision }
    let plain = made.filter { $0.revision != note }
    for (index, record) in plain.enumerated() {
      var same = record
      (same.revision, same.cause) = (unmoved(record.revision), record.cause.map(unmoved))
      guard index < recorded.count, recorded[index] == same else { return record.revision }
    }
    return nil
  }
}
