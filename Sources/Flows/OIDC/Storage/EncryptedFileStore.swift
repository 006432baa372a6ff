// Encrypted tokens on disk (oidc §9.4).

import Crypto
import EventStore
import FlowRecording

/// Stores tokens in a directory with mode 0700, one file with mode 0600 per key, encrypted with AES-GCM.
///
/// A file is written under a temporary name, synced, and renamed, and the directory is synced: after a crash, either
/// the old tokens or the new ones remain. The key of an entry is authenticated with it, so that no file can replace
/// another. An entry that is damaged, or encrypted with another key, is an error and never counts as «no tokens».
///
/// Several processes may use the same directory. Writes are atomic, and a renewal takes ``lock(_:)`` first, so that
/// only one of two processes asks the server.
public final class EncryptedFileStore: TokenStore {
  private static let format = "flowrecorder-tokens"
  private static let limit = 1 << 20
  private let directory: SecretDirectory
  private let key: SymmetricKey
  private let keyID: String

  /// Opens a store. Its directory and parent directories are created if they are missing.
  ///
  /// - Parameters:
  ///   - path: the directory, which only this store may use.
  ///   - key: the source of the encryption key.
  /// - Throws: `unsafe` if the directory is a link, belongs to another user, or is accessible to others; `unavailable`
  ///   if there is no key; `system` if a system call fails.
  public convenience init(directory path: String, key: TokenStoreKey = .standard) throws(TokenStoreError) {
    try self.init(directory: path, key: key, service: SecretService())
  }

  /// Opens a store with the `secret-tool` of an environment.
  package convenience init(
    directory path: String, key: TokenStoreKey, environment: [String: String]
  ) throws(TokenStoreError) {
    try self.init(directory: path, key: key, service: SecretService(environment: environment))
  }

  private init(directory path: String, key: TokenStoreKey, service: SecretService) throws(TokenStoreError) {
    directory = try Self.mapped { () throws(SecretFileError) in try SecretDirectory(path: path) }
    let bytes = try StoreKeyFile(directory: directory, service: service).key(key)
    self.key = SymmetricKey(data: bytes)
    keyID = Base64URL.encode(
      Array(HMAC<SHA256>.authenticationCode(for: Array("id of a token store's key".utf8), using: self.key)).prefix(12))
  }

  /// Returns the tokens for a key, or `nil` if there are none.
  ///
  /// - Throws: `wrongKey`, `damaged`, or `unknownVersion`; `unsafe` if the file is not a regular, private file;
  ///   `system`.
  public func read(_ key: StorageKey) throws(TokenStoreError) -> StoredTokens? {
    let name = Self.name(of: key)
    guard let text = try text(of: name) else { return nil }
    let box = try opened(text, name)
    guard box["key"]?.string?.isSame(as: key.text) == true else { throw .damaged(path: path(name)) }
    guard let json = try? JSON(parsing: box.content), let tokens = StoredTokens(json: json) else {
      throw .damaged(path: path(name))
    }
    return tokens
  }

  /// Stores tokens.
  ///
  /// - Throws: `unsafe` if the tokens are too long or a file is not a regular, private file; `unavailable` if they
  ///   cannot be encrypted; `system`.
  public func write(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) {
    let text = try sealed(tokens, key)
    try Self.mapped { () throws(SecretFileError) in try directory.write(text, to: Self.name(of: key)) }
  }

  /// Stores tokens unless there are already tokens for the key.
  ///
  /// - Returns: `false` if there were tokens, which remain unchanged.
  /// - Throws: what `write` throws.
  public func add(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) -> Bool {
    let text = try sealed(tokens, key)
    return try Self.mapped { () throws(SecretFileError) in try directory.writeNew(text, to: Self.name(of: key)) }
  }

  /// Replaces the tokens with a given ID. No other process can write or remove tokens between the check and the write.
  ///
  /// - Returns: `false` if there are no tokens with that ID, in which case nothing changes.
  /// - Throws: what `read` and `write` throw.
  public func replace(
    _ id: String, with tokens: StoredTokens, for key: StorageKey
  ) throws(TokenStoreError) -> Bool {
    let text = try sealed(tokens, key)
    let result = try Self.mapped { () throws(SecretFileError) in
      try directory.alone { () throws(SecretFileError) -> Result<Bool, TokenStoreError> in
        do throws(TokenStoreError) {
          guard try read(key)?.id == id else { return .success(false) }
        } catch {
          return .failure(error)
        }
        try directory.writeAlone(text, to: Self.name(of: key))
        return .success(true)
      }
    }
    return try result.get()
  }

  /// Returns the contents of an entry's file.
  private func sealed(_ tokens: StoredTokens, _ key: StorageKey) throws(TokenStoreError) -> [UInt8] {
    let header: [(String, JSON)] = [
      ("format", .string(Self.format)), ("v", 1), ("keyID", .string(keyID)), ("key", .string(key.text)),
    ]
    guard let text = AuthenticatedBox(header: header, content: tokens.json.bytes).sealed(under: self.key) else {
      throw .unavailable(reason: "the tokens cannot be sealed")
    }
    guard text.count <= Self.limit else { throw .unsafe(reason: "the tokens have more than \(Self.limit) bytes") }
    return text
  }

  /// Removes tokens, even if they are damaged or encrypted with another key.
  ///
  /// - Throws: `system` if a system call fails.
  @discardableResult public func remove(_ key: StorageKey) throws(TokenStoreError) -> Bool {
    try Self.mapped { () throws(SecretFileError) in try directory.remove(Self.name(of: key)) }
  }

  /// Removes the tokens with a given ID. No other process can write or remove tokens between the check and the removal.
  ///
  /// - Returns: `false` if there are no tokens with that ID, in which case nothing changes.
  /// - Throws: what `read` throws.
  @discardableResult public func remove(_ id: String, for key: StorageKey) throws(TokenStoreError) -> Bool {
    let result = try Self.mapped { () throws(SecretFileError) in
      try directory.alone { () throws(SecretFileError) -> Result<Bool, TokenStoreError> in
        do throws(TokenStoreError) {
          guard try read(key)?.id == id else { return .success(false) }
        } catch {
          return .failure(error)
        }
        return .success(try directory.removeAlone(Self.name(of: key)))
      }
    }
    return try result.get()
  }

  /// Removes all tokens, even if they are damaged or encrypted with another key. If one cannot be removed, the others
  /// still are.
  ///
  /// - Returns: the number of entries.
  /// - Throws: `system` if a system call fails.
  @discardableResult public func removeAll() throws(TokenStoreError) -> Int {
    var count = 0
    var failure: TokenStoreError?
    for name in try Self.mapped({ () throws(SecretFileError) in try directory.names() }) where name.hasPrefix("t-") {
      do throws(SecretFileError) { if try directory.remove(name) { count += 1 } } catch {
        failure = failure ?? TokenStoreError(error)
      }
    }
    if let failure { throw failure }
    return count
  }

  /// Returns the keys of all stored tokens, sorted. Every entry is decrypted, so a damaged one causes an error.
  ///
  /// - Throws: what `read` throws, for the first entry that cannot be decrypted.
  public func keys() throws(TokenStoreError) -> [StorageKey] {
    var keys: [StorageKey] = []
    for name in try Self.mapped({ () throws(SecretFileError) in try directory.names() }) where name.hasPrefix("t-") {
      // Another process may have removed it in the meantime.
      guard let text = try text(of: name) else { continue }
      guard let key = try opened(text, name)["key"]?.string.map(StorageKey.init(older:)), Self.name(of: key) == name
      else {
        throw .damaged(path: path(name))
      }
      keys.append(key)
    }
    return keys.sorted()
  }

  /// Waits until no other holder has the lock for a key. If a process ends, its locks are released.
  ///
  /// - Throws: `cancelled` if the task is cancelled first; `unsafe` or `system` if the lock file cannot be used.
  public func lock(_ key: StorageKey) async throws(TokenStoreError) -> TokenStoreLock {
    let name = "l-" + Self.name(of: key).dropFirst(2)
    let file = try Self.mapped { () throws(SecretFileError) in try directory.lockFile(name) }
    return try await FileLockWait(file: file, path: path(name)).run()
  }

  // MARK: Files

  private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

  /// A file name with a fixed length, regardless of the key.
  private static func name(of key: StorageKey) -> String {
    "t-" + Base64URL.encode(Array(SHA256.hash(data: Array(key.text.utf8))))
  }

  private func text(of name: String) throws(TokenStoreError) -> [UInt8]? {
    try Self.mapped { () throws(SecretFileError) in try directory.read(name, limit: Self.limit) }
  }

  private func opened(_ text: [UInt8], _ name: String) throws(TokenStoreError) -> AuthenticatedBox {
    if let box = AuthenticatedBox(text, under: key), box["format"]?.string == Self.format, box["v"]?.int == 1 {
      return box
    }
    guard let header = try? JSON(parsing: text), header["format"]?.string == Self.format else {
      throw .damaged(path: path(name))
    }
    guard header["v"]?.int == 1 else { throw .unknownVersion(path: path(name)) }
    throw header["keyID"]?.string == keyID ? .damaged(path: path(name)) : .wrongKey(path: path(name))
  }

  private static func mapped<Value>(
    _ body: () throws(SecretFileError) -> Value
  ) throws(TokenStoreError) -> Value {
    do throws(SecretFileError) { return try body() } catch { throw TokenStoreError(error) }
  }
}
