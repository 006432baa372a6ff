// The strict reader of an envelope: one value has one encoding; anything else is an error that names the byte.
import Glibc

extension Envelope {
  /// Reads the envelope of one line, without its `\n`. `data` is taken as it is: it starts with `{` and ends before the
  /// last `}`.
  ///
  /// - Throws: `malformed` with the offset in the line.
  init(parsing line: Span<UInt8>) throws(StoreError) {
    self.init()
    try read(line)
  }

  /// Reads the same into a reused envelope. After an error its content is undefined.
  mutating func read(_ line: Span<UInt8>) throws(StoreError) {
    // SAFETY: `readUsual` reads inside of the bytes, which outlive the call.
    let isUsual = unsafe line.withUnsafeBytes { unsafe readUsual($0) }
    if !isUsual { self = try Envelope(strictly: line) }
  }

  /// The result of `init(parsing:)`, read byte for byte: the authoritative reader.
  init(strictly line: Span<UInt8>) throws(StoreError) {
    self = try unsafe line.withUnsafeBytes { bytes throws(StoreError) in
      // SAFETY: `Scan` reads inside of these bytes, and lives as long as this closure.
      try unsafe Envelope(Scan(bytes))
    }
  }

  private init(_ reading: consuming Scan) throws(StoreError) {
    var scan = unsafe reading
    let count = unsafe scan.bytes.count
    guard count <= Envelope.longestLine else {
      throw StoreError(.malformed, "the line has \(count) bytes, more than \(Envelope.longestLine)", offset: 0)
    }
    try unsafe scan.expect("{\"n\":")
    position = try unsafe scan.number(upTo: FrameFormat.largestNumber)
    try unsafe scan.expect(",\"at\":\"")
    at = try unsafe scan.time()
    try unsafe scan.expect("\",\"stream\":\"")
    stream = try unsafe scan.name()
    try unsafe scan.expect(",\"rev\":")
    revision = try unsafe Int(scan.number(upTo: FrameFormat.largestNumber))
    if unsafe scan.skip(",\"id\":\"") { id = try unsafe scan.name() } else { id = nil }
    try unsafe scan.expect(",\"type\":\"")
    type = try unsafe scan.name()
    try unsafe scan.expect(",\"v\":")
    version = try unsafe Int(scan.number(upTo: UInt64(Int.max)))
    if unsafe scan.skip(",\"cause\":") {
      let start = unsafe scan.offset
      let named = try unsafe scan.number()
      guard named < position else {
        throw StoreError(.malformed, "the cause \(named) is not before the record", offset: UInt64(start))
      }
      cause = named
    } else {
      cause = nil
    }
    try unsafe scan.expect(",\"data\":")
    data = unsafe scan.offset
    guard unsafe scan.isObjectToTheEnd else {
      throw StoreError(.malformed, "data is not one object that ends the line", offset: UInt64(data))
    }
  }

  /// Throws if the braces and brackets of `data`, outside of strings, do not close exactly at its end, or if a
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

  /// The state of the reading. Everything is inlined into its one caller, so that a literal is compared as a word or
  /// two.
  @unsafe private struct Scan {
    // SAFETY: the bytes outlive the reading; each access is preceded by a comparison with their count.
    let bytes: UnsafeRawBufferPointer
    private(set) var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

    /// True if `{` stands here, and `}` twice at the end of the line.
    var isObjectToTheEnd: Bool {
      unsafe bytes.count >= offset + 3 && bytes[offset] == UInt8(ascii: "{")
        && bytes[bytes.count - 1] == UInt8(ascii: "}") && bytes[bytes.count - 2] == UInt8(ascii: "}")
    }

    @inline(__always)
    mutating func skip(_ literal: StaticString) -> Bool {
      let length = literal.utf8CodeUnitCount
      guard unsafe length <= bytes.count - offset, let base = unsafe bytes.baseAddress,
        unsafe memcmp(base + offset, literal.utf8Start, length) == 0
      else { return false }
      unsafe offset += length
      return true
    }

    @inline(__always)
    mutating func expect(_ literal: StaticString) throws(StoreError) {
      guard unsafe skip(literal) else { throw unsafe missing(literal) }
    }

    private func missing(_ literal: StaticString) -> StoreError {
      StoreError(.malformed, "expected \(literal) here", offset: UInt64(unsafe offset))
    }

    /// A decimal number without leading zeros that fits 64 bits.
    @inline(__always)
    mutating func number() throws(StoreError) -> UInt64 {
      let start = unsafe offset
      var value: UInt64 = 0
      var place = start
      // Nineteen digits fit without a check at each step.
      let safe = unsafe min(bytes.count, start + 19)
      while place < safe {
        let digit = unsafe bytes[place] &- 0x30
        guard digit <= 9 else { break }
        value = value &* 10 &+ UInt64(digit)
        place += 1
      }
      while unsafe place < bytes.count {
        let digit = unsafe bytes[place] &- 0x30
        guard digit <= 9 else { break }
        let (tens, carried) = value.multipliedReportingOverflow(by: 10)
        let (sum, overflowed) = tens.addingReportingOverflow(UInt64(digit))
        guard !carried, !overflowed else {
          throw StoreError(.malformed, "a number is too large", offset: UInt64(start))
        }
        value = sum
        place += 1
      }
      guard unsafe place > start && (bytes[start] != 0x30 || place == start + 1) else {
        throw StoreError(.malformed, "expected a number in its shortest form", offset: UInt64(start))
      }
      unsafe offset = place
      return value
    }

    /// A number that is not larger than `limit`.
    @inline(__always)
    mutating func number(upTo limit: UInt64) throws(StoreError) -> UInt64 {
      let start = unsafe offset
      let value = try unsafe number()
      guard value <= limit else { throw StoreError(.malformed, "a number is too large", offset: UInt64(start)) }
      return value
    }

    /// The bytes up to a quote, which is passed.
    @inline(__always)
    mutating func name() throws(StoreError) -> Range<Int> {
      let start = unsafe offset
      var place = start
      while unsafe place < bytes.count {
        let byte = unsafe bytes[place]
        if byte == UInt8(ascii: "\"") { break }
        guard byte >= 0x20, byte != UInt8(ascii: "\\") else {
          throw StoreError(.malformed, "a character that must not stand in a name", offset: UInt64(place))
        }
        place += 1
      }
      guard unsafe place < bytes.count, place > start, place - start <= Envelope.longestName else {
        throw StoreError(.malformed, "expected a name of 1 to \(Envelope.longestName) bytes", offset: UInt64(start))
      }
      unsafe offset = place + 1
      return start..<place
    }

    /// 27 bytes of time, in the one form that the log writes.
    @inline(__always)
    mutating func time() throws(StoreError) -> Timestamp {
      let start = unsafe offset
      guard unsafe bytes.count - start >= Timestamp.width else {
        throw StoreError(.malformed, "expected a time", offset: UInt64(start))
      }
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + Timestamp.width])
      guard let time = Timestamp(canonical: unsafe Span<UInt8>(_unsafeBytes: text)) else {
        throw StoreError(
          .malformed, "expected a time like 2026-11-21T08:35:00.123456Z", offset: UInt64(start))
      }
      unsafe offset += Timestamp.width
      return time
    }
  }
}
