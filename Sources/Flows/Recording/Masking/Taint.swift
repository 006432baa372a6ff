// Replaces known secrets inside text: as they are, percent-encoded, JSON-escaped, base64-encoded.

import EventStore

extension Vault {
  /// The text with every sighting of a known secret replaced. Text that could be taken for a placeholder is a
  /// secret itself and replaced as a whole.
  mutating func mask(_ text: String) -> String {
    if Placeholder.isForged(in: text) { return placeholder(for: .string(text), kind: "literal") }
    guard !needles.isEmpty, !text.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var pieces = pieces(of: bytes)
    if bytes.contains(UInt8(ascii: "%")) || bytes.contains(UInt8(ascii: "+")) {
      addEncoded(TextDecoding.percent(bytes), in: bytes, encoding: "pct", to: &pieces)
    }
    if bytes.contains(UInt8(ascii: "\\")) {
      addEncoded(TextDecoding.escapes(bytes), in: bytes, encoding: "esc", to: &pieces)
    }
    guard !pieces.isEmpty else { return text }
    return Vault.assemble(bytes, pieces.sorted { $0.range.lowerBound < $1.range.lowerBound })
  }

  private struct Piece {
    var range: Range<Int>
    var replacement: String
  }

  private mutating func pieces(of bytes: [UInt8]) -> [Piece] {
    var pieces: [Piece] = []
    for hit in needles.hits(in: bytes) {
      let range = hit.isBase64 ? Vault.run(around: hit.range, in: bytes) : hit.range
      if let last = pieces.last, last.range.upperBound > range.lowerBound { continue }
      guard hit.isBase64 else {
        pieces.append(Piece(range: range, replacement: hit.placeholder))
        continue
      }
      let raw = String(decoding: bytes[range], as: UTF8.self)
      pieces.append(
        Piece(range: range, replacement: placeholder(forSighting: raw, of: hit.placeholder, encoding: "b64")))
    }
    return pieces
  }

  /// The whole run of base64 characters around a sighting: the neighbours of a secret are as good as the secret.
  private static func run(around range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start > 0, Base64Forms.isAlphabet(bytes[start - 1]) { start -= 1 }
    while end < bytes.count, Base64Forms.isAlphabet(bytes[end]) { end += 1 }
    return start..<end
  }

  /// Looks for secrets in a decoded form of the text and replaces the encoded bytes they came from.
  private mutating func addEncoded(
    _ decoded: TextDecoding, in bytes: [UInt8], encoding: String, to pieces: inout [Piece]
  ) {
    guard decoded.bytes.count != bytes.count || decoded.bytes != bytes else { return }
    for hit in needles.hits(in: decoded.bytes) {
      let range = decoded.origins[hit.range.lowerBound]..<decoded.origins[hit.range.upperBound]
      guard !pieces.contains(where: { $0.range.overlaps(range) }) else { continue }
      let raw = String(decoding: bytes[range], as: UTF8.self)
      pieces.append(
        Piece(range: range, replacement: placeholder(forSighting: raw, of: hit.placeholder, encoding: encoding)))
    }
  }

  private static func assemble(_ bytes: [UInt8], _ pieces: [Piece]) -> String {
    var out: [UInt8] = []
    var index = 0
    for piece in pieces where piece.range.lowerBound >= index {
      out += bytes[index..<piece.range.lowerBound]
      out += piece.replacement.utf8
      index = piece.range.upperBound
    }
    out += bytes[index...]
    return String(decoding: out, as: UTF8.self)
  }
}

/// Decoded bytes with, for each, the place in the encoded text where it came from.
struct TextDecoding {
  /// The decoded bytes.
  var bytes: [UInt8] = []
  /// For each decoded byte its offset in the source, and one more for the end.
  var origins: [Int] = []

  private mutating func add(_ byte: UInt8, from origin: Int) {
    bytes.append(byte)
    origins.append(origin)
  }

  /// Percent-encoding (RFC 3986 §2.1), and `+` for a space as forms write it.
  static func percent(_ source: [UInt8]) -> TextDecoding {
    var out = TextDecoding()
    var index = 0
    while index < source.count {
      if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
        let high = hex(source[index + 1]), let low = hex(source[index + 2])
      {
        out.add(high << 4 | low, from: index)
        index += 3
      } else {
        out.add(source[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : source[index], from: index)
        index += 1
      }
    }
    out.origins.append(source.count)
    return out
  }

  /// JSON string escapes (RFC 8259 §7), for JSON that stands inside a string.
  static func escapes(_ source: [UInt8]) -> TextDecoding {
    var out = TextDecoding()
    var index = 0
    while index < source.count {
      guard source[index] == UInt8(ascii: "\\"), index + 1 < source.count else {
        out.add(source[index], from: index)
        index += 1
        continue
      }
      let (text, length) = escape(source, at: index)
      for byte in text { out.add(byte, from: index) }
      index += length
    }
    out.origins.append(source.count)
    return out
  }

  private static func escape(_ source: [UInt8], at index: Int) -> (text: [UInt8], length: Int) {
    switch source[index + 1] {
    case UInt8(ascii: "n"): return ([0x0A], 2)
    case UInt8(ascii: "r"): return ([0x0D], 2)
    case UInt8(ascii: "t"): return ([0x09], 2)
    case UInt8(ascii: "b"): return ([0x08], 2)
    case UInt8(ascii: "f"): return ([0x0C], 2)
    case UInt8(ascii: "u"):
      guard let first = unit(source, at: index + 2) else { return ([source[index]], 1) }
      if let scalar = Unicode.Scalar(first) { return (Array(String(Character(scalar)).utf8), 6) }
      guard first < 0xDC00, index + 7 < source.count, source[index + 6] == UInt8(ascii: "\\"),
        let second = unit(source, at: index + 8), (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00))
      else { return ([source[index]], 1) }
      return (Array(String(Character(scalar)).utf8), 12)
    default: return ([source[index + 1]], 2)
    }
  }

  private static func unit(_ source: [UInt8], at index: Int) -> UInt16? {
    guard index + 4 <= source.count else { return nil }
    var unit: UInt16 = 0
    for byte in source[index..<(index + 4)] {
      guard let digit = hex(byte) else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
