// Writing numbers and text as bytes: little endian and LEB128, without a `String` on the way.

extension [UInt8] {
  /// Appends `value` in 4 bytes, least significant first.
  mutating func appendUInt32(_ value: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  /// Appends `value` in 8 bytes, least significant first.
  mutating func appendUInt64(_ value: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  /// Appends `value` as LEB128: 7 bits a byte, least significant first, the high bit set on all but the last.
  mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends the UTF-8 bytes of a literal.
  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes in
      // SAFETY: the buffer of a literal lives for the whole program.
      unsafe append(contentsOf: bytes)
    }
  }
}
