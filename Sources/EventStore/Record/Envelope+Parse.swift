// The strict reader of an envelope: one value has one encoding, anything else is an error with the byte where it is.

extension Envelope {
  /// Reads the envelope of one line, without its `\n`. `data` is taken as it is: it starts with `{` and ends before the
  /// last `}`. Throws `malformed` with the offset in the line.
  init(parsing line: Span<UInt8>) throws(StoreError) {
    guard line.count <= Envelope.longestLine else {
      throw StoreError(.malformed, "the line has \(line.count) bytes, more than \(Envelope.longestLine)", offset: 0)
    }
    var scan = Scan()
    try scan.expect("{\"n\":", in: line)
    position = try scan.number(in: line)
    try scan.expect(",\"at\":\"", in: line)
    at = try scan.time(in: line)
    try scan.expect("\",\"stream\":\"", in: line)
    stream = try scan.name(in: line)
    try scan.expect(",\"rev\":", in: line)
    revision = try scan.count(in: line)
    if scan.skip(",\"id\":\"", in: line) { id = try scan.name(in: line) } else { id = nil }
    try scan.expect(",\"type\":\"", in: line)
    type = try scan.name(in: line)
    try scan.expect(",\"v\":", in: line)
    version = try scan.count(in: line)
    if scan.skip(",\"cause\":", in: line) {
      let start = scan.offset
      let named = try scan.number(in: line)
      guard named < position else {
        throw StoreError(.malformed, "the cause \(named) is not before the record", offset: UInt64(start))
      }
      cause = named
    } else {
      cause = nil
    }
    try scan.expect(",\"data\":", in: line)
    data = scan.offset
    guard line.count >= data + 3, line[data] == UInt8(ascii: "{"), line[line.count - 1] == UInt8(ascii: "}"),
      line[line.count - 2] == UInt8(ascii: "}")
    else { throw StoreError(.malformed, "data is not one object that ends the line", offset: UInt64(data)) }
  }

  /// Throws where the braces and brackets of `data`, outside of strings, do not close exactly at its end, or where a
  /// byte under 0x20 stands in it.
  func checkData(in line: Span<UInt8>) throws(StoreError) {
    var depth = 0
    var inString = false
    var offset = data
    let end = line.count - 1
    while offset < end {
      let byte = line[offset]
      guard byte >= 0x20 else { throw StoreError(.malformed, "a control character in data", offset: UInt64(offset)) }
      switch byte {
      case UInt8(ascii: "\\") where inString: offset += 1
      case UInt8(ascii: "\""): inString.toggle()
      case UInt8(ascii: "{") where !inString, UInt8(ascii: "[") where !inString: depth += 1
      case UInt8(ascii: "}") where !inString, UInt8(ascii: "]") where !inString:
        depth -= 1
        if depth == 0, offset != end - 1 {
          throw StoreError(.malformed, "data closes before the line ends", offset: UInt64(offset))
        }
      default: break
      }
      offset += 1
    }
    guard depth == 0, !inString, offset == end else {
      throw StoreError(.malformed, "data does not close", offset: UInt64(end))
    }
  }

  /// Where the reading stands.
  private struct Scan {
    var offset = 0

    mutating func skip(_ literal: StaticString, in line: Span<UInt8>) -> Bool {
      let length = literal.utf8CodeUnitCount
      guard length <= line.count - offset else { return false }
      for place in 0..<length {
        // SAFETY: `place` is under the literal's length, and a literal's bytes live for the whole program.
        let wanted = unsafe literal.utf8Start[place]
        guard line[offset + place] == wanted else { return false }
      }
      offset += length
      return true
    }

    mutating func expect(_ literal: StaticString, in line: Span<UInt8>) throws(StoreError) {
      guard skip(literal, in: line) else {
        throw StoreError(.malformed, "expected \(literal) here", offset: UInt64(offset))
      }
    }

    /// A decimal number without leading zeros that fits 64 bits.
    mutating func number(in line: Span<UInt8>) throws(StoreError) -> UInt64 {
      let start = offset
      var value: UInt64 = 0
      while offset < line.count, line[offset] >= 0x30, line[offset] <= 0x39 {
        let (tens, carried) = value.multipliedReportingOverflow(by: 10)
        let (sum, overflowed) = tens.addingReportingOverflow(UInt64(line[offset] - 0x30))
        guard !carried, !overflowed else {
          throw StoreError(.malformed, "a number is too large", offset: UInt64(start))
        }
        value = sum
        offset += 1
      }
      guard offset > start, line[start] != 0x30 || offset == start + 1 else {
        throw StoreError(.malformed, "expected a number in its shortest form", offset: UInt64(start))
      }
      return value
    }

    /// A number that fits an `Int`.
    mutating func count(in line: Span<UInt8>) throws(StoreError) -> Int {
      let start = offset
      guard let value = Int(exactly: try number(in: line)) else {
        throw StoreError(.malformed, "a number is too large", offset: UInt64(start))
      }
      return value
    }

    /// The bytes up to a quote, which is passed.
    mutating func name(in line: Span<UInt8>) throws(StoreError) -> Range<Int> {
      let start = offset
      while offset < line.count, line[offset] != UInt8(ascii: "\"") {
        guard line[offset] >= 0x20, line[offset] != UInt8(ascii: "\\") else {
          throw StoreError(.malformed, "a character that must not stand in a name", offset: UInt64(offset))
        }
        offset += 1
      }
      guard offset < line.count, offset > start, offset - start <= Envelope.longestName else {
        throw StoreError(.malformed, "expected a name of 1 to \(Envelope.longestName) bytes", offset: UInt64(start))
      }
      defer { offset += 1 }
      return start..<offset
    }

    /// 27 bytes of time, in the one form that the log writes.
    mutating func time(in line: Span<UInt8>) throws(StoreError) -> Timestamp {
      let start = offset
      guard line.count - start >= Timestamp.width else {
        throw StoreError(.malformed, "expected a time", offset: UInt64(start))
      }
      guard let time = Timestamp(canonical: line.extracting(start..<start + Timestamp.width)) else {
        throw StoreError(
          .malformed, "expected a time like 2026-11-21T08:35:00.123456Z", offset: UInt64(start))
      }
      offset += Timestamp.width
      return time
    }
  }
}
