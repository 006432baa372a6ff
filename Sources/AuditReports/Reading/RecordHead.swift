// The first members of a record's data, read without parsing the rest, because the bodies after them make up most of a
// log.

import EventStore

enum RecordHead {
  /// Method and URL of a `request.sent`.
  static func request(_ data: ArraySlice<UInt8>) -> (method: String, url: String)? {
    var rest = data
    if skip(methodStart, &rest), let method = text(&rest), skip(urlStart, &rest), let url = text(&rest) {
      return (method, url)
    }
    guard let json = try? JSON(parsing: data), let method = json["method"]?.string, let url = json["url"]?.string else {
      return nil
    }
    return (method, url)
  }

  /// The status of a `response.received`.
  static func status(_ data: ArraySlice<UInt8>) -> Int? {
    var rest = data
    if skip(statusStart, &rest) {
      let digits = rest.prefix(4).prefix { (0x30...0x39).contains($0) }
      if digits.count == 3, rest.dropFirst(3).first == UInt8(ascii: ",") {
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      }
    }
    return (try? JSON(parsing: data))?["status"]?.int
  }

  private static let methodStart = Array(#"{"method":""#.utf8)
  private static let urlStart = Array(#","url":""#.utf8)
  private static let statusStart = Array(#"{"status":"#.utf8)

  private static func skip(_ expected: [UInt8], _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.starts(with: expected) else { return false }
    rest = rest.dropFirst(expected.count)
    return true
  }

  /// A string without escapes, up to its closing quote.
  private static func text(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }),
      rest[end] == UInt8(ascii: "\"")
    else { return nil }
    let text = String(decoding: rest[..<end], as: UTF8.self)
    rest = rest[(end + 1)...]
    return text
  }
}
