// Replaces known secrets inside text, in any encoding.

import EventStore

extension Vault {
  /// The text with every sighting of a known secret replaced. Text that could be mistaken for a placeholder is itself
  /// treated as a secret and replaced as a whole.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - words: for a path, the segments that are not searched.
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

  /// The cost of replacing one sighting, in bytes.
  private static let replacementBytes = 32

  /// Whether the bytes contain a known secret, or text that could be mistaken for a placeholder.
  func hasSecret(in bytes: Span<UInt8>) -> Bool {
    let marks = TextMarks(bytes)
    return marks.hasPlaceholder || !plainTexts.uncovered(needles.sightings(in: bytes, marks), in: bytes).isEmpty
  }

  /// The sightings of known secrets, encoded or not, that contain one of some bytes, as `reaches` reports for a range.
  /// Runs of base64 do not count.
  func sightings(in text: String, that reaches: (Range<Int>) -> Bool) -> [Range<Int>] {
    guard !needles.isEmpty else { return [] }
    let bytes = text.utf8Span.span
    let across = needles.sightings(in: bytes, TextMarks(bytes)).filter {
      $0.encoding != Base64Forms.name && reaches($0.range)
    }
    return across.isEmpty ? [] : plainTexts.uncovered(across, in: bytes).map(\.range)
  }

  /// Whether a text contains a long secret, for places where short ones are not searched.
  func hasLongSecret(in text: String) -> Bool {
    !sightings(in: text) { $0.count >= NeedleIndex.longBytes }.isEmpty
  }

  /// Sightings from left to right without overlaps. Overlapping ones are merged, so that no end of either stays
  /// readable.
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

  /// The placeholder that reveals to the exact bytes of a sighting.
  private mutating func replacement(_ sighting: Sighting, in bytes: [UInt8]) -> String {
    let raw = String(decoding: bytes[sighting.range], as: UTF8.self)
    if let encoding = sighting.encoding {
      return placeholder(forSighting: raw, of: sighting.placeholder, encoding: encoding)
    }
    // A number found as a whole string must become a string again.
    guard sighting.range.count == bytes.count, value(of: sighting.placeholder) != .string(raw) else {
      return sighting.placeholder
    }
    return placeholder(forSighting: raw, of: sighting.placeholder, encoding: "txt")
  }
}
