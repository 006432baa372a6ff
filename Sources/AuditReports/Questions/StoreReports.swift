// The reports about the log itself.

package import EventStore
import FlowRecording

/// A store as `integrity` shows it.
package struct StoreState: Sendable {
  package var directory: String
  package var origin: String
  package var records: UInt64
  package var segments: Int
  package var pruned: UInt64
  package var checkpoint: Checkpoint?

  /// Reads the state from the store's own files; inexpensive.
  package init(_ log: LogReader) throws(StoreError) {
    let statistics = try log.statistics()
    directory = log.directory
    origin = log.identity.origin
    records = statistics.records
    segments = statistics.segments
    pruned = statistics.prunedRecords
    checkpoint = statistics.lastCheckpoint.map {
      Checkpoint(size: $0.size, root: $0.root.description, origin: $0.origin)
    }
  }

  package struct Checkpoint: Sendable {
    package var size: UInt64
    package var root: String
    package var origin: String
  }
}

/// `admin` and `integrity`
enum StoreReports {
  static func admin(_ own: [OwnEvent], _ filter: FlowFilter) -> [ReportTable] {
    [
      events(
        "events", "What was done to the log", own, filter,
        of: ["log.opened", "log.rekeyed", "log.restored", "log.pruned"])
    ]
  }

  static func integrity(_ own: [OwnEvent], _ filter: FlowFilter, _ stores: [StoreState]) -> [ReportTable] {
    var counts = Counts()
    let types = ["log.recovered", "log.gap", "clock.stepped"]
    let runs = RecorderRuns(own)
    for event in own where passes(event, filter) && types.contains(event.type) { counts.add(event.type) }
    return [
      ReportTable(
        "stores", "Stores",
        [
          .store, .init("records", "records"), .init("signed", "signed"), .init("unsigned", "behind the signature"),
          .init("pruned", "pruned"), .init("segments", "segments"), .init("origin", "origin"),
          .init("root", "signed root"),
        ],
        stores.map { store in
          let signed = store.checkpoint?.size
          return [
            .text(store.directory), .number(Int(clamping: store.records)), .number(signed.map { Int(clamping: $0) }),
            .number(signed.map { max(0, Int(clamping: store.records) - Int(clamping: $0)) }),
            .number(Int(clamping: store.pruned)), .number(store.segments), .text(store.origin),
            .text(store.checkpoint?.root),
          ]
        }),
      runs.runsTable(filter), runs.outagesTable(filter),
      counts.table("totals", "What happened to it", of: .init("event", "event")),
      events("events", "When it happened", own, filter, of: types),
    ]
  }

  /// Reports that a log has fewer records than a checkpoint was signed for; nil if it has them all.
  static func shortfall(of store: StoreState) -> String? {
    guard let signed = store.checkpoint?.size, store.records < signed else { return nil }
    return
      "\(store.directory) has \(store.records) records, and a checkpoint covers \(signed): records are gone from its end."
  }

  private static func passes(_ event: OwnEvent, _ filter: FlowFilter) -> Bool {
    if let since = filter.since, event.at < since { return false }
    if let until = filter.until, event.at > until { return false }
    return true
  }

  private static func events(
    _ key: String, _ title: String, _ own: [OwnEvent], _ filter: FlowFilter, of types: [String]
  ) -> ReportTable {
    let chosen = own.filter { types.contains($0.type) && passes($0, filter) }
    let hasStores = chosen.contains { $0.store != nil }
    return ReportTable(
      key, title,
      [.at, .init("event", "event"), .init("position", "position"), .init("details", "details")]
        + (hasStores ? [.store] : []),
      chosen.map { event in
        [
          .time(event.at), .text(event.type), .number(Int(clamping: event.position)),
          .text(
            (event.data.object?.members ?? []).map { "\($0.key) \($0.value.string ?? $0.value.text)" }
              .joined(separator: ", ")),
        ] + (hasStores ? [.text(event.store)] : [])
      })
  }
}
