import Crypto
import DeviceAuthenticator
import Foundation
import Testing

/// Makes an empty key store, for tests of what each of them must do.
struct KeyStoreMaker: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var make: @Sendable () throws -> any KeyStore

  static let all = [
    KeyStoreMaker(testDescription: "memory") { MemoryKeyStore() },
    KeyStoreMaker(testDescription: "files, plain") { try FolderStore(seal: .none) },
    KeyStoreMaker(testDescription: "files under a passphrase") {
      try FolderStore(seal: .passphrase("correct horse", cost: .weakForTests))
    },
    KeyStoreMaker(testDescription: "files under a key") { try FolderStore(seal: .key(Array(repeating: 5, count: 32))) },
  ]
}

/// A store in a folder of its own, opened again for each call: nothing may live in the object alone.
struct FolderStore: KeyStore {
  let folder = try? OwnFolder()
  let seal: KeySeal

  init(seal: KeySeal) throws {
    self.seal = seal
    _ = try open()
  }

  private func open() throws(KeyStoreError) -> FileKeyStore {
    guard let folder else { throw .unavailable(reason: "no temporary folder") }
    return try FileKeyStore(directory: folder.file("keys"), seal: seal)
  }

  var protection: KeyProtection { .software }
  func generate(tag: String, role: KeyRole, binding: KeyBinding?) throws(KeyStoreError) -> PublicKey {
    try open().generate(tag: tag, role: role, binding: binding)
  }
  func publicKey(tag: String) throws(KeyStoreError) -> PublicKey? { try open().publicKey(tag: tag) }
  func state(tag: String) -> KeyState { (try? open())?.state(tag: tag) ?? .lost }
  func counts(tag: String, under epoch: [UInt8]) -> Bool {
    (try? open())?.counts(tag: tag, under: epoch) ?? false
  }
  func sign(_ message: [UInt8], tag: String, receipt: VerificationReceipt?) throws(KeyStoreError) -> [UInt8] {
    try open().sign(message, tag: tag, receipt: receipt)
  }
  func delete(tag: String) throws(KeyStoreError) -> Bool { try open().delete(tag: tag) }
  func tags() throws(KeyStoreError) -> [String] { try open().tags() }
}

extension PublicKey {
  /// Whether a signature is this key's, by swift-crypto.
  func verifies(_ signature: [UInt8], of message: [UInt8]) throws -> Bool {
    let key = try P256.Signing.PublicKey(rawRepresentation: Data(x + y))
    return key.isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: Data(signature)), for: Data(message))
  }
}

/// Something else happened than the test is about.
struct Unexpected: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
