// Stores private keys in files (spec/device.md §19.2).

import Crypto
import FlowRecording

/// Stores P-256 keys in a directory with mode 0700, one file with mode 0600 per key.
///
/// A key is written to a temporary file, synced, and renamed, so that after a crash either the old key or the new one
/// is there. Several processes may use the same directory. Use a passphrase or a key: without a seal, the files are
/// only as safe as the disk's encryption. The seal also covers the file's tag, its role, its public key, and its
/// binding, so that no file can replace another.
///
/// A store that is damaged, altered, accessible to other users, or sealed under another passphrase causes an error; it
/// is never treated as empty. Each call takes a few system calls; opening the store takes as long as deriving the key
/// from the passphrase.
public final class FileKeyStore: KeyStore {
  /// Always `software`: the files, together with what they are sealed under, are enough to get the keys.
  public var protection: KeyProtection { .software }
  private let directory: SecretDirectory
  private let key: SymmetricKey?

  /// Opens a store, or creates one if it does not exist.
  ///
  /// - Parameters:
  ///   - path: the directory; created with mode 0700 if it is missing.
  ///   - seal: how the files are sealed. This is fixed when the store is created; a different kind is refused later.
  /// - Throws: `unavailable` if the store cannot be created, read, or unlocked.
  public init(directory path: String, seal: KeySeal) throws(KeyStoreError) {
    directory = try Self.run { () throws(SecretFileError) in try SecretDirectory(path: path) }
    key = try Self.unlock(directory, seal: seal)
  }

  private static func unlock(_ directory: SecretDirectory, seal: KeySeal) throws(KeyStoreError) -> SymmetricKey? {
    let path = "\(directory.path)/\(KeyStoreHead.name)"
    if let text = try read(directory) { return try KeyStoreHead(text, seal: seal, path: path).key }
    let head = try KeyStoreHead(making: seal)
    let isMade = try run { () throws(SecretFileError) -> Bool? in
      // Keys exist, so there was a head that has been lost. A new salt would make all of them unreadable.
      guard try !directory.names().contains(where: { KeyFile.tag(of: $0) != nil }) else { return nil }
      return try directory.writeNew(head.text, to: KeyStoreHead.name)
    }
    if isMade == true { return head.key }
    // Another process created it first.
    if let text = try read(directory) { return try KeyStoreHead(text, seal: seal, path: path).key }
    throw .unavailable(reason: "\(path) is missing while keys are there; restore it from a backup")
  }

  /// What else a store's passphrase or key can protect.
  public enum Purpose: String, Sendable {
    /// The encryption of `SQLiteEnrollmentStorage`.
    case enrollments = "flowrecorder enrollments"
  }

  /// Derives a key of 32 bytes for data kept beside the store from the secret that seals the store (HKDF-SHA256, RFC
  /// 5869); `nil` if the store is not sealed.
  public func key(for purpose: Purpose) -> [UInt8]? {
    guard let key else { return nil }
    let derived = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key, info: Array(purpose.rawValue.utf8), outputByteCount: 32)
    // SAFETY: the bytes are copied before the closure ends.
    return unsafe derived.withUnsafeBytes { unsafe Array($0) }
  }

  private static func read(_ directory: SecretDirectory) throws(KeyStoreError) -> [UInt8]? {
    try run { () throws(SecretFileError) in try directory.read(KeyStoreHead.name, limit: KeyStoreHead.limit) }
  }

  /// Creates a key under a tag. Roles that require a person need a binding.
  ///
  /// - Throws: `notMade` or `unavailable`; in either case, an existing key under the tag remains.
  public func generate(tag: String, role: KeyRole, binding: KeyBinding?) throws(KeyStoreError) -> PublicKey {
    guard let name = KeyFile.name(of: tag) else {
      throw .notMade(tag: tag, reason: "a tag has 1 to 200 letters and digits, fewer if it has other characters")
    }
    let file = try KeyFile(making: P256.Signing.PrivateKey(), tag: tag, role: role, binding: binding)
    guard let text = file.text(under: key) else { throw .notMade(tag: tag, reason: "the key could not be sealed") }
    try Self.run { () throws(SecretFileError) in try directory.write(text, to: name) }
    return file.publicKey
  }

  /// Returns the public key for a tag, or `nil` if there is none.
  ///
  /// - Throws: `unavailable` if its file is damaged, altered, or accessible to other users.
  public func publicKey(tag: String) throws(KeyStoreError) -> PublicKey? { try file(of: tag)?.publicKey }

  /// Reports whether a key can currently be used, judging by its file alone. `counts` reports whether a change of the
  /// enrolled set invalidated it.
  public func state(tag: String) -> KeyState { (try? file(of: tag)) == nil ? .lost : .available }

  /// Reports whether a key is valid under an enrolled set. A missing or unreadable key is never valid.
  public func counts(tag: String, under epoch: [UInt8]) -> Bool {
    (try? file(of: tag))?.counts(under: epoch) ?? false
  }

  /// Signs a message. A bound key needs the receipt that it was bound with, under the same enrolled set.
  ///
  /// - Throws: `notFound`; `notVerified` without the right receipt; `invalidated` under a different enrolled set;
  ///   `unavailable` if the file is damaged, altered, or accessible to other users.
  public func sign(_ message: [UInt8], tag: String, receipt: VerificationReceipt?) throws(KeyStoreError) -> [UInt8] {
    guard let file = try file(of: tag) else { throw .notFound(tag: tag) }
    let key = try file.open(receipt)
    guard PublicKey(key.publicKey) == file.publicKey else {
      throw .unavailable(reason: "the file of key \(tag) in \(directory.path) was altered")
    }
    guard let signature = try? key.signature(for: message) else {
      throw .unavailable(reason: "key \(tag) could not sign")
    }
    return Array(signature.rawRepresentation)
  }

  /// Destroys a key. The disk may still hold the contents of the removed file; to prevent this, use a seal or an
  /// encrypted disk.
  ///
  /// - Throws: `unavailable` if the file cannot be removed.
  @discardableResult
  public func delete(tag: String) throws(KeyStoreError) -> Bool {
    guard let name = KeyFile.name(of: tag) else { return false }
    return try Self.run { () throws(SecretFileError) in try directory.remove(name) }
  }

  /// Returns the tags of all keys, including unreadable ones.
  ///
  /// - Throws: `unavailable` if the directory cannot be read.
  public func tags() throws(KeyStoreError) -> [String] {
    try Self.run { () throws(SecretFileError) in try directory.names() }.compactMap(KeyFile.tag(of:))
  }

  private func file(of tag: String) throws(KeyStoreError) -> KeyFile? {
    guard let name = KeyFile.name(of: tag) else { return nil }
    let text = try Self.run { () throws(SecretFileError) in try directory.read(name, limit: KeyFile.limit) }
    guard let text else { return nil }
    guard let file = KeyFile(text, tag: tag, under: key) else {
      throw .unavailable(
        reason: "\(directory.path)/\(name) is damaged, altered or of another key; restore or delete it")
    }
    return file
  }

  private static func run<Value>(_ body: () throws(SecretFileError) -> Value) throws(KeyStoreError) -> Value {
    do throws(SecretFileError) { return try body() } catch { throw .unavailable(reason: error.reason) }
  }
}
