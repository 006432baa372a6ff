// Tables of `integrity` about the runs of recorders.

import EventStore
import FlowRecording

extension RecorderRuns {
  /// The runs that overlap a period.
  func runsTable(_ filter: FlowFilter) -> ReportTable {
    let chosen = runs.filter { Self.touches(filter, $0.started, $0.end == .open ? nil : $0.last) }
    let hasStores = chosen.contains { $0.store != nil }
    return ReportTable(
      "runs", "When the recorder ran",
      [
        .init("started", "started"), .init("last", "last sign of life"), .init("end", "ended"),
        .init("heartbeatMilliseconds", "heartbeat"), .init("version", "recorder"),
      ] + (hasStores ? [.store] : []),
      chosen.map { run in
        [
          .time(run.started), .time(run.last), .text(run.end.rawValue), .milliseconds(run.heartbeat),
          .text(run.version),
        ] + (hasStores ? [.text(run.store)] : [])
      })
  }

  /// The outages that overlap a period.
  func outagesTable(_ filter: FlowFilter) -> ReportTable {
    let chosen = outages.filter { Self.touches(filter, $0.span.from, $0.span.to) }
    let hasStores = chosen.contains { $0.store != nil }
    return ReportTable(
      "outages", "When nothing was recorded",
      [.init("from", "from"), .init("to", "to"), .init("milliseconds", "time"), .init("why", "why")]
        + (hasStores ? [.store] : []),
      chosen.map { outage in
        [
          .time(outage.span.from), .time(outage.span.to), .milliseconds(outage.span.milliseconds),
          .text(outage.reason.rawValue),
        ] + (hasStores ? [.text(outage.store)] : [])
      })
  }
}
