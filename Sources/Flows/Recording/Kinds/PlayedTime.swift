// Reads a time of an org's answer for a comparison, apart from the code of the SDK that reads it.

package import Foundation

/// A time in a recorded answer.
package enum PlayedTime {
  /// The time of a text such as `2026-11-21T08:35:00.000Z`, with or without a fraction of a second.
  ///
  /// - Returns: nil for a text that Foundation cannot read, which is none to compare with.
  package static func date(_ text: String) -> Date? {
    (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
      ?? (try? Date.ISO8601FormatStyle().parse(text))
  }
}
