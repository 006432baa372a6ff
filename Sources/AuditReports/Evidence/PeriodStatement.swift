// A statement about a log over a period, as lines that the log's key signs: its size, its own events, and the times
// when nothing was recorded. Anyone who has the log can reproduce the lines.

package import EventStore
import FlowRecording

/// A statement about a log over a period.
package struct PeriodStatement: Sendable, Equatable {
  /// The first line: the type of the document.
  static let title = "flowrecorder statement v1"
  /// The types of store and recorder records that are counted.
  static let types = [
    "clock.stepped", "log.gap", "log.pruned", "log.recovered", "log.rekeyed", "log.restored", "recorder.heartbeat",
    "recorder.started", "recorder.stopped",
  ]
  /// The maximum number of records and outages that are named.
  private static let most = 200

  /// The lines, without their ends.
  package let lines: [String]
  /// The number of records in the log up to the end of the period.
  package let size: UInt64

  /// Makes a statement. Cost: one pass over the envelopes of the log if a period is given.
  ///
  /// - Parameters:
  ///   - log: the log.
  ///   - since: the beginning of the period; nil for that of the log.
  ///   - until: its end, included; nil for that of the log.
  ///   - bound: how many records of the log to include; nil for all.
  ///   - seesLater: whether to look beyond the period for the recorder's next event, which may show that it had died.
  ///   - progress: called from time to time with the number of records read and the total.
  /// - Throws: what reading the log throws.
  package init(
    of log: LogReader, since: Timestamp?, until: Timestamp?, bound: UInt64? = nil,
    seesLater: Bool = true, progress: WorkProgress? = nil
  ) throws {
    let all = try bound ?? log.statistics().records
    let kept = try log.firstKept()
    let (before, with) = try Self.positions(in: log, kept..<max(kept, all), since, until, progress)
    let events = try log.keptRecords(of: LogFacts.ownStream).compactMap(OwnEvent.init)
    let own = try events.filter { $0.position < with }.withRecords(of: log, before: with)
    let next = events.first { $0.position >= with && RecorderRuns.types.contains($0.type) }
    var lines = [
      Self.title, "log \(log.identity.origin)", "store \(log.identity.id)", "since \(since?.description ?? "-")",
      "until \(until?.description ?? "-")", "before \(before) \(try log.root(at: before))",
      "with \(with) \(try log.root(at: with))", "pruned \(kept)",
    ]
    let mine = own.filter { $0.position >= before }
    for type in Self.types { lines.append("events \(type) \(mine.count { $0.type == type })") }
    let lost = mine.reduce(0) { sum, event in
      let isLoss = event.type == "log.gap" || event.type == "recorder.stopped"
      let (total, overflowed) = sum.addingReportingOverflow(isLoss ? max(0, event.data["lost"]?.int ?? 0) : 0)
      return overflowed ? .max : total
    }
    lines.append("lost \(lost)")
    let named = mine.filter { !RecorderRuns.types.contains($0.type) && Self.types.contains($0.type) }
    lines += named.prefix(Self.most).map { "record \($0.position) \($0.at) \($0.type)" }
    if named.count > Self.most { lines.append("records-left-out \(named.count - Self.most)") }
    let filter = FlowFilter(since: since, until: until)
    let runs = RecorderRuns(own)
    let isFollowedByStart = seesLater && next?.type == "recorder.started"
    let last = until.flatMap { runs.outage(before: $0, isFollowedByStart: isFollowedByStart) }
    let outages =
      (runs.outages + [last].compactMap { $0 })
      .filter { RecorderRuns.touches(filter, $0.span.from, $0.span.to) }
    lines += outages.prefix(Self.most).map { "outage \($0.span.from) \($0.span.to) \($0.reason.rawValue)" }
    if outages.count > Self.most { lines.append("outages-left-out \(outages.count - Self.most)") }
    self.lines = lines
    size = with
  }

  /// The text to sign.
  package var body: String { lines.map { $0 + "\n" }.joined() }

  /// The number of records before the first one of a period and up to its last one. If the period has no records, both
  /// are the number up to the last record before it.
  private static func positions(
    in log: LogReader, _ records: Range<UInt64>, _ since: Timestamp?, _ until: Timestamp?,
    _ progress: WorkProgress?
  ) throws -> (before: UInt64, with: UInt64) {
    guard since != nil || until != nil, !records.isEmpty else { return (records.lowerBound, records.upperBound) }
    var (earlier, first, last): (UInt64?, UInt64?, UInt64?) = (nil, nil, nil)
    try log.forEachRecord(from: records.lowerBound) { record, _ in
      guard record.position < records.upperBound else { return false }
      if record.position % 65_536 == 0 { progress?(record.position, records.upperBound) }
      if let since, record.at < since {
        earlier = record.position
        return true
      }
      if let until, record.at > until { return true }
      if first == nil { first = record.position }
      last = record.position
      return true
    }
    guard let first, let last else {
      let size = earlier.map { $0 + 1 } ?? records.lowerBound
      return (size, size)
    }
    return (first, last + 1)
  }
}
