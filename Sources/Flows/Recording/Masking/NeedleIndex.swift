// Finds the secrets of a flow in text. Long ones (8 bytes and more) wherever they stand, also base64-encoded at any
// of the three alignments; short ones only as a whole token, so that a pass code `42` does not tear words apart.

/// A look-up of all forms of all secrets, searched in one pass over a text.
struct NeedleIndex: Sendable {
  /// Values of at least this many bytes are found inside other text.
  static let longBytes = 8

  /// One sighting of a secret in text.
  struct Hit {
    var range: Range<Int>
    var placeholder: String
    var isBase64: Bool
  }

  private struct Needle {
    var bytes: [UInt8]
    var placeholder: String
    var isBase64: Bool
  }

  private var needles: [Needle] = []
  /// Needles by a hash of their first four bytes, chained through `next`.
  private var buckets = [Int32](repeating: -1, count: 1024)
  private var next: [Int32] = []
  private var tokens: [String: String] = [:]

  /// Whether there is nothing to look for.
  var isEmpty: Bool { needles.isEmpty && tokens.isEmpty }

  /// Takes up a secret under its placeholder.
  mutating func add(_ text: String, placeholder: String) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty else { return }
    guard bytes.count >= Self.longBytes else {
      if tokens[text] == nil { tokens[text] = placeholder }
      return
    }
    insert(Needle(bytes: bytes, placeholder: placeholder, isBase64: false))
    for form in Base64Forms.forms(of: bytes) where form.count >= Self.longBytes {
      insert(Needle(bytes: form, placeholder: placeholder, isBase64: true))
    }
  }

  private mutating func insert(_ needle: Needle) {
    let bucket = Self.bucket(needle.bytes[0], needle.bytes[1], needle.bytes[2], needle.bytes[3])
    next.append(buckets[bucket])
    buckets[bucket] = Int32(needles.count)
    needles.append(needle)
  }

  private static func bucket(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> Int {
    let word = UInt32(a) | UInt32(b) << 8 | UInt32(c) << 16 | UInt32(d) << 24
    return Int((word &* 0x9E37_79B1) >> 22)
  }

  /// All sightings in text, from left to right, the longest first where several begin at one place.
  func hits(in bytes: [UInt8]) -> [Hit] {
    var found: [Hit] = []
    if !needles.isEmpty, bytes.count >= Self.longBytes {
      var index = 0
      let last = bytes.count - Self.longBytes
      while index <= last {
        if let hit = longest(at: index, in: bytes) {
          found.append(hit)
          index = hit.range.upperBound
        } else {
          index += 1
        }
      }
    }
    if !tokens.isEmpty { addTokens(in: bytes, to: &found) }
    return found
  }

  private func longest(at index: Int, in bytes: [UInt8]) -> Hit? {
    var candidate = buckets[Self.bucket(bytes[index], bytes[index + 1], bytes[index + 2], bytes[index + 3])]
    var best: Hit?
    while candidate >= 0 {
      let needle = needles[Int(candidate)]
      let end = index + needle.bytes.count
      if end <= bytes.count, needle.bytes.count > best?.range.count ?? 0,
        bytes[index..<end].elementsEqual(needle.bytes)
      {
        best = Hit(range: index..<end, placeholder: needle.placeholder, isBase64: needle.isBase64)
      }
      candidate = next[Int(candidate)]
    }
    return best
  }

  /// Adds whole tokens (runs of letters and digits, and the whole text) that are short secrets.
  private func addTokens(in bytes: [UInt8], to found: inout [Hit]) {
    if bytes.count < Self.longBytes, let placeholder = tokens[String(decoding: bytes, as: UTF8.self)] {
      found = [Hit(range: 0..<bytes.count, placeholder: placeholder, isBase64: false)]
      return
    }
    var extra: [Hit] = []
    var start = 0
    while start < bytes.count {
      guard Self.isWord(bytes[start]) else {
        start += 1
        continue
      }
      var end = start
      while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
      if end - start < Self.longBytes,
        let placeholder = tokens[String(decoding: bytes[start..<end], as: UTF8.self)],
        !found.contains(where: { $0.range.overlaps(start..<end) })
      {
        extra.append(Hit(range: start..<end, placeholder: placeholder, isBase64: false))
      }
      start = end
    }
    addSpans(in: bytes, found: found, to: &extra)
    guard !extra.isEmpty else { return }
    found = (found + extra).sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Adds short secrets that hold other characters than letters and digits (`a-b!`), where both ends are bounded.
  private func addSpans(in bytes: [UInt8], found: [Hit], to extra: inout [Hit]) {
    for (token, placeholder) in tokens where !token.utf8.allSatisfy(Self.isWord) {
      let needle = Array(token.utf8)
      guard needle.count <= bytes.count else { continue }
      for start in 0...(bytes.count - needle.count) {
        let range = start..<(start + needle.count)
        guard bytes[range].elementsEqual(needle) else { continue }
        let opensInWord = start > 0 && Self.isWord(bytes[start - 1]) && Self.isWord(needle[0])
        let endsInWord =
          range.upperBound < bytes.count && Self.isWord(bytes[range.upperBound])
          && Self.isWord(needle[needle.count - 1])
        let isTaken = (found + extra).contains { $0.range.overlaps(range) }
        if !opensInWord, !endsInWord, !isTaken {
          extra.append(Hit(range: range, placeholder: placeholder, isBase64: false))
        }
      }
    }
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
