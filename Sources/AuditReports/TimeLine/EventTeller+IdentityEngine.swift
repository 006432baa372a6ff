// Responses of the Identity Engine in words.

import EventStore
import FlowRecording

extension EventTeller {
  /// What a response offers, and what led to it.
  mutating func tell(_ changed: RemediationChanged) -> (String, EventTone) {
    var words = ""
    if let chosen = changed.chosen {
      words += chosen + (changed.filled.isEmpty ? "" : " (\(changed.filled.joined(separator: ", ")))") + " -> "
    }
    if changed.summary["success"] == true { return (words + "signed in", .good) }
    if changed.summary["terminal"] == true { return (words + "nothing left to do", .bad) }
    let offered = changed.offered.filter { $0 != "cancel" }
    words += offered.isEmpty ? "nothing but cancel" : offered.joined(separator: " or ")
    if let current = changed.summary["current"]?.string { words += ", now \(current)" }
    return (words, .notice)
  }

  static func tell(_ message: MessageShown) -> String {
    var words = message.text ?? message.key ?? "(without a text)"
    if let field = message.field { words = "\(field): \(words)" }
    return words
  }

  static func tell(_ issued: TokenIssued) -> String {
    let names = (issued.tokens.object?.members ?? []).map(\.key)
    return "\(issued.tokenType) \(names.joined(separator: ", "))"
      + (issued.expiresIn.map {
        ", good for \(Quantity.duration(milliseconds: $0.multipliedReportingOverflow(by: 1000).partialValue))"
      } ?? "")
  }
}
