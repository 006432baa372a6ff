// ASCII lowercasing, byte by byte.

enum ASCIICase {
  /// Converts an ASCII letter to lowercase; any other byte is unchanged.
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }
}
