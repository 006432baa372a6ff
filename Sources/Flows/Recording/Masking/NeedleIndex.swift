// Finds the secrets of a flow in bytes, as they are: long ones (8 bytes and more) wherever they stand, also
// base64-encoded at any of the three alignments; short ones only as a whole token, so that a pass code `42` does not
// tear words apart. `Sightings.swift` looks below encodings.

/// A look-up of all forms of all secrets. A search costs one pass over the text, and for each place where eight bytes are
/// those of a secret as many steps as bytes go on alike, however many secrets there are and however they begin. Text that
/// would take more than `stepsPerByte` (a long run of one letter that is nearly a secret, at each of its places) is taken
/// for a secret as a whole.
struct NeedleIndex: Sendable {
  /// Values of at least this many bytes are found inside other text.
  static let longBytes = NeedleForest.sharedBytes

  /// How many steps a search may take for each byte of the text.
  static let stepsPerByte = 64

  /// One place where the bytes of a secret stand.
  struct Hit {
    var range: Range<Int>
    var placeholder: String
    var isBase64: Bool
  }

  /// All long secrets and their forms that begin with the same eight bytes.
  private struct Family {
    var word: UInt64
    /// The top of their tree.
    var top: Int
    /// The family before this one in the same slot, or -1.
    var next: Int32
  }

  private var forest = NeedleForest()
  private var families: [Family] = []
  /// The latest family of each slot, or -1. The slot is a hash of the eight bytes; at most every fourth is used.
  private var heads = [Int32](repeating: -1, count: 256)
  private var shift: UInt64 = 56
  /// Chosen by the process, so that nobody can send secrets that all come to one slot. What is found does not depend on it.
  private static let multiplier = UInt64(truncatingIfNeeded: Hasher().finalize()) | 1

  /// Short secrets by their bytes and length, packed. `String` keys would be equal by canonical equivalence.
  private var tokens: [UInt64: String] = [:]
  /// Which bytes short secrets begin with.
  private var tokenStarts = [Bool](repeating: false, count: 256)
  /// Which lengths short secrets have, a bit each.
  private var tokenLengths: UInt8 = 0

  /// Whether there is nothing to look for.
  var isEmpty: Bool { families.isEmpty && tokens.isEmpty }

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
    insert(NeedleForest.Needle(bytes: bytes, placeholder: placeholder, isBase64: false))
    for form in Base64Forms.forms(of: bytes) {
      insert(NeedleForest.Needle(bytes: form, placeholder: placeholder, isBase64: true))
    }
  }

  private mutating func insert(_ needle: NeedleForest.Needle) {
    guard needle.bytes.count >= Self.longBytes else { return }
    let word = needle.bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    var steps = 0
    if let family = family(of: word, &steps) { return forest.insert(needle, under: &families[family].top) }
    if families.count >= heads.count / 4 { grow() }
    let slot = slot(word)
    families.append(Family(word: word, top: forest.plant(needle), next: heads[slot]))
    heads[slot] = Int32(families.count - 1)
  }

  private mutating func grow() {
    heads = [Int32](repeating: -1, count: heads.count * 4)
    shift -= 2
    for index in families.indices {
      let slot = slot(families[index].word)
      families[index].next = heads[slot]
      heads[slot] = Int32(index)
    }
  }

  private func slot(_ word: UInt64) -> Int { Int((word &* Self.multiplier) >> shift) }

  private func family(of word: UInt64, _ steps: inout Int) -> Int? {
    var candidate = heads[slot(word)]
    while candidate >= 0 {
      steps += 1
      if families[Int(candidate)].word == word { return Int(candidate) }
      candidate = families[Int(candidate)].next
    }
    return nil
  }

  /// All places in the bytes, of long secrets and then of short ones; they may overlap.
  func hits(in bytes: Span<UInt8>) -> [Hit] {
    var steps = 0
    return hits(in: bytes, steps: &steps)
  }

  /// The same, and how many steps were taken beyond the pass over the bytes.
  func hits(in bytes: Span<UInt8>, steps: inout Int) -> [Hit] {
    var found: [Hit] = []
    if !families.isEmpty { addLong(in: bytes, to: &found, &steps) }
    if !tokens.isEmpty { addShort(in: bytes, to: &found) }
    return found
  }

  private func addLong(in bytes: Span<UInt8>, to found: inout [Hit], _ steps: inout Int) {
    guard bytes.count >= Self.longBytes else { return }
    var word: UInt64 = 0
    var compared = 0
    for index in 0..<7 { word = word >> 8 | UInt64(bytes[index]) << 56 }
    for index in 7..<bytes.count {
      word = word >> 8 | UInt64(bytes[index]) << 56
      guard heads[slot(word)] >= 0, let family = family(of: word, &steps) else { continue }
      let (start, top) = (index - 7, families[family].top)
      if let needle = forest.longest(under: top, at: start, in: bytes, steps: &compared) {
        let range = start..<(start + needle.bytes.count)
        found.append(Hit(range: range, placeholder: needle.placeholder, isBase64: needle.isBase64))
      }
      // Steps in the forest alone, which are the same in every process.
      guard compared / Self.stepsPerByte > bytes.count else { continue }
      found = [Hit(range: 0..<bytes.count, placeholder: forest.placeholder(under: top), isBase64: false)]
      break
    }
    steps += compared
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
