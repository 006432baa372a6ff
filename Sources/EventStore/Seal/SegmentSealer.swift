// Rewrites a closed segment for keeping (docs/FORMAT.md §10): large LZ4-HC blocks, an index and subtree hashes at the
// end. The records, their positions, hashes and proofs do not change.

/// Seals the closed segments of a store.
struct SegmentSealer {
  let layout: StoreLayout
  let disk: any Disk
  /// The minimum number of bytes that a frame, and a block of it, decodes to, except for the last.
  var size = (frame: Self.frameBytes, block: Self.blockBytes)
  /// Called every few thousand records; returning false ends the work, and leaves the segment as it is.
  var mayGoOn: () -> Bool = { true }

  /// The minimum number of bytes that a frame decodes to, except for the last: sealed sign-in events take 107% of what
  /// `gzip -6` makes of them, and a frame decodes in 0.1 to 0.3 ms.
  static let frameBytes = 1 << 20
  /// The minimum number of bytes that a block of it decodes to, except for the last: LZ4-HC compresses it to less than
  /// the 64 KiB that `lz4` reads at a time, see `FrameFormat.ending`. Blocks refer to those before them, so that this
  /// costs nothing.
  static let blockBytes = 192 << 10
  /// Level 12 is three times as slow, and saves 0.2% on sign-in events.
  static let compressionLevel: Int32 = 9

  /// True if a closed segment can be sealed: it was neither sealed nor pruned. Reads a few bytes.
  static func takes(_ file: any DiskFile) throws(StoreError) -> Bool {
    let form = try FooterPlace.form(in: file)
    return form == nil || form == .closed
  }

  /// Seals the segment `first`, which `next` follows. Nil if it is sealed or pruned already, and as `replace` says.
  func seal(_ first: UInt64, before next: UInt64) throws(StoreError) -> SegmentReplacement.Outcome? {
    guard try Self.takes(try disk.open(layout.segment(first), .read)) else { return nil }
    let compressor = try BlockCompressor(level: Self.compressionLevel)
    return try SegmentReplacement(layout: layout, disk: disk).replace(first, before: next) {
      old, limit, draft throws(StoreError) in
      var blocks = SealedBlocks(draft, compressor: compressor, size: size)
      var leaves: [TreeHash] = []
      var contents = try SegmentContents(linesOf: old, limit: limit) { line, position, hash throws(StoreError) in
        if position % 4_096 == 0, !mayGoOn() {
          throw StoreError(.closed, "the log was closed while a segment was sealed", advice: "seal it later")
        }
        try blocks.add(line, at: position)
        leaves.append(hash)
      }
      try blocks.end()
      contents.form = .sealed
      contents.frames = blocks.frames
      contents.nodes = SegmentNodes(contents.first..<contents.frontier.size).hashes(of: leaves)
      return contents
    } compare: { file, contents throws(StoreError) in
      // Decodes all of it, and hashes each line again.
      var said = contents
      (said.nodes, said.form) = ([], .closed)
      return try SegmentContents(linesOf: file, limit: nil) == said
    }
  }
}

/// The frames of a sealed segment, while they are written.
struct SealedBlocks {
  /// The frames that have been written.
  private(set) var frames: [IndexedFrame] = []
  private let draft: SegmentReplacement.Draft
  private let compressor: BlockCompressor
  /// The lines of the next block.
  private var block: [UInt8] = []
  /// The frame, as far as it is compressed.
  private var frame: [UInt8] = []
  private var rawBytes = 0
  private var largestBlock = 0
  private var first: UInt64 = 0
  private var count: UInt32 = 0
  private let size: (frame: Int, block: Int)

  init(_ draft: SegmentReplacement.Draft, compressor: BlockCompressor, size: (frame: Int, block: Int)) {
    self.size = size
    self.draft = draft
    self.compressor = compressor
  }

  /// Adds a line, the one at `position`; a full frame is written.
  mutating func add(_ line: Span<UInt8>, at position: UInt64) throws(StoreError) {
    if count == 0 { first = position }
    block.append(contentsOf: CommitLines.array(line))
    block.append(0x0A)
    count += 1
    if block.count >= size.block { try endBlock() }
    if rawBytes >= size.frame { try end() }
  }

  /// Writes what was added as a frame.
  mutating func end() throws(StoreError) {
    guard count > 0 else { return }
    try endBlock()
    frame.append(contentsOf: FrameFormat.ending(afterBlockOf: largestBlock))
    frames.append(IndexedFrame(offset: draft.offset, first: first, length: UInt32(frame.count), count: count))
    try draft.write(frame)
    frame.removeAll(keepingCapacity: true)
    (rawBytes, largestBlock, count) = (0, 0, 0)
  }

  private mutating func endBlock() throws(StoreError) {
    guard !block.isEmpty else { return }
    var out: [UInt8] = []
    swap(&out, &frame)
    if out.isEmpty { try compressor.begin(into: &out) }
    largestBlock = max(largestBlock, try compressor.add(block.span, into: &out))
    swap(&out, &frame)
    rawBytes += block.count
    block.removeAll(keepingCapacity: true)
  }
}
