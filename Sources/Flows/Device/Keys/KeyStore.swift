// Where the private keys of enrollments are (spec/device.md §19.2). A private key never passes through a flow.

/// Makes keys, and signs with them. TPM, PKCS#11 and other hardware plug in here.
///
/// A call may take as long as the key needs; flows make them off their own step. Deleting a key that is not there is no
/// error; making one under a tag that is taken replaces it.
public protocol KeyStore: Sendable {
  /// Where private keys are kept, for `okta:kpr`.
  var protection: KeyProtection { get }

  /// Makes a P-256 key under a tag.
  ///
  /// - Parameters:
  ///   - tag: the name of the key, which is its `kid` too.
  ///   - role: what the key is for.
  ///   - binding: for a key that only a verified person may use: what a verifier said when the key was made; nil for
  ///     keys that sign silently. Keys of the roles `userVerification` and `userVerificationBioOrPin` need one, else
  ///     `notMade`.
  /// - Returns: the public key.
  /// - Throws: `KeyStoreError`.
  func generate(tag: String, role: KeyRole, binding: KeyBinding?) throws(KeyStoreError) -> PublicKey
  /// The public key of a tag, or nil if there is no such key. Never asks a person.
  func publicKey(tag: String) throws(KeyStoreError) -> PublicKey?
  /// Whether a key could be used now. Never asks a person.
  func state(tag: String) -> KeyState
  /// Whether a key counts under an enrolled set: one that is bound to a verified person counts under no other than that which
  /// it was bound under. Never asks a person.
  ///
  /// - Parameters:
  ///   - tag: the key.
  ///   - epoch: the verifier's `enrolmentEpoch`.
  func counts(tag: String, under epoch: [UInt8]) -> Bool
  /// Signs with ECDSA over SHA-256.
  ///
  /// - Parameters:
  ///   - message: what is signed.
  ///   - tag: the key.
  ///   - receipt: what a verifier gave when it verified the person; needed by keys that are bound to one.
  /// - Returns: 64 bytes, r then s, each padded to 32 (RFC 7518 §3.4).
  /// - Throws: `KeyStoreError`.
  func sign(_ message: [UInt8], tag: String, receipt: VerificationReceipt?) throws(KeyStoreError) -> [UInt8]
  /// Destroys a key.
  ///
  /// - Returns: whether there was one.
  @discardableResult func delete(tag: String) throws(KeyStoreError) -> Bool
  /// The tags of all keys, in no order.
  func tags() throws(KeyStoreError) -> [String]
}

extension KeyStore {
  /// A store that does not know says so when it signs.
  public func counts(tag: String, under epoch: [UInt8]) -> Bool { true }
}

/// What a key is for.
public enum KeyRole: String, Sendable, Hashable, CaseIterable {
  /// Shows that the device is there; signs silently.
  case proofOfPossession
  /// Shows that the person is there; signs only after a verifier said so.
  case userVerification
  /// Shows that the person is there, by biometry or PIN. Carried in data, never used for push.
  case userVerificationBioOrPin
  /// Shows that this is the device of the device record; belongs to an org, not to a person.
  case clientInstance
}

/// Where a private key lives (`okta:kpr`). It is a statement, not a proof.
public enum KeyProtection: String, Sendable, Hashable {
  /// In files or memory.
  case software = "SOFTWARE"
  /// In a chip that does not give it away.
  case hardware = "HARDWARE"
}

/// Whether a key could be used now.
public enum KeyState: String, Sendable, Hashable {
  /// It can.
  case available
  /// Tried too often; not for now.
  case lockedOut
  /// Not there, or not readable.
  case lost
}

/// What binds a key to a verified person.
public struct KeyBinding: Sendable {
  /// Released by the verifier when it verified the person; a bound key is sealed under it.
  public var receipt: VerificationReceipt
  /// What the verifier's enrolled set was then; a key signs only under the same one.
  public var epoch: [UInt8]

  /// Makes a binding. The epoch must be the receipt's: `generate` refuses any other.
  public init(receipt: VerificationReceipt, epoch: [UInt8]) {
    self.receipt = receipt
    self.epoch = epoch
  }

  /// Binds to the person and the enrolled set of a receipt.
  public init(_ receipt: VerificationReceipt) { self.init(receipt: receipt, epoch: receipt.epoch) }
}

/// A P-256 public key.
public struct PublicKey: Sendable, Hashable {
  /// The coordinates, 32 bytes each, big-endian, padded with zeros.
  public var x: [UInt8]
  /// The second coordinate.
  public var y: [UInt8]

  /// Makes a key of its coordinates, 32 bytes each.
  public init(x: [UInt8], y: [UInt8]) {
    self.x = x
    self.y = y
  }
}

/// Why a key could not be made or used (spec/device.md §9.3, §15.2).
public enum KeyStoreError: Error, Sendable, Hashable {
  /// No key of that tag is there.
  case notFound(tag: String)
  /// The key was bound to an enrolled set that is another one now.
  case invalidated(tag: String)
  /// A bound key was used without a receipt, or with that of someone else.
  case notVerified(tag: String)
  /// Tried too often; not for now.
  case lockedOut(tag: String)
  /// The store cannot keep keys of this protection, or could not make one.
  case notMade(tag: String, reason: String)
  /// The store could not be read, written or unlocked.
  case unavailable(reason: String)
}
