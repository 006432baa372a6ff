// Why tokens cannot be read or kept (oidc §9.4).

public import Foundation

/// Why a token store failed. It names the place and never the content.
public enum TokenStoreError: Error, Sendable, Hashable, LocalizedError {
  /// The entry is sealed under another key.
  case wrongKey(path: String)
  /// The entry was changed, cut or put in the place of another.
  case damaged(path: String)
  /// The entry is of a version that this SDK does not know.
  case unknownVersion(path: String)
  /// The directory or a file is not what it must be: a link, of another user, open to others.
  case unsafe(reason: String)
  /// The system refused; its `errno`.
  case system(reason: String, number: Int32)
  /// The place for the key, as the Secret Service, is not there or refuses.
  case unavailable(reason: String)
  /// The task ended while it waited.
  case cancelled

  /// One sentence: what, where, what to do.
  public var errorDescription: String? {
    switch self {
    case .wrongKey(let path):
      "The tokens at \(path) are sealed under another key. Give the key that they were stored with, or sign in again."
    case .damaged(let path):
      "The tokens at \(path) were changed since they were stored. Restore the file, or remove it and sign in again."
    case .unknownVersion(let path):
      "The tokens at \(path) were stored by a newer version. Use that version to read them."
    case .unsafe(let reason): "The token store is not safe: \(reason)."
    case .system(let reason, _): "The token store cannot be used: \(reason)."
    case .unavailable(let reason): "The key of the token store is not available: \(reason)."
    case .cancelled: "The wait for the token store was given up."
    }
  }
}
