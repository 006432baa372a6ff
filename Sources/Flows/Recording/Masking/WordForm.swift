// What a scalar must look like to stay readable in its place.

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

  /// `E` and seven digits.
  static func isErrorCode(_ text: String) -> Bool {
    text.utf8.count == 8 && text.utf8.first == UInt8(ascii: "E") && text.utf8.dropFirst().allSatisfy(isDigit)
  }

  /// An optional minus sign and at most 15 digits.
  static func isNumber(_ text: String) -> Bool {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    return !digits.isEmpty && digits.count <= 15 && digits.allSatisfy(isDigit)
  }

  /// The outline of RFC 3339 (`2026-11-21T08:35:00.123Z`) or of an HTTP date (`Sat, 21 Nov 2026 08:35:00 GMT`).
  static func isDate(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard (16...40).contains(bytes.count) else { return false }
    if isDigit(bytes[0]) {
      return bytes[4] == UInt8(ascii: "-") && bytes[7] == UInt8(ascii: "-") && bytes[10] | 0x20 == UInt8(ascii: "t")
        && bytes.allSatisfy { isDigit($0) || "TZtz:.+-".utf8.contains($0) }
    }
    guard bytes[3] == UInt8(ascii: ","), bytes.suffix(4).elementsEqual(" GMT".utf8) else { return false }
    let words = text.split(separator: " ")
    return words.count == 6 && dayNames.contains(String(words[0])) && monthNames.contains(String(words[2]))
      && [words[1], words[3], words[4]].allSatisfy { $0.utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ":") } }
  }

  private static let dayNames: Set<String> = ["Mon,", "Tue,", "Wed,", "Thu,", "Fri,", "Sat,", "Sun,"]
  private static let monthNames: Set<String> = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }
}
