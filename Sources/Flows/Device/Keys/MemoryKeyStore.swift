// A key store that lasts as long as the process, for tests, demonstrations, and devices that enroll again at each
// start.

import Crypto
import FlowRecording

/// Keeps keys in memory, with the same rules as `FileKeyStore`: a bound key is sealed and opens only with its receipt.
public final class MemoryKeyStore: KeyStore {
  /// The operations of a key store.
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

  /// The protection that the store reports; keys are in memory regardless.
  public let protection: KeyProtection
  private let state = Locked(State())

  /// Creates an empty store.
  ///
  /// - Parameter protection: the protection to report; use `hardware` to test orgs that require it.
  public init(protection: KeyProtection = .software) { self.protection = protection }

  /// Creates a key under a tag. Roles that require a person need a binding.
  ///
  /// - Throws: `notMade` if the role needs a binding or the binding does not match, or the error set with `fail`.
  public func generate(tag: String, role: KeyRole, binding: KeyBinding?) throws(KeyStoreError) -> PublicKey {
    try check(.generate)
    return try add(P256.Signing.PrivateKey(), tag: tag, role: role, binding: binding)
  }

  /// Adds an existing key, such as one from a test vector.
  ///
  /// - Parameters:
  ///   - privateKey: the 32 bytes of the private scalar (`d` of a JWK).
  ///   - tag: the tag to store it under.
  ///   - role: the purpose of the key.
  ///   - binding: the verification that is required before it signs; `nil` for none.
  /// - Throws: `notMade` if the bytes are not a valid P-256 private key.
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

  /// Returns the public key for a tag, or `nil` if there is none.
  ///
  /// - Throws: only the error set with `fail` for this operation.
  public func publicKey(tag: String) throws(KeyStoreError) -> PublicKey? {
    try check(.publicKey)
    return state.withLock { $0.entries[tag]?.publicKey }
  }

  /// Reports whether the key can currently be used.
  public func state(tag: String) -> KeyState {
    state.withLock { state in
      guard let entry = state.entries[tag] else { return .lost }
      return entry.isLockedOut ? .lockedOut : .available
    }
  }

  /// Reports whether a key is valid under an enrolled set. A missing key is never valid.
  public func counts(tag: String, under epoch: [UInt8]) -> Bool {
    switch state.withLock({ $0.entries[tag]?.secret }) {
    case .open: true
    case .bound(let seal): seal.isBound(under: epoch)
    case nil: false
    }
  }

  /// Signs a message. A bound key needs the receipt that it was bound with, under the same enrolled set.
  ///
  /// - Throws: `notFound`; `lockedOut`; `notVerified` without the right receipt; `invalidated` under a different
  ///   enrolled set; or the error set with `fail`.
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

  /// Removes a key.
  ///
  /// - Throws: only the error set with `fail` for this operation.
  @discardableResult
  public func delete(tag: String) throws(KeyStoreError) -> Bool {
    try check(.delete)
    return state.withLock { $0.entries.removeValue(forKey: tag) != nil }
  }

  /// Returns the tags of all keys.
  ///
  /// - Throws: only the error set with `fail` for this operation.
  public func tags() throws(KeyStoreError) -> [String] {
    try check(.tags)
    return state.withLock { Array($0.entries.keys) }
  }

  // MARK: Simulated hardware behavior

  /// Locks a key, as a chip does after too many wrong PINs, or unlocks it.
  public func setLockedOut(_ isLockedOut: Bool, tag: String) {
    state.withLock { $0.entries[tag]?.isLockedOut = isLockedOut }
  }

  /// Makes the next call of an operation throw an error. If this is called twice, the next two calls throw, in order.
  public func fail(_ operation: Operation, with error: KeyStoreError) {
    state.withLock { $0.failures[operation, default: []].append(error) }
  }

  /// How many times a key has signed.
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
  /// Refuses a key that proves the person's presence but would sign without it (spec/device.md §19.2).
  func check(_ binding: KeyBinding?, tag: String) throws(KeyStoreError) {
    guard binding == nil else { return }
    switch self {
    case .proofOfPossession, .clientInstance: return
    case .userVerification, .userVerificationBioOrPin:
      throw .notMade(tag: tag, reason: "a key of role \(rawValue) must be bound to a verified person")
    }
  }
}
