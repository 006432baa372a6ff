// Finds the secrets of a flow in bytes, as they are: long ones (8 bytes and more) wherever they stand, also
// base64-encoded at any of the three alignments; short ones only as a whole token, so that a pass code `42` does not
// tear words apart. `Sightings.swift` looks below encodings.

/// A look-up of all forms of all secrets. A search costs one pass over the text, however many secrets there are.
struct NeedleIndex: Sendable {
  /// Values of at least this many bytes are found inside other text.
  static let longBytes = 8

  /// One place where the bytes of a secret stand.
  struct Hit {
    var range: Range<Int>
    var placeholder: String
    var isBase64: Bool
  }

  private struct Needle {
    /// The first eight bytes.
    var word: UInt64
    var bytes: [UInt8]
    var placeholder: String
    var isBase64: Bool
    /// The needle before this one in the same slot, or -1.
    var next: Int32
  }

  private var needles: [Needle] = []
  /// The latest needle of each slot, or -1. The slot is a hash of the first eight bytes; at most every fourth is used.
  private var heads = [Int32](repeating: -1, count: 256)
  private var shift: UInt64 = 56

  /// Short secrets by their bytes and length, packed. `String` keys would be equal by canonical equivalence.
  private var tokens: [UInt64: String] = [:]
  /// Which bytes short secrets begin with.
  private var tokenStarts = [Bool](repeating: false, count: 256)
  /// Which lengths short secrets have, a bit each.
  private var tokenLengths: UInt8 = 0

  /// Whether there is nothing to look for.
  var isEmpty: Bool { needles.isEmpty && tokens.isEmpty }

  /// Takes up a secret under its placeholder.
  mutating func add(_ text: String, placeholder: String) {
    let bytes = Array(text.utf8)
    guard let first = bytes.first else { return }
    guard bytes.count >= Self.longBytes else {
      let key = bytes.reduce(UInt64(bytes.count)) { $0 << 8 | UInt64($1) }
      if tokens[key] == nil { tokens[key] = placeholder }
      tokenStarts[Int(first)] = true
      tokenLengths |= 1 << UInt8(bytes.count)
      return
    }
    insert(bytes, placeholder, isBase64: false)
    for form in Base64Forms.forms(of: bytes) { insert(form, placeholder, isBase64: true) }
  }

  private mutating func insert(_ bytes: [UInt8], _ placeholder: String, isBase64: Bool) {
    guard bytes.count >= Self.longBytes else { return }
    if needles.count >= heads.count / 4 { grow() }
    let word = bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let slot = slot(word)
    needles.append(
      Needle(word: word, bytes: bytes, placeholder: placeholder, isBase64: isBase64, next: heads[slot]))
    heads[slot] = Int32(needles.count - 1)
  }

  private mutating func grow() {
    heads = [Int32](repeating: -1, count: heads.count * 4)
    shift -= 2
    for index in needles.indices {
      let slot = slot(needles[index].word)
      needles[index].next = heads[slot]
      heads[slot] = Int32(index)
    }
  }

  private func slot(_ word: UInt64) -> Int { Int((word &* 0x9E37_79B9_7F4A_7C15) >> shift) }

  /// All places in the bytes, of long secrets and then of short ones; they may overlap.
  func hits(in bytes: Span<UInt8>) -> [Hit] {
    var found: [Hit] = []
    if !needles.isEmpty { addLong(in: bytes, to: &found) }
    if !tokens.isEmpty { addShort(in: bytes, to: &found) }
    return found
  }

  private func addLong(in bytes: Span<UInt8>, to found: inout [Hit]) {
    guard bytes.count >= Self.longBytes else { return }
    var word: UInt64 = 0
    for index in 0..<7 { word = word >> 8 | UInt64(bytes[index]) << 56 }
    for index in 7..<bytes.count {
      word = word >> 8 | UInt64(bytes[index]) << 56
      let head = heads[slot(word)]
      if head >= 0, let hit = longest(from: head, word, at: index - 7, in: bytes) { found.append(hit) }
    }
  }

  /// The longest needle that stands at `start`; of two alike the one that is no encoding, and the earlier.
  private func longest(from head: Int32, _ word: UInt64, at start: Int, in bytes: Span<UInt8>) -> Hit? {
    var best: Hit?
    var candidate = head
    while candidate >= 0 {
      let needle = needles[Int(candidate)]
      candidate = needle.next
      let count = needle.bytes.count
      guard needle.word == word, start + count <= bytes.count, count >= best?.range.count ?? 0 else { continue }
      if let best, count == best.range.count, needle.isBase64, !best.isBase64 { continue }
      if Self.stands(needle.bytes, at: start, in: bytes) {
        best = Hit(range: start..<(start + count), placeholder: needle.placeholder, isBase64: needle.isBase64)
      }
    }
    return best
  }

  private static func stands(_ needle: [UInt8], at start: Int, in bytes: Span<UInt8>) -> Bool {
    for index in 8..<needle.count where bytes[start + index] != needle[index] { return false }
    return true
  }

  /// Short secrets where both ends are bounded: by the end of the text, or by a neighbour that is no letter or digit
  /// if they end in one. A single punctuation mark is a secret only as the whole text.
  private func addShort(in bytes: Span<UInt8>, to found: inout [Hit]) {
    for start in 0..<bytes.count where tokenStarts[Int(bytes[start])] {
      if start > 0, Self.isWord(bytes[start]), Self.isWord(bytes[start - 1]) { continue }
      var length = min(Self.longBytes - 1, bytes.count - start)
      while length > 0 {
        if let placeholder = short(start..<(start + length), in: bytes) {
          found.append(Hit(range: start..<(start + length), placeholder: placeholder, isBase64: false))
          break
        }
        length -= 1
      }
    }
  }

  private func short(_ range: Range<Int>, in bytes: Span<UInt8>) -> String? {
    guard tokenLengths >> UInt8(range.count) & 1 == 1 else { return nil }
    let end = range.upperBound
    if end < bytes.count, Self.isWord(bytes[end - 1]), Self.isWord(bytes[end]) { return nil }
    if range.count == 1, bytes.count > 1, !Self.isWord(bytes[range.lowerBound]) { return nil }
    var key = UInt64(range.count)
    for index in range { key = key << 8 | UInt64(bytes[index]) }
    return tokens[key]
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...:
      true
    default: false
    }
  }
}
