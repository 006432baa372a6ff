// Times as commands accept them (CLI.md): RFC 3339, `now`, `today`, `yesterday`, `-15m`, and other common forms.

package import EventStore
import Foundation

/// A time, or a span of time, that a person typed.
package struct TimeExpression: Sendable, Equatable {
  /// The moment, or the first moment of the span.
  package let first: Timestamp
  /// The moment, or the last moment of the span: `--until today` includes all of today, `--until 10:00` all of that
  /// minute.
  package let last: Timestamp

  /// The forms, as listed in the help.
  package static let forms =
    "RFC 3339, 2026-11-21, 2026-11, 2026-W47, 10:00, 'yesterday 14:00', now, today, yesterday, 'last week', -15m, -1h30m, -7d, @1763712000"

  /// Parses a time; nil if the text is not one.
  ///
  /// - Parameters:
  ///   - text: the text as typed.
  ///   - now: the time that relative times count from.
  ///   - zone: the zone of days and times of day.
  package init?(_ text: String, now: Timestamp, zone: Zone = .utc) {
    guard
      let span = Self.moment(text, now: now) ?? Self.span(text, now: now, zone: zone)
        ?? Self.local(text, now: now, zone: zone)?.span(in: zone)
    else { return nil }
    (first, last) = (span.lowerBound, span.upperBound)
  }

  /// The moment, or the first moment of a span; nil if the text is neither.
  package static func time(_ text: String, now: Timestamp, zone: Zone = .utc) -> Timestamp? {
    TimeExpression(text, now: now, zone: zone)?.first
  }

  /// Whether a text is a time of day that the clock of the zone skips on that day, so that it does not exist.
  package static func isSkipped(_ text: String, now: Timestamp, zone: Zone) -> Bool {
    guard TimeExpression(text, now: now, zone: zone) == nil else { return false }
    return local(text, now: now, zone: zone) != nil
  }

  /// Why a text is not a valid time: a sentence without a full stop; nil if it is valid.
  package static func problem(_ text: String, now: Timestamp, zone: Zone) -> String? {
    guard TimeExpression(text, now: now, zone: zone) == nil else { return nil }
    guard isSkipped(text, now: now, zone: zone) else { return "'\(text)' is no time; write one of \(forms)" }
    return "'\(text)' does not exist in \(zone.name): the clock is put forward then; write a time before or after it"
  }

  // MARK: Moments

  /// A moment, or a second or minute, that is the same in every zone.
  private static func moment(_ text: String, now: Timestamp) -> ClosedRange<Timestamp>? {
    if text == "now" { return now...now }
    if text.hasPrefix("-") { return before(now, text.dropFirst()).map { $0...$0 } }
    let length: Int64 = text.contains(".") ? 0 : 1
    if text.hasPrefix("@") { return epoch(text.dropFirst()).map { span(from: $0, seconds: length) } }
    // Fewer digits would be a year, a date without separators, or a typing error.
    if (9...11).contains(text.utf8.count), let time = epoch(text[...]) { return span(from: time, seconds: length) }
    return Timestamp(text).map { span(from: $0, seconds: length) } ?? minute(text).map { span(from: $0, seconds: 60) }
  }

  /// A span of this many seconds, up to the last microsecond; 0 for the single moment.
  private static func span(from first: Timestamp, seconds: Int64, to last: Timestamp? = nil) -> ClosedRange<Timestamp> {
    let last = last ?? first
    let (end, overflow) = last.microseconds.addingReportingOverflow(max(0, seconds * 1_000_000 - 1))
    return first...(overflow ? last : Timestamp(microseconds: end))
  }

  /// RFC 3339 without seconds: `2026-11-21T14:00Z`, `2026-11-21T14:00+01:00`
  private static func minute(_ text: String) -> Timestamp? {
    guard text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?:Z|[+-][0-9]{2}:[0-9]{2})/) != nil
    else {
      return nil
    }
    return Timestamp("\(text.prefix(10))T\(text.dropFirst(11).prefix(5)):00\(text.dropFirst(16))")
  }

  /// A local date and time.
  private struct Local {
    var day: Timestamp
    var clock: Clock

    /// From its first moment to its last: the clock may show it twice on that day, or never.
    func span(in zone: Zone) -> ClosedRange<Timestamp>? {
      zone.times((clock.hour, clock.minute, clock.second ?? 0), onDayOf: day).map {
        TimeExpression.span(from: $0.lowerBound, seconds: clock.second == nil ? 60 : 1, to: $0.upperBound)
      }
    }
  }

  private struct Clock {
    var hour: Int
    var minute: Int
    var second: Int?
  }

  /// `10:00`, `yesterday 14:00`, `2026-11-21 14:00:30`, `2026-11-21T14:00`
  private static func local(_ text: String, now: Timestamp, zone: Zone) -> Local? {
    guard let split = text.lastIndex(where: { $0 == " " || $0 == "T" }) else {
      return clock(text[...]).map { Local(day: now, clock: $0) }
    }
    guard let clock = clock(text[text.index(after: split)...]) else { return nil }
    return day(String(text[..<split]), now: now, zone: zone).map { Local(day: $0, clock: clock) }
  }

  /// Any moment of a day.
  private static func day(_ text: String, now: Timestamp, zone: Zone) -> Timestamp? {
    switch text {
    case "today": now
    case "yesterday": zone.span(.day, at: now, adding: -1)?.lowerBound
    default: zone.noon(of: text)
    }
  }

  private static func clock(_ text: Substring) -> Clock? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts.allSatisfy({ $0.utf8.count <= 2 && isDigits($0) }),
      parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == parts.count, numbers[0] < 24, numbers[1] < 60, numbers.count < 3 || numbers[2] < 60 else {
      return nil
    }
    return Clock(hour: numbers[0], minute: numbers[1], second: numbers.count < 3 ? nil : numbers[2])
  }

  /// Seconds since 1970, with or without a fraction.
  private static func epoch(_ text: Substring) -> Timestamp? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let seconds = parts.first, isDigits(seconds), let whole = Int64(seconds), whole <= 253_402_300_799 else {
      return nil
    }
    guard parts.count == 2 else { return Timestamp(microseconds: whole * 1_000_000) }
    guard isDigits(parts[1]) else { return nil }
    let six = parts[1].prefix(6)
    let micro = Int64(six + String(repeating: "0", count: 6 - six.count)) ?? 0
    return Timestamp(microseconds: whole * 1_000_000 + micro)
  }

  private static func isDigits(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func before(_ now: Timestamp, _ text: Substring) -> Timestamp? {
    var (rest, last, time) = (text, Int64.max, now.microseconds)
    repeat {
      let number = rest.prefix { $0 == "." || ("0"..."9").contains($0) }
      rest = rest.dropFirst(number.count)
      // The larger unit comes first: 1h30m.
      guard let unit = rest.popFirst().flatMap(seconds), unit < last, let length = microseconds(number, of: unit)
      else { return nil }
      let (earlier, underflow) = time.subtractingReportingOverflow(length)
      guard !underflow else { return nil }
      (last, time) = (unit, earlier)
    } while !rest.isEmpty
    return Timestamp(microseconds: time)
  }

  private static func seconds(of unit: Character) -> Int64? {
    switch unit {
    case "s": 1
    case "m": 60
    case "h": 3_600
    case "d": 86_400
    case "w": 604_800
    default: nil
    }
  }

  /// A number of units, with a fraction of up to six digits: `1.5`.
  private static func microseconds(_ number: Substring, of unit: Int64) -> Int64? {
    let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, isDigits(first), let whole = Int64(first) else { return nil }
    let (length, overflow) = whole.multipliedReportingOverflow(by: unit * 1_000_000)
    guard !overflow else { return nil }
    guard parts.count == 2 else { return length }
    guard isDigits(parts[1]), parts[1].utf8.count <= 6, let digits = Int64(parts[1]) else { return nil }
    var scale: Int64 = 1
    for _ in parts[1].utf8 { scale *= 10 }
    let (sum, sumOverflow) = length.addingReportingOverflow(digits * unit * 1_000_000 / scale)
    return sumOverflow ? nil : sum
  }

  // MARK: Spans

  private static func span(_ text: String, now: Timestamp, zone: Zone) -> ClosedRange<Timestamp>? {
    switch text {
    case "today": zone.span(.day, at: now)
    case "yesterday": zone.span(.day, at: now, adding: -1)
    case "tomorrow": zone.span(.day, at: now, adding: 1)
    case "this week": zone.span(.weekOfYear, at: now)
    case "last week": zone.span(.weekOfYear, at: now, adding: -1)
    case "this month": zone.span(.month, at: now)
    case "last month": zone.span(.month, at: now, adding: -1)
    case "this year": zone.span(.year, at: now)
    case "last year": zone.span(.year, at: now, adding: -1)
    default:
      zone.noon(of: text).flatMap { zone.span(.day, at: $0) } ?? month(text, zone) ?? week(text, zone)
    }
  }

  /// A month: `2026-11`.
  private static func month(_ text: String, _ zone: Zone) -> ClosedRange<Timestamp>? {
    zone.noon(of: text + "-01").flatMap { zone.span(.month, at: $0) }
  }

  /// A week of ISO 8601: `2026-W02`.
  private static func week(_ text: String, _ zone: Zone) -> ClosedRange<Timestamp>? {
    guard let match = text.wholeMatch(of: /([0-9]{4})-W([0-9]{2})/), let number = Int(match.2), number >= 1,
      // The first week contains January 4.
      let first = zone.noon(of: "\(match.1)-01-04"), let span = zone.span(.weekOfYear, at: first, adding: number - 1),
      // Only some years have week 53: its Thursday is in the year.
      let thursday = zone.time(span.lowerBound, adding: 3), zone.day(thursday).prefix(4) == match.1
    else { return nil }
    return span
  }
}
