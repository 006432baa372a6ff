// The time zone of days and times of day.

package import EventStore
import Foundation

/// A time zone as commands accept it: `UTC`, `local`, a name of the tz database, or an offset.
package struct Zone: Sendable, Equatable {
  /// Universal time.
  package static let utc = Zone(TimeZone(secondsFromGMT: 0) ?? .gmt, name: "UTC")

  /// The name used in headings: `UTC`, `Europe/Berlin`, `+02:00`.
  package let name: String
  private let zone: TimeZone

  private init(_ zone: TimeZone, name: String) {
    self.zone = zone
    self.name = name
  }

  /// The zone that a text names: `UTC`, `local` for that of this machine, `Europe/Berlin`, `+02:00`; nil if it names
  /// none.
  package init?(_ text: String) {
    switch text.lowercased() {
    case "utc", "gmt", "z": self = .utc
    case "local":
      // If TZ has a value that Foundation does not know, Foundation would use universal time.
      let named =
        ProcessInfo.processInfo.environment["TZ"].map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 } ?? ""
      guard !named.isEmpty, !named.hasPrefix("/") else {
        self.init(.current, name: TimeZone.current.identifier)
        return
      }
      guard let zone = TimeZone(identifier: named) else { return nil }
      self.init(zone, name: zone.identifier)
    default:
      if let seconds = Self.offset(text) {
        guard let zone = TimeZone(secondsFromGMT: seconds) else { return nil }
        self.init(zone, name: Self.offset(of: seconds))
      } else {
        // An abbreviation means different zones in different places; names in the database contain a slash.
        guard text.contains("/"), let zone = TimeZone(identifier: text) else { return nil }
        self.init(zone, name: zone.identifier)
      }
    }
  }

  // MARK: Times in words

  /// The time of day: `08:35:00`.
  package func clock(_ time: Timestamp) -> String { String(local(time).description.dropFirst(11).prefix(8)) }

  /// The day: `2026-11-21`.
  package func day(_ time: Timestamp) -> String { String(local(time).description.prefix(10)) }

  /// Day and time of day: `2026-11-21 08:35:00`; followed by the offset if the clock shows that time twice.
  package func moment(_ time: Timestamp) -> String {
    let text = local(time).description
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))\(mark(time))"
  }

  /// The offset after a space, if the clock shows this time twice because it is put back; otherwise empty.
  package func mark(_ time: Timestamp) -> String {
    guard self != .utc else { return "" }
    let offset = seconds(at: time)
    for days: Int64 in [-1, 1] {
      let other = seconds(at: Self.moved(time, by: 86_400 * days))
      guard other != offset else { continue }
      if seconds(at: Self.moved(time, by: Int64(offset - other))) == other { return " " + Self.offset(of: offset) }
    }
    return ""
  }

  /// The hour of the day, 0 to 23.
  package func hour(_ time: Timestamp) -> Int { Int(clock(time).prefix(2)) ?? 0 }

  /// The day of the week, 1 for Monday to 7 for Sunday.
  package func weekday(_ time: Timestamp) -> Int {
    let day: Int64 = 86_400_000_000
    let days = local(time).microseconds.quotientAndRemainder(dividingBy: day)
    // January 1, 1970 was a Thursday.
    let number = (days.quotient - (days.remainder < 0 ? 1 : 0) + 3) % 7
    return Int((number + 7) % 7) + 1
  }

  /// RFC 3339, with the zone's offset: `2026-11-21T09:35:00.123456+01:00`; `Z` in universal time.
  package func text(_ time: Timestamp) -> String {
    let seconds = seconds(at: time)
    guard seconds != 0 || self != .utc else { return time.description }
    return local(time).description.dropLast() + Self.offset(of: seconds)
  }

  private func local(_ time: Timestamp) -> Timestamp { Self.moved(time, by: Int64(seconds(at: time))) }

  private static func moved(_ time: Timestamp, by seconds: Int64) -> Timestamp {
    Timestamp(microseconds: time.microseconds &+ seconds * 1_000_000)
  }

  private func seconds(at time: Timestamp) -> Int { zone.secondsFromGMT(for: Self.date(time)) }

  // MARK: Spans

  /// The calendar unit that contains a time, from its first microsecond to its last.
  func span(_ unit: Calendar.Component, at time: Timestamp, adding count: Int = 0) -> ClosedRange<Timestamp>? {
    let calendar = calendar
    guard let date = calendar.date(byAdding: unit, value: count, to: Self.date(time)),
      let span = calendar.dateInterval(of: unit, for: date)
    else { return nil }
    let (start, end) = (Self.time(span.start), Self.time(span.end))
    return start < end ? start...Timestamp(microseconds: end.microseconds - 1) : nil
  }

  /// The number of days between the beginnings of two days; nil if either is invalid.
  func days(from start: Timestamp, to end: Timestamp) -> Int? {
    guard let first = span(.day, at: start), let last = span(.day, at: end), first.lowerBound == start,
      last.lowerBound == end
    else { return nil }
    return calendar.dateComponents([.day], from: Self.date(start), to: Self.date(end)).day
  }

  /// The same time of day this many days later.
  func time(_ time: Timestamp, adding days: Int) -> Timestamp? {
    calendar.date(byAdding: .day, value: days, to: Self.date(time)).map(Self.time)
  }

  /// The first and last moments of a day at which the clock shows this time: they differ if the clock is put back; nil
  /// if it skips the time.
  func times(_ clock: (hour: Int, minute: Int, second: Int), onDayOf time: Timestamp) -> ClosedRange<Timestamp>? {
    guard let midnight = Timestamp(day(time) + "T00:00:00Z") else { return nil }
    let shown = Self.moved(midnight, by: Int64(clock.hour * 3_600 + clock.minute * 60 + clock.second))
    // The possible offsets: those of the day before and the day after.
    let offsets = Set([-1, 0, 1].map { (days: Int64) in seconds(at: Self.moved(shown, by: 86_400 * days)) })
    let found = offsets.compactMap { offset -> Timestamp? in
      let moment = Self.moved(shown, by: -Int64(offset))
      return seconds(at: moment) == offset ? moment : nil
    }.sorted()
    guard let first = found.first, let last = found.last else { return nil }
    return first...last
  }

  /// The Monday of the week of a day, by its date.
  func monday(before day: String) -> String? {
    guard let noon = noon(of: day) else { return nil }
    return time(noon, adding: 1 - weekday(noon)).map(self.day)
  }

  /// Some time on the day of a date: `2026-11-21`.
  func noon(of day: String) -> Timestamp? {
    guard Timestamp(day + "T12:00:00Z") != nil else { return nil }
    let numbers = day.split(separator: "-").compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    return calendar.date(from: DateComponents(year: numbers[0], month: numbers[1], day: numbers[2], hour: 12))
      .map(Self.time)
  }

  /// Weeks begin on Monday.
  private var calendar: Calendar {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = zone
    return calendar
  }

  // MARK: Conversions

  private static func date(_ time: Timestamp) -> Date {
    Date(timeIntervalSince1970: (Double(time.microseconds) / 1_000_000).rounded(.down))
  }

  private static func time(_ date: Date) -> Timestamp {
    Timestamp(microseconds: (Int64(exactly: date.timeIntervalSince1970.rounded()) ?? 0) * 1_000_000)
  }

  /// `+02:00`, `-0330`
  private static func offset(_ text: String) -> Int? {
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard digits.count == 4, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits),
      number / 100 <= 14, number % 100 < 60
    else { return nil }
    let seconds = number / 100 * 3_600 + number % 100 * 60
    return sign == "-" ? -seconds : seconds
  }

  private static func offset(of seconds: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    let minutes = abs(seconds) / 60
    return (seconds < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
  }
}
