package import EventStore

/// Dates in HTTP headers (RFC 9110 §5.6.7, the preferred form), and in cookies, which may also be written with hyphens,
/// and with a year of two digits (RFC 6265 §5.1.1).
package enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Seconds since 1970 of `Sat, 21 Nov 2026 08:35:00 GMT` or `Sat, 21-Nov-26 08:35:00 GMT`; `nil` if it is not a
  /// date. A year of two digits is one from 1970 to 2069.
  package static func seconds(_ text: String) -> Int? {
    let words = text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-") }
    guard words.count == 6, words[5].elementsEqual("GMT".utf8),
      let month = months.firstIndex(where: { words[2].elementsEqual($0.utf8) }), words[1].count == 2,
      words[3].count == 4 || words[3].count == 2
    else { return nil }
    let (tens, ones) = UInt8(month + 1).quotientAndRemainder(dividingBy: 10)
    var time: [UInt8] = []
    time.reserveCapacity(20)
    if words[3].count == 2 {
      let isLater = (words[3].first ?? 0) < UInt8(ascii: "7")
      time += (isLater ? "20" : "19").utf8
    }
    time += words[3]
    time += [UInt8(ascii: "-"), UInt8(ascii: "0") + tens, UInt8(ascii: "0") + ones, UInt8(ascii: "-")]
    time += words[1]
    time.append(UInt8(ascii: "T"))
    time += words[4]
    time.append(UInt8(ascii: "Z"))
    return Timestamp(bytes: time).map { Int($0.microseconds / 1_000_000) }
  }

  /// `Sat, 21 Nov 2026 08:35:00 GMT`.
  package static func text(_ time: Timestamp) -> String {
    // `2026-11-21T08:35:00.123456Z`
    let digits = Array(time.description.utf8)
    func part(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
    let month = max(1, min(12, Int(part(5..<7)) ?? 1))
    // January 1, 1970 was a Thursday.
    let (days, rest) = time.microseconds.quotientAndRemainder(dividingBy: 86_400_000_000)
    let day = Int(((rest < 0 ? days - 1 : days) % 7 + 11) % 7)
    return "\(weekdays[day]), \(part(8..<10)) \(months[month - 1]) \(part(0..<4)) \(part(11..<19)) GMT"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
}
