// Values from the org that this SDK may not know (idx §13).

/// A vocabulary that an org may extend. Unknown words keep their text.
public protocol OpenVocabulary: Sendable, Hashable {
  /// Creates a value from its name on the wire. Any name is accepted.
  init(string: String)

  /// Whether this SDK does not know the word.
  var isUnknown: Bool { get }
}

/// Matches every word that this SDK does not know, so that `type == .unknown` needs no text.
public enum UnknownCase: Sendable {
  /// Any unknown word.
  case unknown
}

/// Returns whether this SDK does not know a word; `false` for `nil`.
public func == <Word: OpenVocabulary>(word: Word?, unknown: UnknownCase) -> Bool { word?.isUnknown ?? false }

/// Returns whether this SDK knows a word or the word is missing.
public func != <Word: OpenVocabulary>(word: Word?, unknown: UnknownCase) -> Bool { !(word == unknown) }

extension Sequence where Element: OpenVocabulary {
  /// Returns whether the sequence contains a word that this SDK does not know.
  public func contains(_ unknown: UnknownCase) -> Bool { contains { $0.isUnknown } }
}
