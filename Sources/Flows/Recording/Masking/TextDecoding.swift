// Encodings of secrets in text: percent-encoding, the escapes of JSON strings and program text, HTML entities and line
// ends inside base64, decoded byte by byte with the source position of each byte. Base64 is in `Base64Forms.swift`.

/// Decoded bytes, each with its position in the encoded text.
struct TextDecoding {
  /// The decoded bytes.
  var bytes: [UInt8] = []
  /// For each decoded byte its source offset, and one more for the end; offsets only increase.
  var origins: [Int] = []

  /// Whether anything was encoded.
  private(set) var isChanged = false

  /// Whether bytes of the source are dropped.
  private var leavesOut = false

  /// The source range of decoded bytes.
  func source(of range: Range<Int>) -> Range<Int> {
    let end = leavesOut && !range.isEmpty ? origins[range.upperBound - 1] + 1 : origins[range.upperBound]
    return origins[range.lowerBound]..<end
  }

  private init(capacity: Int) {
    bytes.reserveCapacity(capacity)
    origins.reserveCapacity(capacity + 1)
  }

  private mutating func add(_ byte: UInt8, from origin: Int) {
    bytes.append(byte)
    origins.append(origin)
  }

  /// Percent-encoding (RFC 3986 §2.1), and `%u0041` as JavaScript's `escape` writes it. A `+` is a plus in a path and a
  /// space in a form: the caller specifies which.
  static func percent(_ source: Span<UInt8>, plusIsSpace: Bool) -> TextDecoding {
    var out = TextDecoding(capacity: source.count)
    var index = 0
    while index < source.count {
      if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
        let high = hex(source[index + 1]), let low = hex(source[index + 2])
      {
        out.add(high << 4 | low, from: index)
        out.isChanged = true
        index += 3
      } else if source[index] == UInt8(ascii: "%"), index + 1 < source.count, source[index + 1] == UInt8(ascii: "u"),
        let (text, length) = scalar(source, at: index, mark: UInt8(ascii: "%"))
      {
        for byte in text { out.add(byte, from: index) }
        out.isChanged = true
        index += length
      } else {
        let isSpace = plusIsSpace && source[index] == UInt8(ascii: "+")
        out.add(isSpace ? UInt8(ascii: " ") : source[index], from: index)
        if isSpace { out.isChanged = true }
        index += 1
      }
    }
    out.origins.append(source.count)
    return out
  }

  /// JSON string escapes (RFC 8259 §7), for JSON inside a string, and `\x41`.
  static func escapes(_ source: Span<UInt8>) -> TextDecoding {
    var out = TextDecoding(capacity: source.count)
    var index = 0
    while index < source.count {
      guard source[index] == UInt8(ascii: "\\"), index + 1 < source.count else {
        out.add(source[index], from: index)
        index += 1
        continue
      }
      let (text, length) = escape(source, at: index)
      for byte in text { out.add(byte, from: index) }
      out.isChanged = true
      index += length
    }
    out.origins.append(source.count)
    return out
  }

  private static func escape(_ source: Span<UInt8>, at index: Int) -> (text: [UInt8], length: Int) {
    switch source[index + 1] {
    case UInt8(ascii: "n"): return ([0x0A], 2)
    case UInt8(ascii: "r"): return ([0x0D], 2)
    case UInt8(ascii: "t"): return ([0x09], 2)
    case UInt8(ascii: "b"): return ([0x08], 2)
    case UInt8(ascii: "f"): return ([0x0C], 2)
    case UInt8(ascii: "u"): return scalar(source, at: index, mark: UInt8(ascii: "\\")) ?? ([source[index]], 1)
    case UInt8(ascii: "x"):
      guard index + 3 < source.count, let high = hex(source[index + 2]), let low = hex(source[index + 3]) else {
        return ([source[index]], 1)
      }
      return ([high << 4 | low], 4)
    default: return ([source[index + 1]], 2)
    }
  }

  /// The character of four hexadecimal digits after `\u` or `%u`, or of two such sequences that form a surrogate pair.
  private static func scalar(_ source: Span<UInt8>, at index: Int, mark: UInt8) -> (text: [UInt8], length: Int)? {
    guard let first = unit(source, at: index + 2) else { return nil }
    if let scalar = Unicode.Scalar(first) { return (Array(String(Character(scalar)).utf8), 6) }
    guard first < 0xDC00, index + 7 < source.count, source[index + 6] == mark, source[index + 7] == UInt8(ascii: "u"),
      let second = unit(source, at: index + 8), (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00))
    else { return nil }
    return (Array(String(Character(scalar)).utf8), 12)
  }

  /// Entities of HTML and XML: `&amp;`, `&#39;`, `&#x27;`. Named ones are limited to those of XML and Latin-1.
  static func entities(_ source: Span<UInt8>) -> TextDecoding {
    var out = TextDecoding(capacity: source.count)
    var index = 0
    while index < source.count {
      if source[index] == UInt8(ascii: "&"), let (text, length) = entity(source, at: index) {
        for byte in text { out.add(byte, from: index) }
        out.isChanged = true
        index += length
      } else {
        out.add(source[index], from: index)
        index += 1
      }
    }
    out.origins.append(source.count)
    return out
  }

  private static func entity(_ source: Span<UInt8>, at start: Int) -> (text: [UInt8], length: Int)? {
    // The longest is `&#x0010FFFF;`.
    var end = start + 1
    while end < source.count, source[end] != UInt8(ascii: ";") {
      guard end - start < 12 else { return nil }
      end += 1
    }
    guard end < source.count, end - start >= 3 else { return nil }
    let name = (start + 1..<end).map { source[$0] }
    let length = end + 1 - start
    guard name[0] == UInt8(ascii: "#") else {
      return names[String(decoding: name, as: UTF8.self)].map { (Array(String(Character($0)).utf8), length) }
    }
    let isHex = name[1] | 0x20 == UInt8(ascii: "x")
    var value: UInt32 = 0
    let digits = name[(isHex ? 2 : 1)...]
    guard !digits.isEmpty else { return nil }
    for digit in digits {
      guard let number = hex(digit), isHex || number < 10, value < 0x0011_0000 else { return nil }
      value = value * (isHex ? 16 : 10) + UInt32(number)
    }
    return Unicode.Scalar(value).map { (Array(String(Character($0)).utf8), length) }
  }

  /// The named entities of XML, and those of HTML for the letters and signs of Latin-1 (HTML 4.01, section 24.2), in
  /// the order of their code points from U+00A0 on.
  private static let names: [String: Unicode.Scalar] = {
    let latin = """
      nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para \
      middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave \
      Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc \
      Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc \
      iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
      """
    var names: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    for (offset, name) in latin.split(separator: " ").enumerated() {
      names[String(name)] = Unicode.Scalar(UInt8(0xA0 + offset))
    }
    return names
  }()

  /// Text without its line ends, because base64 in email and PEM is folded into lines.
  static func unfolded(_ source: Span<UInt8>) -> TextDecoding {
    var out = TextDecoding(capacity: source.count)
    out.leavesOut = true
    for index in 0..<source.count {
      guard source[index] != 0x0A, source[index] != 0x0D else {
        out.isChanged = true
        continue
      }
      out.add(source[index], from: index)
    }
    out.origins.append(source.count)
    return out
  }

  private static func unit(_ source: Span<UInt8>, at index: Int) -> UInt16? {
    guard index + 4 <= source.count else { return nil }
    var unit: UInt16 = 0
    for offset in index..<(index + 4) {
      guard let digit = hex(source[offset]) else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  /// The value of a hex digit; `nil` for any other byte.
  static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
