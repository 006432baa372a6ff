// Words of the org that this SDK may not know (idx §13).

/// A vocabulary that an org may extend: words that are not known keep their text.
public protocol OpenVocabulary: Sendable, Hashable {
  /// Reads a word of the wire; any word gives a value.
  init(string: String)

  /// Whether the word is not known to this SDK.
  var isUnknown: Bool { get }
}

/// Stands for every word that this SDK does not know, so that `type == .unknown` needs no text.
public enum UnknownCase: Sendable {
  /// Any of them.
  case unknown
}

/// Whether a word is one that this SDK does not know; false for `nil`.
public func == <Word: OpenVocabulary>(word: Word?, unknown: UnknownCase) -> Bool { word?.isUnknown ?? false }

/// Whether a word is known to this SDK, or missing.
public func != <Word: OpenVocabulary>(word: Word?, unknown: UnknownCase) -> Bool { !(word == unknown) }

extension Sequence where Element: OpenVocabulary {
  /// Whether a word is among these that this SDK does not know.
  public func contains(_ unknown: UnknownCase) -> Bool { contains { $0.isUnknown } }
}
