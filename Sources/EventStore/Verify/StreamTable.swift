// What a check knows about streams. A custom hash table, since each record is looked up by bytes inside a line: a
// dictionary would need an array for each look-up, and hashes arrays byte by byte.

/// The streams that were seen, by name.
struct StreamTable {
  /// One stream.
  struct Entry {
    /// Its name.
    let name: [UInt8]
    /// The revision of the first record that was seen.
    let first: Int
    /// The revision that its next record must have.
    var next: Int
    /// The number of the last frame that it was seen in, and where it stands among that frame's streams.
    var frame = 0
    var place = 0
  }

  /// The streams, in order of first sight.
  private(set) var entries: [Entry] = []
  /// Indices in `entries`, -1 if there is none; as many as a power of two, at most half of them taken.
  private var slots: [Int32] = Array(repeating: -1, count: 64)

  /// The index of the stream with these bytes, or nil.
  func index(of name: Span<UInt8>) -> Int? {
    let entry = slots[slot(of: name)]
    return entry < 0 ? nil : Int(entry)
  }

  /// Adds a stream that is not there yet. Returns its index.
  mutating func add(_ name: Span<UInt8>, first: Int, next: Int) -> Int {
    if entries.count * 2 >= slots.count { grow() }
    slots[slot(of: name)] = Int32(entries.count)
    entries.append(Entry(name: CommitLines.array(name), first: first, next: next))
    return entries.count - 1
  }

  /// The entry of a stream.
  subscript(index: Int) -> Entry {
    get { entries[index] }
    _modify { yield &entries[index] }
  }

  /// The slot of a name, or the free one where it would go.
  private func slot(of name: Span<UInt8>) -> Int {
    var hasher = Hasher()  // seeded: an attacker cannot choose names that collide
    unsafe name.withUnsafeBytes { bytes in
      // SAFETY: the span's bytes outlive the call, which only reads them.
      unsafe hasher.combine(bytes: bytes)
    }
    let mask = slots.count - 1
    var slot = hasher.finalize() & mask
    while slots[slot] >= 0, !Self.isEqual(entries[Int(slots[slot])].name, name) { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for (index, entry) in entries.enumerated() { slots[slot(of: entry.name.span)] = Int32(index) }
  }

  private static func isEqual(_ one: [UInt8], _ other: Span<UInt8>) -> Bool {
    guard one.count == other.count else { return false }
    for index in 0..<one.count where one[index] != other[index] { return false }
    return true
  }
}
