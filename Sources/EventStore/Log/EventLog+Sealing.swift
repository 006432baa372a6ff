/// The result of sealing.
public struct SealingReport: Sendable, Hashable {
  /// How many segments were sealed.
  public var sealed = 0
  /// How many closed segments could not be sealed now: the next opening mends what a failed sync left, or the segment
  /// has so many streams that its index would be over 64 MiB.
  public var left = 0
  /// The errors of the closed segments that are damaged, in the order of the segments; each segment was left as it is.
  /// The code is `altered`, or `unsupported` for a segment of a later format; an `altered` one names the file. Empty if
  /// all are whole.
  public var damaged: [StoreError] = []
  /// The bytes of these segments before.
  public var bytesBefore: UInt64 = 0
  /// The bytes of them now.
  public var bytesAfter: UInt64 = 0
}

/// When closed segments are sealed.
public enum Sealing: Sendable, Hashable {
  /// When `EventLog.seal` or `auditctl seal` asks for it.
  case onDemand
  /// Soon after a segment is full, on a thread of low priority. Costs about one processor second for 100 MB of records.
  case automatic
}

extension EventLog {
  /// Seals all closed segments: rewrites each with LZ4-HC, an index and subtree hashes, in place. Appending goes on
  /// meanwhile; a reader of an old file goes on reading it. Blocks the calling thread; about 100 MB of records a
  /// second.
  ///
  /// `progress` is called before each segment with how many are done and how many there are; returning false ends the
  /// work there.
  ///
  /// Segments that were sealed before stay sealed. One that is damaged is left as it is, and the others are sealed: see
  /// `SealingReport.damaged`.
  ///
  /// - Throws: `noSpace`, `io`, `closed`. What was sealed until then stays sealed.
  public func seal(progress: (Int, Int) -> Bool = { _, _ in true }) throws(StoreError) -> SealingReport {
    try sync()
    let engine = engine
    return try engine.keeper.alone { () throws(StoreError) in
      var report = SealingReport()
      let sealer = SegmentSealer(layout: engine.layout, disk: engine.disk)
      var waiting: [(first: UInt64, next: UInt64)] = []
      for (first, next) in try engine.keeper.closed(before: engine.settledSize)
      where try SegmentSealer.takes(try engine.disk.open(engine.layout.segment(first), .read)) {
        waiting.append((first, next))
      }
      for (index, segment) in waiting.enumerated() {
        guard progress(index, waiting.count) else { break }
        do throws(StoreError) {
          if let outcome = try sealer.seal(segment.first, before: segment.next) {
            report.sealed += 1
            report.bytesBefore += outcome.before
            report.bytesAfter += outcome.after
          } else {
            report.left += 1
          }
        } catch {
          guard error.isDamage else { throw error }
          report.damaged.append(error)
        }
      }
      return report
    }
  }
}
