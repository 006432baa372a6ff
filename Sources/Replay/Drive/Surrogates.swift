// Made-up secrets, which stand where a recording has placeholders, so that what masks and reveals secrets has something to do.

import EventStore
import FlowRecording

/// Turns placeholders into texts that are no secrets, the same for the same placeholder.
struct Surrogates: Sendable {
  private static let prefix = Array("$secret.".utf8)
  /// The forms of a secret in a text that surrogates are written in: another case, and percent-encoded.
  private static let sightings: Set<Substring> = ["case", "pct"]

  /// Kinds that say no more than that something was too large, or nested too deeply.
  private static let unfit: Set<Substring> = ["excess", "deep"]

  /// Whether surrogates can stand for all placeholders of a flow: for secrets that stood there as they are, and not, say, in
  /// Base64 or across two fields.
  static func fit(_ records: [FlowRecord]) -> Bool {
    records.allSatisfy { fit($0.event.data) }
  }

  private static func fit(_ json: JSON) -> Bool {
    switch json {
    case .null, .bool, .number: true
    case .string(let text): fit(text)
    case .array(let elements): elements.allSatisfy(fit)
    case .object(let object): object.members.allSatisfy { fit($0.key) && fit($0.value) }
    }
  }

  private static func fit(_ text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "$")) else { return true }
    return text.split(separator: "$secret.", omittingEmptySubsequences: false).dropFirst().allSatisfy { rest in
      let parts = rest.prefix { $0 != "$" }.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count == 2 && !unfit.contains(parts[0]) || parts.count == 3 && sightings.contains(parts[2])
    }
  }

  /// A text with a surrogate for each placeholder in it.
  func reveal(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(UInt8(ascii: "$")) else { return text }
    var out: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index...].starts(with: Self.prefix),
        let end = bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "$"))
      {
        out += Self.surrogate(String(decoding: bytes[(index + Self.prefix.count)..<end], as: UTF8.self)).utf8
        index = end + 1
      } else {
        out.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// A value with surrogates in its strings and member names.
  func reveal(_ json: JSON) -> JSON {
    switch json {
    case .null, .bool, .number: json
    case .string(let text): .string(reveal(text))
    case .array(let elements): .array(elements.map(reveal))
    case .object(let object):
      .object(JSONObject(object.members.map { JSONObject.Member(key: reveal($0.key), value: reveal($0.value)) }))
    }
  }

  /// What stands for `password.1`: letters and digits, which no encoding changes and nothing else in a recording holds.
  private static func surrogate(_ name: String) -> String {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let base = parts.prefix(2).joined(separator: ".")
    let text = "sur\(String(StableHash.value(base.utf8), radix: 36))x\(parts.prefix(2).joined())"
    switch parts.dropFirst(2).first {
    case "case": return text.uppercased()
    case "pct": return "%73\(text.dropFirst())"
    default: return text
    }
  }
}
