// Texts that are no secret, whatever is typed as one: the login that the caller gives, the org's URL and what else the
// application configures. A secret that stands inside of one is not looked for there: `ann` in `ann@acme.example`.

/// Texts in which secrets are not looked for.
struct PlainTexts: Sendable {
  private var settings: [[UInt8]] = []
  private var login: [[UInt8]] = []
  private static let longest = 512

  /// Whether there are none.
  var isEmpty: Bool { settings.isEmpty && login.isEmpty }

  /// Takes a setting up: a URL with its host and its path, other text as it is.
  mutating func add(setting text: String) {
    var texts = [text]
    if let url = URLParts(text) { texts += [url.authority, url.path] }
    for text in texts where text.utf8.count > 1 && text.utf8.count <= Self.longest {
      let bytes = Array(text.utf8)
      if !settings.contains(bytes) { settings.append(bytes) }
    }
  }

  /// Takes a login up in the place of an earlier one: as it is, and as it stands in a URL.
  mutating func set(login text: String) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, bytes.count <= Self.longest else { return login = [] }
    let encoded = bytes.flatMap { byte in
      byte == UInt8(ascii: "@") ? Array("%40".utf8) : byte == UInt8(ascii: "+") ? Array("%2B".utf8) : [byte]
    }
    login = encoded == bytes ? [bytes] : [bytes, encoded]
  }

  /// The sightings that do not lie inside such a text.
  ///
  /// - Parameters:
  ///   - sightings: the sightings that were found.
  ///   - bytes: where.
  ///   - words: if the bytes are a path, segments that are such texts too, alone and in a row.
  func uncovered(_ sightings: [Sighting], in bytes: Span<UInt8>, words: Set<String> = []) -> [Sighting] {
    guard !sightings.isEmpty, !isEmpty || !words.isEmpty else { return sightings }
    let text = (0..<bytes.count).map { bytes[$0] }
    var places = (settings + login).flatMap { text.ranges(of: $0) }
    if !words.isEmpty { places += Self.rows(of: words, in: text) }
    guard !places.isEmpty else { return sightings }
    places.sort { $0.lowerBound < $1.lowerBound }
    // For each place the farthest end of those that begin no later.
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

  /// The places of segments that are such words, neighbors and the slashes around them taken together.
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
