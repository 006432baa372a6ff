// Divergences that have one cause: one change of the SDK shows in many recordings.

public import EventStore
import FlowRecording

/// First divergences that differ in the same way: the same kind, event, call and place in the event; requests that only
/// one side has are of the same method and path, and what the application does not get is the same property.
public struct DivergenceCause: Sendable, Hashable {
  /// The divergences, in the order of the recordings; at least one.
  public var divergences: [Divergence]
  /// Whether all of them have the same values on both sides, or are about the same event if one side has none.
  public var hasSameValues: Bool

  /// What divergences of one cause have in common.
  struct Key: Hashable {
    var kind: Divergence.Kind
    var call: String?
    var expected: String?
    var actual: String?
    var path: String?
    /// What tells events of one type apart that only one side has.
    var subject: String?

    init(_ divergence: Divergence) {
      kind = divergence.kind
      call = divergence.call
      expected = divergence.expected?["type"]?.string
      actual = divergence.actual?["type"]?.string
      // An index in a list only says which of many members it was.
      path = divergence.path.map(Self.withoutIndices)
      subject = Self.request(of: divergence) ?? divergence.complaint.map(Self.withoutIndices)
    }

    private static func withoutIndices(_ text: String) -> String { text.replacing(/\[[0-9]+\]/, with: "[]") }

    /// The method and path of a request that only one side has. Ids and secrets differ between flows.
    private static func request(of divergence: Divergence) -> String? {
      guard (divergence.expected == nil) != (divergence.actual == nil),
        let event = divergence.expected ?? divergence.actual, event["type"]?.string == RequestSent.type,
        let url = event["data"]?["url"]?.string
      else { return nil }
      let parts = (URLParts(url)?.path ?? url).split(separator: "/").map { part in
        part.contains("$secret.") || part.utf8.count >= 16 && part.contains(where: \.isNumber) ? "*" : String(part)
      }
      return ([event["data"]?["method"]?.string ?? ""] + parts).joined(separator: "/")
    }
  }

  /// Groups divergences: by rank, then the largest group first, then in order of occurrence.
  public static func grouping(_ divergences: [Divergence]) -> [DivergenceCause] {
    var order: [Key] = []
    var groups: [Key: [Divergence]] = [:]
    for divergence in divergences {
      let key = Key(divergence)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(divergence)
    }
    let causes = order.compactMap { groups[$0] }.map { group in
      DivergenceCause(
        divergences: group,
        hasSameValues: group.allSatisfy { haveSameValues($0, group[0]) })
    }
    return causes.enumerated().sorted { one, other in
      let (left, right) = (one.element.divergences, other.element.divergences)
      return (left[0].rank, right.count, one.offset) < (right[0].rank, left.count, other.offset)
    }.map(\.element)
  }

  private static func haveSameValues(_ one: Divergence, _ other: Divergence) -> Bool {
    guard one.path == nil else { return one.recorded == other.recorded && one.replayed == other.replayed }
    return one.expected?["data"] == other.expected?["data"] && one.actual?["data"] == other.actual?["data"]
      && one.complaint == other.complaint
  }

  /// The members of a cause in `auditctl replay --json`.
  public var json: JSON {
    let first = divergences[0]
    return .members([
      ("flows", .int(divergences.count)), ("kind", .string(first.kind.rawValue)),
      ("call", first.call.map(JSON.string) ?? .null), ("path", first.path.map(JSON.string) ?? .null),
      ("message", .string(first.message)), ("hasSameValues", .bool(hasSameValues)),
      (
        "members",
        .array(
          divergences.map {
            ["recording": .string($0.recording), "flow": .string($0.flow), "revision": .int($0.revision)]
          })
      ),
    ])
  }
}
