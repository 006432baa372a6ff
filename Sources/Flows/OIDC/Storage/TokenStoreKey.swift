// The source of the key of an encrypted store (oidc §9.4).

/// The key that encrypts tokens, 32 bytes. The description does not contain the key.
public enum TokenStoreKey: Sendable, CustomStringConvertible, CustomReflectable {
  /// The given bytes.
  case bytes([UInt8])
  /// The bytes that a closure returns. It is called once, when the store is opened; if it throws, the result is
  /// `TokenStoreError.unavailable`.
  case provider(@Sendable () throws -> [UInt8])
  /// A key kept in the session's Secret Service, created when it is first needed. Requires `secret-tool`.
  case secretService
  /// A key in the store's file `KEY` with mode 0600, created when it is first needed. It protects only against copies
  /// of the entries without that file, not against programs of the same user.
  case file
  /// The source with which the store was created; for a new store, the Secret Service if it is available, otherwise a
  /// file.
  case standard

  /// The kind of source only.
  public var description: String {
    switch self {
    case .bytes: "bytes"
    case .provider: "provider"
    case .secretService: "secretService"
    case .file: "file"
    case .standard: "standard"
    }
  }

  /// No children, so that a dump shows no key.
  public var customMirror: Mirror { Mirror(self, children: []) }

  static let length = 32

  /// Checks that the bytes are a valid key.
  static func checked(_ bytes: [UInt8], from source: String) throws(TokenStoreError) -> [UInt8] {
    guard bytes.count == length else {
      throw .unavailable(reason: "the key from \(source) has \(bytes.count) bytes and must have \(length)")
    }
    return bytes
  }
}
