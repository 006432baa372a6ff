// The key seam: signatures are computed outside the flow, and recorded as draws.

import Crypto

/// Makes keys and signs with them. A private key never passes through a flow.
public protocol SigningKeys: Sendable {
  /// Makes a P-256 key under an id.
  ///
  /// - Returns: its public key, 65 bytes, uncompressed (SEC 1 §2.3.3).
  /// - Throws: `SigningKeyError` if the id is already in use.
  func makeKey(id: String) throws(SigningKeyError) -> [UInt8]
  /// Signs with ECDSA over SHA-256.
  ///
  /// - Returns: the signature, 64 bytes, r then s (RFC 7518 §3.4).
  /// - Throws: `SigningKeyError` if there is no such key, or it cannot sign.
  func sign(_ message: [UInt8], with id: String) throws(SigningKeyError) -> [UInt8]
}

/// Why a key could not be made or used.
public enum SigningKeyError: Error, Sendable, Hashable {
  /// There is already a key with that id.
  case exists(String)
  /// There is no key with that id.
  case notFound(String)
  /// The person refused to unlock the key.
  case cancelled(String)
  /// Too many attempts; the key is locked for now.
  case lockedOut(String)
  /// The key is no longer valid, because what protects it changed.
  case invalidated(String)
  /// The key could not sign.
  case failed(String)
}

/// Keys in the memory of this process only.
public final class SoftwareKeys: SigningKeys {
  private let keys = Locked<[String: P256.Signing.PrivateKey]>([:])

  /// A holder without keys.
  public init() {}

  /// Makes a key from the system's generator.
  ///
  /// - Throws: `exists` if the id is already in use.
  public func makeKey(id: String) throws(SigningKeyError) -> [UInt8] {
    let key = P256.Signing.PrivateKey()
    let isNew = keys.withLock { keys in
      guard keys[id] == nil else { return false }
      keys[id] = key
      return true
    }
    guard isNew else { throw .exists(id) }
    return Array(key.publicKey.x963Representation)
  }

  /// Signs with a key made before.
  ///
  /// - Throws: `notFound` if there is no such key, `failed` if it cannot sign.
  public func sign(_ message: [UInt8], with id: String) throws(SigningKeyError) -> [UInt8] {
    guard let key = keys.withLock({ $0[id] }) else { throw .notFound(id) }
    do {
      return Array(try key.signature(for: message).rawRepresentation)
    } catch {
      throw .failed(id)
    }
  }
}
