// The words that a flow can be found by: short public or personal values in its events. A run of words without spaces,
// such as an address, can be found as a whole.

package import EventStore
import FlowRecording

/// Collects words from records.
package enum SearchWords {
  /// The words of a text: runs of letters and digits, in lower case. A letter and its accent may be one character or
  /// two in the text; they are composed first, so that both are found.
  package static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    for scalar in text.composedLowercase.unicodeScalars {
      if isLetterOrDigit(scalar) {
        word.append(scalar)
      } else if !word.isEmpty {
        words.append(String(word))
        word.removeAll()
      }
    }
    if !word.isEmpty { words.append(String(word)) }
    return words
  }

  /// Whether a scalar of a text in lower case belongs to a word.
  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x30...0x39, 0x61...0x7A: return true
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

  /// Calls `body` with each word of a record, including repetitions. Of an answer, only the request's id and the error
  /// text are used: the forms and labels of an org are the same in all flows.
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
      takeText(String(decoding: head[start..<end], as: UTF8.self), body)
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

  /// Placeholders are not words; only the beginning of a text longer than a sentence is searched.
  private static func takeText(_ text: String, _ body: (String) -> Void) {
    let bytes = text.utf8
    // Most texts are short and ASCII, and can be processed as bytes.
    if bytes.count <= longest, bytes.allSatisfy({ $0 < 0x80 }) { return takeASCII(Array(bytes)[...], body) }
    guard !text.hasPrefix("$secret.") else { return }
    for run in text.prefix(longest).split(whereSeparator: \.isWhitespace) where !run.contains("$secret.") {
      take(Array(joined(run).utf8)[...], body)
    }
  }

  /// The number of characters of a text that are searched.
  private static let longest = 400
  private static let placeholder = Array("$secret.".utf8)

  /// The same for an ASCII text of at most `longest` bytes.
  private static func takeASCII(_ text: ArraySlice<UInt8>, _ body: (String) -> Void) {
    let hasPlaceholder = text.end(of: placeholder) != nil
    guard !hasPlaceholder || !text.starts(with: placeholder) else { return }
    var run: [UInt8] = []
    for part in text.split(whereSeparator: { $0 <= 0x20 }) where !hasPlaceholder || part.end(of: placeholder) == nil {
      run.removeAll(keepingCapacity: true)
      for byte in part {
        switch byte {
        case 0x30...0x39, 0x61...0x7A: run.append(byte)
        case 0x41...0x5A: run.append(byte | 0x20)
        default: if let last = run.last, last != joint { run.append(joint) }
        }
      }
      if run.last == joint { run.removeLast() }
      take(run[...], body)
    }
  }

  // MARK: Runs

  /// The separator between the words of a run, whatever it is in the text.
  private static let joint = UInt8(ascii: "_")
  /// The maximum number of bytes and words of a run that are found as a whole.
  private static let (mostBytes, mostWords) = (64, 8)

  /// The words of a run of text without spaces, joined.
  fileprivate static func joined(_ run: some StringProtocol) -> String {
    words(of: String(run)).joined(separator: "_")
  }

  /// The beginning by which a run of joined words is found: as many of its words as fit; nil if the first one does not.
  fileprivate static func beginning(of run: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var (end, words) = (run.startIndex, 0)
    for index in run.indices {
      guard index - run.startIndex <= mostBytes, words < mostWords else {
        return end > run.startIndex ? run[..<end] : nil
      }
      if run[index] == joint { (end, words) = (index, words + 1) }
    }
    return run.count <= mostBytes && words < mostWords ? run : end > run.startIndex ? run[..<end] : nil
  }

  /// Calls `body` with each word of a run together with what follows it, so that both the word and the run from there
  /// on are found.
  private static func take(_ run: ArraySlice<UInt8>, _ body: (String) -> Void) {
    var start = run.startIndex
    while start < run.endIndex {
      let rest = run[start...]
      if let text = beginning(of: rest) { body(String(decoding: text, as: UTF8.self)) }
      start = (rest.firstIndex(of: joint) ?? rest.endIndex - 1) + 1
    }
  }
}

/// A search: terms that must all be found in a flow.
package struct SearchQuery: Sendable, Equatable {
  /// One term.
  package struct Term: Sendable, Equatable {
    /// How it is found.
    package enum Manner: Sendable {
      /// As the beginning of a word.
      case beginning
      /// As complete words of a run, such as an address: followed by nothing or by another word.
      case words
      /// As a whole run with nothing after it: it is too long to be compared in full.
      case whole
    }

    /// The words in lower case, joined by underscores.
    package var text: String
    package var manner: Manner

    /// Whether a word from `SearchWords` matches.
    func matches(_ word: String) -> Bool {
      switch manner {
      case .beginning: word.utf8.starts(with: text.utf8)
      case .words: word == text || word.utf8.starts(with: (text + "_").utf8)
      case .whole: word == text
      }
    }
  }

  /// The terms. A word matches anything that begins with it; a run of words without spaces, such as an address, matches
  /// only itself, unless an asterisk follows.
  package let terms: [Term]

  /// Parses a query; nil if it has no letter or digit.
  package init?(_ text: String) {
    let terms = text.split(whereSeparator: \.isWhitespace).compactMap { run -> Term? in
      let joined = Array(SearchWords.joined(run).utf8)
      // A run of signs alone would be the beginning of every word.
      guard !joined.isEmpty else { return nil }
      guard let beginning = SearchWords.beginning(of: joined[...]) else {
        // A word too long for an index.
        return Term(text: String(decoding: joined, as: UTF8.self), manner: .whole)
      }
      let isOpen = run.hasSuffix("*") || !beginning.contains(UInt8(ascii: "_"))
      return Term(
        text: String(decoding: beginning, as: UTF8.self),
        manner: beginning.count < joined.count ? .whole : isOpen ? .beginning : .words)
    }
    guard !terms.isEmpty else { return nil }
    self.terms = terms
  }

  /// Whether a flow with these words matches.
  package func matches(_ words: Set<String>) -> Bool {
    terms.allSatisfy { term in words.contains(term.text) || words.contains { term.matches($0) } }
  }
}

/// Searches logs without an index: one pass that parses only short data.
package enum LogSearch {
  /// The streams of each log that match a query, in the order in which they begin.
  package static func streams(_ query: SearchQuery, in log: some RecordReading) throws(StoreError) -> [String] {
    var words: [ByteName: Set<String>] = [:]
    var order: [ByteName] = []
    try log.forEach { record throws(StoreError) in
      let name = ByteName(record.stream)
      if name.text == LogFacts.ownStream { return }
      if words[name] == nil {
        // The remainder of a flow whose beginning was pruned is not a flow.
        guard record.revision == 0 else { return }
        order.append(name)
      }
      SearchWords.add(record, to: &words[name, default: []])
    }
    return order.filter { query.matches(words[$0] ?? []) }.map(\.text)
  }
}
