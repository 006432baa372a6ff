// Finds the secrets of a flow in bytes: long ones (8 bytes and more) anywhere, ignoring the case of ASCII letters, and
// also base64-encoded at any of the three alignments; short ones only as a whole token, so that a passcode `42` does
// not break up words. `NeedleForms.swift` makes the further forms, `Sightings.swift` looks inside encodings.

/// An index of all forms of all secrets. A search takes one pass over the text and, at each position where eight bytes
/// match a secret, as many steps as further bytes match, regardless of the number and prefixes of secrets. Text that
/// would take more than `stepsPerByte` (such as a long run of one letter that nearly matches a secret everywhere) is
/// treated as a secret as a whole.
struct NeedleIndex: Sendable {
  /// Values of at least this many bytes are found inside other text.
  static let longBytes = NeedleForest.sharedBytes

  /// The maximum number of steps of a search for each byte of the text.
  static let stepsPerByte = 64

  /// The maximum number of hits in a text that are replaced one by one. A text with more is replaced as a whole.
  static let maximumHits = 10_000

  /// An occurrence of a secret.
  struct Hit {
    var range: Range<Int>
    var placeholder: String
    /// The name of the form found; nil for the secret itself.
    var form: String?

    var isBase64: Bool { form == Base64Forms.name }
  }

  /// All long secrets and forms that begin with the same eight bytes: ignoring case for secrets, exact for base64.
  private struct Family {
    var word: UInt64
    var anyCase: Bool
    /// The root of their tree.
    var top: Int
    /// The previous family in the same slot, or -1.
    var next: Int32
  }

  private var forest = NeedleForest()
  private var families: [Family] = []
  /// The latest family of each slot, or -1. The slot is a hash of the eight bytes; at most a quarter of the slots is
  /// used.
  private var heads = [Int32](repeating: -1, count: 256)
  private var shift: UInt64 = 56
  /// Random per process, so that an attacker cannot send secrets that all hash to one slot. The results do not depend
  /// on it.
  private static let multiplier = UInt64(truncatingIfNeeded: Hasher().finalize()) | 1

  /// A short secret, or a short form of one.
  private struct Token {
    var placeholder: String
    var form: String?
  }

  /// Short secrets by their bytes and length, packed. `String` keys would compare by canonical equivalence.
  private var tokens: [UInt64: Token] = [:]
  /// The first bytes of short secrets.
  private var tokenStarts = [Bool](repeating: false, count: 256)
  /// The lengths of short secrets, one bit each.
  private var tokenLengths: UInt8 = 0

  /// Whether there is nothing to look for.
  var isEmpty: Bool { families.isEmpty && tokens.isEmpty }

  /// Adds a secret with its placeholder.
  mutating func add(_ text: String, placeholder: String) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty else { return }
    add(bytes, placeholder, form: nil)
    for (name, form) in NeedleForms.further(of: text, bytes) where !form.isEmpty { add(form, placeholder, form: name) }
    addBase64(bytes, placeholder)
  }

  /// Adds another form of a secret under the secret's placeholder; `form` is its name there.
  mutating func add(_ text: String, form: String, placeholder: String) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty else { return }
    add(bytes, placeholder, form: form)
    addBase64(bytes, placeholder)
  }

  private mutating func addBase64(_ bytes: [UInt8], _ placeholder: String) {
    guard bytes.count >= Self.longBytes else { return }
    for form in Base64Forms.forms(of: bytes) where form.count >= Self.longBytes {
      let needle = NeedleForest.Needle(bytes: form, exact: form, placeholder: placeholder, form: Base64Forms.name)
      insert(needle, anyCase: false)
    }
  }

  private mutating func add(_ bytes: [UInt8], _ placeholder: String, form: String?) {
    guard bytes.count >= Self.longBytes else { return addToken(bytes, Token(placeholder: placeholder, form: form)) }
    let isLower = bytes.allSatisfy { ASCIICase.lowercased($0) == $0 }
    let folded = isLower ? bytes : bytes.map(ASCIICase.lowercased)
    insert(NeedleForest.Needle(bytes: folded, exact: bytes, placeholder: placeholder, form: form), anyCase: true)
  }

  private mutating func addToken(_ bytes: [UInt8], _ token: Token) {
    let key = bytes.reduce(UInt64(bytes.count)) { $0 << 8 | UInt64($1) }
    if let known = tokens[key], known.form == nil || token.form != nil { return }
    tokens[key] = token
    tokenStarts[Int(bytes[0])] = true
    tokenLengths |= 1 << UInt8(bytes.count)
  }

  private mutating func insert(_ needle: NeedleForest.Needle, anyCase: Bool) {
    let word = needle.bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    var candidate = heads[slot(word)]
    while candidate >= 0 {
      let family = families[Int(candidate)]
      if family.word == word, family.anyCase == anyCase {
        return forest.insert(needle, under: &families[Int(candidate)].top)
      }
      candidate = family.next
    }
    if families.count >= heads.count / 4 { grow() }
    let slot = slot(word)
    families.append(Family(word: word, anyCase: anyCase, top: forest.plant(needle), next: heads[slot]))
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

  /// The bit of each byte that letters of either case differ in.
  private static let caseBits: UInt64 = 0x2020_2020_2020_2020

  /// The slot of eight bytes, the same in upper and lower case. Other bytes that differ in that bit share it too;
  /// comparing the bytes tells them apart.
  private func slot(_ word: UInt64) -> Int { Int(((word | Self.caseBits) &* Self.multiplier) >> shift) }

  /// Eight bytes with their ASCII letters in lower case.
  private static func lowercased(_ word: UInt64) -> UInt64 {
    let low = word & 0x7F7F_7F7F_7F7F_7F7F
    // The high bit of a byte is set if the byte is at least `A`, or beyond `Z`, respectively.
    let fromA = low &+ 0x3F3F_3F3F_3F3F_3F3F
    let beyondZ = low &+ 0x2525_2525_2525_2525
    let isUpper = fromA & ~beyondZ & ~word & 0x8080_8080_8080_8080
    return word | isUpper >> 2
  }

  /// All hits in the bytes, long secrets first; they may overlap.
  func hits(in bytes: Span<UInt8>) -> [Hit] {
    var steps = 0
    return hits(in: bytes, steps: &steps)
  }

  /// The same, with the number of steps beyond the pass over the bytes.
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
      var candidate = heads[slot(word)]
      while candidate >= 0 {
        let family = families[Int(candidate)]
        steps += 1
        candidate = family.next
        guard (family.word ^ word) | Self.caseBits == Self.caseBits else { continue }
        // Only steps that are the same in every process count: those in the forest, and those past families that share
        // the slot whatever the multiplier is, of which an org can send hundreds.
        if family.word == (family.anyCase ? Self.lowercased(word) : word) {
          add(family, at: index - 7, in: bytes, to: &found, &compared)
        } else {
          compared += 1
        }
        guard compared / Self.stepsPerByte > bytes.count || found.count > Self.maximumHits else { continue }
        found = [whole(bytes, forest.placeholder(under: family.top))]
        steps += compared
        return
      }
    }
    steps += compared
  }

  private func add(
    _ family: Family, at start: Int, in bytes: Span<UInt8>, to found: inout [Hit], _ compared: inout Int
  ) {
    guard
      let needle = forest.longest(
        under: family.top, at: start, in: bytes, anyCase: family.anyCase, steps: &compared)
    else { return }
    var form = needle.form
    if form == nil {
      for index in needle.exact.indices where bytes[start + index] != needle.exact[index] {
        form = NeedleForms.otherCase
      }
    }
    found.append(Hit(range: start..<(start + needle.bytes.count), placeholder: needle.placeholder, form: form))
    // The secret itself takes precedence over a similar base64 form.
    let last = found.count - 1
    if last > 0, found[last - 1].range.lowerBound == start, found[last - 1].isBase64 { found.swapAt(last - 1, last) }
  }

  /// The whole text as one hit.
  private func whole(_ bytes: Span<UInt8>, _ placeholder: String) -> Hit {
    Hit(range: 0..<bytes.count, placeholder: placeholder, form: nil)
  }

  /// Short secrets with a boundary on both sides: the end of the text, or, if they begin or end in a letter or digit, a
  /// neighbor that is neither. A single punctuation mark is a secret only as the whole text.
  private func addShort(in bytes: Span<UInt8>, to found: inout [Hit]) {
    for start in 0..<bytes.count where tokenStarts[Int(bytes[start])] {
      if start > 0, Self.isWord(bytes[start]), Self.isWord(bytes[start - 1]) { continue }
      var length = min(Self.longBytes - 1, bytes.count - start)
      while length > 0 {
        if let token = short(start..<(start + length), in: bytes) {
          found.append(Hit(range: start..<(start + length), placeholder: token.placeholder, form: token.form))
          break
        }
        length -= 1
      }
      guard found.count > Self.maximumHits, let first = found.first else { continue }
      found = [whole(bytes, first.placeholder)]
      return
    }
  }

  private func short(_ range: Range<Int>, in bytes: Span<UInt8>) -> Token? {
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
