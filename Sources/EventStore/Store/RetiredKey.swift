/// A key that signed a store's checkpoints and no longer does.
public struct RetiredKey: Sendable, Hashable, Codable {
  /// The public key as a C2SP vkey.
  public var key: String
  /// The size of the last checkpoint that it may have signed; that one names its successor.
  public var until: UInt64

  /// A retired key from its parts, taken as they are.
  public init(key: String, until: UInt64) {
    self.key = key
    self.until = until
  }
}
