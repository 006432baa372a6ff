// How a secret looks in base64 (RFC 4648 §4, §5), and decoding of base64. In a longer text, it appears as one of three
// character sequences, depending on its offset; their first and last characters depend on the neighbors and are
// omitted.

enum Base64Forms {
  /// The name of base64 sightings in placeholders.
  static let name = "b64"

  private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let urlSafe = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The sequences that appear in the encoding of any text that contains these bytes.
  static func forms(of bytes: [UInt8]) -> [[UInt8]] {
    var forms: [[UInt8]] = []
    for lead in 0..<3 {
      let form = encode(bytes, lead: lead, alphabet: standard)
      forms.append(form)
      if form.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) {
        forms.append(encode(bytes, lead: lead, alphabet: urlSafe))
      }
    }
    return forms
  }

  /// The characters determined by these bytes alone, if `lead` other bytes precede them in their group of three.
  private static func encode(_ bytes: [UInt8], lead: Int, alphabet: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count * 4 / 3)
    let bits = bytes.count * 8
    // The first character boundary at or after the first bit of the secret: there is one every six bits.
    var bit = (6 - lead * 8 % 6) % 6
    while bit + 6 <= bits {
      let byte = bit / 8
      let shift = bit % 8
      let pair = UInt16(bytes[byte]) << 8 | (byte + 1 < bytes.count ? UInt16(bytes[byte + 1]) : 0)
      out.append(alphabet[Int(pair >> (10 - UInt16(shift)) & 63)])
      bit += 6
    }
    return out
  }

  /// The text encoded as base64 in either alphabet; nil if it does not decode to text, as for most words. Stops at the
  /// first invalid byte.
  static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
    var out: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for index in range {
      guard let value = value(of: bytes[index]) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      let byte = UInt8(truncatingIfNeeded: bits >> UInt32(count))
      guard byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D else { return nil }
      guard byte < 0x80 || byte & 0xC0 != 0x80 || (out.last ?? 0) >= 0x80 else { return nil }
      guard byte & 0xC0 == 0x80 || (out.last ?? 0) < 0xC0 else { return nil }
      out.append(byte)
    }
    return out
  }

  /// The text of UTF-16 in base64, of either byte order, as UTF-8; nil if it does not decode to text. Text without any
  /// ASCII character is not considered UTF-16.
  static func textOfUTF16(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
    var zeros = (even: 0, odd: 0)
    let isWhole = forEachByte(bytes, range) { byte, position in
      if byte == 0 { if position & 1 == 1 { zeros.odd += 1 } else { zeros.even += 1 } }
      return position < 15 || zeros.even > 0 || zeros.odd > 0
    }
    guard isWhole, zeros.even > 0 || zeros.odd > 0 else { return nil }
    let isLittle = zeros.odd >= zeros.even
    var units: [UInt16] = []
    var first = UInt16(0)
    _ = forEachByte(bytes, range) { byte, position in
      let byte = UInt16(byte)
      if position & 1 == 1 { units.append(isLittle ? byte << 8 | first : first << 8 | byte) } else { first = byte }
      return true
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// Decodes base64 byte by byte, passing each with its position. Returns false if the input is not base64, or as soon
  /// as `body` does.
  @inline(__always)
  private static func forEachByte(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ body: (UInt8, _ position: Int) -> Bool
  ) -> Bool {
    var (bits, count, position) = (UInt32(0), 0, 0)
    for index in range {
      guard let value = value(of: bytes[index]) else { return false }
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      guard body(UInt8(truncatingIfNeeded: bits >> UInt32(count)), position) else { return false }
      position += 1
    }
    return true
  }

  /// Whether a byte is allowed in base64 of either alphabet, except padding.
  static func isAlphabet(_ byte: UInt8) -> Bool { value(of: byte) != nil }

  /// Whether a base64 byte is neither a letter nor a digit: in text it may also separate words.
  static func isSign(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "_"): true
    default: false
    }
  }

  private static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
