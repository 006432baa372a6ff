// What a check knows of pruned records: where they were, and that the log itself says so.

/// The pruned ranges of a log, and what its `log.pruned` records say.
struct PruningCheck {
  private var ranges: [(range: Range<UInt64>, segment: String, offset: UInt64)] = []
  private var revisions: [StreamKey: Int] = [:]
  /// The largest position before which the log says that all was pruned.
  private var said: UInt64 = 0
  private static let stream = Array(Envelope.ownStream.utf8)

  /// Notes records of which only the hashes are there.
  mutating func note(_ range: Range<UInt64>, in segment: String, at offset: UInt64) {
    if let last = ranges.indices.last, ranges[last].range.upperBound == range.lowerBound,
      ranges[last].segment == segment
    {
      ranges[last].range = ranges[last].range.lowerBound..<range.upperBound
    } else {
      ranges.append((range, segment, offset))
    }
  }

  /// Takes in what the log says of pruning in a segment that was checked by itself.
  mutating func add(_ other: PruningCheck) { said = max(said, other.said) }

  /// Takes in what the footer of a pruned segment says of a stream. False where it does not follow what is known.
  mutating func take(_ stream: IndexedStream) -> Bool {
    defer { revisions[stream.key] = stream.nextRevision }
    return stream.firstRevision == revisions[stream.key] ?? 0
  }

  /// The revision of the first record of a stream that was not pruned.
  func nextRevision(of stream: Span<UInt8>) -> Int {
    revisions.isEmpty ? 0 : revisions[StreamKey(CommitLines.array(stream))] ?? 0
  }

  /// Looks at a record: the log says itself what was pruned.
  mutating func see(_ line: Span<UInt8>, of stream: [UInt8]) {
    guard stream == Self.stream, let record = try? StoredRecord(line: CommitLines.array(line)),
      let pruned = PrunedRecord(record)
    else { return }
    said = max(said, pruned.before)
  }

  /// One finding for each range; a range of which the log says nothing was altered.
  func findings(isWhole: Bool) -> [VerifyReport.Finding] {
    ranges.map { range, segment, offset in
      let isTold = range.upperBound <= said
      return VerifyReport.Finding(
        kind: isTold || !isWhole ? .pruned : .altered, segment: segment, offset: offset, position: range.lowerBound,
        message: isTold || !isWhole
          ? "The records \(range.lowerBound) to \(range.upperBound - 1) were pruned; their hashes are there."
          : "The records \(range.lowerBound) to \(range.upperBound - 1) are gone, and no log.pruned record says so.")
    }
  }
}
