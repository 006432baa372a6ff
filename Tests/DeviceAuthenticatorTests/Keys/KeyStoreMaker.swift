import Crypto
import DeviceAuthenticator
import Foundation
import Testing

/// Makes an empty key store, for tests of what each of them must do.
struct KeyStoreMaker: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var make: @Sendable () throws -> any KeyStore

  static let all = [KeyStoreMaker(testDescription: "memory") { MemoryKeyStore() }]
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
