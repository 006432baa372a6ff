// The usual envelope, read fast: eight bytes at a time, no errors on the way. It accepts only a part of what the strict
// reader accepts (numbers of up to seven digits, names in which no byte is under 0x23), and rejects anything else, so
// that the strict reader alone decides what is wrong, and where.

extension Envelope {
  /// Reads the envelope of a line, if it is a usual one, as the strict reader does. False means nothing about the line,
  /// and leaves no envelope.
  mutating func readUsual(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // The parts before the first name have 58 bytes at most; the length of each later group is checked before it is
    // read.
    guard bytes.count >= 80, bytes.count <= Envelope.longestLine else { return false }
    var text = unsafe Words(bytes)
    guard unsafe text.skip(5, Self.word("{\"n\":")), let position = unsafe text.number(),
      unsafe text.skip(7, Self.word(",\"at\":\"")), let at = unsafe text.time(),
      unsafe text.skip(8, Self.word("\",\"strea")), unsafe text.skip(4, Self.word("m\":\"")),
      let stream = unsafe text.name(), unsafe text.has(40),
      unsafe text.skip(7, Self.word(",\"rev\":")), let revision = unsafe text.number()
    else { return false }
    self.position = position
    self.at = at
    self.stream = stream
    self.revision = Int(truncatingIfNeeded: revision)
    if unsafe text.skip(7, Self.word(",\"id\":\"")) {
      guard let id = unsafe text.name(), unsafe text.has(40) else { return false }
      self.id = id
    } else {
      id = nil
    }
    guard unsafe text.skip(8, Self.word(",\"type\":")), unsafe text.skip(1, Self.word("\"")),
      let type = unsafe text.name(), unsafe text.has(56),
      unsafe text.skip(5, Self.word(",\"v\":")), let version = unsafe text.number()
    else { return false }
    self.type = type
    self.version = Int(truncatingIfNeeded: version)
    if unsafe text.skip(8, Self.word(",\"cause\"")) {
      guard unsafe text.skip(1, Self.word(":")), let cause = unsafe text.number(), cause < position else {
        return false
      }
      self.cause = cause
    } else {
      cause = nil
    }
    guard unsafe text.skip(8, Self.word(",\"data\":")) else { return false }
    data = unsafe text.offset
    return unsafe bytes[data] == UInt8(ascii: "{") && bytes[bytes.count - 1] == UInt8(ascii: "}")
      && bytes[bytes.count - 2] == UInt8(ascii: "}")
  }

  /// Up to eight bytes of ASCII, the first one lowest.
  @inline(__always)
  private static func word(_ text: StaticString) -> UInt64 {
    var word: UInt64 = 0
    for place in 0..<text.utf8CodeUnitCount {
      // SAFETY: `place` is inside of the literal.
      word |= unsafe UInt64(text.utf8Start[place]) << UInt64(8 * place)
    }
    return word
  }

  /// The state of the reading.
  @unsafe private struct Words {
    // SAFETY: the bytes outlive the reading. Each access reads eight bytes from `offset` on, which exist: in `name` by
    // its own comparison, elsewhere because `has`, or the first guard, has checked everything up to the next name.
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

    /// True if so many bytes are left.
    @inline(__always)
    func has(_ count: Int) -> Bool { unsafe bytes.count &- offset >= count }

    @inline(__always)
    private var next: UInt64 {
      UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Passes `length` bytes, at most eight, if they are those of `word`.
    @inline(__always)
    mutating func skip(_ length: Int, _ word: UInt64) -> Bool {
      guard unsafe (next ^ word) << UInt64(64 &- 8 &* length) == 0 else { return false }
      unsafe offset &+= length
      return true
    }

    /// A number of at most seven digits in its shortest form. The multiplications add up pairs, fours and eights of
    /// digits.
    @inline(__always)
    mutating func number() -> UInt64? {
      let digits = unsafe next ^ 0x3030_3030_3030_3030
      // The top bit of each byte over 9; it may be wrong only above the first that is right.
      let others = (digits &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080
      let length = others.trailingZeroBitCount &>> 3
      guard length > 0, length < 8, digits & 0xFF != 0 || length == 1 else { return nil }
      unsafe offset &+= length
      let pairs = ((digits << UInt64(64 &- 8 &* length)) &* 2_561) >> 8 & 0x00FF_00FF_00FF_00FF
      let fours = (pairs &* 6_553_601) >> 16 & 0x0000_FFFF_0000_FFFF
      return (fours &* 42_949_672_960_001) >> 32
    }

    /// 27 bytes of time.
    @inline(__always)
    mutating func time() -> Timestamp? {
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset..<offset &+ Timestamp.width])
      guard let time = Timestamp(canonical: unsafe Span<UInt8>(_unsafeBytes: text)) else { return nil }
      unsafe offset &+= Timestamp.width
      return time
    }

    /// The bytes up to a quote, which is passed.
    @inline(__always)
    mutating func name() -> Range<Int>? {
      let start = unsafe offset
      while unsafe has(8) {
        // The top bit of each byte that is under 0x23 or a backslash; wrong only above the first that is right.
        let text = unsafe next
        let slash = text ^ 0x5C5C_5C5C_5C5C_5C5C
        let found =
          ((text &- 0x2323_2323_2323_2323) & ~text | (slash &- 0x0101_0101_0101_0101) & ~slash) & 0x8080_8080_8080_8080
        guard found == 0 else {
          let end = unsafe offset &+ found.trailingZeroBitCount &>> 3
          guard unsafe bytes[end] == UInt8(ascii: "\""), end > start, end &- start <= Envelope.longestName else {
            return nil
          }
          unsafe offset = end &+ 1
          return unsafe Range(uncheckedBounds: (start, end))
        }
        unsafe offset &+= 8
      }
      return nil
    }
  }
}
