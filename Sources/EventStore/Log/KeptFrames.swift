/// Written commits that a power cut could still take, or the directory of their frame, frame by frame. In memory, since
/// after a failed sync nothing says what a file holds.
struct KeptFrames {
  /// The commits of one frame, one after the other.
  struct Frame {
    /// The tree before the frame.
    var frontier: MerkleFrontier
    /// The position after its last record.
    var end: UInt64
    /// Their lines, each with its `\n`.
    var bytes: [UInt8]
    /// Where each commit ends in `bytes`.
    var ends: [Int]
  }

  /// The frames, oldest first.
  private(set) var frames: [Frame] = []
  /// How many bytes they have.
  private(set) var byteCount = 0
  /// Memory of frames that were forgotten, for the next ones.
  private var spare: [[UInt8]] = []

  /// The tree before the oldest commit; nil where there is none.
  var frontier: MerkleFrontier? { frames.first?.frontier }

  /// Keeps a commit that ends before position `end`. With a `frontier`, the tree before it, it begins a frame.
  mutating func add(_ commit: Span<UInt8>, end: UInt64, beginning frontier: MerkleFrontier?) {
    if let frontier { frames.append(.init(frontier: frontier, end: end, bytes: spare.popLast() ?? [], ends: [])) }
    guard !frames.isEmpty else { preconditionFailure("a commit is in a frame") }
    let last = frames.count - 1
    unsafe commit.withUnsafeBufferPointer { bytes in
      // SAFETY: the span's bytes outlive the call, which copies them.
      unsafe frames[last].bytes.append(contentsOf: bytes)
    }
    frames[last].ends.append(frames[last].bytes.count)
    frames[last].end = end
    byteCount += commit.count
  }

  /// Forgets the frames that end before `settled` or there.
  mutating func forget(before settled: UInt64) {
    guard let oldest = frames.first, oldest.end <= settled else { return }
    let count = frames.firstIndex { $0.end > settled } ?? frames.count
    for index in 0..<count {
      byteCount -= frames[index].bytes.count
      // Frames of the usual size are reused; a few are enough, since a sync takes them back together.
      guard spare.count < 32, frames[index].bytes.capacity <= 1 << 20 else { continue }
      var bytes: [UInt8] = []
      swap(&bytes, &frames[index].bytes)
      bytes.removeAll(keepingCapacity: true)
      spare.append(bytes)
    }
    frames.removeFirst(count)
  }

  /// Forgets all.
  mutating func forgetAll() {
    frames = []
    byteCount = 0
  }
}
