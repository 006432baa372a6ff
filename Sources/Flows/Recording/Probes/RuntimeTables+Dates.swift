// Dates with one character changed: which of them may stay readable, and what is read from them.

import EventStore
import Foundation

extension RuntimeTables {
  private static let whole = [
    "2026-01-15T09:00Z", "2026-01-15T09:00:01Z", "2026-01-15T09:00:00.123Z", "2026-02-28T23:59:59+00:00",
    "2026-01-15T09:00:00.5-0000", "Thu, 15 Jan 2026 09:00:00 GMT", "Thu, 15-Jan-26 09:00:00 GMT",
    "Thursday, 15-Jan-2026 09:00:00 GMT",
  ]

  /// Dates of the calendar and beside it.
  private static let days = [
    "2026-01-29T09:00:00Z", "2026-01-31T09:00:00.000Z", "2026-02-29T09:00:00Z", "2028-02-29T09:00:00Z",
    "2026-04-30T09:00:00Z", "2026-04-31T09:00:00Z", "2026-12-31T23:59:59Z", "2026-12-32T09:00:00Z",
    "2026-01-15T24:00:00Z", "2026-01-15T09:60:00Z", "2026-01-15T09:00:60Z", "2026-01-15T09:00:00+02:00",
    "2026-01-15T09:00:00-02:30", "2026-01-15T09:00:00+0200", "2026-01-15T09:00:00 02:00", "T", "2026-01-15TZ",
    "Thu, 15-Jan-00 09:00:00 GMT", "Thu, 15-Jan-69 09:00:00 GMT", "Thu, 15-Jan-70 09:00:00 GMT",
    "Thu, 15-Jan-99 09:00:00 GMT", "Thu, 15 Jan 1900 09:00:00 GMT", "Thu, 15 Jan 9999 09:00:00 GMT",
  ]

  static var dated: [String] {
    let changed = whole.flatMap { text -> [String] in
      let letters = Array(text)
      return letters.indices.flatMap { index in
        ["", "0", "9", "x", " ", "-", ":", "z"].map { String(letters[..<index]) + $0 + String(letters[(index + 1)...]) }
      }
    }
    let ends = ["1", "-1", "-", "+1", "", "123456789012345", "1234567890123456", "-123456789012345", "1.5", "1 "]
    let read = (whole + days + changed).map { text -> String in
      line(text, [WordForm.isDate(text) ? "date" : "-", HTTPDate.seconds(text).map { "\($0)" } ?? "-"])
    }
    let played = (whole + days).map { text -> String in
      line("played \(text)", PlayedTime.date(text).map { "\($0.timeIntervalSince1970)" })
    }
    return read + played + ends.map { line("number \($0)", WordForm.isNumber($0)) }
  }
}
