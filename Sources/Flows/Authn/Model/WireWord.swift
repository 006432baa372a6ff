// Words on the wire: open enumerations (authn §6).

/// A word in an answer: one that the SDK has a case for, or any other as the org wrote it. Encoding writes the original
/// word.
public protocol OktaWireWord: Codable, Hashable, Sendable {
  /// The words that the SDK has a case for.
  static var known: [Self] { get }
  /// Any other word.
  static func unknown(_ raw: String) -> Self
  /// The word as it is sent and received.
  var rawValue: String { get }
  /// Reads a word; one without a case becomes `unknown`.
  init(raw: String)
}

extension OktaWireWord {
  /// Reads a word, case-sensitively; one without a case becomes `unknown`.
  public init(raw: String) { self = Self.known.first { $0.rawValue == raw } ?? .unknown(raw) }

  /// Reads a word from a decoder.
  ///
  /// - Throws: `DecodingError` if the value is not a string.
  public init(from decoder: any Decoder) throws {
    self.init(raw: try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the word.
  ///
  /// - Throws: the encoder's errors.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// The word as it is sent and received.
  package var raw: String { rawValue }
}
