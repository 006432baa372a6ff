// Digests of the outcomes of a recorded flow with changes. A recording covers only the decisions on its path; by itself
// it does not show what the SDK does about an answer that is lost or lacks a member.

import EventStore
import FlowKinds
import FlowRecording

/// A change of a recorded flow that is tried.
struct FlowVariant {
  /// The revision of the changed event.
  var revision: Int
  /// What happens there, in a few words.
  var name: String
  var edits: [FlowEdit]
  /// Whether the resulting flow is also run whole.
  var runsWhole: Bool

  /// Some changes of a flow: faults, and answers with a missing or different member. The selection depends on the flow.
  static func some(of flow: RecordedFlow, count: Int) -> [FlowVariant] {
    guard let steps = flow.steps else { return [] }
    let faults = FaultSweep.faults(of: flow, steps)
    let answers = steps.compactMap { step -> (cause: Int, body: JSON)? in
      guard let cause = step.input.cause, case .responseReceived(let response) = step.input.event,
        case .json(let body) = response.body
      else { return nil }
      return (cause, body)
    }
    let name = flow.stableName
    return (0..<count).compactMap { number in
      let hash = StableHash.value("\(name)#\(number)")
      let pick = { (count: Int, turn: UInt64) in Int((hash >> turn ^ hash >> 32) % UInt64(max(count, 1))) }
      let runsWhole = pick(6, 3) == 0
      if number.isMultiple(of: 2) || answers.isEmpty {
        guard !faults.isEmpty else { return nil }
        let fault = faults[pick(faults.count, 0)]
        return FlowVariant(revision: fault.revision, name: fault.name, edits: fault.edits, runsWhole: runsWhole)
      }
      let answer = answers[pick(answers.count, 0)]
      let places = ChangedJSON.places(in: answer.body)
      guard !places.isEmpty else { return nil }
      let change = ChangedJSON.allCases[pick(ChangedJSON.allCases.count, 5)]
      let body = change.applied(to: answer.body, at: places[pick(places.count, 7)][...])
      return FlowVariant(
        revision: answer.cause, name: "another body",
        edits: [FlowEdit(at: answer.cause, .answer(status: nil, headers: [], body: body, isMalformed: false))],
        runsWhole: runsWhole)
    }
  }
}

/// The parts of the recorded flow that the digests of all its variants use, read once.
private struct RecordedSide<Kind: FlowKind> {
  let flow: RecordedFlow
  let situations: RecordedSituations<Kind>
  let steps: [FlowStep]?
  /// The data of its events.
  let data: [UInt8]
  /// The pushes that it saw, as text.
  let pushes: [UInt8]

  init(_ flow: RecordedFlow) {
    self.flow = flow
    situations = RecordedSituations(flow)
    steps = flow.steps
    data = flow.records.flatMap { $0.event.data.bytes }
    pushes = Self.words(of: Kind.pushes(in: flow.records))
  }

  static func words(of pushes: [PushSighting]) -> [UInt8] { pushes.flatMap { Array(words(of: $0).utf8) } }

  private static func words(of push: PushSighting) -> String {
    let times = [push.sent, push.answerableUntil, push.ended].map { $0.map { "\($0.microseconds)" } ?? "-" }
    let texts = [push.org, push.userID, push.transaction].map { $0 ?? "-" }
    return "\n\(texts) \(push.began.microseconds) \(times) \(push.outcome.rawValue) "
      + "\(push.answers.map { "\($0.at.microseconds) \($0.word)" }) \(push.showsNumber.map { "\($0)" } ?? "-") "
      + "\(push.facts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }) \(push.revisions)"
  }
}

extension FlowKind {
  /// The digests of the outcomes of some variants of a flow.
  static func variantDigests(of flow: RecordedFlow, count: Int) -> [String] {
    let recorded = RecordedSide<Self>(flow)
    return FlowVariant.some(of: flow, count: count).map { digest(of: $0, in: recorded) }
  }

  /// The first variant with a different outcome than when the recording was made; nil if there is none.
  static func variantDivergence(of flow: RecordedFlow, from recorded: [String], in recording: String) -> Divergence? {
    guard !recorded.isEmpty else { return nil }
    // The variants of a smaller count are the first ones of a larger count.
    let variants = FlowVariant.some(of: flow, count: recorded.count)
    let side = RecordedSide<Self>(flow)
    for (variant, expected) in zip(variants, recorded) {
      let actual = digest(of: variant, in: side)
      guard actual != expected else { continue }
      let index = flow.records.firstIndex { $0.revision == variant.revision } ?? 0
      return Divergence(
        of: "variant", after: index, of: flow, in: recording,
        "with \(variant.name) at revision \(variant.revision) it comes to something else", names: [],
        recorded: .string("digest \(expected)"), replayed: .string("digest \(actual)"))
    }
    return nil
  }

  private static func digest(of variant: FlowVariant, in recorded: RecordedSide<Self>) -> String {
    let flow = recorded.flow
    guard let steps = recorded.steps, let plan = try? EditedSteps(flow, steps, variant.edits, policy: policy) else {
      return RecordedDigests.digest([])
    }
    let result = run(flow, in: recorded.situations, plan)
    var core = Core()
    var facts = FactsFold<Self>()
    var text = recorded.data + Array(result.ending.description.utf8)
    for record in result.flow.records {
      core.fold(record)
      facts.take(record)
      text +=
        Array("\n\(record.event.type) \(record.cause ?? -1) \(record.at.microseconds) ".utf8) + record.event.data.bytes
    }
    text += state(of: core).bytes + facts.text
    text += recorded.pushes + RecordedSide<Self>.words(of: pushes(in: result.flow.records))
    if variant.runsWhole, canRunWhole(result.flow) {
      let replayer = whole(result.flow, of: flow.stream)
      for divergence in replayer.run(limit: 3) {
        text += Array("\n\(divergence.revision) \(divergence.kind.rawValue)".utf8)
      }
      for (name, error) in (replayer.forms?.errors ?? [:]).sorted(by: { $0.key < $1.key }) {
        text += Array("\n\(name) \(error)".utf8)
      }
    }
    return RecordedDigests.digest(text)
  }
}
