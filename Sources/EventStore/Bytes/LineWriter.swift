/// Writes into memory whose size was computed beforehand; anything that does not fit is left out, never written past
/// the end.
@safe struct LineWriter: ~Copyable {
  // SAFETY: lent for the time of a call, and cannot be copied out of it; each write is checked against the length.
  private let buffer: UnsafeMutableRawBufferPointer
  /// How many bytes were written.
  private(set) var count = 0
  /// True if something did not fit.
  private(set) var isCut = false

  /// A writer into memory that nothing else uses during its lifetime.
  @unsafe init(_ buffer: UnsafeMutableRawBufferPointer) { unsafe self.buffer = buffer }

  /// Text known at compile time.
  mutating func put(_ literal: StaticString) {
    unsafe copy(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// The UTF-8 of a text.
  mutating func put(_ text: String) {
    // All strings lend their bytes except bridged ones, which do not exist on Linux.
    let isDone = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe copy(UnsafeRawBufferPointer($0)) } != nil
    if !isDone {
      for byte in text.utf8 { unsafe withUnsafeBytes(of: byte) { unsafe copy($0) } }
    }
  }

  /// Bytes as they are.
  mutating func put(_ bytes: Span<UInt8>) { unsafe bytes.withUnsafeBytes { unsafe copy($0) } }

  /// A number in decimal digits, without leading zeros.
  mutating func put(_ value: UInt64) {
    var digits = 1
    var limit: UInt64 = 10
    while digits < 20, value >= limit {
      digits += 1
      let (next, overflowed) = limit.multipliedReportingOverflow(by: 10)
      if overflowed { break }
      limit = next
    }
    put(value, digits: digits)
  }

  /// Six digits.
  mutating func put(microseconds: UInt64) { put(microseconds, digits: 6) }

  private mutating func put(_ value: UInt64, digits: Int) {
    guard unsafe digits <= buffer.count - count else {
      isCut = true
      return
    }
    var rest = value
    var place = count + digits
    while place > count {
      place -= 1
      unsafe buffer[place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += digits
  }

  private mutating func copy(_ bytes: UnsafeRawBufferPointer) {
    guard unsafe bytes.count <= buffer.count - count else {
      isCut = true
      return
    }
    guard let from = bytes.baseAddress, let to = unsafe buffer.baseAddress else { return }
    unsafe (to + count).copyMemory(from: from, byteCount: bytes.count)
    count += bytes.count
  }
}
