// The operation of the company's recorder: a restart every Sunday night, a heartbeat every hour, and one crash in a
// quiet hour.

import EventStore
import FlowRecording

/// A recorder's own records over four weeks, to be merged with the flows in chronological order.
struct CompanyRecorder {
  private static let heartbeat = 3_600
  private var events: [(at: Timestamp, event: RecorderEvent)] = []
  private var next = 0

  /// Creates a recorder that runs from the beginning of a plan to the end of its last flow.
  init(_ plan: CompanyPlan) {
    let begin = plan.begin
    let watched = begin.adding(seconds: CompanyPlan.days * 86_400)
    let end = max(watched, plan.flows.last?.at.adding(seconds: 600) ?? watched)
    let restarts = stride(from: 6, to: CompanyPlan.days, by: 7).map { day in
      let stopped = begin.adding(seconds: day * 86_400 + 10_830)
      return (from: stopped, to: stopped.adding(seconds: 130), isStop: true)
    }
    // Two minutes after the previous flow, which has ended by then.
    let death = Self.quietest(plan).map {
      (from: $0.from.adding(seconds: 120), to: $0.to.adding(seconds: -5), isStop: false)
    }
    let outages = (restarts + (death.map { [$0] } ?? [])).sorted { $0.from < $1.from }

    start(at: begin)
    var started = begin
    for outage in outages where outage.from > started {
      beat(after: started, before: outage.from)
      if outage.isStop { events.append((outage.from, .stopped(lost: 0))) }
      start(at: outage.to)
      started = outage.to
    }
    beat(after: started, before: end)
    events.append((end, .stopped(lost: 0)))
  }

  private mutating func start(at time: Timestamp) {
    events.append((time, .started(.required, heartbeat: .seconds(Self.heartbeat), afterFailure: false)))
  }

  private mutating func beat(after start: Timestamp, before end: Timestamp) {
    var at = start.adding(seconds: Self.heartbeat)
    while at < end {
      events.append((at, .heartbeat))
      at = at.adding(seconds: Self.heartbeat)
    }
  }

  /// The longest gap between two flows in the second half, if a crash fits in.
  private static func quietest(_ plan: CompanyPlan) -> (from: Timestamp, to: Timestamp)? {
    let late = plan.flows.suffix(plan.flows.count / 2)
    let gaps = zip(late, late.dropFirst()).map { ($0.at, $1.at) }
    guard let longest = gaps.max(by: { length($0) < length($1) }), length(longest) > 300_000_000 else { return nil }
    return longest
  }

  private static func length(_ gap: (Timestamp, Timestamp)) -> Int64 { gap.1.microseconds - gap.0.microseconds }

  /// Returns its records up to a time, except for those already returned.
  mutating func records(until time: Timestamp) -> [NewRecord] {
    var records: [NewRecord] = []
    while next < events.count, events[next].at <= time {
      records.append(events[next].event.record(at: events[next].at))
      next += 1
    }
    return records
  }

  /// The remaining records.
  mutating func rest() -> [NewRecord] {
    defer { next = events.count }
    return events[next...].map { $0.event.record(at: $0.at) }
  }
}
