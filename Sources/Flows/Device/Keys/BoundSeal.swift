// Binds a private key to a verified person by sealing it under the secret that the verifier released (spec/device.md
// §19.2).

import Crypto
import FlowRecording
import Foundation

/// A private key that can be opened only with the verifier's receipt. The data stored here is not enough to open it.
///
/// The wrapping key is HKDF-SHA256 (RFC 5869) over the receipt's secret, with its own salt and the key's name as info.
/// The private key is sealed under it with AES-256-GCM, which also authenticates the hash of the enrolled set.
struct BoundSeal: Sendable, Hashable {
  /// The length of salts and of receipt secrets, in bytes.
  static let saltLength = 16
  static let secretLength = 32
  static let hashLength = 32

  /// The salt for deriving the wrapping key.
  var salt: [UInt8]
  /// The SHA-256 of the verifier's enrolled set when the key was bound.
  var epochHash: [UInt8]
  /// The nonce, the sealed key, and the tag.
  var box: [UInt8]

  /// The stored hash of an enrolled set.
  static func hash(epoch: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: epoch)) }

  /// Creates a seal from its stored parts.
  init(salt: [UInt8], epochHash: [UInt8], box: [UInt8]) {
    self.salt = salt
    self.epochHash = epochHash
    self.box = box
  }

  /// Seals a private key.
  init(_ key: P256.Signing.PrivateKey, tag: String, role: KeyRole, binding: KeyBinding) throws(KeyStoreError) {
    guard binding.receipt.secret.count == Self.secretLength else {
      throw .notMade(tag: tag, reason: "a receipt's secret has \(Self.secretLength) bytes")
    }
    guard binding.receipt.epoch == binding.epoch else {
      throw .notMade(tag: tag, reason: "the receipt was given under another enrolled set than the binding names")
    }
    salt = RandomBytes.make(count: Self.saltLength)
    epochHash = Self.hash(epoch: binding.epoch)
    let wrapping = Self.wrappingKey(secret: binding.receipt.secret, salt: salt, tag: tag, role: role)
    let sealed = try? AES.GCM.seal(key.rawRepresentation, using: wrapping, authenticating: epochHash).combined
    guard let sealed else { throw .notMade(tag: tag, reason: "the key could not be sealed") }
    box = Array(sealed)
  }

  /// Whether the key was bound under the given enrolled set.
  func isBound(under epoch: [UInt8]) -> Bool { Self.hash(epoch: epoch) == epochHash }

  /// Opens the key with the verifier's receipt.
  ///
  /// - Throws: `notVerified` if there is no receipt or it does not match, `invalidated` if it belongs to a different
  ///   enrolled set.
  func open(tag: String, role: KeyRole, receipt: VerificationReceipt?) throws(KeyStoreError) -> P256.Signing.PrivateKey
  {
    guard let receipt, receipt.secret.count == Self.secretLength else { throw .notVerified(tag: tag) }
    guard isBound(under: receipt.epoch) else { throw .invalidated(tag: tag) }
    let wrapping = Self.wrappingKey(secret: receipt.secret, salt: salt, tag: tag, role: role)
    guard let sealed = try? AES.GCM.SealedBox(combined: box),
      let raw = try? AES.GCM.open(sealed, using: wrapping, authenticating: epochHash),
      let key = try? P256.Signing.PrivateKey(rawRepresentation: raw)
    else { throw .notVerified(tag: tag) }
    return key
  }

  private static func wrappingKey(secret: [UInt8], salt: [UInt8], tag: String, role: KeyRole) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: secret), salt: salt,
      info: Data("flowrecorder bound key 1\0\(role.rawValue)\0\(tag)".utf8), outputByteCount: 32)
  }
}
