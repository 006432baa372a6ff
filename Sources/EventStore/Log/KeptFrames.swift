/// Written commits that, or whose frame's directory, a power cut could still take, frame by frame. They are kept in
/// memory, since after a failed sync the content of a file is unknown, and in encoded form, so that they take no more
/// memory than their bytes on disk.
struct KeptFrames {
  /// One frame.
  struct Frame {
    /// The tree before the frame.
    var frontier: MerkleFrontier
    /// The position after its last record.
    var end: UInt64
    /// Its header and its blocks, without end mark.
    var bytes: [UInt8]
  }

  /// The frames, oldest first.
  private(set) var frames: [Frame] = []
  /// How many bytes they have.
  private(set) var byteCount = 0
  /// Memory of frames that were forgotten, for the next ones.
  private var spare: [[UInt8]] = []

  /// How many frames' memory is kept for the next ones, and how much of one: a sync releases many at once.
  private static let spareFrames = 16
  private static let spareBytes = 128 << 10
  /// A frame of 256 KiB of usual lines, as it is stored.
  private static let usualBytes = 80 << 10

  /// The tree before the oldest commit; nil if there is none.
  var frontier: MerkleFrontier? { frames.first?.frontier }

  /// How many bytes the last frame has.
  var lastCount: Int { frames.last?.bytes.count ?? 0 }

  /// Begins a frame after the tree `frontier`, with a commit of `count` bytes.
  mutating func begin(after frontier: MerkleFrontier, commit count: Int) {
    // Room for a frame of the usual size if much is appended at once; a small frame gets no more than it needs.
    var bytes: [UInt8] = []
    if count >= 16 << 10 { bytes = spare.popLast() ?? [] }
    if count >= 16 << 10, bytes.capacity == 0 { bytes.reserveCapacity(Self.usualBytes) }
    frames.append(.init(frontier: frontier, end: .max, bytes: bytes))
  }

  /// Lends the bytes of the last frame, for more of it to be put behind them.
  mutating func withLast<Result>(_ body: (inout [UInt8]) throws(StoreError) -> Result) throws(StoreError) -> Result {
    guard !frames.isEmpty else { preconditionFailure("a commit is in a frame") }
    return try body(&frames[frames.count - 1].bytes)
  }

  /// Lends the bytes of the last frame from `start` on.
  func withLast(from start: Int, _ body: (Span<UInt8>) throws(StoreError) -> Void) throws(StoreError) {
    guard let last = frames.last else { preconditionFailure("a commit is in a frame") }
    try body(last.bytes.span.extracting(start...))
  }

  /// Keeps the last frame from `start` on: a commit that was written, and ends before position `end`.
  mutating func keep(from start: Int, end: UInt64) {
    frames[frames.count - 1].end = end
    byteCount += lastCount - start
  }

  /// Discards the bytes of the last frame from `start` on, since they were not written; if nothing else is in the
  /// frame, discards it too.
  mutating func giveUp(from start: Int) {
    guard start > 0 else { return reuse(frames.removeLast().bytes) }
    frames[frames.count - 1].bytes.removeLast(lastCount - start)
  }

  /// Forgets the frames that end before `settled` or there.
  mutating func forget(before settled: UInt64) {
    guard let oldest = frames.first, oldest.end <= settled else { return }
    let count = frames.firstIndex { $0.end > settled } ?? frames.count
    for index in 0..<count {
      byteCount -= frames[index].bytes.count
      var bytes: [UInt8] = []
      swap(&bytes, &frames[index].bytes)
      reuse(bytes)
    }
    frames.removeFirst(count)
  }

  private mutating func reuse(_ bytes: consuming [UInt8]) {
    guard spare.count < Self.spareFrames, bytes.capacity >= Self.usualBytes,
      bytes.capacity <= Self.spareBytes
    else { return }
    bytes.removeAll(keepingCapacity: true)
    spare.append(bytes)
  }

  /// Forgets all.
  mutating func forgetAll() {
    frames = []
    byteCount = 0
  }
}
