import EventStore

/// Dates of HTTP headers (RFC 9110 §5.6.7, the preferred form only), and of cookies, which write them with hyphens too.
package enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Seconds since 1970 of `Sat, 21 Nov 2026 08:35:00 GMT`.
  package static func seconds(_ text: String) -> Int? {
    let words = text.split { $0 == " " || $0 == "-" }
    guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])),
      words[1].utf8.count == 2, words[3].utf8.count == 4
    else { return nil }
    let number = month + 1 < 10 ? "0\(month + 1)" : "\(month + 1)"
    return Timestamp("\(words[3])-\(number)-\(words[1])T\(words[4])Z").map { Int($0.microseconds / 1_000_000) }
  }
}
