// CRC-32C (Castagnoli, RFC 3720 §12.1), for our own frames; `lz4` checks none of their bytes. Eight bytes a step: M. E.
// Kounavis and F. L. Berry, «A Systematic Approach to Building High Performance, Software-based, CRC Generators», 2005.

/// The checksum of our skippable frames and indexes.
package enum CRC32C {
  /// 8 tables of 256 entries: table k holds the effect of a byte that k more bytes follow.
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
  package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    let found = bytes.withContiguousStorageIfAvailable { unsafe advanced(~0, over: UnsafeRawBufferPointer($0)) ^ ~0 }
    return found ?? checksum(Array(bytes))
  }

  // MARK: Checksums of many parts of the same bytes

  /// The CRC register after more bytes; it is 0 before the first byte. From two such registers,
  /// `checksum(from:to:count:)` computes the checksum of the bytes between, so that checksums of many parts need only
  /// one pass over the bytes.
  static func register(_ register: UInt32, over bytes: ArraySlice<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe advanced(register, over: $0) }
  }

  /// The checksum of the `count` bytes between two places, computed from the registers at these places. Cost: at most
  /// 26 multiplications of polynomials.
  static func checksum(from start: UInt32, to end: UInt32, count: Int) -> UInt32 {
    // A register is a sum: what came before, moved on by the bytes that followed, and these alone.
    shifted(start ^ ~0, by: count) ^ end ^ ~0
  }

  /// A register after `count` bytes of 0.
  static func shifted(_ register: UInt32, by count: Int) -> UInt32 {
    var value = register
    var rest = count
    var place = 0
    while rest > 0 {
      if rest & 1 == 1 { value = product(value, bytePowers[place]) }
      rest >>= 1
      place += 1
    }
    return value
  }

  /// x to the power of 8 * 2^k modulo the polynomial, for each k.
  private static let bytePowers: [UInt32] = {
    var powers: [UInt32] = [1 << 23]
    for place in 0..<62 { powers.append(product(powers[place], powers[place])) }
    return powers
  }()

  /// The product of two polynomials modulo ours; the highest bit stands for 1.
  private static func product(_ one: UInt32, _ other: UInt32) -> UInt32 {
    var sum: UInt32 = 0
    var (left, moved) = (one, other)
    while left != 0 {
      if left >> 31 == 1 { sum ^= moved }
      moved = moved & 1 == 1 ? 0x82F6_3B78 ^ (moved >> 1) : moved >> 1
      left <<= 1
    }
    return sum
  }

  private static func advanced(_ register: UInt32, over bytes: UnsafeRawBufferPointer) -> UInt32 {
    let tables = tables.span
    var value = register
    var offset = 0
    while offset + 8 <= bytes.count {
      // SAFETY: the load is inside of the buffer, by the condition of the loop.
      let word =
        UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) ^ UInt64(value)
      // Unrolled by hand: a loop over the eight bytes is much slower in builds without optimization, such as tests.
      value = tables[7 << 8 | Int(truncatingIfNeeded: word & 0xFF)]
      value ^= tables[6 << 8 | Int(truncatingIfNeeded: word >> 8 & 0xFF)]
      value ^= tables[5 << 8 | Int(truncatingIfNeeded: word >> 16 & 0xFF)]
      value ^= tables[4 << 8 | Int(truncatingIfNeeded: word >> 24 & 0xFF)]
      value ^= tables[3 << 8 | Int(truncatingIfNeeded: word >> 32 & 0xFF)]
      value ^= tables[2 << 8 | Int(truncatingIfNeeded: word >> 40 & 0xFF)]
      value ^= tables[1 << 8 | Int(truncatingIfNeeded: word >> 48 & 0xFF)]
      value ^= tables[Int(truncatingIfNeeded: word >> 56 & 0xFF)]
      offset += 8
    }
    while offset < bytes.count {
      value = unsafe tables[Int((value ^ UInt32(bytes[offset])) & 0xFF)] ^ (value >> 8)
      offset += 1
    }
    return value
  }
}
