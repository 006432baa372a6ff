import Testing

@testable import EventStore

/// Blocks of the LZ4 frame format, made and read; `lz4` and the independent reader check the same bytes elsewhere.
@Suite struct BlockTests {
  @Test("XXH32 agrees with the published values")
  func checksums() {
    // xxHash's own sanity checks: nothing, and the text of its documentation.
    func sum(_ text: String) -> UInt32 { Array(text.utf8).withUnsafeBytes { XXH32.checksum($0) } }
    #expect(sum("") == 0x02CC_5D05)
    #expect(sum("a") == 0x550D_7456)
    #expect(sum("abc") == 0x32D1_53FF)
    #expect(sum("Nobody inspects the spammish repetition") == 0xE229_3B2F)
  }

  @Test("What was compressed comes back, block by block, whatever the sizes")
  func roundTrip() throws {
    for level: Int32 in [0, 9] { try roundTrip(level: level) }
  }

  private func roundTrip(level: Int32) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("blocks: seed \(seed)")
    var play = SeededRandom(seed)
    let compressor = try BlockCompressor(level: level)
    let decompressor = try BlockDecompressor()
    for sizes in [
      [1, 12, 1_000, 70_000, 300_000, 3, 1 << 20, 900_000, 4 << 20, 17, 65_536, 5], [2 << 20, 9], [3 << 20],
    ] {
      var header: [UInt8] = []
      try compressor.begin(into: &header)
      try decompressor.begin(header: header[...])
      for size in sizes {
        let commit = Self.bytes(size, &play)
        var block: [UInt8] = []
        try compressor.add(commit.span, into: &block)
        try decompressor.decode(block: block[...])
        let found = decompressor.withOutput { CommitLines.array($0) }
        #expect(found == commit, "a block of \(size) bytes")
      }
    }
  }

  @Test("A block refers to all of the 64 KiB before it, not to the last block alone")
  func history() throws {
    var play = SeededRandom(1)
    let compressor = try BlockCompressor()
    var out: [UInt8] = []
    try compressor.begin(into: &out)
    let texts = (0..<8).map { _ in Self.noise(900, &play) }
    for text in texts { try compressor.add(text.span, into: &out) }
    let before = out.count
    for text in texts { try compressor.add(text.span, into: &out) }
    #expect(out.count - before < 8 * 100)
  }

  @Test("A flipped bit in a block is found, and decoding never traps")
  func damage() throws {
    var play = SeededRandom(2)
    let compressor = try BlockCompressor()
    var header: [UInt8] = []
    try compressor.begin(into: &header)
    var block: [UInt8] = []
    try compressor.add(Self.bytes(300, &play).span, into: &block)
    let decompressor = try BlockDecompressor()
    // Bit 31 says «stored as it is», and no checksum covers it: what comes out then is no line, as the envelope shows.
    for bit in 0..<block.count * 8 where bit != 31 {
      var damaged = block
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      try decompressor.begin(header: header[...])
      #expect(throws: StoreError.self) { try decompressor.decode(block: damaged[...]) }
    }
    for length in 0..<block.count {
      try decompressor.begin(header: header[...])
      #expect(throws: StoreError.self) { try decompressor.decode(block: block[..<length]) }
    }
    for bit in 0..<header.count * 8 {
      var damaged = header
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: StoreError.self) { try decompressor.begin(header: damaged[...]) }
    }
  }

  /// Bytes that compress in part.
  private static func bytes(_ count: Int, _ play: inout SeededRandom) -> [UInt8] {
    var out: [UInt8] = []
    let some = noise(4_096, &play)
    while out.count < count {
      let start = Int.random(in: 0..<3_000, using: &play)
      out +=
        Int.random(in: 0..<3, using: &play) == 0
        ? Array(some[start..<start + Int.random(in: 1..<1_000, using: &play)]) : Array("{\"type\":\"call.made\"}".utf8)
    }
    return Array(out.prefix(count))
  }

  private static func noise(_ count: Int, _ play: inout SeededRandom) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &play) }
  }
}
