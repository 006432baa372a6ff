// The next revision of the streams that were written to lately. Bounded: two halves, the older one dropped when the
// younger one is full, so that a log of ten million streams does not keep them all.

/// A cache of next revisions.
struct StreamRevisions {
  /// The known facts about a stream.
  struct Entry {
    /// The revision that its next record has.
    var next: Int
    /// In which filling of the queue `index` holds.
    var epoch: UInt64 = 0
    /// The stream's index in that filling.
    var index = 0
    /// A number that distinguishes the stream from others.
    var serial: UInt64
  }

  /// Entries by name. They stand in a list, so that an append hashes its stream's name once.
  private struct Half {
    var slots: [ByteName: Int] = [:]
    var entries: [Entry] = []
  }

  private var young = Half()
  private var old = Half()
  private var serials: UInt64 = 0
  /// How often the older half was dropped. A stream that was added is kept until the second time after that.
  private(set) var trims = 0
  /// About 150 bytes each with a usual name: some 5 MiB for both halves.
  private static let half = 16_384

  /// The number of the stream's entry, or nil. Valid until `trim`.
  mutating func slot(of stream: String) -> Int? {
    if let slot = young.slots[ByteName(stream)] { return slot }
    guard let slot = old.slots[ByteName(stream)] else { return nil }
    return add(old.entries[slot], of: stream)
  }

  /// The known facts about a stream, by its number.
  subscript(slot: Int) -> Entry {
    get { young.entries[slot] }
    set { young.entries[slot] = newValue }
  }

  /// Adds an entry for a stream that has no number. Returns the number.
  mutating func add(_ entry: Entry, of stream: String) -> Int {
    young.slots[ByteName(stream)] = young.entries.count
    young.entries.append(entry)
    return young.entries.count - 1
  }

  /// A number that no stream has yet.
  mutating func newSerial() -> UInt64 {
    serials += 1
    return serials
  }

  /// Drops the older half if the younger is full.
  mutating func trim() {
    guard young.entries.count > Self.half else { return }
    old = young
    young = Half()
    trims += 1
  }

  /// Keeps the next revision of `stream` if none is known.
  mutating func learn(next: Int, of stream: String) {
    if slot(of: stream) == nil { _ = add(Entry(next: next, serial: newSerial()), of: stream) }
  }

  /// Puts the next revision of `stream` back after a failed commit.
  mutating func putBack(next: Int, of stream: String) {
    let slot = slot(of: stream) ?? add(Entry(next: next, serial: newSerial()), of: stream)
    (self[slot].next, self[slot].epoch) = (next, 0)
  }
}
