// Rewrites a closed segment for keeping (docs/FORMAT.md §10): large LZ4-HC blocks, an index and subtree hashes at the end. The
// records, their positions, hashes and proofs stay what they are.

/// Seals the closed segments of a store.
struct SegmentSealer {
  let layout: StoreLayout
  let disk: any Disk
  /// Asked every few thousand records; false ends the work, and leaves the segment as it is.
  var mayGoOn: () -> Bool = { true }

  /// How many bytes a block decodes to at least, but for the last. Measured on sign-in events, against `gzip -6`: 137% with
  /// 64 KiB, 125% with 256 KiB, 121% with 1 MiB; a block of 1 MiB decodes in 0.1 to 0.3 ms.
  static let blockBytes = 1 << 20
  /// Level 12 is three times as slow, and saves 0.2% on sign-in events.
  static let compressionLevel: Int32 = 9

  /// Seals the segment `first`, which `next` follows. Nil where it is sealed or pruned already, and as `replace` says.
  func seal(_ first: UInt64, before next: UInt64) throws(StoreError) -> SegmentReplacement.Outcome? {
    guard try FooterPlace.body(in: try disk.open(layout.segment(first), .read)) == nil else { return nil }
    let compressor = try BlockCompressor(level: Self.compressionLevel)
    return try SegmentReplacement(layout: layout, disk: disk).replace(first, before: next) {
      old, limit, draft throws(StoreError) in
      var blocks = SealedBlocks(draft, compressor: compressor)
      var leaves: [TreeHash] = []
      var contents = try SegmentContents(linesOf: old, limit: limit) { line, position, hash throws(StoreError) in
        if position % 4_096 == 0, !mayGoOn() {
          throw StoreError(.closed, "the log was closed while a segment was sealed", advice: "seal it later")
        }
        try blocks.add(line, at: position)
        leaves.append(hash)
      }
      try blocks.end()
      contents.frames = blocks.frames
      contents.nodes = SegmentNodes(contents.first..<contents.frontier.size).hashes(of: leaves)
      return contents
    } compare: { file, contents throws(StoreError) in
      // Decodes all of it, and hashes each line again.
      var said = contents
      said.nodes = []
      return try SegmentContents(linesOf: file, limit: nil) == said
    }
  }
}

/// The frames of a sealed segment, of one block each, while they are written.
struct SealedBlocks {
  /// The frames that have been written.
  private(set) var frames: [IndexedFrame] = []
  private let draft: SegmentReplacement.Draft
  private let compressor: BlockCompressor
  private var block: [UInt8] = []
  private var first: UInt64 = 0
  private var count: UInt32 = 0

  init(_ draft: SegmentReplacement.Draft, compressor: BlockCompressor) {
    self.draft = draft
    self.compressor = compressor
  }

  /// Adds a line, the one at `position`; a full block is written.
  mutating func add(_ line: Span<UInt8>, at position: UInt64) throws(StoreError) {
    if count == 0 { first = position }
    block.append(contentsOf: CommitLines.array(line))
    block.append(0x0A)
    count += 1
    if block.count >= SegmentSealer.blockBytes { try end() }
  }

  /// Writes what was added as a frame of one block.
  mutating func end() throws(StoreError) {
    guard count > 0 else { return }
    var out: [UInt8] = []
    try compressor.begin(into: &out)
    let stored = try compressor.add(block.span, into: &out)
    out.append(contentsOf: FrameFormat.ending(afterBlockOf: stored))
    frames.append(IndexedFrame(offset: draft.offset, first: first, length: UInt32(out.count), count: count))
    try draft.write(out)
    block.removeAll(keepingCapacity: true)
    count = 0
  }
}
