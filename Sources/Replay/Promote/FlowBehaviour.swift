// What a recording shows, apart from how long it takes to show it: two recordings of the same behavior test the same.

public import EventStore
public import FlowKinds
public import FlowRecording

/// What the flows of a recording do: calls, requests, answers, statuses and ends, each once, in the order in which they first come.
public struct FlowBehaviour: Sendable, Hashable {
  /// The facts: `call authenticate`, `request POST https://…/api/v1/authn`, `answer 200`, `status MFA_CHALLENGE`, `ended success`.
  public private(set) var facts: [String] = []

  /// The behavior of a recording.
  public init(_ recording: Recording, kinds: KindRegistry = .standard) {
    var known: Set<String> = []
    for flow in recording.flows {
      let kind = Replay.kind(of: flow)
      for fact in Self.facts(of: flow, kinds) where known.insert("\(kind) \(fact)").inserted {
        facts.append("\(kind) \(fact)")
      }
    }
  }

  /// The name of the behavior: the same for the same facts in the same order, 16 hexadecimal digits.
  public var name: String { StableHash.text(facts.joined(separator: "\n")) }

  /// What the recording covers, by subject, each value once, in order.
  public var covers: JSON {
    var subjects: [(name: String, values: [String])] = [
      ("call", []), ("status", []), ("answer", []), ("error", []), ("ended", []),
    ]
    for fact in facts {
      let parts = fact.split(separator: " ", maxSplits: 2).map(String.init)
      guard parts.count == 3, let index = subjects.firstIndex(where: { $0.name == parts[1] }),
        !subjects[index].values.contains(parts[2])
      else { continue }
      subjects[index].values.append(parts[2])
    }
    let kinds = facts.compactMap { $0.split(separator: " ").first.map(String.init) }
    return .members(
      [("kind", .array(Set(kinds).sorted().map(JSON.string)))]
        + subjects.map { ($0.name, .array($0.values.map(JSON.string))) })
  }

  private static func facts(of flow: RecordedFlow, _ kinds: KindRegistry) -> [String] {
    let kind = kinds.kind(of: flow.records)
    var sign = SignInFacts()
    var facts: [String] = []
    for record in flow.records {
      let before = sign.status
      kind?.note(record.event.type, { record.event.data }, in: &sign)
      if let status = sign.status, status != before { facts.append("status \(status)") }
      facts += Self.facts(of: record.event)
    }
    return facts
  }

  private static func facts(of event: FlowEvent) -> [String] {
    switch event {
    case .flowStarted, .drawAsked, .timerFired, .noteAdded: return []
    case .flowEnded(let ended): return ["ended \(ended.outcome)"]
    case .callMade(let made): return ["call \(made.call)"]
    case .callReturned(let returned):
      guard case .failed(let code, _) = returned.outcome else { return [] }
      return ["error \(code)"]
    case .requestSent(let request): return ["request \(request.path)"]
    case .responseReceived(let response):
      guard case .json(let body) = response.body else { return ["answer \(response.status)"] }
      let code = body["errorCode"]?.string ?? body["error"]?.string
      return ["answer \(response.status)" + (code.map { " \($0)" } ?? "")]
    case .requestFailed(let failed): return ["answer \(failed.code)"]
    case .drawMade(let draw):
      guard case .failure(let failure) = draw.result else { return [] }
      return ["draw \(draw.kind.rawValue) \(failure.reason.rawValue)"]
    case .timerSet(let timer): return ["timer \(timer.purpose)"]
    case .domain(let event): return ["event \(event.type)"]
    }
  }
}

extension RequestSent {
  /// The method and the path, ids and secrets left out: it is the same at another org, for another user.
  var path: String {
    let place = place
    let words = place.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let parts = URLParts(String(words[1])) else { return place }
    let steps = parts.path.split(separator: "/", omittingEmptySubsequences: false).map { step in
      Self.isID(step) ? "*" : String(step)
    }
    return "\(words[0]) \(steps.joined(separator: "/"))"
  }

  /// Whether a part of a path is the id of something: long, or with digits in it beside what a version has.
  static func isID(_ step: Substring) -> Bool {
    step.contains("*") || step.count >= 16 || step.count >= 6 && step.contains(where: \.isNumber)
  }
}
