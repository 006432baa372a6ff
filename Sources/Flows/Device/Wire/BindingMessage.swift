// Prepares binding messages for display (spec/device.md §8.4).

/// Texts of a challenge that are displayed.
package enum BindingMessage {
  /// The percent-decoded message, or the original if decoding fails, without control and direction characters.
  package static func shown(_ message: String) -> String { clean(decoded(message) ?? message) }

  /// The same; or, as in the reference, nothing if the message cannot be decoded (§21, row 6).
  static func shown(_ message: String, asReference: Bool) -> String? {
    asReference ? decoded(message) : shown(message)
  }

  private static func decoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let high = digit(rest[rest.startIndex]), let low = digit(rest[rest.startIndex + 1]) else {
        return nil
      }
      rest = rest.dropFirst(2)
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func clean(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !isHidden(scalar) { scalars.append(scalar) }
    return String(scalars)
  }

  /// Whether a character is a control character or changes the direction of text (Unicode UAX #9 §2).
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
