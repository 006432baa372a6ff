// Words of the wire: open enumerations (authn §6).

/// A word of an answer: one that the SDK has a case for, or any other as the org wrote it. Encoding gives the word
/// back.
public protocol OktaWireWord: Codable, Hashable, Sendable {
  /// The words that the SDK has a case for.
  static var known: [Self] { get }
  /// Any other word.
  static func unknown(_ raw: String) -> Self
  /// The word as it stands on the wire.
  var rawValue: String { get }
  /// Reads a word; one without a case becomes `unknown`.
  init(raw: String)
}

extension OktaWireWord {
  /// Reads a word, letter by letter; one without a case becomes `unknown`.
  public init(raw: String) { self = Self.known.first { $0.rawValue == raw } ?? .unknown(raw) }

  /// Reads a word from a decoder.
  ///
  /// - Throws: `DecodingError` if it is no string.
  public init(from decoder: any Decoder) throws {
    self.init(raw: try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the word.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// The word as it stands on the wire.
  package var raw: String { rawValue }
}
