// HTTP/1.1 requests out of a byte stream (RFC 9112). Strict where framing is concerned: a server that guesses where a
// request ends records requests that no client sent.

/// Why a byte stream is no HTTP request.
enum RequestDefect: Error, Equatable {
  case malformed
  case headTooLarge
  case bodyTooLarge

  var status: Int {
    switch self {
    case .malformed: 400
    case .headTooLarge: 431
    case .bodyTooLarge: 413
    }
  }
}

/// Collects bytes and gives back whole requests, one at a time.
struct RequestParser {
  static let headLimit = 64 * 1024
  static let bodyLimit = 4 * 1024 * 1024

  private var bytes: [UInt8] = []
  /// Where the search for the end of the head goes on, so that a slow sender costs no rescans.
  private var scanned = 0
  private var head: Head?

  private struct Head {
    var method: String
    var target: String
    var headers: [ReceivedRequest.Header]
    var length: Int
    var framing: Framing
    var closes: Bool
    var awaitsContinue: Bool
  }

  private enum Framing { case counted(Int), chunked }

  /// A request, and whether the connection ends after it.
  struct Parsed {
    var request: ReceivedRequest
    var closes: Bool
  }

  mutating func append(_ more: [UInt8]) { bytes += more }

  /// True once per request whose sender waits for `100 Continue` before the body.
  mutating func takeContinue() -> Bool {
    guard let waiting = head?.awaitsContinue, waiting else { return false }
    head?.awaitsContinue = false
    return true
  }

  /// The next whole request, or `nil` while bytes are missing.
  mutating func next() throws(RequestDefect) -> Parsed? {
    if head == nil { try readHead() }
    guard let head else { return nil }
    let body: [UInt8]
    let end: Int
    switch head.framing {
    case .counted(let count):
      end = head.length + count
      guard bytes.count >= end else { return nil }
      body = Array(bytes[head.length..<end])
    case .chunked:
      guard let chunks = try readChunks(from: head.length) else { return nil }
      (body, end) = chunks
    }
    let raw = Array(bytes[..<end])
    bytes.removeFirst(end)
    scanned = 0
    self.head = nil
    let request = ReceivedRequest(
      method: head.method, target: head.target, headers: head.headers, body: body, raw: raw)
    return Parsed(request: request, closes: head.closes)
  }

  private mutating func readHead() throws(RequestDefect) {
    while bytes.starts(with: [13, 10]) { bytes.removeFirst(2) }  // RFC 9112 §2.2: empty lines before a request
    guard let end = endOfHead() else {
      if bytes.count > Self.headLimit { throw .headTooLarge }
      return
    }
    if end > Self.headLimit { throw .headTooLarge }
    var lines = bytes[..<(end - 2)].split(separator: 10, omittingEmptySubsequences: false).dropLast()
    guard lines.allSatisfy({ $0.last == 13 && $0.firstIndex(of: 13) == $0.endIndex - 1 }) else { throw .malformed }
    let words = lines.removeFirst().dropLast().split(separator: 32, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 3, !words[0].isEmpty, words[1].hasPrefix("/"), words[2].hasPrefix("HTTP/1.") else {
      throw .malformed
    }
    var headers: [ReceivedRequest.Header] = []
    for line in lines {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
        !line[..<colon].contains(where: { $0 <= 32 })
      else { throw .malformed }
      let name = String(decoding: line[..<colon], as: UTF8.self)
      headers.append(.init(name: name, value: String(decoding: line[(colon + 1)...], as: UTF8.self).trimmed))
    }
    head = try Self.head(method: words[0], target: words[1], version: words[2], headers: headers, length: end)
  }

  private static func head(
    method: String, target: String, version: String, headers: [ReceivedRequest.Header], length: Int
  ) throws(RequestDefect) -> Head {
    func values(_ name: String) -> [String] { headers.filter { $0.name.lowercased() == name }.map(\.value) }
    let framing: Framing
    switch (values("content-length"), values("transfer-encoding")) {
    case ([], []): framing = .counted(0)
    case (let lengths, []):
      guard Set(lengths).count == 1, lengths[0].allSatisfy(\.isASCIIDigit), let count = Int(lengths[0]) else {
        throw .malformed
      }
      if count > bodyLimit { throw .bodyTooLarge }
      framing = .counted(count)
    case ([], let codings):
      guard codings.count == 1, codings[0].lowercased() == "chunked" else { throw .malformed }
      framing = .chunked
    default: throw .malformed
    }
    let connection = values("connection").joined(separator: ",").lowercased()
    let closes = version == "HTTP/1.0" ? !connection.contains("keep-alive") : connection.contains("close")
    let waits = values("expect").contains { $0.lowercased() == "100-continue" }
    return Head(
      method: method, target: target, headers: headers, length: length, framing: framing, closes: closes,
      awaitsContinue: waits)
  }

  /// The index after the empty line, or `nil` while it has not come.
  private mutating func endOfHead() -> Int? {
    var index = max(3, scanned)
    while index < bytes.count {
      if bytes[index] == 10, bytes[index - 1] == 13, bytes[index - 2] == 10, bytes[index - 3] == 13 { return index + 1 }
      index += 1
    }
    scanned = bytes.count
    return nil
  }

  private func readChunks(from start: Int) throws(RequestDefect) -> (body: [UInt8], end: Int)? {
    var body: [UInt8] = []
    var place = start
    while true {
      guard let line = try self.line(from: place) else { return nil }
      let size = String(line.text.prefix { $0 != ";" }).trimmed
      guard size.allSatisfy(\.isHexDigit), let count = Int(size, radix: 16) else {
        throw .malformed
      }
      if count > Self.bodyLimit - body.count { throw .bodyTooLarge }
      place = line.end
      if count == 0 { break }
      guard bytes.count >= place + count + 2 else { return nil }
      guard bytes[place + count] == 13, bytes[place + count + 1] == 10 else { throw .malformed }
      body += bytes[place..<(place + count)]
      place += count + 2
    }
    // Trailer fields are read over until the empty line.
    while let line = try self.line(from: place) {
      place = line.end
      if line.text.isEmpty { return (body, place) }
    }
    return nil
  }

  private func line(from start: Int) throws(RequestDefect) -> (text: String, end: Int)? {
    guard let feed = bytes[start...].firstIndex(of: 10) else {
      if bytes.count - start > Self.headLimit { throw .malformed }
      return nil
    }
    guard feed > start, bytes[feed - 1] == 13 else { throw .malformed }
    return (String(decoding: bytes[start..<(feed - 1)], as: UTF8.self), feed + 1)
  }
}

extension String {
  /// Without white space at either end.
  fileprivate var trimmed: String {
    guard let first = unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(unicodeScalars[first...last])
  }
}

extension Character {
  /// One of 0 to 9; `isNumber` is true of many others.
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
