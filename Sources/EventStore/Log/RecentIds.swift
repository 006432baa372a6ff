// The ids of the last records, so that an append that is tried again adds nothing. What counts as the last ones depends
// on the positions alone, so that it is the same before and after a restart.

/// The ids that appenders gave to the last records of the log. About 130 bytes each, 17 MiB if every record has one.
struct RecentIds {
  /// A record that has an id.
  struct Entry {
    /// Where it stands.
    var position: UInt64
    /// A hash of its content; see `content(of:)`.
    var content: Int
  }

  /// How many records back an id is known.
  static let window: UInt64 = 65_536

  /// True once the ids that were on disk at opening are known.
  private(set) var isComplete: Bool
  /// Where the log ended at opening: what is on disk before it must be learned.
  let opened: UInt64
  private var young: [ByteName: Entry] = [:]
  private var old: [ByteName: Entry] = [:]
  private var youngStart: UInt64

  /// The ids of a log that has `size` records when it is opened.
  init(size: UInt64) {
    opened = size
    youngStart = size
    isComplete = size == 0
  }

  /// The record with this id, if it is one of the last ones before position `next`.
  func entry(of id: String, before next: UInt64) -> Entry? {
    guard let entry = young[ByteName(id)] ?? old[ByteName(id)], next - min(next, entry.position) <= Self.window else {
      return nil
    }
    return entry
  }

  /// Takes note of a record that is appended.
  mutating func note(_ id: String, _ entry: Entry) {
    if entry.position - min(entry.position, youngStart) >= Self.window {
      old = young
      young = [:]
      youngStart = entry.position
    }
    young[ByteName(id)] = entry
  }

  /// Adds the ids that were on disk at opening. Of two records with one id the later counts.
  mutating func complete(with older: [ByteName: Entry]) {
    guard !isComplete else { return }
    old.merge(older) { one, other in one.position > other.position ? one : other }
    isComplete = true
  }

  /// Forgets the records from `size` on, which a failed commit dropped. Cost: a look at each id.
  mutating func drop(from size: UInt64) {
    young = young.filter { $0.value.position < size }
    old = old.filter { $0.value.position < size }
    youngStart = min(youngStart, size)
  }

  /// A hash of what must be the same if an append is tried again: stream, type, version and data. The time and the
  /// cause may differ. Two contents have one number in one of 2^64 cases.
  static func content(of record: NewRecord) -> Int {
    content(stream: record.stream, type: record.type, version: record.version, data: record.data[...])
  }

  /// The same for a record that is in the log.
  static func content(of record: StoredRecord) -> Int {
    content(stream: record.stream, type: record.type, version: record.version, data: record.data)
  }

  private static func content(stream: String, type: String, version: Int, data: ArraySlice<UInt8>) -> Int {
    var hasher = Hasher()
    ByteName.combine(stream, into: &hasher)
    ByteName.combine(type, into: &hasher)
    hasher.combine(version)
    // SAFETY: the bytes outlive the call, which only reads them.
    unsafe data.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
