// A moment on the org's clock and its two texts: ISO 8601 in bodies (authn.md §1.4), RFC 9110 in `Date`.

import Foundation

/// Milliseconds since 1970-01-01T00:00:00Z. Formatted by arithmetic: a date formatter costs more than the whole answer.
struct Timestamp: Comparable, Hashable, Sendable {
  var milliseconds: Int64

  init(milliseconds: Int64) { self.milliseconds = milliseconds }

  init(_ date: Date) {
    // Far outside what a calendar can show, a date is as good as its nearest bound.
    let bound = 8.0e15
    let value = (date.timeIntervalSince1970 * 1000).rounded()
    milliseconds = Int64(value.isNaN ? 0 : max(0, min(bound, value)))
  }

  /// The same moment as a `Date`.
  var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

  /// Whole seconds since 1970.
  var seconds: Int64 { milliseconds / 1000 }

  static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

  static func + (time: Self, seconds: TimeInterval) -> Self {
    Self(Date(timeIntervalSince1970: Double(time.milliseconds) / 1000 + seconds))
  }

  /// Seconds from the other moment to this one.
  func seconds(since other: Self) -> TimeInterval { Double(milliseconds - other.milliseconds) / 1000 }

  /// `2024-05-01T10:15:57.000Z`.
  var iso8601: String {
    let (year, month, day) = civil
    let time = Self.clock(seconds)
    return
      "\(Self.pad(year, 4))-\(Self.pad(month, 2))-\(Self.pad(day, 2))T\(time).\(Self.pad(Int(milliseconds % 1000), 3))Z"
  }

  /// `Wed, 01 May 2024 10:15:57 GMT`.
  var httpDate: String {
    let (year, month, day) = civil
    let weekday = Self.weekdays[Int((seconds / 86_400 + 4) % 7)]
    return "\(weekday), \(Self.pad(day, 2)) \(Self.months[month - 1]) \(Self.pad(year, 4)) \(Self.clock(seconds)) GMT"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Year, month, day of the proleptic Gregorian calendar (Howard Hinnant, `civil_from_days`).
  private var civil: (year: Int, month: Int, day: Int) {
    let days = Int(seconds / 86_400) + 719_468
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private static func clock(_ seconds: Int64) -> String {
    let rest = Int(seconds % 86_400)
    return "\(pad(rest / 3600, 2)):\(pad(rest / 60 % 60, 2)):\(pad(rest % 60, 2))"
  }

  private static func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
