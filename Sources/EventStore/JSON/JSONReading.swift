// Reads values out of a span of bytes: the fast part of the reader of documents.

/// A position that moves over bytes, which each call is given anew.
struct JSONReading {
  /// The next byte, counted from 0.
  var index: Int

  /// The members of an object that there is room for at first.
  private static let usualCount = 2

  func failure(_ reason: String) -> JSONError { JSONError(reason: reason, offset: index) }

  @inline(__always)
  mutating func skipSpace(_ bytes: Span<UInt8>) {
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D else { return }
      index += 1
    }
  }

  @inline(__always)
  mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSON {
    skipSpace(bytes)
    guard index < bytes.count else { throw failure("the document ends early") }
    switch bytes[index] {
    case UInt8(ascii: "\""): return .string(try string(bytes))
    case UInt8(ascii: "{"): return .object(try object(bytes, depth: depth + 1))
    case UInt8(ascii: "["): return .array(try array(bytes, depth: depth + 1))
    case UInt8(ascii: "t"): return try word("true", .bool(true), bytes)
    case UInt8(ascii: "f"): return try word("false", .bool(false), bytes)
    case UInt8(ascii: "n"): return try word("null", .null, bytes)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(bytes)
    default: throw failure("not a JSON value")
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSON, _ bytes: Span<UInt8>) throws(JSONError) -> JSON {
    let count = word.utf8CodeUnitCount
    guard bytes.count - index >= count else { throw failure("not a JSON value") }
    for offset in 0..<count {
      // SAFETY: a static string has so many bytes.
      guard unsafe bytes[index + offset] == word.utf8Start[offset] else { throw failure("not a JSON value") }
    }
    index += count
    return value
  }

  private mutating func object(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSONObject {
    guard depth <= JSON.maximumDepth else { throw failure("nested deeper than \(JSON.maximumDepth)") }
    index += 1
    skipSpace(bytes)
    if take(UInt8(ascii: "}"), bytes) { return JSONObject() }
    var members: [JSONObject.Member] = []
    members.reserveCapacity(Self.usualCount)
    while true {
      skipSpace(bytes)
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw failure("a member needs a name") }
      let key = try string(bytes)
      skipSpace(bytes)
      guard take(UInt8(ascii: ":"), bytes) else { throw failure("a member needs a colon") }
      members.append(JSONObject.Member(key: key, value: try value(bytes, depth: depth)))
      skipSpace(bytes)
      if take(UInt8(ascii: ","), bytes) { continue }
      if take(UInt8(ascii: "}"), bytes) { return JSONObject(members) }
      throw failure("an object needs a comma or its end")
    }
  }

  private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> [JSON] {
    guard depth <= JSON.maximumDepth else { throw failure("nested deeper than \(JSON.maximumDepth)") }
    index += 1
    var elements: [JSON] = []
    skipSpace(bytes)
    if take(UInt8(ascii: "]"), bytes) { return elements }
    while true {
      elements.append(try value(bytes, depth: depth))
      skipSpace(bytes)
      if take(UInt8(ascii: ","), bytes) { continue }
      if take(UInt8(ascii: "]"), bytes) { return elements }
      throw failure("an array needs a comma or its end")
    }
  }

  private mutating func number(_ bytes: Span<UInt8>) throws(JSONError) -> JSON {
    let start = index
    _ = take(UInt8(ascii: "-"), bytes)
    if !take(UInt8(ascii: "0"), bytes) { try digits(bytes) }
    if take(UInt8(ascii: "."), bytes) { try digits(bytes) }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if !take(UInt8(ascii: "+"), bytes) { _ = take(UInt8(ascii: "-"), bytes) }
      try digits(bytes)
    }
    return .number(Self.ascii(bytes, start..<index))
  }

  private mutating func digits(_ bytes: Span<UInt8>) throws(JSONError) {
    let start = index
    while index < bytes.count, bytes[index] &- UInt8(ascii: "0") <= 9 { index += 1 }
    guard index > start else { throw failure("a number needs a digit") }
  }

  /// A string whose opening quote stands at `index`. Without escapes, as nearly all are, it is copied once.
  mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> String {
    index += 1
    let start = index
    var seen: UInt8 = 0
    var place = start
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\"") {
        index = place
        let text = seen < 0x80 ? Self.ascii(bytes, start..<place) : try text(bytes.extracting(start..<place))
        index = place + 1
        return text
      }
      if byte == UInt8(ascii: "\\") {
        index = place
        return try escapedString(from: start, bytes)
      }
      guard byte >= 0x20 else {
        index = place
        throw failure("a control character stands in a string")
      }
      seen |= byte
      place += 1
    }
    index = place
    throw failure("a string has no end")
  }

  /// The text of bytes below 0x80.
  @inline(__always)
  private static func ascii(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    // SAFETY: the caller has seen that all of them are ASCII.
    unsafe String(copying: UTF8Span(unchecked: bytes.extracting(range), isKnownASCII: true))
  }

  private func text(_ span: Span<UInt8>) throws(JSONError) -> String {
    guard let valid = try? UTF8Span(validating: span) else { throw failure("a string is not UTF-8") }
    return String(copying: valid)
  }

  private mutating func escapedString(from start: Int, _ bytes: Span<UInt8>) throws(JSONError) -> String {
    var copy: [UInt8] = []
    copy.reserveCapacity(index - start + 32)
    for place in start..<index { copy.append(bytes[place]) }
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return try text(copy.span)
      case UInt8(ascii: "\\"): try escape(into: &copy, bytes)
      case 0..<0x20: throw failure("a control character stands in a string")
      default: copy.append(byte)
      }
    }
    throw failure("a string has no end")
  }

  private mutating func escape(into copy: inout [UInt8], _ bytes: Span<UInt8>) throws(JSONError) {
    guard index < bytes.count else { throw failure("a string has no end") }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): copy.append(byte)
    case UInt8(ascii: "b"): copy.append(0x08)
    case UInt8(ascii: "f"): copy.append(0x0C)
    case UInt8(ascii: "n"): copy.append(0x0A)
    case UInt8(ascii: "r"): copy.append(0x0D)
    case UInt8(ascii: "t"): copy.append(0x09)
    case UInt8(ascii: "u"): copy.append(contentsOf: String(Character(try unicodeEscape(bytes))).utf8)
    default: throw failure("an unknown escape")
    }
  }

  /// The character of `\uXXXX`, or of a pair of surrogates (RFC 8259 §7).
  private mutating func unicodeEscape(_ bytes: Span<UInt8>) throws(JSONError) -> Unicode.Scalar {
    let first = try hexUnit(bytes)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let isPair =
      first < 0xDC00 && index + 1 < bytes.count
      && bytes[index] == UInt8(ascii: "\\") && bytes[index + 1] == UInt8(ascii: "u")
    guard isPair else { return "\u{FFFD}" }
    let afterFirst = index
    index += 2
    let second = try hexUnit(bytes)
    guard (0xDC00...0xDFFF).contains(second) else {
      index = afterFirst
      return "\u{FFFD}"
    }
    let code = 0x10000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00)
    return Unicode.Scalar(code) ?? "\u{FFFD}"
  }

  private mutating func hexUnit(_ bytes: Span<UInt8>) throws(JSONError) -> UInt16 {
    guard bytes.count - index >= 4 else { throw failure("a \\u escape needs four digits") }
    var unit: UInt16 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = bytes[index] - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = bytes[index] - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = bytes[index] - UInt8(ascii: "A") + 10
      default: throw failure("a \\u escape needs four digits")
      }
      unit = unit << 4 | UInt16(digit)
      index += 1
    }
    return unit
  }
}
