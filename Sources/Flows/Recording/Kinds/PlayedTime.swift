// Reads a time of an org's answer for a comparison, apart from the code of the SDK that reads it.

package import Foundation

/// A time in a recorded answer.
package enum PlayedTime {
  /// The time of a text such as `2026-11-21T08:35:00.000Z`, with or without a fraction of a second.
  ///
  /// - Returns: nil for a text that Foundation cannot read or that has not the form of RFC 3339: none to compare with.
  package static func date(_ text: String) -> Date? {
    guard hasForm(Array(text.utf8)) else { return nil }
    return (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
      ?? (try? Date.ISO8601FormatStyle().parse(text))
  }

  /// Foundation also reads an offset without a colon, and a time with more behind it.
  private static func hasForm(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 6, bytes.count(where: { $0 == UInt8(ascii: "T") }) == 1 else { return false }
    let offset = bytes[bytes.count - 6]
    return bytes.last == UInt8(ascii: "Z")
      || bytes[bytes.count - 3] == UInt8(ascii: ":") && (offset == UInt8(ascii: "+") || offset == UInt8(ascii: "-"))
  }
}
