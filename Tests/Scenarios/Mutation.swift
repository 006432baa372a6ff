// Damages documents at random, for tests that nothing a server sends makes the SDK fail.

public import EventStore
public import FlowRecording

/// Random damage from a seed.
public enum Mutation {
  /// One to four bytes changed, added or removed, or the end cut off.
  public static func mutate(_ body: [UInt8], _ entropy: SeededEntropy) -> [UInt8] {
    var body = body
    for _ in 0..<(1 + entropy.next() % 4) where !body.isEmpty {
      let index = Int(entropy.next() % UInt64(body.count))
      switch entropy.next() % 4 {
      case 0: body[index] = UInt8(truncatingIfNeeded: entropy.next())
      case 1: body.remove(at: index)
      case 2: body.insert(UInt8(truncatingIfNeeded: entropy.next()), at: index)
      default: body = Array(body.prefix(index))
      }
    }
    return body
  }

  /// Values replaced by others, members left out.
  public static func mutate(_ json: JSON, _ entropy: SeededEntropy) -> JSON {
    if entropy.next() % 10 == 0 {
      let others: [JSON] = [.null, true, 0, .number("1e999"), .number("-12345678901234567890"), "", "x", [], [:], [[]]]
      return others[Int(entropy.next() % UInt64(others.count))]
    }
    switch json {
    case .array(let elements): return .array(elements.map { mutate($0, entropy) })
    case .object(let object):
      return .object(
        JSONObject(
          object.members.compactMap { member in
            entropy.next() % 12 == 0
              ? nil : JSONObject.Member(key: member.key, value: mutate(member.value, entropy))
          }))
    default: return json
    }
  }
}
