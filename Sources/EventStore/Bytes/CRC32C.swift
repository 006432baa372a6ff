// CRC-32C (Castagnoli, RFC 3720 §12.1), for our own frames; `lz4` checks none of their bytes. Eight bytes a step: M. E. Kounavis
// and F. L. Berry, «A Systematic Approach to Building High Performance, Software-based, CRC Generators», 2005.

/// The checksum of our skippable frames and indexes.
enum CRC32C {
  /// 8 tables of 256 entries: table k tells what a byte does that k more bytes follow.
  private static let tables: [UInt32] = {
    var tables: [UInt32] = (0..<256).map { index in
      var value = UInt32(index)
      for _ in 0..<8 { value = value & 1 == 1 ? 0x82F6_3B78 ^ (value >> 1) : value >> 1 }
      return value
    }
    for entry in 256..<8 * 256 {
      let before = tables[entry - 256]
      tables.append(tables[Int(before & 0xFF)] ^ (before >> 8))
    }
    return tables
  }()

  /// The checksum of `bytes`: `E3069283` for the ASCII text `123456789`.
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    let found = bytes.withContiguousStorageIfAvailable { unsafe checksum(UnsafeRawBufferPointer($0)) }
    return found ?? checksum(Array(bytes))
  }

  private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let tables = tables.span
    var value: UInt32 = 0xFFFF_FFFF
    var offset = 0
    while offset + 8 <= bytes.count {
      // SAFETY: the load is inside of the buffer, by the condition of the loop.
      let word =
        UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) ^ UInt64(value)
      value = 0
      for place in 0..<8 {
        value ^= tables[(7 - place) * 256 + Int(truncatingIfNeeded: word >> (8 * UInt64(place)) & 0xFF)]
      }
      offset += 8
    }
    while offset < bytes.count {
      value = unsafe tables[Int((value ^ UInt32(bytes[offset])) & 0xFF)] ^ (value >> 8)
      offset += 1
    }
    return value ^ 0xFFFF_FFFF
  }
}
