// What a check knows about pruned records: where they were, and whether the log itself reports their pruning.

/// The pruned ranges of a log, and what its `log.pruned` records say.
struct PruningCheck {
  private var ranges: [(range: Range<UInt64>, segment: String, offset: UInt64)] = []
  private var revisions: [StreamKey: Int] = [:]
  /// The positions before which, according to the log, everything was pruned, and the positions of these records.
  private var said: [(before: UInt64, at: UInt64)] = []

  /// Notes records of which only the hashes exist.
  mutating func note(_ range: Range<UInt64>, in segment: String, at offset: UInt64) {
    if let last = ranges.indices.last, ranges[last].range.upperBound == range.lowerBound,
      ranges[last].segment == segment
    {
      ranges[last].range = ranges[last].range.lowerBound..<range.upperBound
    } else {
      ranges.append((range, segment, offset))
    }
  }

  /// Takes in the pruning records of a segment that was checked by itself.
  mutating func add(_ other: PruningCheck) { said += other.said }

  /// Takes in a stream from the footer of a pruned segment. Returns false if it does not follow the known records.
  mutating func take(_ stream: IndexedStream) -> Bool {
    defer { revisions[stream.key] = stream.nextRevision }
    return stream.firstRevision == revisions[stream.key] ?? 0
  }

  /// The revision of the first record of a stream that was not pruned.
  func nextRevision(of stream: Span<UInt8>) -> Int {
    revisions.isEmpty ? 0 : revisions[StreamKey(CommitLines.array(stream))] ?? 0
  }

  /// Looks at one of the store's own records, which may report a pruning.
  mutating func see(_ record: StoredRecord) {
    guard let pruned = PrunedRecord(record) else { return }
    said.append((pruned.before, record.position))
  }

  /// One finding for each range. A range was altered if no record of the first `size` says that it was pruned: these
  /// are signed, and an attacker who can remove records can append one that says so.
  func findings(isWhole: Bool, coveredTo size: UInt64) -> [VerifyReport.Finding] {
    let signed = said.lazy.filter { $0.at < size }.map(\.before).max() ?? 0
    let all = said.lazy.map(\.before).max() ?? 0
    return ranges.map { range, segment, offset in
      let records = "The records \(range.lowerBound) to \(range.upperBound - 1)"
      let isPruned = range.upperBound <= signed || !isWhole
      return VerifyReport.Finding(
        kind: isPruned ? .pruned : .altered, segment: segment, offset: offset, position: range.lowerBound,
        message: isPruned
          ? "\(records) were pruned; their hashes are there."
          : range.upperBound <= all
            ? "\(records) are gone, and no checkpoint that counts covers the log.pruned record that says so."
            : "\(records) are gone, and no log.pruned record says so.")
    }
  }
}
