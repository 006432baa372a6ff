// A checked walk over bytes that came from a disk: each read is bounded, each failure is an error with an offset.

/// Reads numbers and runs of bytes from an array, front to back. Nothing it is given can make it trap.
struct ByteCursor {
  /// The bytes to read.
  let bytes: [UInt8]
  /// Where the next read starts.
  private(set) var offset: Int

  /// A cursor at the start of `bytes`.
  init(_ bytes: [UInt8], offset: Int = 0) {
    self.bytes = bytes
    self.offset = Swift.min(Swift.max(offset, 0), bytes.count)
  }

  /// How many bytes are left.
  var remaining: Int { bytes.count - offset }

  /// The next `count` bytes.
  ///
  /// - Throws: `malformed` if fewer are left.
  mutating func take(_ count: Int) throws(StoreError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining else { throw cut() }
    defer { offset += count }
    return bytes[offset..<offset + count]
  }

  /// One byte.
  mutating func uint8() throws(StoreError) -> UInt8 {
    guard remaining >= 1 else { throw cut() }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Four bytes, least significant first.
  mutating func uint32() throws(StoreError) -> UInt32 {
    var value: UInt32 = 0
    for (place, byte) in try take(4).enumerated() { value |= UInt32(byte) << UInt32(8 * place) }
    return value
  }

  /// Eight bytes, least significant first.
  mutating func uint64() throws(StoreError) -> UInt64 {
    var value: UInt64 = 0
    for (place, byte) in try take(8).enumerated() { value |= UInt64(byte) << UInt64(8 * place) }
    return value
  }

  /// A LEB128 number in its shortest form.
  mutating func varint() throws(StoreError) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    for place in 0..<10 {
      let byte = try uint8()
      let part = UInt64(byte & 0x7F)
      guard place < 9 || part <= 1 else { break }
      value |= part << UInt64(7 * place)
      if byte < 0x80 {
        guard byte != 0 || place == 0 else { break }
        return value
      }
    }
    throw StoreError(.malformed, "a number is not in its shortest form", offset: UInt64(start))
  }

  /// A varint that must fit an `Int` and be at most `limit`.
  mutating func count(upTo limit: Int) throws(StoreError) -> Int {
    let start = offset
    let value = try varint()
    guard value <= UInt64(limit) else {
      throw StoreError(.malformed, "a count of \(value) is more than can be there", offset: UInt64(start))
    }
    return Int(value)
  }

  private func cut() -> StoreError {
    StoreError(.malformed, "the bytes end too early", offset: UInt64(offset))
  }
}
