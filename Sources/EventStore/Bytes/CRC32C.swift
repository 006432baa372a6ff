// CRC-32C (Castagnoli, RFC 3720 §12.1), for our own frames; `lz4` checks none of their bytes.

/// The checksum of our skippable frames. Small payloads only, so one table of 256 entries is enough.
enum CRC32C {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0x82F6_3B78 ^ (value >> 1) : value >> 1 }
  }

  /// The checksum of `bytes`: `E3069283` for the ASCII text `123456789`.
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var value: UInt32 = 0xFFFF_FFFF
    for byte in bytes { value = table[Int((value ^ UInt32(byte)) & 0xFF)] ^ (value >> 8) }
    return value ^ 0xFFFF_FFFF
  }
}
