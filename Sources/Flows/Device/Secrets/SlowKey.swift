// Derives a key slowly from something a person knows, so that guessing is slow too.

import Crypto
import CryptoExtras
import Foundation

/// The cost of one guess (scrypt, RFC 7914 §2). Deriving a key uses 128 × `blockSize` × `rounds` bytes of memory and
/// passes over them `parallelism` times.
public struct KeyDerivationCost: Sendable, Hashable {
  /// N, a power of two from 2 to 1,048,576.
  public let rounds: Int
  /// r, from 1 to 32.
  public let blockSize: Int
  /// p, from 1 to 16.
  public let parallelism: Int

  /// 32 MiB, three passes: about a quarter of a second on a current machine (OWASP Password Storage Cheat Sheet,
  /// scrypt).
  public static let standard = KeyDerivationCost(checked: 1 << 15, 8, 3)
  /// The lowest cost, for tests only. It offers no protection.
  public static let weakForTests = KeyDerivationCost(checked: 2, 1, 1)

  /// Creates a cost, or returns `nil` if a number is out of range or more than 1 GiB of memory would be needed.
  public init?(rounds: Int, blockSize: Int, parallelism: Int) {
    guard (2...1 << 20).contains(rounds), rounds & (rounds - 1) == 0, (1...32).contains(blockSize),
      (1...16).contains(parallelism), 128 * blockSize * rounds <= 1 << 30
    else { return nil }
    self.init(checked: rounds, blockSize, parallelism)
  }

  private init(checked rounds: Int, _ blockSize: Int, _ parallelism: Int) {
    self.rounds = rounds
    self.blockSize = blockSize
    self.parallelism = parallelism
  }
}

/// Derives keys with scrypt.
enum SlowKey {
  /// Derives 32 bytes from a passphrase or PIN; `nil` if there is not enough memory.
  ///
  /// The text is first normalized to Unicode's composed form, so that keyboards that enter it differently give the same
  /// result.
  static func derive(_ text: String, salt: [UInt8], cost: KeyDerivationCost) -> [UInt8]? {
    let bytes = Array(text.precomposedStringWithCanonicalMapping.utf8)
    // scrypt needs 128 × r × (N + p) bytes (RFC 7914 §5, §6), plus a small overhead.
    let memory = 128 * cost.blockSize * (cost.rounds + cost.parallelism) + 1 << 20
    let key = try? KDF.Scrypt.deriveKey(
      from: bytes, salt: salt, outputByteCount: 32, rounds: cost.rounds, blockSize: cost.blockSize,
      parallelism: cost.parallelism, maxMemory: memory)
    // SAFETY: the bytes are copied before the closure ends.
    return key.map { unsafe $0.withUnsafeBytes { unsafe Array($0) } }
  }
}
