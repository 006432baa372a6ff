/// Writes records as lines. Keeps the last second as text, since most records are of the same one.
struct LineEncoder {
  private var second = Int64.min
  /// `2026-11-21T08:35:00.`
  private var secondText: [UInt8] = []

  /// Appends the line of `record` and a `\n`. Cost: one copy of the data, no allocation where capacity is there.
  mutating func append(
    _ record: NewRecord, position: UInt64, revision: Int, cause: UInt64?, to bytes: inout [UInt8]
  ) {
    let time = Swift.min(Swift.max(record.at.microseconds, Timestamp.earliest), Timestamp.latest)
    let inSecond = (time % 1_000_000 + 1_000_000) % 1_000_000
    if second != time - inSecond {
      second = time - inSecond
      secondText.removeAll(keepingCapacity: true)
      Timestamp(microseconds: second).append(to: &secondText)
      secondText.removeLast(7)
    }
    // Names have at most 1,024 bytes each; what else stands before the data, with three numbers of at most 20 digits, under
    // 160. Usual heads fit the stack.
    let room = 160 + record.stream.utf8.count + (record.id?.utf8.count ?? 0) + record.type.utf8.count
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { buffer in
      var head = unsafe HeadWriter(buffer)
      unsafe head.put("{\"n\":")
      unsafe head.put(position)
      unsafe head.put(",\"at\":\"")
      unsafe head.put(secondText.span)
      unsafe head.put(microseconds: UInt64(inSecond))
      unsafe head.put("Z\",\"stream\":\"")
      unsafe head.put(record.stream)
      unsafe head.put("\",\"rev\":")
      unsafe head.put(UInt64(revision))
      if let id = record.id {
        unsafe head.put(",\"id\":\"")
        unsafe head.put(id)
        unsafe head.put("\"")
      }
      unsafe head.put(",\"type\":\"")
      unsafe head.put(record.type)
      unsafe head.put("\",\"v\":")
      unsafe head.put(UInt64(record.version))
      if let cause {
        unsafe head.put(",\"cause\":")
        unsafe head.put(cause)
      }
      unsafe head.put(",\"data\":")
      // SAFETY: the first `count` bytes of the buffer have been written.
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<head.count]))
    }
    bytes.append(contentsOf: record.data)
    bytes.append("}\n")
  }
}

/// Writes into a buffer whose room was counted before; what does not fit after all is left out, never written beyond.
@unsafe private struct HeadWriter {
  // SAFETY: lives as long as the closure that lent the buffer; each write is checked against its length.
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { unsafe self.buffer = buffer }

  mutating func put(_ literal: StaticString) {
    unsafe copy(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  mutating func put(_ text: String) {
    // All but bridged strings, which Linux has none of, lend their bytes.
    let isDone = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe copy($0) } != nil
    if !isDone {
      for byte in text.utf8 { unsafe withUnsafePointer(to: byte) { unsafe copy(.init(start: $0, count: 1)) } }
    }
  }

  mutating func put(_ bytes: Span<UInt8>) { unsafe bytes.withUnsafeBufferPointer { unsafe copy($0) } }

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
    unsafe put(value, digits: digits)
  }

  /// Six digits.
  mutating func put(microseconds: UInt64) { unsafe put(microseconds, digits: 6) }

  private mutating func put(_ value: UInt64, digits: Int) {
    guard unsafe digits <= buffer.count - count else { return }
    var rest = value
    var place = unsafe count + digits
    while unsafe place > count {
      place -= 1
      unsafe buffer[place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    unsafe count += digits
  }

  private mutating func copy(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard unsafe bytes.count <= buffer.count - count, let from = bytes.baseAddress,
      let to = unsafe buffer.baseAddress
    else { return }
    unsafe (to + count).update(from: from, count: bytes.count)
    unsafe count += bytes.count
  }
}
