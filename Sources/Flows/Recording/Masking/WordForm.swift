// The form that a scalar must have to stay readable.

enum WordForm {
  /// Letters, digits and `._:-@+`, at most 128 bytes.
  static func isIdentifier(_ text: String) -> Bool {
    let bytes = text.utf8
    return !bytes.isEmpty && bytes.count <= 128
      && bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"),
          UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "+"):
          true
        default: false
        }
      }
  }

  /// An id as orgs generate them: 20 letters and digits.
  static func isID(_ text: String) -> Bool {
    text.utf8.count == 20 && isIdentifier(text) && !text.utf8.contains { byte in "._:-@+".utf8.contains(byte) }
  }

  /// The path or the domain of a cookie, in which known secrets are replaced already: letters, digits and `.-$`, in a
  /// path a slash and then also `/_~`; at most 128 bytes. It may be empty.
  static func isCookiePlace(_ text: String, isPath: Bool) -> Bool {
    let bytes = text.utf8
    if bytes.isEmpty { return true }
    return bytes.count <= 128 && (!isPath || bytes.first == UInt8(ascii: "/"))
      && bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "$"):
          true
        case UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "~"): isPath
        default: false
        }
      }
  }

  /// `E` and seven digits.
  static func isErrorCode(_ text: String) -> Bool {
    text.utf8.count == 8 && text.utf8.first == UInt8(ascii: "E") && text.utf8.dropFirst().allSatisfy(isDigit)
  }

  /// Indices of at most four digits and words of a vocabulary, with slashes and colons between them.
  static func isPlace(_ text: String, of words: Set<String>) -> Bool {
    !text.isEmpty && text.utf8.count <= 256
      && text.utf8.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") }
        .allSatisfy { part in
          (1...4).contains(part.count) && part.allSatisfy(isDigit) || String(part).map(words.contains) == true
        }
  }

  /// An optional minus sign and at most 15 digits.
  static func isNumber(_ text: String) -> Bool {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    return !digits.isEmpty && digits.count <= 15 && digits.allSatisfy(isDigit)
  }

  /// A date of RFC 3339 (`2026-11-21T08:35:00.123Z`), seconds and fraction as authn §1.4 takes them, or an HTTP date
  /// (`Sat, 21 Nov 2026 08:35:00 GMT`, in cookies also `21-Nov-2026` and `21-Nov-26`, the day also as `Saturday`).
  /// Nothing else is accepted, because a date is not searched for secrets.
  static func isDate(_ text: String) -> Bool {
    let bytes = text.utf8Span.span
    guard (16...40).contains(bytes.count) else { return false }
    return isDigit(bytes[0]) ? isTimestamp(bytes) : isHTTPDate(text)
  }

  private static func isTimestamp(_ bytes: Span<UInt8>) -> Bool {
    guard matches("0000-00-00T00:00", bytes, at: 0) else { return false }
    var index = 16
    if matches(":00", bytes, at: index) { index += 3 }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      let start = index + 1
      index = start
      while index < bytes.count, isDigit(bytes[index]) { index += 1 }
      guard (1...9).contains(index - start) else { return false }
    }
    switch bytes.count - index {
    case 1: return bytes[index] | 0x20 == UInt8(ascii: "z")
    case 5: return matches("+0000", bytes, at: index) || matches("-0000", bytes, at: index)
    case 6: return matches("+00:00", bytes, at: index) || matches("-00:00", bytes, at: index)
    default: return false
    }
  }

  private static func isHTTPDate(_ text: String) -> Bool {
    let bytes = text.utf8Span.span
    let day = text.utf8.prefix { $0 != UInt8(ascii: ",") }
    // The place of the separator after the day of the month.
    let place = day.count + 4
    let (long, short) = ("0000 00:00:00 GMT", "00 00:00:00 GMT")
    let time = bytes.count == place + 5 + long.utf8.count ? long : short
    guard bytes.count == place + 5 + time.utf8.count, matches(", 00", bytes, at: day.count),
      matches(time, bytes, at: place + 5)
    else { return false }
    guard bytes[place] == bytes[place + 4], bytes[place] == UInt8(ascii: " ") || bytes[place] == UInt8(ascii: "-")
    else { return false }
    let month = text.utf8.dropFirst(place + 1).prefix(3)
    return dayNames.contains(String(Substring(day))) && monthNames.contains(String(Substring(month)))
  }

  /// Whether bytes match a pattern in which `0` stands for any digit.
  private static func matches(_ pattern: String, _ bytes: Span<UInt8>, at start: Int) -> Bool {
    guard start + pattern.utf8.count <= bytes.count else { return false }
    var index = start
    for byte in pattern.utf8 {
      guard byte == UInt8(ascii: "0") ? isDigit(bytes[index]) : bytes[index] == byte else { return false }
      index += 1
    }
    return true
  }

  private static let dayNames: Set<String> = [
    "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun",
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  private static let monthNames: Set<String> = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }
}
