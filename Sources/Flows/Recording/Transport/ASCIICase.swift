// Letters of ASCII without their case, byte by byte.

enum ASCIICase {
  /// A letter of ASCII in lower case; any other byte as it is.
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }
}
