/// The result of pruning, or of a dry run.
public struct PruningReport: Sendable, Hashable {
  /// The first record that is kept.
  public var firstKept: UInt64
  /// How many records were dropped now.
  public var records: UInt64
  /// How many segments they were in.
  public var segments: Int
  /// How many bytes the disk has free again.
  public var bytesFreed: UInt64
  /// How many files of `quarantine/` were, or would be, removed with them: bytes that recovery had cut from those
  /// segments.
  public var quarantined = 0
  /// The position of the `log.pruned` record; nil if nothing was dropped, or in a dry run.
  public var told: UInt64?
}

extension EventLog {
  /// Drops the records of whole old segments, and keeps their leaf hashes: proofs and checkpoints still hold, `verify`
  /// says `pruned`. A segment is pruned if all of its records are before the limit, all earlier segments are pruned,
  /// and a checkpoint that the store's key signed covers it. The log is signed with `key` first, and again after the
  /// record that reports the pruning. Bytes that recovery cut from such segments are removed from `quarantine/` with
  /// them.
  ///
  /// That record is `log.pruned` in the stream `log`. It is durable, and covered by a checkpoint, before anything is
  /// dropped: `verify` accepts no other. After a crash in between, the next call drops the remaining records. With
  /// `dryRun` nothing is changed. Blocks the calling thread.
  ///
  /// - Throws: `keyMissing` if there is no key and records would be dropped that no signed record reports yet,
  ///   `altered` if a segment is damaged, `keyMismatch` as `checkpoint` does, and `noSpace`, `io`, `closed`.
  public func prune(
    before limit: PruningLimit, signingWith key: SigningKey? = nil, dryRun: Bool = false,
    progress: (Int, Int) -> Bool = { _, _ in true }
  ) throws(StoreError) -> PruningReport {
    try sync()
    let engine = engine
    return try engine.keeper.alone { () throws(StoreError) in
      let pruner = SegmentPruner(layout: engine.layout, disk: engine.disk)
      let pruned = PrunedSegments(layout: engine.layout, disk: engine.disk)
      let closed = try engine.keeper.closed(before: engine.settledSize)
      let kept = try closed.drop { segment throws(StoreError) in try pruned.isPruned(segment.first) }
      let old = try kept.prefix { segment throws(StoreError) in
        switch limit {
        case .position(let position): segment.next <= position
        case .time(let time): try pruner.isOlder(segment.first, than: time, before: segment.next)
        }
      }
      if let key, !dryRun { _ = try engine.checkpoint(with: key, pruningBefore: old.last?.next ?? 0) }
      var report = PruningReport(
        firstKept: kept.first?.first ?? closed.last?.next ?? 0, records: 0, segments: 0, bytesFreed: 0)
      let quarantine = Quarantine(layout: engine.layout, disk: engine.disk)
      guard let first = old.first?.first, let end = old.last?.next else {
        // The leftovers of an earlier, interrupted pruning.
        if !dryRun { report.quarantined = try quarantine.prune(before: report.firstKept) }
        return report
      }
      let signed = try signedSize(covering: end, canSign: key != nil && dryRun)
      if dryRun {
        (report.firstKept, report.records, report.segments) = (end, end - first, old.count)
        report.quarantined = try quarantine.names(before: end).count
        return report
      }
      if try ToldPruning(layout: engine.layout, disk: engine.disk).before(within: signed) < end {
        guard let key else {
          throw StoreError(
            .keyMissing,
            "the record that says what is pruned counts once it is signed, and there is no key to sign it with",
            file: directory, position: end, advice: "give the store's signing key: auditctl prune --signing-key FILE")
        }
        let told = PrunedRecord(before: end, records: end - first, limit: limit)
        report.told = try engine.append([told.record(at: engine.clock())], expecting: .any).positions.lowerBound
        _ = try checkpoint(with: key)
      }
      for (index, segment) in old.enumerated() {
        guard progress(index, old.count) else { break }
        guard let outcome = try pruner.prune(segment.first, before: segment.next) else { break }
        report.segments += 1
        report.records += segment.next - segment.first
        report.firstKept = segment.next
        report.bytesFreed += outcome.before > outcome.after ? outcome.before - outcome.after : 0
      }
      report.quarantined = try quarantine.prune(before: report.firstKept)
      return report
    }
  }

  /// The size of the latest checkpoint.
  ///
  /// - Throws: `StoreError` if it does not cover the records before `end`, or does not match the log.
  private func signedSize(covering end: UInt64, canSign: Bool) throws(StoreError) -> UInt64 {
    let note = try engine.layout.latestCheckpoint(on: engine.disk)
    let key = identity.publicKey.flatMap { try? VerifierKey(text: $0) }
    guard let note, let key, note.size >= end, note.standing(with: key) == .valid else {
      if canSign { return size }
      throw StoreError(
        .keyMissing,
        "the records before \(end) are not covered by a checkpoint, so that nothing would vouch for their hashes",
        file: directory, position: end, advice: "sign the log with auditctl checkpoint first, or give the signing key")
    }
    let reader = try LogReader(directory: directory, disk: engine.disk)
    guard try reader.root(at: note.size) == note.root else {
      throw StoreError(
        .altered, "the log is not the one that its checkpoint of \(note.size) records states", file: directory,
        advice: "keep it as evidence and run auditctl verify")
    }
    return note.size
  }
}

extension Collection {
  /// All but the first elements that fulfill `predicate`.
  fileprivate func drop(
    _ predicate: (Element) throws(StoreError) -> Bool
  ) throws(StoreError) -> [Element] {
    var kept: [Element] = []
    for element in self {
      if kept.isEmpty, try predicate(element) { continue }
      kept.append(element)
    }
    return kept
  }

  /// The first elements that fulfill `predicate`.
  fileprivate func prefix(_ predicate: (Element) throws(StoreError) -> Bool) throws(StoreError) -> [Element] {
    var first: [Element] = []
    for element in self {
      guard try predicate(element) else { break }
      first.append(element)
    }
    return first
  }
}
