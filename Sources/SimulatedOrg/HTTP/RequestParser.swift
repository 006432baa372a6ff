// HTTP/1.1 requests out of a byte stream (RFC 9112). Strict where framing is concerned: a server that guesses where a
// request ends records requests that no client sent.

/// Why a byte stream is not an HTTP request.
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
  private var chunks = ChunkedBody(at: 0)

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
      guard try chunks.read(bytes) else { return nil }
      (body, end) = (chunks.content, chunks.end)
    }
    let raw = Array(bytes[..<end])
    bytes.removeFirst(end)
    scanned = 0
    chunks = ChunkedBody(at: 0)
    self.head = nil
    let request = ReceivedRequest(
      method: head.method, target: head.target, headers: head.headers, body: body, raw: raw)
    return Parsed(request: request, closes: head.closes)
  }

  private mutating func readHead() throws(RequestDefect) {
    dropEmptyLines()
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
    chunks = ChunkedBody(at: end)
  }

  /// RFC 9112 §2.2: empty lines before a request.
  private mutating func dropEmptyLines() {
    var start = 0
    while bytes.count >= start + 2, bytes[start] == 13, bytes[start + 1] == 10 { start += 2 }
    if start > 0 { bytes.removeFirst(start) }
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
