// Points in time as the log writes them: RFC 3339, UTC, always six digits of a second. The civil-date arithmetic is
// Howard Hinnant's `days_from_civil` and its inverse, so that neither a formatter nor a time zone table is needed.
import Glibc

/// A point in time, in microseconds since 1970-01-01T00:00:00 UTC.
public struct Timestamp: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Microseconds since 1970 UTC, leap seconds not counted. Rendered as the nearest time of the years 0000...9999.
  public var microseconds: Int64

  /// The time that many microseconds after the start of 1970 UTC.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The time that an RFC 3339 text names, or nil if it is not one. See `init(bytes:)`.
  public init?(_ rfc3339: String) { self.init(bytes: Array(rfc3339.utf8)) }

  /// The time that an RFC 3339 text names, or nil if it is not one: `Z` or an offset, a fraction of 0...9 digits,
  /// digits beyond microseconds cut off. A leap second (`:60`) counts as the second after `:59`.
  public init?(bytes: [UInt8]) {
    guard let value = Self.parse(bytes) else { return nil }
    self.microseconds = value
  }

  /// The time now, by the system's real-time clock; may step backwards.
  public static func now() -> Timestamp {
    var time = timespec()
    // SAFETY: `time` outlives the call, which only writes into it.
    guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return Timestamp(microseconds: 0) }
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }

  /// `2026-11-21T08:35:00.123456Z`: 27 characters, always.
  public var description: String {
    var text: [UInt8] = []
    text.reserveCapacity(Self.width)
    append(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// True when `one` is earlier.
  public static func < (one: Timestamp, other: Timestamp) -> Bool { one.microseconds < other.microseconds }

  /// The length of a rendered time in bytes.
  static let width = 27

  /// 0000-01-01T00:00:00Z, the earliest time that four digits of a year can say.
  static let earliest: Int64 = -62_167_219_200_000_000
  /// 9999-12-31T23:59:59.999999Z, the latest.
  static let latest: Int64 = 253_402_300_799_999_999

  /// Appends the 27 bytes of `description`, without a `String` on the way.
  func append(to bytes: inout [UInt8]) {
    let value = Swift.min(Swift.max(microseconds, Self.earliest), Self.latest)
    let (day, inDay) = Self.floorDivide(value, 86_400_000_000)
    let (year, month, dayOfMonth) = Self.civil(fromDays: day)
    let seconds = inDay / 1_000_000
    Self.append(year, digits: 4, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    Self.append(month, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    Self.append(dayOfMonth, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    Self.append(seconds / 3_600, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    Self.append(seconds / 60 % 60, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    Self.append(seconds % 60, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: "."))
    Self.append(inDay % 1_000_000, digits: 6, to: &bytes)
    bytes.append(UInt8(ascii: "Z"))
  }

  /// The time in exactly the form that the log writes, or nil.
  init?(canonical text: Span<UInt8>) {
    guard text.count == Self.width else { return nil }
    // Four words of the text, the last one overlapping the third. Subtracting the character `0` must leave 0 to 9 where
    // a digit belongs; subtracting the expected sign must leave 0 where a sign belongs.
    let (date, hours, seconds, fraction) = unsafe text.withUnsafeBytes { bytes in
      // SAFETY: the loads are inside of the 27 bytes.
      unsafe (
        Self.word(bytes, 0) ^ 0x2D30_302D_3030_3030,  // YYYY-MM-
        Self.word(bytes, 8) ^ 0x3030_3A30_3054_3030,  // DDTHH:MM
        Self.word(bytes, 16) ^ 0x3030_3030_2E30_303A,  // :SS.ffff
        Self.word(bytes, 19) ^ 0x5A30_3030_3030_302E  // .ffffffZ
      )
    }
    let signs =
      date & 0xFF00_00FF_0000_0000 | hours & 0x0000_FF00_00FF_0000 | seconds & 0x0000_0000_FF00_00FF
      | fraction & 0xFF00_0000_0000_00FF
    guard signs == 0, (Self.over9(date) | Self.over9(hours) | Self.over9(seconds) | Self.over9(fraction)) == 0 else {
      return nil
    }
    // Nothing below overflows: each pair of digits is at most 99.
    func two(_ word: UInt64, _ place: UInt64) -> Int64 {
      Int64(truncatingIfNeeded: (word &>> (8 &* place) & 0xFF) &* 10 &+ (word &>> (8 &* place &+ 8) & 0xFF))
    }
    let (year, month, day) = (two(date, 0) &* 100 &+ two(date, 2), two(date, 5), two(hours, 0))
    let (hour, minute, second) = (two(hours, 3), two(hours, 6), two(seconds, 1))
    guard month >= 1, month <= 12, day >= 1, day <= 28 || day <= Self.daysIn(month, of: year), hour < 24, minute < 60,
      second < 60
    else { return nil }
    let inDay = (hour &* 60 &+ minute) &* 60 &+ second
    microseconds =
      (Self.days(year: year, month: month, day: day) &* 86_400 &+ inDay) &* 1_000_000
      &+ two(fraction, 1) &* 10_000 &+ two(fraction, 3) &* 100 &+ two(fraction, 5)
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
    UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  /// 0 if each of the eight bytes is at most 9. A carry comes only from a byte that is over 9 itself.
  @inline(__always)
  private static func over9(_ word: UInt64) -> UInt64 { (word &+ 0x7676_7676_7676_7676 | word) & 0x8080_8080_8080_8080 }

  // MARK: Arithmetic

  private static func append(_ value: Int64, digits: Int, to bytes: inout [UInt8]) {
    var power: Int64 = 1
    for _ in 1..<digits { power *= 10 }
    while power > 0 {
      bytes.append(0x30 + UInt8(truncatingIfNeeded: value / power % 10))
      power /= 10
    }
  }

  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  /// Year, month and day of a count of days since 1970-01-01, in the proleptic Gregorian calendar.
  private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floorDivide(days + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  /// Days since 1970-01-01 of a date in the proleptic Gregorian calendar.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    // One era of 400 years on top, so that nothing is under 0; then divisions are cheap. A year has four digits.
    let years = UInt64(truncatingIfNeeded: (month <= 2 ? year &- 1 : year) &+ 400)
    let months = UInt64(truncatingIfNeeded: month > 2 ? month &- 3 : month &+ 9)
    let inYears = years &* 365 &+ years / 4 &- years / 100 &+ years / 400
    return Int64(truncatingIfNeeded: inYears &+ (153 &* months &+ 2) / 5) &+ day &- 1 &- 719_468 &- 146_097
  }

  private static func parse(_ text: [UInt8]) -> Int64? {
    guard text.count >= 20, text.count <= 40 else { return nil }
    func number(_ from: Int, _ digits: Int) -> Int64? {
      guard from + digits <= text.count else { return nil }
      var value: Int64 = 0
      for byte in text[from..<from + digits] {
        guard byte >= 0x30, byte <= 0x39 else { return nil }
        value = value * 10 + Int64(byte - 0x30)
      }
      return value
    }
    guard let year = number(0, 4), text[4] == UInt8(ascii: "-"), let month = number(5, 2), (1...12).contains(month),
      text[7] == UInt8(ascii: "-"), let day = number(8, 2), (1...daysIn(month, of: year)).contains(day),
      text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: "t") || text[10] == UInt8(ascii: " "),
      let hour = number(11, 2), hour < 24, text[13] == UInt8(ascii: ":"), let minute = number(14, 2), minute < 60,
      text[16] == UInt8(ascii: ":"), let second = number(17, 2), second <= 60
    else { return nil }

    var next = 19
    var fraction: Int64 = 0
    if text[next] == UInt8(ascii: ".") {
      next += 1
      let start = next
      while next < text.count, text[next] >= 0x30, text[next] <= 0x39 {
        if next - start < 6 { fraction = fraction * 10 + Int64(text[next] - 0x30) }
        next += 1
      }
      guard next > start, next - start <= 9 else { return nil }
      for _ in Swift.min(next - start, 6)..<6 { fraction *= 10 }
    }

    guard next < text.count else { return nil }
    var offset: Int64 = 0
    switch text[next] {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"):
      guard next + 1 == text.count else { return nil }
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      // With a colon between hours and minutes, as RFC 3339 has it, or without, as ISO 8601 allows and orgs write.
      guard next + 5 <= text.count, let hours = number(next + 1, 2), hours < 24 else { return nil }
      let rest = text[next + 3] == UInt8(ascii: ":") ? next + 4 : next + 3
      guard rest + 2 == text.count, let minutes = number(rest, 2), minutes < 60 else { return nil }
      offset = (hours * 60 + minutes) * (text[next] == UInt8(ascii: "-") ? -60 : 60)
    default: return nil
    }
    let seconds = days(year: year, month: month, day: day) * 86_400 + hour * 3_600 + minute * 60 + second - offset
    let value = seconds * 1_000_000 + fraction
    return value >= earliest && value <= latest ? value : nil
  }

  private static func daysIn(_ month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
