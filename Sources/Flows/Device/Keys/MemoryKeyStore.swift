// A key store that lasts as long as the process: for tests, demonstrations, and devices that enroll anew each start.

import Crypto
import FlowRecording

/// Keeps keys in memory, by the same rules as `FileKeyStore`: a bound key is sealed, and opens with its receipt alone.
public final class MemoryKeyStore: KeyStore {
  /// What a key store is asked for.
  public enum Operation: Sendable, Hashable, CaseIterable {
    /// `generate`.
    case generate
    /// `publicKey`.
    case publicKey
    /// `sign`.
    case sign
    /// `delete`.
    case delete
    /// `tags`.
    case tags
  }

  private enum Secret: Sendable {
    case open(P256.Signing.PrivateKey)
    case bound(BoundSeal)
  }

  private struct Entry: Sendable {
    var role: KeyRole
    var publicKey: PublicKey
    var secret: Secret
    var isLockedOut = false
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var failures: [Operation: [KeyStoreError]] = [:]
    var signatures: [String: Int] = [:]
  }

  /// What the store says of itself; it keeps keys in memory in any case.
  public let protection: KeyProtection
  private let state = Locked(State())

  /// Makes an empty store.
  ///
  /// - Parameter protection: what it says of itself; `hardware` for tests of orgs that want that.
  public init(protection: KeyProtection = .software) { self.protection = protection }

  /// Makes a key under a tag. Keys of the roles that need a person must have a binding.
  ///
  /// - Throws: `notMade` if the role needs a binding or the binding does not fit, and what `fail` was given.
  public func generate(tag: String, role: KeyRole, binding: KeyBinding?) throws(KeyStoreError) -> PublicKey {
    try check(.generate)
    return try add(P256.Signing.PrivateKey(), tag: tag, role: role, binding: binding)
  }

  /// Puts in a key that was made elsewhere, such as that of a test vector.
  ///
  /// - Parameters:
  ///   - privateKey: the 32 bytes of the private scalar (`d` of a JWK).
  ///   - tag: what it is found by.
  ///   - role: what it is for.
  ///   - binding: what a person must do before it signs; nil for nothing.
  /// - Throws: `notMade` if that is no private key of P-256.
  @discardableResult
  public func add(privateKey: [UInt8], tag: String, role: KeyRole, binding: KeyBinding? = nil)
    throws(KeyStoreError) -> PublicKey
  {
    guard let key = try? P256.Signing.PrivateKey(rawRepresentation: privateKey) else {
      throw .notMade(tag: tag, reason: "these bytes are no private key of P-256")
    }
    return try add(key, tag: tag, role: role, binding: binding)
  }

  private func add(_ key: P256.Signing.PrivateKey, tag: String, role: KeyRole, binding: KeyBinding?)
    throws(KeyStoreError) -> PublicKey
  {
    try role.check(binding, tag: tag)
    let publicKey = PublicKey(key.publicKey)
    let secret: Secret
    if let binding {
      secret = .bound(try BoundSeal(key, tag: tag, role: role, binding: binding))
    } else {
      secret = .open(key)
    }
    state.withLock { $0.entries[tag] = Entry(role: role, publicKey: publicKey, secret: secret) }
    return publicKey
  }

  /// The public key of a tag, or nil.
  ///
  /// - Throws: what `fail` was given for this operation; else nothing.
  public func publicKey(tag: String) throws(KeyStoreError) -> PublicKey? {
    try check(.publicKey)
    return state.withLock { $0.entries[tag]?.publicKey }
  }

  /// Whether the key could be used now.
  public func state(tag: String) -> KeyState {
    state.withLock { state in
      guard let entry = state.entries[tag] else { return .lost }
      return entry.isLockedOut ? .lockedOut : .available
    }
  }

  /// Whether a key counts under an enrolled set; one that is not there counts under none.
  public func counts(tag: String, under epoch: [UInt8]) -> Bool {
    switch state.withLock({ $0.entries[tag]?.secret }) {
    case .open: true
    case .bound(let seal): seal.isBound(under: epoch)
    case nil: false
    }
  }

  /// Signs; a bound key needs the receipt that it was bound with, under the same enrolled set.
  ///
  /// - Throws: `notFound`; `lockedOut`; `notVerified` without the right receipt; `invalidated` under another enrolled
  ///   set; and what `fail` was given.
  public func sign(_ message: [UInt8], tag: String, receipt: VerificationReceipt?) throws(KeyStoreError) -> [UInt8] {
    try check(.sign)
    guard let entry = state.withLock({ $0.entries[tag] }) else { throw .notFound(tag: tag) }
    guard !entry.isLockedOut else { throw .lockedOut(tag: tag) }
    let key: P256.Signing.PrivateKey
    switch entry.secret {
    case .open(let open): key = open
    case .bound(let seal): key = try seal.open(tag: tag, role: entry.role, receipt: receipt)
    }
    guard let signature = try? key.signature(for: message) else {
      throw .unavailable(reason: "key \(tag) could not sign")
    }
    state.withLock { $0.signatures[tag, default: 0] += 1 }
    return Array(signature.rawRepresentation)
  }

  /// Forgets a key.
  ///
  /// - Throws: what `fail` was given for this operation; else nothing.
  @discardableResult
  public func delete(tag: String) throws(KeyStoreError) -> Bool {
    try check(.delete)
    return state.withLock { $0.entries.removeValue(forKey: tag) != nil }
  }

  /// The tags of all keys.
  ///
  /// - Throws: what `fail` was given for this operation; else nothing.
  public func tags() throws(KeyStoreError) -> [String] {
    try check(.tags)
    return state.withLock { Array($0.entries.keys) }
  }

  // MARK: What hardware does now and then

  /// Locks a key out, as a chip does after too many wrong PINs, or lets it be used again.
  public func setLockedOut(_ isLockedOut: Bool, tag: String) {
    state.withLock { $0.entries[tag]?.isLockedOut = isLockedOut }
  }

  /// Lets the next call of an operation end with an error. Called twice, two calls end so, one after the other.
  public func fail(_ operation: Operation, with error: KeyStoreError) {
    state.withLock { $0.failures[operation, default: []].append(error) }
  }

  /// How often a key has signed.
  public func signatures(tag: String) -> Int { state.withLock { $0.signatures[tag] ?? 0 } }

  private func check(_ operation: Operation) throws(KeyStoreError) {
    let failure = state.withLock { state -> KeyStoreError? in
      guard let first = state.failures[operation]?.first else { return nil }
      state.failures[operation]?.removeFirst()
      return first
    }
    if let failure { throw failure }
  }
}

extension KeyRole {
  /// Refuses a key that shows the person's presence and would sign without it (spec/device.md §19.2).
  func check(_ binding: KeyBinding?, tag: String) throws(KeyStoreError) {
    guard binding == nil else { return }
    switch self {
    case .proofOfPossession, .clientInstance: return
    case .userVerification, .userVerificationBioOrPin:
      throw .notMade(tag: tag, reason: "a key of role \(rawValue) must be bound to a verified person")
    }
  }
}
