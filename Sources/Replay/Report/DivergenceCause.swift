// Divergences that have one cause: one change of the SDK shows in many recordings.

public import EventStore

/// First divergences that differ in the same way: the same kind, event, call and place in the event.
public struct DivergenceCause: Sendable, Hashable {
  /// The divergences, in the order of the recordings; at least one.
  public var divergences: [Divergence]
  /// Whether all of them have the same values on both sides.
  public var hasSameValues: Bool

  /// What divergences of one cause have in common.
  struct Key: Hashable {
    var kind: Divergence.Kind
    var call: String?
    var expected: String?
    var actual: String?
    var path: String?

    init(_ divergence: Divergence) {
      kind = divergence.kind
      call = divergence.call
      expected = divergence.expected?["type"]?.string
      actual = divergence.actual?["type"]?.string
      // An index in a list only says which of many members it was.
      path = divergence.path?.replacing(/\[[0-9]+\]/, with: "[]")
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
        hasSameValues: group.allSatisfy { $0.recorded == group[0].recorded && $0.replayed == group[0].replayed })
    }
    return causes.enumerated().sorted { one, other in
      let (left, right) = (one.element.divergences, other.element.divergences)
      return (left[0].rank, right.count, one.offset) < (right[0].rank, left.count, other.offset)
    }.map(\.element)
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
