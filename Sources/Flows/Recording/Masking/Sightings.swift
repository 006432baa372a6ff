// Looks for secrets in text and inside its encodings: percent-encoding, escapes, HTML entities and base64, also nested
// (a URL in the query of a URL, an escaped secret in a JWT). Cost: a constant number of passes over the text.

/// An occurrence of a secret in a text.
struct Sighting {
  /// The range of its bytes as written.
  var range: Range<Int>
  /// The placeholder of the secret itself.
  var placeholder: String
  /// Its encoding there; nil if it is not encoded.
  var encoding: String?
}

/// Features of a text that determine how it must be searched.
struct TextMarks {
  /// Text that could be mistaken for a placeholder.
  var hasPlaceholder = false
  var hasPercent = false
  var hasPlus = false
  var hasBackslash = false
  var hasAmpersand = false
  var hasLineEnd = false
  /// A run of characters that may be base64.
  var hasBase64 = false

  /// The shortest run that is decoded: `Zm9vOmE=` without its padding.
  static let base64Bytes = 7

  init(_ bytes: Span<UInt8>) {
    var run = 0
    for index in 0..<bytes.count {
      let byte = bytes[index]
      if Base64Forms.isAlphabet(byte) {
        run += 1
        if run == Self.base64Bytes { hasBase64 = true }
        if byte == UInt8(ascii: "+") { hasPlus = true }
        continue
      }
      run = 0
      switch byte {
      case UInt8(ascii: "%"): hasPercent = true
      case UInt8(ascii: "\\"): hasBackslash = true
      case UInt8(ascii: "&"): hasAmpersand = true
      case 0x0A, 0x0D: hasLineEnd = true
      case UInt8(ascii: "$"): if Placeholder.begins(at: index, in: bytes) { hasPlaceholder = true }
      default: break
      }
    }
  }
}

extension NeedleIndex {
  /// The maximum depth of nested encodings that are searched.
  private static let depth = 3

  /// All secrets in a text, in no particular order; they may overlap.
  func sightings(in bytes: Span<UInt8>, _ marks: TextMarks) -> [Sighting] {
    sightings(in: bytes, marks, depth: Self.depth)
  }

  private func sightings(in bytes: Span<UInt8>, _ marks: TextMarks, depth: Int) -> [Sighting] {
    guard !isEmpty else { return [] }
    var found: [Sighting] = []
    // The first of several sightings in one run represents all of them: the run is replaced as a whole.
    var lastRun = 0..<0
    for hit in hits(in: bytes) {
      if hit.isBase64, lastRun.contains(hit.range.lowerBound) { continue }
      if hit.isBase64 { lastRun = Self.run(around: hit.range, in: bytes) }
      let range = hit.isBase64 ? lastRun : hit.range
      found.append(Sighting(range: range, placeholder: hit.placeholder, encoding: hit.form))
    }
    guard depth > 0 else { return found }
    if marks.hasPercent { add(.percent(bytes, plusIsSpace: false), "pct", depth, to: &found) }
    if marks.hasPlus { add(.percent(bytes, plusIsSpace: true), "pct", depth, to: &found) }
    if marks.hasBackslash { add(.escapes(bytes), "esc", depth, to: &found) }
    if marks.hasAmpersand { add(.entities(bytes), "ent", depth, to: &found) }
    if marks.hasLineEnd, marks.hasBase64 { add(.unfolded(bytes), "fold", depth, to: &found) }
    if marks.hasBase64 { addBase64(in: bytes, depth, to: &found) }
    return found
  }

  private func add(_ decoding: TextDecoding, _ encoding: String, _ depth: Int, to found: inout [Sighting]) {
    guard decoding.isChanged else { return }
    let decoded = decoding.bytes.span
    for sighting in sightings(in: decoded, TextMarks(decoded), depth: depth - 1) {
      let range = decoding.source(of: sighting.range)
      // Unfolding only removes line ends, so only sightings across one are new.
      if encoding == "fold", range.count == sighting.range.count { continue }
      found.append(Sighting(range: range, placeholder: sighting.placeholder, encoding: encoding))
    }
  }

  /// Decodes each run of base64 characters: as a whole, between its slashes, as in a path, and between all of its
  /// punctuation, as after a word and a hyphen.
  private func addBase64(in bytes: Span<UInt8>, _ depth: Int, to found: inout [Sighting]) {
    var start = 0
    while start < bytes.count {
      guard Base64Forms.isAlphabet(bytes[start]) else {
        start += 1
        continue
      }
      var end = start
      // The beginnings of the part after the last slash, and of the piece after the last punctuation.
      var (part, piece) = (start, start)
      while end < bytes.count, Base64Forms.isAlphabet(bytes[end]) {
        if Base64Forms.isSign(bytes[end]) {
          addBase64(piece..<end, in: bytes, depth, to: &found)
          if bytes[end] == UInt8(ascii: "/") {
            if piece > part { addBase64(part..<end, in: bytes, depth, to: &found) }
            part = end + 1
          }
          piece = end + 1
        }
        end += 1
      }
      addBase64(piece..<end, in: bytes, depth, to: &found)
      if piece > part { addBase64(part..<end, in: bytes, depth, to: &found) }
      if part > start { addBase64(start..<end, in: bytes, depth, to: &found) }
      start = end
    }
  }

  private func addBase64(_ range: Range<Int>, in bytes: Span<UInt8>, _ depth: Int, to found: inout [Sighting]) {
    guard range.count >= TextMarks.base64Bytes,
      let text = Base64Forms.text(bytes, range) ?? Base64Forms.textOfUTF16(bytes, range)
    else { return }
    let decoded = text.span
    guard let first = sightings(in: decoded, TextMarks(decoded), depth: depth - 1).first else { return }
    let whole = range.lowerBound..<Self.padded(range.upperBound, in: bytes)
    found.append(Sighting(range: whole, placeholder: first.placeholder, encoding: Base64Forms.name))
  }

  /// The whole run of base64 characters around a sighting, because the neighbors of a secret may reveal it.
  private static func run(around range: Range<Int>, in bytes: Span<UInt8>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start > 0, Base64Forms.isAlphabet(bytes[start - 1]) { start -= 1 }
    while end < bytes.count, Base64Forms.isAlphabet(bytes[end]) { end += 1 }
    return start..<padded(end, in: bytes)
  }

  private static func padded(_ end: Int, in bytes: Span<UInt8>) -> Int {
    var end = end
    while end < bytes.count, bytes[end] == UInt8(ascii: "=") { end += 1 }
    return end
  }
}
