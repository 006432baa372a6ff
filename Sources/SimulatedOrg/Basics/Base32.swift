// The alphabet TOTP secrets are shared in (RFC 4648 §6).

enum Base32 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var out: [UInt8] = []
    var (buffer, bits) = (0, 0)
    for byte in bytes {
      (buffer, bits) = ((buffer << 8 | Int(byte)) & 0xffff, bits + 8)
      while bits >= 5 {
        bits -= 5
        out.append(alphabet[buffer >> bits & 31])
      }
    }
    if bits > 0 { out.append(alphabet[buffer << (5 - bits) & 31]) }
    return String(decoding: out, as: UTF8.self)
  }

  /// The bytes of a secret; case, blanks and padding do not count. `nil` for anything else.
  static func bytes(_ text: String) -> [UInt8]? {
    var out: [UInt8] = []
    var (buffer, bits) = (0, 0)
    for byte in text.uppercased().utf8 where byte != UInt8(ascii: " ") && byte != UInt8(ascii: "=") {
      guard let value = alphabet.firstIndex(of: byte) else { return nil }
      (buffer, bits) = ((buffer << 5 | value) & 0xffff, bits + 5)
      if bits >= 8 {
        bits -= 8
        out.append(UInt8(buffer >> bits & 0xff))
      }
    }
    return out
  }
}
