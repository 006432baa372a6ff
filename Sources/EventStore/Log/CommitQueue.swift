// Records that were appended and are not yet written: encoded lines, and where batches end, since one batch is never
// split.

/// Lines that wait for a commit.
struct CommitQueue {
  /// One line.
  struct Line {
    /// Its length with its `\n`.
    var length: Int
    /// The index of its stream in `streams`.
    var stream: Int
    /// Its revision.
    var revision: Int
  }
  /// A stream that has lines.
  struct Stream {
    /// Its name.
    var name: String
    /// Its number in the cache of revisions, which no other stream ever gets.
    var serial: UInt64
  }
  /// The end of a batch.
  struct Mark {
    /// The number of bytes up to it.
    var bytes: Int
    /// The number of lines up to it.
    var lines: Int
  }

  /// The lines, each with its `\n`.
  let bytes = LineBuffer()
  /// The known facts about each line.
  var lines: [Line] = []
  /// The streams that the lines belong to.
  var streams: [Stream] = []
  /// The ends of the batches, ascending.
  var marks: [Mark] = []

  /// True if nothing waits.
  var isEmpty: Bool { lines.isEmpty }

  /// Where the next batch begins, to go back to.
  var end: (bytes: Int, lines: Int, streams: Int) { (bytes.count, lines.count, streams.count) }

  /// Takes a batch back that was not marked.
  mutating func cut(to end: (bytes: Int, lines: Int, streams: Int)) {
    bytes.removeLast(bytes.count - end.bytes)
    lines.removeLast(lines.count - end.lines)
    streams.removeLast(streams.count - end.streams)
  }

  /// Forgets the lines, and keeps the memory for the next ones, unless an unusual burst made it large.
  mutating func reset() {
    bytes.removeAll(keepingUpTo: 8 << 20)
    lines.removeAll(keepingCapacity: lines.capacity <= 1 << 17)
    streams.removeAll(keepingCapacity: true)
    marks.removeAll(keepingCapacity: marks.capacity <= 1 << 17)
  }

  /// How many bytes a commit of several batches has at most: what is compressed, hashed and written in turn stays in
  /// the processor's cache then.
  private static let commitBytes = 96 << 10

  /// The end of the commit that begins at a batch: as many whole batches as fit, at least one.
  func commitEnd(after start: Mark, from mark: Int) -> Int {
    var end = mark + 1
    while end < marks.count, marks[end].bytes - start.bytes <= Self.commitBytes { end += 1 }
    return end
  }
}
