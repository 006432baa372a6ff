// Parses the status line and header lines of a response line by line (RFC 9112 §4, §5; RFC 9110 §15.2).

/// The parsed head of a response. Lines come from the network and never cause a trap; an invalid one sets
/// `isMalformed`.
package struct ResponseHead: Equatable {
  /// Creates a head before its first line.
  package init() {}

  /// The status code in the last status line; 0 before the first.
  package private(set) var status = 0
  /// The fields in the order of their lines; repeated names stay separate.
  package private(set) var fields: [HTTPField] = []
  /// Whether the empty line after the fields of the final response has been read.
  package private(set) var isComplete = false
  /// Whether a line was not valid HTTP.
  package private(set) var isMalformed = false

  /// Reads the next line, with or without its line break.
  ///
  /// Interim responses (1xx) are discarded when the next status line is read. Fields after the body (trailers) are
  /// ignored, as RFC 9110 §6.5.1 allows.
  package mutating func take(_ line: [UInt8]) {
    var line = line[...]
    while let last = line.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { line.removeLast() }
    if isComplete {
      return
    } else if line.isEmpty {
      isComplete = status >= 200
    } else if status < 200, line.starts(with: "HTTP/".utf8) {
      takeStatus(line)
    } else if status == 0 {
      isMalformed = true
    } else if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
      continueField(line)
    } else {
      takeField(line)
    }
  }

  private mutating func takeStatus(_ line: ArraySlice<UInt8>) {
    fields = []
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard parts.count >= 2, parts[1].count == 3, parts[1].allSatisfy({ (0x30...0x39).contains($0) }) else {
      return isMalformed = true
    }
    status = parts[1].reduce(0) { $0 * 10 + Int($1 - 0x30) }
    isMalformed = !(100...599).contains(status)
  }

  private mutating func takeField(_ line: ArraySlice<UInt8>) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
      return isMalformed = true
    }
    fields.append(HTTPField(Self.text(line[..<colon]), Self.text(Self.trimmed(line[(colon + 1)...]))))
  }

  /// Handles a line that begins with whitespace, which continues the previous value (RFC 9112 §5.2).
  private mutating func continueField(_ line: ArraySlice<UInt8>) {
    guard let last = fields.indices.last else { return isMalformed = true }
    let more = Self.text(Self.trimmed(line))
    fields[last].value += fields[last].value.isEmpty ? more : " " + more
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return [] }
    return bytes[first...last]
  }

  /// Decodes UTF-8, or else ISO-8859-1, which has a character for every byte, so that nothing is lost.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
