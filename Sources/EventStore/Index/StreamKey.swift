// The index's key for a stream: the same number on every machine, evenly distributed, and too long to collide by
// chance.
import Crypto

/// The first 16 bytes of the SHA-256 of a stream's name.
struct StreamKey: Sendable, Hashable, Comparable {
  /// Bytes 0...7, the first the most significant: the order of keys is that of their bytes.
  let high: UInt64
  /// Bytes 8...15.
  let low: UInt64

  /// How many bytes it takes in the index.
  static let length = 16

  /// The key of a name.
  init(_ name: [UInt8]) {
    let digest = SHA256.hash(data: name)
    (high, low) = unsafe digest.withUnsafeBytes { bytes in
      // SAFETY: a SHA-256 digest has 32 bytes; both loads are unaligned and inside of the first 16.
      unsafe (
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }

  /// The key of a stream.
  init(of stream: String) { self.init(Array(stream.utf8)) }

  /// Reads 16 bytes.
  init(from cursor: inout ByteCursor) throws(StoreError) {
    high = try cursor.uint64().byteSwapped
    low = try cursor.uint64().byteSwapped
  }

  /// Appends the 16 bytes.
  func append(to out: inout [UInt8]) {
    out.appendUInt64(high.byteSwapped)
    out.appendUInt64(low.byteSwapped)
  }

  static func < (one: StreamKey, other: StreamKey) -> Bool {
    one.high == other.high ? one.low < other.low : one.high < other.high
  }
}
