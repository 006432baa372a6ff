// Storage for the private keys of enrollments (spec/device.md §19.2). A private key never passes through a flow.

/// Creates keys and signs with them. Implement this for a TPM, PKCS#11, or other hardware.
///
/// A call may take as long as the key needs, because flows call the store outside of their own steps. Deleting a
/// missing key is not an error; creating a key under an existing tag replaces the old key.
public protocol KeyStore: Sendable {
  /// How private keys are protected, reported as `okta:kpr`.
  var protection: KeyProtection { get }

  /// Creates a P-256 key under a tag.
  ///
  /// - Parameters:
  ///   - tag: the name of the key, which is also its `kid`.
  ///   - role: the purpose of the key.
  ///   - binding: what a verifier returned when the key was created, for a key that only a verified person may use;
  ///     `nil` for keys that sign silently. The roles `userVerification` and `userVerificationBioOrPin` require a
  ///     binding and otherwise throw `notMade`.
  /// - Returns: the public key.
  /// - Throws: `KeyStoreError`.
  func generate(tag: String, role: KeyRole, binding: KeyBinding?) throws(KeyStoreError) -> PublicKey
  /// Returns the public key for a tag, or `nil` if there is no such key. Never prompts the person.
  func publicKey(tag: String) throws(KeyStoreError) -> PublicKey?
  /// Reports whether a key can currently be used. Never prompts the person.
  func state(tag: String) -> KeyState
  /// Reports whether a key is valid under an enrolled set. A key that is bound to a verified person is valid only under
  /// the set that it was bound under. Never prompts the person.
  ///
  /// - Parameters:
  ///   - tag: the tag of the key.
  ///   - epoch: the verifier's `enrolmentEpoch`.
  func counts(tag: String, under epoch: [UInt8]) -> Bool
  /// Signs with ECDSA over SHA-256.
  ///
  /// - Parameters:
  ///   - message: the bytes to sign.
  ///   - tag: the tag of the key.
  ///   - receipt: the receipt from the verification of the person; required by bound keys.
  /// - Returns: 64 bytes: r, then s, each padded to 32 bytes (RFC 7518 §3.4).
  /// - Throws: `KeyStoreError`.
  func sign(_ message: [UInt8], tag: String, receipt: VerificationReceipt?) throws(KeyStoreError) -> [UInt8]
  /// Destroys a key.
  ///
  /// - Returns: whether the key existed.
  @discardableResult func delete(tag: String) throws(KeyStoreError) -> Bool
  /// Returns the tags of all keys, in no particular order.
  func tags() throws(KeyStoreError) -> [String]
}

extension KeyStore {
  /// The default, for a store that learns this only when it signs. Always returns `true`.
  public func counts(tag: String, under epoch: [UInt8]) -> Bool { true }
}

/// The purpose of a key.
public enum KeyRole: String, Sendable, Hashable, CaseIterable {
  /// Proves that the device is present; signs silently.
  case proofOfPossession
  /// Proves that the person is present; signs only after a verifier has confirmed it.
  case userVerification
  /// Proves that the person is present, by biometrics or PIN. Appears in data but is never used for push.
  case userVerificationBioOrPin
  /// Proves that this is the device of the device record; belongs to an org rather than to a person.
  case clientInstance
}

/// Where a private key is kept (`okta:kpr`). This is a claim, not a proof.
public enum KeyProtection: String, Sendable, Hashable {
  /// In files or memory.
  case software = "SOFTWARE"
  /// In a chip that does not release it.
  case hardware = "HARDWARE"
}

/// Whether a key can currently be used.
public enum KeyState: String, Sendable, Hashable {
  /// The key can be used.
  case available
  /// The key is locked temporarily after too many attempts.
  case lockedOut
  /// The key is missing or unreadable.
  case lost
}

/// Binds a key to a verified person.
public struct KeyBinding: Sendable {
  /// The receipt of the verification; a bound key is sealed under it.
  public var receipt: VerificationReceipt
  /// The verifier's enrolled set at that time; the key signs only under the same set.
  public var epoch: [UInt8]

  /// Creates a binding. The epoch must be that of the receipt; `generate` refuses any other.
  public init(receipt: VerificationReceipt, epoch: [UInt8]) {
    self.receipt = receipt
    self.epoch = epoch
  }

  /// Creates a binding to the person and the enrolled set of a receipt.
  public init(_ receipt: VerificationReceipt) { self.init(receipt: receipt, epoch: receipt.epoch) }
}

/// A P-256 public key.
public struct PublicKey: Sendable, Hashable {
  /// The x coordinate: 32 bytes, big-endian, padded with zeros.
  public var x: [UInt8]
  /// The y coordinate: 32 bytes, big-endian, padded with zeros.
  public var y: [UInt8]

  /// Creates a key from its coordinates, 32 bytes each.
  public init(x: [UInt8], y: [UInt8]) {
    self.x = x
    self.y = y
  }
}

/// Why a key could not be created or used (spec/device.md §9.3, §15.2).
public enum KeyStoreError: Error, Sendable, Hashable {
  /// There is no key with this tag.
  case notFound(tag: String)
  /// The verifier's enrolled set has changed since the key was bound.
  case invalidated(tag: String)
  /// A bound key was used without a receipt, or with the receipt of another verification.
  case notVerified(tag: String)
  /// The key is locked temporarily after too many attempts.
  case lockedOut(tag: String)
  /// The key could not be created, or the store cannot provide the protection.
  case notMade(tag: String, reason: String)
  /// The store could not be read, written, or unlocked.
  case unavailable(reason: String)
}
