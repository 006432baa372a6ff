// Why tokens cannot be read or stored (oidc §9.4).

public import Foundation

/// Why a token store failed. It names the place, never the contents.
public enum TokenStoreError: Error, Sendable, Hashable, LocalizedError {
  /// The entry is sealed under another key.
  case wrongKey(path: String)
  /// The entry was changed, truncated, or replaced by another one.
  case damaged(path: String)
  /// The entry has a version unknown to this SDK.
  case unknownVersion(path: String)
  /// The directory or a file is not safe: a link, owned by another user, or accessible to others.
  case unsafe(reason: String)
  /// The system refused; its `errno`.
  case system(reason: String, number: Int32)
  /// The place for the key, such as the Secret Service, is unavailable or refuses.
  case unavailable(reason: String)
  /// The task was cancelled while waiting.
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
