// Where the key of an encrypted store comes from (oidc §9.4).

/// The key that tokens are sealed under, 32 bytes. What it prints of itself shows no key.
public enum TokenStoreKey: Sendable, CustomStringConvertible, CustomReflectable {
  /// These bytes.
  case bytes([UInt8])
  /// The bytes that a closure gives, asked once when the store is opened. An error of it is `TokenStoreError.unavailable`.
  case provider(@Sendable () throws -> [UInt8])
  /// A key that the Secret Service of the session keeps, made when it is first needed. Needs `secret-tool`.
  case secretService
  /// A key in the file `KEY` of the store, mode 0600, made when it is first needed. It guards against a copy of the entries
  /// alone, not against a program of the same user.
  case file
  /// What the store was made with; for a new one the Secret Service if it answers, else a file.
  case standard

  /// The kind of it.
  public var description: String {
    switch self {
    case .bytes: "bytes"
    case .provider: "provider"
    case .secretService: "secretService"
    case .file: "file"
    case .standard: "standard"
    }
  }

  /// No children: a dump shows no key.
  public var customMirror: Mirror { Mirror(self, children: []) }

  static let length = 32

  /// Refuses what is no key.
  static func checked(_ bytes: [UInt8], from source: String) throws(TokenStoreError) -> [UInt8] {
    guard bytes.count == length else {
      throw .unavailable(reason: "the key from \(source) has \(bytes.count) bytes and must have \(length)")
    }
    return bytes
  }
}
