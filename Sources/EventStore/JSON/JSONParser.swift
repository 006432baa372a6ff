// Reads one JSON document (RFC 8259) in one pass, in linear time, without recursion deeper than `maximumDepth`.

/// Why bytes are not a JSON document.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason, in a few words that quote nothing of the document.
  public var reason: String
  /// The byte at which it was noticed, counted from 0.
  public var offset: Int

  /// `reason at byte offset`
  public var description: String { "\(reason) at byte \(offset)" }
}

extension JSON {
  /// How deep arrays and objects may nest before a document is refused.
  public static let maximumDepth = 256

  /// Reads a document.
  ///
  /// White space around it is allowed, anything else is not. An unpaired surrogate escape becomes U+FFFD.
  ///
  /// - Parameter bytes: the whole document, UTF-8.
  /// - Throws: `JSONError` if it is not JSON, not UTF-8, or nests deeper than `maximumDepth`.
  public init(parsing bytes: [UInt8]) throws(JSONError) {
    try self.init(parsing: bytes[...])
  }

  /// Reads a document out of a slice; offsets in errors count from the start of the slice.
  ///
  /// - Throws: what `init(parsing:)` of an array throws.
  public init(parsing bytes: ArraySlice<UInt8>) throws(JSONError) {
    var parser = JSONParser(bytes: bytes)
    self = try parser.document()
  }

  /// A document without the byte order mark that may stand before it (RFC 8259 §8.1).
  package static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
  }
}

/// The reader: a position that moves over bytes that it keeps.
struct JSONParser {
  let bytes: ArraySlice<UInt8>
  var index: Int

  init(bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  mutating func document() throws(JSONError) -> JSON {
    let value = try value(depth: 0)
    skipSpace()
    guard index == bytes.endIndex else { throw failure("unexpected text after the document") }
    return value
  }

  func failure(_ reason: String) -> JSONError {
    JSONError(reason: reason, offset: index - bytes.startIndex)
  }

  mutating func skipSpace() {
    var reading = JSONReading(index: index - bytes.startIndex)
    reading.skipSpace(bytes.span)
    index = bytes.startIndex + reading.index
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.endIndex, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  mutating func value(depth: Int) throws(JSONError) -> JSON {
    var reading = JSONReading(index: index - bytes.startIndex)
    defer { index = bytes.startIndex + reading.index }
    return try reading.value(bytes.span, depth: depth)
  }

  /// A string whose opening quote stands at `index`.
  mutating func string() throws(JSONError) -> String {
    var reading = JSONReading(index: index - bytes.startIndex)
    defer { index = bytes.startIndex + reading.index }
    return try reading.string(bytes.span)
  }
}
