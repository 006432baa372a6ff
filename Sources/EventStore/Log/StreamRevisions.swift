// The next revision of the streams that were written to lately. Bounded: two halves, the older one dropped when the
// younger one is full, so that a log of ten million streams does not keep them all.

/// A cache of next revisions.
struct StreamRevisions {
  /// What is known of a stream.
  struct Entry {
    /// The revision that its next record has.
    var next: Int
    /// In which filling of the queue `index` holds.
    var epoch: UInt64 = 0
    /// The stream's index in that filling.
    var index = 0
  }

  private var young: [String: Entry] = [:]
  private var old: [String: Entry] = [:]
  /// About 150 bytes each with a usual name: some 5 MiB for both halves.
  private static let half = 16_384

  /// Where the stream that was asked for last stands in `young`: an append asks and then sets, and hashes its name once.
  private var last: Dictionary<String, Entry>.Index?

  /// What is known of `stream`, or nil.
  mutating func entry(of stream: String) -> Entry? {
    if let last, young[last].key == stream { return young[last].value }
    last = young.index(forKey: stream)
    if let last { return young[last].value }
    return old[stream]
  }

  /// Keeps what is known of `stream`.
  mutating func set(_ entry: Entry, for stream: String) {
    if let last, young[last].key == stream {
      young.values[last] = entry
      return
    }
    last = nil
    young[stream] = entry
    if young.count > Self.half {
      old = young
      young = [:]
    }
  }

  /// Keeps the next revision of `stream` where none is known.
  mutating func learn(next: Int, of stream: String) {
    if entry(of: stream) == nil { set(Entry(next: next), for: stream) }
  }

  /// Puts the next revision of `stream` back after a failed commit.
  mutating func putBack(next: Int, of stream: String) { set(Entry(next: next), for: stream) }
}
