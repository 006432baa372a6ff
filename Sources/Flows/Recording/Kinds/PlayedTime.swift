// Reads a time of an org's answer for comparison, independently of the SDK's code that reads it.

package import Foundation

/// A time in a recorded answer.
package enum PlayedTime {
  /// The time of a text such as `2026-11-21T08:35:00.000Z`, with or without a fraction of a second.
  ///
  /// - Returns: nil for a text that Foundation cannot read or that does not have the form of RFC 3339; it is not
  ///   compared.
  package static func date(_ text: String) -> Date? {
    let bytes = Array(text.utf8)
    guard hasForm(bytes), isOfCalendar(bytes) else { return nil }
    return (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
      ?? (try? Date.ISO8601FormatStyle().parse(text))
  }

  /// Whether the date exists: Foundation reads February 30 as March 2, and 25:00 as 1:00 of the next day.
  private static func isOfCalendar(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 18 else { return false }
    func number(_ start: Int) -> Int { Int(String(decoding: bytes[start..<(start + 2)], as: UTF8.self)) ?? 99 }
    guard number(11) < 24, number(14) < 60, number(17) < 60 else { return false }
    if number(8) < 29 { return true }
    let day = String(decoding: bytes.prefix(10), as: UTF8.self)
    let style = Date.ISO8601FormatStyle().year().month().day()
    return (try? style.parse(day))?.formatted(style) == day
  }

  /// Whether the form is RFC 3339: Foundation also accepts an offset without a colon, and trailing text.
  private static func hasForm(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 6, bytes.count(where: { $0 == UInt8(ascii: "T") }) == 1 else { return false }
    let offset = bytes[bytes.count - 6]
    return bytes.last == UInt8(ascii: "Z")
      || bytes[bytes.count - 3] == UInt8(ascii: ":") && (offset == UInt8(ascii: "+") || offset == UInt8(ascii: "-"))
  }
}
