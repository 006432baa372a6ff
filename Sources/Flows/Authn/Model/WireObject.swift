// The common parts of all objects in an answer: the JSON that the org sent, which is read on demand.

public import EventStore

/// An object in an answer. Its members are read from `json` on demand; a member that is missing or has another type is
/// `nil`. Encoding writes every member that the org sent, whether or not the SDK knows it.
public protocol OktaWireObject: Codable, Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The object as the org sent it.
  var json: JSON { get }

  /// Reads an object.
  ///
  /// - Parameter json: the object as the org sent it.
  /// - Returns: `nil` if the value is not such an object.
  init?(json: JSON)
}

extension OktaWireObject {
  /// Reads an object from a decoder.
  ///
  /// - Throws: `DecodingError` if the data is not such an object.
  public init(from decoder: any Decoder) throws {
    let json = try CodableJSON(from: decoder).json
    guard json.object != nil, let object = Self(json: json) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "This is no \(Self.self)"))
    }
    self = object
  }

  /// Writes the object with all members that the org sent.
  ///
  /// - Throws: the encoder's errors.
  public func encode(to encoder: any Encoder) throws { try CodableJSON(json: json).encode(to: encoder) }

  /// Only the type, because the object may contain secrets.
  public var description: String { "\(Self.self)" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// No children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
