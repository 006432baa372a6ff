// Keys that are the same each time a scenario is played: their public halves are in the log.

public import DeviceAuthenticator
import FlowRecording

/// A key store in memory whose private keys follow from a seed. For scenarios alone: who knows the seed has the keys.
public struct SeededKeyStore: KeyStore {
  /// Where the keys are kept, and what hardware does now and then.
  public let memory = MemoryKeyStore()
  private let entropy: SeededEntropy

  /// A store whose first key follows from the seed, and each other one from the one before.
  public init(seed: UInt64) { entropy = SeededEntropy(seed: seed) }

  /// As the store in memory.
  public var protection: KeyProtection { memory.protection }

  /// Makes the next key.
  public func generate(tag: String, role: KeyRole, binding: KeyBinding?) throws(KeyStoreError) -> PublicKey {
    // A scalar of P-256 is below the order of the group, which begins with 0xFFFFFFFF: so is one that begins with zero.
    var scalar: [UInt8] = [0]
    while scalar.count < 32 {
      let bits = entropy.next()
      for shift in stride(from: 0, to: 64, by: 8) where scalar.count < 32 {
        scalar.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
      }
    }
    return try memory.add(privateKey: scalar, tag: tag, role: role, binding: binding)
  }

  /// As the store in memory.
  public func publicKey(tag: String) throws(KeyStoreError) -> PublicKey? { try memory.publicKey(tag: tag) }
  /// As the store in memory.
  public func state(tag: String) -> KeyState { memory.state(tag: tag) }
  /// As the store in memory. The signature differs each time; no log shows one.
  public func sign(_ message: [UInt8], tag: String, receipt: VerificationReceipt?) throws(KeyStoreError) -> [UInt8] {
    try memory.sign(message, tag: tag, receipt: receipt)
  }
  /// As the store in memory.
  @discardableResult
  public func delete(tag: String) throws(KeyStoreError) -> Bool { try memory.delete(tag: tag) }
  /// As the store in memory.
  public func tags() throws(KeyStoreError) -> [String] { try memory.tags() }
}
