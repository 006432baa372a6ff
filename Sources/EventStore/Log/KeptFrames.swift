/// Written commits that a power cut could still take, or the directory of their frame, frame by frame. In memory, since
/// after a failed sync nothing says what a file holds. As they were written, so that keeping them costs as little memory
/// and time as they have bytes on disk.
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

  /// How many frames' memory is kept for the next ones, and how much of one: a sync takes many back together.
  private static let spareFrames = 48
  private static let spareBytes = 128 << 10

  /// The tree before the oldest commit; nil where there is none.
  var frontier: MerkleFrontier? { frames.first?.frontier }

  /// Keeps what was written of a commit that ends before position `end`. With a `frontier`, the tree before it, it begins a
  /// frame.
  mutating func add(_ written: [UInt8], end: UInt64, beginning frontier: MerkleFrontier?) {
    if let frontier { frames.append(.init(frontier: frontier, end: end, bytes: spare.popLast() ?? [])) }
    guard !frames.isEmpty else { preconditionFailure("a commit is in a frame") }
    let last = frames.count - 1
    frames[last].bytes.append(contentsOf: written)
    frames[last].end = end
    byteCount += written.count
  }

  /// Forgets the frames that end before `settled` or there.
  mutating func forget(before settled: UInt64) {
    guard let oldest = frames.first, oldest.end <= settled else { return }
    let count = frames.firstIndex { $0.end > settled } ?? frames.count
    for index in 0..<count {
      byteCount -= frames[index].bytes.count
      guard spare.count < Self.spareFrames, frames[index].bytes.capacity <= Self.spareBytes else { continue }
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
