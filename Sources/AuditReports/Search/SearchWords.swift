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
  ///
  /// Of answers only the request's id and what an error says are taken: the forms and labels of an org are the same in all flows.
  package static func add(_ record: StoredRecord, to words: inout Set<String>) {
    let type = record.type
    switch type {
    case RequestSent.type, DrawMade.type, DrawAsked.type, TimerSet.type, TimerFired.type, EventCoding.partType: return
    case ResponseReceived.type: addResponse(record, to: &words)
    default:
      guard let data = try? JSON(parsing: record.data) else { return }
      addTexts(of: data, to: &words, depth: 0)
    }
  }

  private static func addResponse(_ record: StoredRecord, to words: inout Set<String>) {
    let head = record.data.prefix(2_048)
    if let start = head.firstRange(of: requestID)?.upperBound,
      let end = head[start...].firstIndex(of: UInt8(ascii: "\""))
    {
      words.formUnion(Self.words(of: String(decoding: head[start..<end], as: UTF8.self)))
    }
    guard let status = RecordHead.status(record.data), status >= 400, let data = try? JSON(parsing: record.data) else {
      return
    }
    for name in ["errorCode", "errorSummary", "errorId", "error", "error_description"] {
      if let text = data["body"]?[name]?.string { addText(text, to: &words) }
    }
  }

  private static let requestID = Array(#"["X-Okta-Request-Id",""#.utf8)

  private static func addTexts(of json: JSON, to words: inout Set<String>, depth: Int) {
    guard depth < 8 else { return }
    switch json {
    case .string(let text): addText(text, to: &words)
    case .array(let elements): for element in elements { addTexts(of: element, to: &words, depth: depth + 1) }
    case .object(let object): for member in object.members { addTexts(of: member.value, to: &words, depth: depth + 1) }
    case .null, .bool, .number: break
    }
  }

  /// Placeholders are no words; a text longer than a sentence is searched at its beginning.
  private static func addText(_ text: String, to words: inout Set<String>) {
    guard !text.hasPrefix("$secret.") else { return }
    for part in text.prefix(400).split(separator: " ") where !part.contains("$secret.") {
      for word in Self.words(of: String(part)) where word.utf8.count <= 64 { words.insert(word) }
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
