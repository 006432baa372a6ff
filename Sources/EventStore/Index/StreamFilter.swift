// A Bloom filter over the streams of a segment: a look-up of a stream passes by the segments that do not have it
// without reading them. 16 bits a stream and 6 probes: one stream in about 900 is looked for in vain.

/// Which streams a segment may have.
struct StreamFilter: Sendable, Hashable {
  /// The bits, 64 a word, the least significant first.
  private(set) var words: [UInt64]

  private static let bitsPerStream = 16
  private static let probes: UInt64 = 6

  /// A filter over these streams.
  init(_ keys: some Collection<StreamKey>) {
    words = [UInt64](repeating: 0, count: (keys.count * Self.bitsPerStream + 63) / 64)
    let bits = UInt64(words.count) * 64
    for key in keys {
      for probe in 0..<Self.probes {
        let bit = Self.place(of: key, probe: probe, in: bits)
        words[Int(bit / 64)] |= 1 << (bit % 64)
      }
    }
  }

  /// Reads a filter of `count` words.
  init(from cursor: inout ByteCursor, words count: Int) throws(StoreError) {
    words = []
    words.reserveCapacity(Swift.min(count, cursor.remaining / 8))
    for _ in 0..<count { words.append(try cursor.uint64()) }
  }

  /// False if the segment certainly has no such stream.
  func mayHave(_ key: StreamKey) -> Bool {
    let bits = UInt64(words.count) * 64
    guard bits > 0 else { return false }
    for probe in 0..<Self.probes {
      let bit = Self.place(of: key, probe: probe, in: bits)
      if words[Int(bit / 64)] & 1 << (bit % 64) == 0 { return false }
    }
    return true
  }

  /// Bit i of a key is (high + i * low) mod bits, all in 64 bits: Kirsch and Mitzenmacher, «Less Hashing, Same
  /// Performance», 2006.
  private static func place(of key: StreamKey, probe: UInt64, in bits: UInt64) -> UInt64 {
    (key.high &+ probe &* (key.low | 1)) % bits
  }
}
