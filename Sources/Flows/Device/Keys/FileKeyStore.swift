// Private keys in files (spec/device.md §19.2).

import Crypto
import FlowRecording

/// Keeps P-256 keys in a directory of mode 0700, one file of mode 0600 for each.
///
/// A key is written beside its place, synced and renamed: whenever the process or the machine dies, the old key or the
/// new one is there. Several processes may use one directory. Give it a passphrase or a key of your own: files without a
/// seal are worth what the disk's encryption is worth. Which tag a file is of, its role, its public half and its binding
/// are sealed with it, so that no file stands in for another.
///
/// A store that is damaged, altered, open to others or sealed under another passphrase is an error and never an empty
/// store. Calls take a few system calls each; making the store takes as long as the passphrase's key.
public final class FileKeyStore: KeyStore {
  /// Software: whoever has the files and what they are sealed under has the keys.
  public var protection: KeyProtection { .software }
  private let directory: SecretDirectory
  private let key: SymmetricKey?

  /// Opens a store, or makes one where there is none.
  ///
  /// - Parameters:
  ///   - path: the directory; made with mode 0700 where it is missing.
  ///   - seal: what its files are sealed under. It is chosen when the store is made, and another kind is refused later.
  /// - Throws: `unavailable`.
  public init(directory path: String, seal: KeySeal) throws(KeyStoreError) {
    directory = try Self.run { () throws(SecretFileError) in try SecretDirectory(path: path) }
    key = try Self.unlock(directory, seal: seal)
  }

  private static func unlock(_ directory: SecretDirectory, seal: KeySeal) throws(KeyStoreError) -> SymmetricKey? {
    let path = "\(directory.path)/\(KeyStoreHead.name)"
    if let text = try read(directory) { return try KeyStoreHead(text, seal: seal, path: path).key }
    let head = try KeyStoreHead(making: seal)
    let isMade = try run { () throws(SecretFileError) -> Bool? in
      // Keys without a head were there with one: it was lost, and a new salt would make them all unreadable.
      guard try !directory.names().contains(where: { KeyFile.tag(of: $0) != nil }) else { return nil }
      return try directory.writeNew(head.text, to: KeyStoreHead.name)
    }
    if isMade == true { return head.key }
    // Another process was faster.
    if let text = try read(directory) { return try KeyStoreHead(text, seal: seal, path: path).key }
    throw .unavailable(reason: "\(path) is missing while keys are there; restore it from a backup")
  }

  /// What else a store's passphrase or key protects.
  public enum Purpose: String, Sendable {
    /// The key of `SQLiteEnrollmentStorage`.
    case enrollments = "flowrecorder enrollments"
  }

  /// A key of 32 bytes for what is kept beside the store, derived from what seals the store (HKDF-SHA256, RFC 5869); nil if
  /// nothing seals it.
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

  /// Makes a key under a tag. Keys of the roles that need a person must have a binding.
  ///
  /// - Throws: `notMade`, `unavailable`; then an older key of the tag is still there.
  public func generate(tag: String, role: KeyRole, binding: KeyBinding?) throws(KeyStoreError) -> PublicKey {
    guard let name = KeyFile.name(of: tag) else {
      throw .notMade(tag: tag, reason: "a tag has 1 to 200 letters and digits, fewer if it has other characters")
    }
    let file = try KeyFile(making: P256.Signing.PrivateKey(), tag: tag, role: role, binding: binding)
    guard let text = file.text(under: key) else { throw .notMade(tag: tag, reason: "the key could not be sealed") }
    try Self.run { () throws(SecretFileError) in try directory.write(text, to: name) }
    return file.publicKey
  }

  /// The public key of a tag, or nil if there is none.
  ///
  /// - Throws: `unavailable` if its file is damaged, altered or open to others.
  public func publicKey(tag: String) throws(KeyStoreError) -> PublicKey? { try file(of: tag)?.publicKey }

  /// Whether a key could be used now, by its file alone: whether another enrolled set invalidated it, `counts` says.
  public func state(tag: String) -> KeyState { (try? file(of: tag)) == nil ? .lost : .available }

  /// Whether a key counts under an enrolled set; one that is not there, or cannot be read, counts under none.
  public func counts(tag: String, under epoch: [UInt8]) -> Bool {
    (try? file(of: tag))?.counts(under: epoch) ?? false
  }

  /// Signs; a bound key needs the receipt that it was bound with, under the same enrolled set.
  ///
  /// - Throws: `notFound`; `notVerified` without the right receipt; `invalidated` under another enrolled set;
  ///   `unavailable` if the file is damaged, altered or open to others.
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

  /// Destroys a key. What the disk keeps of removed files is beyond it: use a seal, or an encrypted disk.
  ///
  /// - Throws: `unavailable` if the file cannot be removed.
  @discardableResult
  public func delete(tag: String) throws(KeyStoreError) -> Bool {
    guard let name = KeyFile.name(of: tag) else { return false }
    return try Self.run { () throws(SecretFileError) in try directory.remove(name) }
  }

  /// The tags of all keys, readable or not.
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
