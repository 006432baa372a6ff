// A classic sign-in in words.

package import EventStore
package import FlowRecording

/// Describes the events of one classic sign-in.
package struct AuthnNarrator: FlowNarrator {
  private var factors: [JSON] = []
  package private(set) var status = ""

  package init() {}

  package mutating func words(for event: DomainEvent, at revision: Int) -> Words? {
    switch AuthnEvent(event) {
    case .statusChanged(let changed): words(for: changed)
    case .factorUpdated(let update):
      Words("factor \(update.result)", update.result == AuthnVocabulary.waiting ? .notice : .plain)
    case nil: nil
    }
  }

  private mutating func words(for changed: StatusChanged) -> Words {
    let named = changed.status.isEmpty ? "(empty status)" : changed.status
    var words = changed.previous.map { "\($0) -> \(named)" } ?? named
    factors = changed.summary["factors"]?.array ?? []
    status = changed.status
    if let result = changed.summary["factorResult"]?.string { words += ", factor \(result)" }
    if !factors.isEmpty { words += ", \(factors.map(Self.name).joined(separator: " or "))" }
    if let token = changed.summary["sessionToken"]?.string { words += ", session token \(token)" }
    switch changed.status {
    case AuthnVocabulary.success: return Words(words, .good)
    case AuthnVocabulary.lockedOut: return Words(words, .bad)
    default: return Words(words, .notice)
    }
  }

  /// Describes a factor by its kind instead of its index.
  package func words(forArgument name: String, _ value: JSON) -> String? {
    guard name == "factor", let index = value.int, factors.indices.contains(index) else { return nil }
    return "factor \(Self.name(factors[index]))"
  }

  private static func name(_ factor: JSON) -> String {
    let words = [factor["provider"]?.string, factor["type"]?.string].compactMap { $0 }
    // Those of a recording that was made smaller may have neither.
    return words.isEmpty ? "of no type" : words.joined(separator: " ")
  }
}
