// A recorded flow with something that went otherwise.

import EventStore
public import FlowKinds
public import FlowRecording

/// How a flow came to its end that something was changed in.
public enum FlowEnding: Sendable, Hashable, CustomStringConvertible {
  /// The flow ended with this outcome.
  case ended(String)
  /// Nothing is under way, and the application has the next word in this status.
  case waits(String)
  /// Nothing is under way, and the last call failed with this error.
  case failed(String)
  /// The flow sends a request that neither the recording nor a scripted answer has an answer for. Its calls were given
  /// up.
  case unanswered(String)
  /// The flow asks for a draw of this kind that the recording has no answer for. Its calls were given up.
  case asks(String)
  /// Calls wait, and nothing is under way that could end them.
  case hangs
  /// The flow went on for so long that it does not seem to end.
  case loops
  /// The flow is open, and neither a status nor an error says where it stands.
  case unnamed

  /// Whether it must not be, whatever the org does.
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
  /// What came of a flow with changes in it.
  public struct Result: Sendable {
    /// The new flow.
    public var flow: RecordedFlow
    /// How it came to its end.
    public var ending: FlowEnding
    /// The revisions of recorded inputs that the new flow had no place for.
    public var unused: [Int]
    /// The scripted answers that no request asked for, in order.
    public var unusedAnswers: [ScriptedAnswer]
    /// Whether the new flow has a note that says what it was made of.
    public var isNoted: Bool
  }

  /// Runs a recorded flow with edits. The SDK's decisions run on the recorded inputs as long as these answer it, then
  /// on scripted answers; a flow that waits for more is given up, and its ending says what it waited for. Time does not
  /// pass, nothing is sent.
  ///
  /// - Parameters:
  ///   - flow: the recorded flow.
  ///   - edits: what goes otherwise; secrets in it become placeholders, as those of an org's answers do.
  ///   - name: what the recording is called: a note in the new flow, before it is let go of or at its end, says what it
  ///     was made of. Its placeholders are numbered as those of a recording are, as far as that can be found out.
  ///   - kinds: the kinds of flow that are known.
  /// - Throws: `ReplayError` if the flow is none; `EditError` if it has nothing at the revision of an edit.
  public static func run(
    _ flow: RecordedFlow, _ edits: FlowEdits, of name: String? = nil, kinds: KindRegistry = .standard
  ) throws -> Result {
    guard let kind = kinds.kind(of: flow.records), let steps = flow.steps else {
      throw ReplayError.unknownKind(stream: flow.stream, kind: Replay.kind(of: flow))
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

  /// Runs a recorded flow with edits of the SDK's own, which have no secrets.
  static func tried(_ flow: RecordedFlow, _ edits: [FlowEdit], kinds: KindRegistry) throws -> Result {
    guard let kind = kinds.kind(of: flow.records), let steps = flow.steps else {
      throw ReplayError.unknownKind(stream: flow.stream, kind: Replay.kind(of: flow))
    }
    return kind.run(flow, try EditedSteps(flow, steps, edits, policy: kind.policy), [], note: nil)
  }
}

extension FlowKind {
  static func run(
    _ flow: RecordedFlow, _ plan: EditedSteps, _ answers: [ScriptedAnswer], note: String?
  ) -> WhatIf.Result {
    let run = EditedRun<Self>(flow, plan, answers, remark: note)
    let ending = run.run()
    run.addRemark()
    return WhatIf.Result(
      flow: run.flow, ending: ending, unused: run.unused, unusedAnswers: run.answers, isNoted: run.isRemarked)
  }
}
