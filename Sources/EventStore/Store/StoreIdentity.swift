/// What a store says of itself: the content of `store.json`.
public struct StoreIdentity: Sendable, Hashable {
  /// The store's id: 32 hexadecimal digits, random.
  public var id: String
  /// The name under which it signs; `flowrecorder-<id>` where none was given.
  public var origin: String
  /// The version of the format on disk.
  public var format: Int
  /// The public key of its checkpoints as a C2SP vkey; nil until the first one is signed.
  public var publicKey: String?
  /// Public keys that signed earlier checkpoints and no longer do.
  public var retiredKeys: [String]

  /// The version that this code writes.
  public static let currentFormat = 1

  /// Makes an identity from its parts, taken as they are.
  public init(
    id: String, origin: String, format: Int = StoreIdentity.currentFormat, publicKey: String? = nil,
    retiredKeys: [String] = []
  ) {
    self.id = id
    self.origin = origin
    self.format = format
    self.publicKey = publicKey
    self.retiredKeys = retiredKeys
  }
}
