// The words that a flow can be found by: what of its events is public or personal, and short.

package import EventStore
import FlowRecording

/// Collects words from records.
package enum SearchWords {
  /// The words of a text: runs of letters and digits, in lower case.
  package static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isLetterOrDigit(scalar) {
        word.append(scalar)
      } else if !word.isEmpty {
        words.append(String(word).lowercased())
        word.removeAll()
      }
    }
    if !word.isEmpty { words.append(String(word).lowercased()) }
    return words
  }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return true
    case ..<0x80: return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber,
      .otherNumber:
      return true
    case _: return false
    }
  }

  /// Adds the words of a record.
  package static func add(_ record: StoredRecord, to words: inout Set<String>) {
    forEachWord(of: record) { words.insert($0) }
  }

  /// Calls `body` with each word of a record, as often as it stands there.
  ///
  /// Of answers only the request's id and what an error says are taken: the forms and labels of an org are the same in all flows.
  package static func forEachWord(of record: StoredRecord, _ body: (String) -> Void) {
    let type = record.type
    switch type {
    case RequestSent.type, DrawMade.type, DrawAsked.type, TimerSet.type, TimerFired.type, EventCoding.partType: return
    case ResponseReceived.type: takeResponse(record, body)
    default:
      guard let data = try? JSON(parsing: record.data) else { return }
      takeTexts(of: data, depth: 0, body)
    }
  }

  private static func takeResponse(_ record: StoredRecord, _ body: (String) -> Void) {
    let head = record.data.prefix(2_048)
    if let start = head.end(of: requestID),
      let end = head[start...].firstIndex(of: UInt8(ascii: "\""))
    {
      for word in words(of: String(decoding: head[start..<end], as: UTF8.self)) { body(word) }
    }
    guard let status = RecordHead.status(record.data), status >= 400, let data = try? JSON(parsing: record.data) else {
      return
    }
    for name in ["errorCode", "errorSummary", "errorId", "error", "error_description"] {
      if let text = data["body"]?[name]?.string { takeText(text, body) }
    }
  }

  private static let requestID = Array(#"["X-Okta-Request-Id",""#.utf8)

  private static func takeTexts(of json: JSON, depth: Int, _ body: (String) -> Void) {
    guard depth < 8 else { return }
    switch json {
    case .string(let text): takeText(text, body)
    case .array(let elements): for element in elements { takeTexts(of: element, depth: depth + 1, body) }
    case .object(let object): for member in object.members { takeTexts(of: member.value, depth: depth + 1, body) }
    case .null, .bool, .number: break
    }
  }

  /// Placeholders are no words; a text longer than a sentence is searched at its beginning.
  private static func takeText(_ text: String, _ body: (String) -> Void) {
    let bytes = text.utf8
    // Most texts are short and ASCII, and need no look at characters.
    if bytes.count <= longest, bytes.allSatisfy({ $0 < 0x80 }) { return takeASCII(bytes, body) }
    guard !text.hasPrefix("$secret.") else { return }
    for part in text.prefix(longest).split(separator: " ") where !part.contains("$secret.") {
      for word in words(of: String(part)) where word.utf8.count <= longestWord { body(word) }
    }
  }

  /// How many characters of a text are searched.
  private static let longest = 400
  /// How many bytes a word has at most.
  private static let longestWord = 64
  private static let placeholder = Array("$secret.".utf8)

  /// The same for a text of ASCII, of `longest` bytes at most.
  private static func takeASCII(_ text: String.UTF8View, _ body: (String) -> Void) {
    let bytes = Array(text)[...]
    guard bytes.end(of: placeholder) == nil else { return takeAround(bytes, body) }
    takeWords(bytes, body)
  }

  /// The words of the parts of a text that have no placeholder; none if it begins with one.
  private static func takeAround(_ text: ArraySlice<UInt8>, _ body: (String) -> Void) {
    guard !text.starts(with: placeholder) else { return }
    for part in text.split(separator: 0x20) where part.end(of: placeholder) == nil { takeWords(part, body) }
  }

  private static func takeWords(_ text: ArraySlice<UInt8>, _ body: (String) -> Void) {
    var start = text.startIndex
    for index in text.indices where !isLetterOrDigit(text[index]) {
      if index > start { take(text[start..<index], body) }
      start = index + 1
    }
    if start < text.endIndex { take(text[start...], body) }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  private static func take(_ word: ArraySlice<UInt8>, _ body: (String) -> Void) {
    guard word.count <= longestWord else { return }
    if word.contains(where: { (0x41...0x5A).contains($0) }) {
      body(String(decoding: word.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self))
    } else {
      body(String(decoding: word, as: UTF8.self))
    }
  }
}

/// What a search asks for: words that must all begin words of a flow.
package struct SearchQuery: Sendable, Equatable {
  /// The beginnings, in lower case.
  package let beginnings: [String]

  /// Nil if a text has no letter and no digit.
  package init?(_ text: String) {
    let words = SearchWords.words(of: text)
    guard !words.isEmpty else { return nil }
    beginnings = words
  }

  /// Whether a flow with these words is meant.
  package func matches(_ words: Set<String>) -> Bool {
    beginnings.allSatisfy { beginning in
      words.contains(beginning) || words.contains { $0.utf8.starts(with: beginning.utf8) }
    }
  }
}

/// Searches logs without an index: one pass, parsing what is short.
package enum LogSearch {
  /// The streams of each log that a query means, in the order in which they begin.
  package static func streams(_ query: SearchQuery, in log: some RecordReading) throws(StoreError) -> [String] {
    var words: [ByteName: Set<String>] = [:]
    var order: [ByteName] = []
    try log.forEach { record throws(StoreError) in
      let name = ByteName(record.stream)
      if name.text == LogFacts.ownStream { return }
      if words[name] == nil {
        // The rest of a flow whose beginning was pruned is no flow.
        guard record.revision == 0 else { return }
        order.append(name)
      }
      SearchWords.add(record, to: &words[name, default: []])
    }
    return order.filter { query.matches(words[$0] ?? []) }.map(\.text)
  }
}
