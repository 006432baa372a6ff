// Replaces known secrets inside text, however they are encoded there.

import EventStore

extension Vault {
  /// The text with every sighting of a known secret replaced. Text that could be taken for a placeholder is a
  /// secret itself and replaced as a whole.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - words: of a path, the segments in which no secret is looked for.
  mutating func mask(_ text: String, words: Set<String> = []) -> String {
    let bytes = text.utf8Span.span
    guard budget.takes(bytes: bytes.count) else { return Placeholder.excess }
    let marks = TextMarks(bytes)
    if marks.hasPlaceholder { return placeholder(for: .string(text), kind: "literal") }
    let found = needles.sightings(in: bytes, marks)
    let sightings = found.isEmpty ? found : plainTexts.uncovered(found, in: bytes, words: words)
    guard budget.takes(bytes: sightings.count * Vault.replacementBytes) else { return Placeholder.excess }
    return sightings.isEmpty ? text : replace(Vault.merged(sightings), in: Array(text.utf8))
  }

  /// What replacing one sighting costs, in bytes.
  private static let replacementBytes = 32

  /// Whether a known secret stands in the bytes, or text that could be taken for a placeholder.
  func hasSecret(in bytes: Span<UInt8>) -> Bool {
    let marks = TextMarks(bytes)
    return marks.hasPlaceholder || !plainTexts.uncovered(needles.sightings(in: bytes, marks), in: bytes).isEmpty
  }

  /// Where known secrets stand in text, encoded or not, that have one of some bytes in them; as `reaches` says of the
  /// range of one. A run of Base64 that has one in it does not count.
  func sightings(in text: String, that reaches: (Range<Int>) -> Bool) -> [Range<Int>] {
    guard !needles.isEmpty else { return [] }
    let bytes = text.utf8Span.span
    let across = needles.sightings(in: bytes, TextMarks(bytes)).filter {
      $0.encoding != Base64Forms.name && reaches($0.range)
    }
    return across.isEmpty ? [] : plainTexts.uncovered(across, in: bytes).map(\.range)
  }

  /// Whether a long secret stands in text, whose places are too narrow for short ones.
  func hasLongSecret(in text: String) -> Bool {
    !sightings(in: text) { $0.count >= NeedleIndex.longBytes }.isEmpty
  }

  /// Sightings from left to right without overlaps. What overlaps is taken together: neither may leave an end of the
  /// other readable.
  private static func merged(_ sightings: [Sighting]) -> [Sighting] {
    let sorted = sightings.sorted {
      ($0.range.lowerBound, -$0.range.count, $0.encoding ?? "") < (
        $1.range.lowerBound, -$1.range.count, $1.encoding ?? ""
      )
    }
    var merged: [Sighting] = []
    for sighting in sorted {
      guard let last = merged.last, sighting.range.lowerBound < last.range.upperBound else {
        merged.append(sighting)
        continue
      }
      guard sighting.range.upperBound > last.range.upperBound else { continue }
      merged[merged.count - 1].range = last.range.lowerBound..<sighting.range.upperBound
      merged[merged.count - 1].encoding = "join"
    }
    return merged
  }

  private mutating func replace(_ sightings: [Sighting], in bytes: [UInt8]) -> String {
    var out: [UInt8] = []
    var index = 0
    for sighting in sightings {
      out += bytes[index..<sighting.range.lowerBound]
      out += replacement(sighting, in: bytes).utf8
      index = sighting.range.upperBound
    }
    out += bytes[index...]
    return String(decoding: out, as: UTF8.self)
  }

  /// The placeholder that reveals to the very bytes of a sighting.
  private mutating func replacement(_ sighting: Sighting, in bytes: [UInt8]) -> String {
    let raw = String(decoding: bytes[sighting.range], as: UTF8.self)
    if let encoding = sighting.encoding {
      return placeholder(forSighting: raw, of: sighting.placeholder, encoding: encoding)
    }
    // A number seen as a whole string must become a string again.
    guard sighting.range.count == bytes.count, value(of: sighting.placeholder) != .string(raw) else {
      return sighting.placeholder
    }
    return placeholder(forSighting: raw, of: sighting.placeholder, encoding: "txt")
  }
}
