// XXH32, the checksum that LZ4 frames use. liblz4 contains it but does not export it; the algorithm is the one of
// xxHash's own specification (doc/xxhash_spec.md, «XXH32 Algorithm Description»). `lz4` checks each of ours.

/// The checksum of blocks and frame headers, with seed 0.
enum XXH32 {
  private static let prime1: UInt32 = 0x9E37_79B1
  private static let prime2: UInt32 = 0x85EB_CA77
  private static let prime3: UInt32 = 0xC2B2_AE3D
  private static let prime4: UInt32 = 0x27D4_EB2F
  private static let prime5: UInt32 = 0x1656_67B1

  /// The checksum of `bytes`: `02CC5D05` for none at all.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var offset = 0
    func word(_ place: Int) -> UInt32 {
      // SAFETY: every caller below asks for four bytes that are inside of the buffer.
      UInt32(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
    var value: UInt32
    if bytes.count >= 16 {
      var (a, b, c, d) = (prime1 &+ prime2, prime2, UInt32(0), 0 &- prime1)
      while offset + 16 <= bytes.count {
        a = round(a, word(offset))
        b = round(b, word(offset + 4))
        c = round(c, word(offset + 8))
        d = round(d, word(offset + 12))
        offset += 16
      }
      value = rotate(a, 1) &+ rotate(b, 7) &+ rotate(c, 12) &+ rotate(d, 18)
    } else {
      value = prime5
    }
    value = value &+ UInt32(truncatingIfNeeded: bytes.count)
    while offset + 4 <= bytes.count {
      value = rotate(value &+ word(offset) &* prime3, 17) &* prime4
      offset += 4
    }
    while offset < bytes.count {
      value = unsafe rotate(value &+ UInt32(bytes[offset]) &* prime5, 11) &* prime1
      offset += 1
    }
    value = (value ^ (value >> 15)) &* prime2
    value = (value ^ (value >> 13)) &* prime3
    return value ^ (value >> 16)
  }

  @inline(__always)
  private static func round(_ lane: UInt32, _ word: UInt32) -> UInt32 {
    rotate(lane &+ word &* prime2, 13) &* prime1
  }

  @inline(__always)
  private static func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 { value << count | value >> (32 &- count) }
}
