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

/// The reader: a position that moves over bytes.
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
    while index < bytes.endIndex {
      switch bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      default: return
      }
    }
  }

  mutating func value(depth: Int) throws(JSONError) -> JSON {
    skipSpace()
    guard index < bytes.endIndex else { throw failure("the document ends early") }
    switch bytes[index] {
    case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
    case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word([0x74, 0x72, 0x75, 0x65], .bool(true))
    case UInt8(ascii: "f"): return try word([0x66, 0x61, 0x6C, 0x73, 0x65], .bool(false))
    case UInt8(ascii: "n"): return try word([0x6E, 0x75, 0x6C, 0x6C], .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw failure("not a JSON value")
    }
  }

  private mutating func word(_ letters: [UInt8], _ value: JSON) throws(JSONError) -> JSON {
    guard bytes[index...].starts(with: letters) else { throw failure("not a JSON value") }
    index += letters.count
    return value
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
    guard depth <= JSON.maximumDepth else { throw failure("nested deeper than \(JSON.maximumDepth)") }
    index += 1
    var members: [JSONObject.Member] = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return JSONObject(members) }
    while true {
      skipSpace()
      guard index < bytes.endIndex, bytes[index] == UInt8(ascii: "\"") else { throw failure("a member needs a name") }
      let key = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw failure("a member needs a colon") }
      members.append(JSONObject.Member(key: key, value: try value(depth: depth)))
      skipSpace()
      if take(UInt8(ascii: ",")) { continue }
      if take(UInt8(ascii: "}")) { return JSONObject(members) }
      throw failure("an object needs a comma or its end")
    }
  }

  private mutating func array(depth: Int) throws(JSONError) -> [JSON] {
    guard depth <= JSON.maximumDepth else { throw failure("nested deeper than \(JSON.maximumDepth)") }
    index += 1
    var elements: [JSON] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return elements }
    while true {
      elements.append(try value(depth: depth))
      skipSpace()
      if take(UInt8(ascii: ",")) { continue }
      if take(UInt8(ascii: "]")) { return elements }
      throw failure("an array needs a comma or its end")
    }
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.endIndex, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private mutating func number() throws(JSONError) -> JSON {
    let start = index
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if index < bytes.endIndex, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    return .number(String(decoding: bytes[start..<index], as: UTF8.self))
  }

  private mutating func digits() throws(JSONError) {
    let start = index
    while index < bytes.endIndex, bytes[index] &- UInt8(ascii: "0") <= 9 { index += 1 }
    guard index > start else { throw failure("a number needs a digit") }
  }

  /// A string whose opening quote stands at `index`. Without escapes, as nearly all are, it is copied once.
  mutating func string() throws(JSONError) -> String {
    index += 1
    let start = index
    var seen: UInt8 = 0
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        let text = try text(bytes[start..<index], isASCII: seen < 0x80)
        index += 1
        return text
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
      guard byte >= 0x20 else { throw failure("a control character stands in a string") }
      seen |= byte
      index += 1
    }
    throw failure("a string has no end")
  }

  private func text(_ slice: ArraySlice<UInt8>, isASCII: Bool) throws(JSONError) -> String {
    if isASCII { return String(decoding: slice, as: UTF8.self) }
    guard let text = String(validating: slice, as: UTF8.self) else { throw failure("a string is not UTF-8") }
    return text
  }

  private mutating func escapedString(from start: Int) throws(JSONError) -> String {
    var copy = Array(bytes[start..<index])
    while index < bytes.endIndex {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return try text(copy[...], isASCII: false)
      case UInt8(ascii: "\\"): try escape(into: &copy)
      case 0..<0x20: throw failure("a control character stands in a string")
      default: copy.append(byte)
      }
    }
    throw failure("a string has no end")
  }

  private mutating func escape(into copy: inout [UInt8]) throws(JSONError) {
    guard index < bytes.endIndex else { throw failure("a string has no end") }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): copy.append(byte)
    case UInt8(ascii: "b"): copy.append(0x08)
    case UInt8(ascii: "f"): copy.append(0x0C)
    case UInt8(ascii: "n"): copy.append(0x0A)
    case UInt8(ascii: "r"): copy.append(0x0D)
    case UInt8(ascii: "t"): copy.append(0x09)
    case UInt8(ascii: "u"): copy.append(contentsOf: String(try unicodeEscape()).utf8)
    default: throw failure("an unknown escape")
    }
  }

  /// The character of `\uXXXX`, or of a pair of surrogates (RFC 8259 §7).
  private mutating func unicodeEscape() throws(JSONError) -> Character {
    let first = try hexUnit()
    if let scalar = Unicode.Scalar(first) { return Character(scalar) }
    let isPair =
      first < 0xDC00 && index + 1 < bytes.endIndex
      && bytes[index] == UInt8(ascii: "\\") && bytes[index + 1] == UInt8(ascii: "u")
    guard isPair else { return "\u{FFFD}" }
    let afterFirst = index
    index += 2
    let second = try hexUnit()
    guard (0xDC00...0xDFFF).contains(second) else {
      index = afterFirst
      return "\u{FFFD}"
    }
    let code = 0x10000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00)
    return Character(Unicode.Scalar(code) ?? "\u{FFFD}")
  }

  private mutating func hexUnit() throws(JSONError) -> UInt16 {
    guard bytes.endIndex - index >= 4 else { throw failure("a \\u escape needs four digits") }
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue, bytes[index] < 0x80 else {
        throw failure("a \\u escape needs four digits")
      }
      unit = unit << 4 | UInt16(digit)
      index += 1
    }
    return unit
  }
}
