// A SHA-256 value as four words, so that a list of them is one allocation, with none per record.
import Crypto

/// A hash of the log's Merkle tree: 32 bytes of SHA-256 (RFC 6962 §2.1).
public struct TreeHash: Sendable, Hashable, CustomStringConvertible {
  private var first: UInt64
  private var second: UInt64
  private var third: UInt64
  private var fourth: UInt64

  /// The hash with these bytes, or nil if there are not 32 of them.
  public init?(bytes: some Sequence<UInt8>) {
    var words: [UInt64] = [0, 0, 0, 0]
    var count = 0
    for byte in bytes {
      guard count < 32 else { return nil }
      words[count / 8] = words[count / 8] << 8 | UInt64(byte)
      count += 1
    }
    guard count == 32 else { return nil }
    (first, second, third, fourth) = (words[0], words[1], words[2], words[3])
  }

  /// The hash that standard base64 names, or nil if it is not the base64 of 32 bytes.
  public init?(base64: some StringProtocol) {
    guard let bytes = Base64.decode(base64) else { return nil }
    self.init(bytes: bytes)
  }

  /// The plain SHA-256 of some bytes, without the prefix of a leaf or a node.
  package init(sha256Of bytes: [UInt8]) { self.init(SHA256.hash(data: bytes)) }

  /// The result of a SHA-256.
  init(_ digest: SHA256Digest) {
    (first, second, third, fourth) = unsafe digest.withUnsafeBytes { bytes in
      // SAFETY: a SHA-256 digest has 32 bytes; loads are unaligned and inside of them.
      unsafe (
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
      )
    }
  }

  /// The 32 bytes.
  public var bytes: [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(32)
    append(to: &out)
    return out
  }

  /// The standard base64 of the bytes: 44 characters.
  public var description: String { Base64.encode(bytes) }

  /// The first `count` bytes in hexadecimal digits, all of them if no number is given.
  package func hexadecimal(_ count: Int = 32) -> String {
    bytes.prefix(count).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 2 ? digits : "0" + digits
    }.joined()
  }

  /// Appends the 32 bytes.
  package func append(to out: inout [UInt8]) {
    for word in [first, second, third, fourth] {
      for shift in stride(from: UInt64(56), through: 0, by: -8) { out.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
  }

  /// The four words, most significant byte first in each.
  var words: (UInt64, UInt64, UInt64, UInt64) { (first, second, third, fourth) }
}
