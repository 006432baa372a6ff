// Names of streams: the kind of flow and a ULID, which sorts by time and cannot be guessed.

import EventStore

enum FlowIdentifier {
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// `authn/01JD…`: 48 bits of milliseconds and 80 random bits in Crockford's base 32 (ULID specification).
  static func make(kind: String, at time: Timestamp, entropy: any Entropy) -> String {
    var text: [UInt8] = []
    let milliseconds = UInt64(max(0, time.microseconds / 1000))
    for shift in stride(from: 45, through: 0, by: -5) { text.append(alphabet[Int(milliseconds >> UInt64(shift) & 31)]) }
    for half in [entropy.next(), entropy.next()] {
      for shift in stride(from: 35, through: 0, by: -5) { text.append(alphabet[Int(half >> UInt64(shift) & 31)]) }
    }
    return kind + "/" + String(decoding: text, as: UTF8.self)
  }
}
