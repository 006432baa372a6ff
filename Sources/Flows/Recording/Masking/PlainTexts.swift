// Texts that are never secret, even if they are also entered as a secret: the login, the org's URL and other
// configuration. Secrets are not replaced inside of them: `ann` in `ann@acme.example`.

/// Texts in which secrets are not replaced.
struct PlainTexts: Sendable {
  private var settings: [[UInt8]] = []
  private var login: [[UInt8]] = []
  private static let longest = 512

  /// Whether there are none.
  var isEmpty: Bool { settings.isEmpty && login.isEmpty }

  /// Adds a setting: a URL with its host, its path, and the start of addresses at its host, other text as it is.
  mutating func add(setting text: String) {
    var texts = [text]
    if let url = URLParts(text) { texts += [url.authority, url.path, url.origin + "/"] }
    for text in texts where text.utf8.count > 1 && text.utf8.count <= Self.longest {
      let bytes = Array(text.utf8)
      if !settings.contains(bytes) { settings.append(bytes) }
    }
  }

  /// Whether a text is an address at a configured host without anything that is secret by its place.
  func hasAddress(_ text: String) -> Bool {
    guard URLMasking.isPlain(text), let host = URLParts(text)?.authority else { return false }
    return settings.contains(Array(host.utf8))
  }

  /// Sets the login, replacing an earlier one: as it is, and as encoded in a URL.
  mutating func set(login text: String) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, bytes.count <= Self.longest else { return login = [] }
    let encoded = bytes.flatMap { byte in
      byte == UInt8(ascii: "@") ? Array("%40".utf8) : byte == UInt8(ascii: "+") ? Array("%2B".utf8) : [byte]
    }
    login = encoded == bytes ? [bytes] : [bytes, encoded]
  }

  /// The sightings outside of such texts.
  ///
  /// - Parameters:
  ///   - sightings: all sightings.
  ///   - bytes: the bytes they are in.
  ///   - words: for a path, segments that also count as such texts, alone and in sequence.
  func uncovered(_ sightings: [Sighting], in bytes: Span<UInt8>, words: Set<String> = []) -> [Sighting] {
    guard !sightings.isEmpty, !isEmpty || !words.isEmpty else { return sightings }
    let text = (0..<bytes.count).map { bytes[$0] }
    var places = (settings + login).flatMap { text.ranges(of: $0) }
    if !words.isEmpty { places += Self.rows(of: words, in: text) }
    guard !places.isEmpty else { return sightings }
    places.sort { $0.lowerBound < $1.lowerBound }
    // For each position, the farthest end of those that begin no later.
    var ends: [Int] = []
    for place in places { ends.append(max(ends.last ?? 0, place.upperBound)) }
    return sightings.filter { sighting in
      var (low, high) = (0, places.count)
      while low < high {
        let middle = (low + high) / 2
        if places[middle].lowerBound <= sighting.range.lowerBound { low = middle + 1 } else { high = middle }
      }
      return low == 0 || ends[low - 1] < sighting.range.upperBound
    }
  }

  /// The ranges of segments that are such words, merged with neighbors and the slashes between them.
  private static func rows(of words: Set<String>, in path: [UInt8]) -> [Range<Int>] {
    var rows: [Range<Int>] = []
    var start = 0
    for segment in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      defer { start = segment.endIndex + 1 }
      guard words.contains(String(decoding: segment, as: UTF8.self)) else { continue }
      let row = max(0, start - 1)..<min(path.count, segment.endIndex + 1)
      if let last = rows.last, last.upperBound >= row.lowerBound {
        rows[rows.count - 1] = last.lowerBound..<row.upperBound
      } else {
        rows.append(row)
      }
    }
    return rows
  }
}
