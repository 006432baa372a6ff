// What all objects of an answer have in common: the JSON that the org sent, read when it is asked for.

public import EventStore

/// An object of an answer. Its members are read from `json` when they are asked for; a member that is missing or of
/// another type is `nil`. Encoding gives every member that the org sent, known to the SDK or not.
public protocol OktaWireObject: Codable, Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The object as the org sent it.
  var json: JSON { get }

  /// Reads an object.
  ///
  /// - Parameter json: the object as the org sent it.
  /// - Returns: `nil` if this is no such object.
  init?(json: JSON)
}

extension OktaWireObject {
  /// Reads an object from a decoder.
  ///
  /// - Throws: `DecodingError` if the data is no such object.
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
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws { try CodableJSON(json: json).encode(to: encoder) }

  /// The type alone: the object may hold secrets.
  public var description: String { "\(Self.self)" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// No children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
