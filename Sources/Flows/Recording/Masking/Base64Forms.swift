// How a secret looks inside base64 (RFC 4648 §4, §5) of a longer text: depending on where it starts, one of three
// character sequences, of which the ends depend on the neighbours and are left off.

enum Base64Forms {
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

  /// The characters that are made of these bytes alone, when `lead` bytes of something else stand before them in
  /// their group of three.
  private static func encode(_ bytes: [UInt8], lead: Int, alphabet: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count * 4 / 3)
    let bits = bytes.count * 8
    // The first character boundary at or after the first bit of the secret: characters stand every six bits.
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

  /// Whether a byte may stand in base64 of either alphabet.
  static func isAlphabet(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"),
      UInt8(ascii: "_"), UInt8(ascii: "="):
      true
    default: false
    }
  }
}
