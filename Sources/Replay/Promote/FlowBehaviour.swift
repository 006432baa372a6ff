// What a recording shows, apart from how long it takes to show it: two recordings of the same behavior test the same.

public import EventStore
public import FlowKinds
public import FlowRecording

/// What the flows of a recording do, in the terms of a human reader: calls, requests, answers, statuses, results of
/// factors, offers and choices, messages, draws, errors and ends.
///
/// Each fact is listed once, in order of first occurrence; the full sequence of statuses is included as well. Polling
/// counts as once or several times. Ids, secrets, times, texts and personal data are not part of it.
public struct FlowBehaviour: Sendable, Hashable {
  /// The facts, each with the kind of its flow: `authn call authenticate`, `authn request POST /api/v1/authn`,
  /// `authn answer 200`, `authn status MFA_CHALLENGE`, `authn event factor.updated result=REJECTED`,
  /// `authn fired poll several`, `authn ended success`.
  public private(set) var facts: [String] = []

  /// The behavior of a recording.
  public init(_ recording: Recording, kinds: KindRegistry = .standard) {
    var known: Set<String> = []
    for flow in recording.flows {
      let kind = flow.kind
      for fact in FactReader.facts(of: flow, kinds) where known.insert("\(kind) \(fact)").inserted {
        facts.append("\(kind) \(fact)")
      }
    }
  }

  /// The name of the behavior: the same for the same facts in the same order, 16 hexadecimal digits.
  public var name: String { StableHash.text(facts.joined(separator: "\n")) }

  /// What the recording covers, by subject, each value once, in order.
  public var covers: JSON {
    var subjects: [(name: String, values: [String])] = [
      ("call", []), ("status", []), ("answer", []), ("error", []), ("event", []), ("ended", []),
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
}

extension RequestSent {
  /// The method and the path without ids and secrets: the same at another org, for another user.
  var path: String {
    let place = place
    let words = place.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let parts = URLParts(String(words[1])) else { return place }
    let steps = parts.path.split(separator: "/", omittingEmptySubsequences: false).map { step in
      Self.isID(step) ? "*" : String(step)
    }
    return "\(words[0]) \(steps.joined(separator: "/"))"
  }

  /// True if a part of a path is an id: long, or with digits other than those of a version.
  static func isID(_ step: Substring) -> Bool {
    step.contains("*") || step.count >= 16 || step.count >= 6 && step.contains(where: \.isNumber)
  }
}
