// When recorders ran, and when nothing was recorded, according to their own events in the stream `log`.

import EventStore
import FlowRecording

/// One run of a recorder: from `recorder.started` to its end.
struct RecorderRun {
  /// How it ended.
  enum End: String {
    /// It closed the log.
    case stopped
    /// Another one started although it had not closed the log: its process died, or its log failed.
    case died
    /// There is no evidence that it ended.
    case open
  }

  var store: String?
  var started: Timestamp
  /// The time of its last event, or of the last flow record.
  var last: Timestamp
  /// The last flow record after its last event.
  private var recorded: Timestamp?
  /// Stretches that are too long between its last event and that record.
  private var pauses: [Stretch]
  var end: End
  /// The announced heartbeat interval, in milliseconds.
  var heartbeat: Int?
  var version: String?
  /// Spans between two signs of life, its own events or flow records, that are longer than two heartbeats.
  var silences: [Stretch] = []

  struct Stretch: Sendable, Equatable {
    var from: Timestamp
    var to: Timestamp

    var milliseconds: Int { Int(clamping: to.microseconds.subtracting(from.microseconds) / 1_000) }
  }

  fileprivate init(_ event: OwnEvent) {
    store = event.store
    started = event.at
    last = event.at
    recorded = event.recorded
    pauses = event.pauses
    end = .open
    heartbeat = Self.heartbeat(of: event)
    version = event.data["sdk"]?.string
  }

  /// The heartbeat interval that an event announces, in milliseconds; a forged number is ignored.
  static func heartbeat(of event: OwnEvent) -> Int? {
    event.data["heartbeat"]?.int.flatMap { (1...31_536_000_000).contains($0) ? $0 : nil }
  }

  fileprivate mutating func sign(by event: OwnEvent) {
    if let heartbeat, Stretch(from: last, to: event.at).milliseconds > 2 * heartbeat {
      // A flow that was recorded in the meantime shows that it ran.
      silences += pauses
      let rest = Stretch(from: max(last, recorded ?? last), to: event.at)
      if rest.milliseconds > 2 * heartbeat { silences.append(rest) }
    }
    last = max(last, event.at)
    recorded = event.recorded
    pauses = event.pauses
  }

  /// Ends the run. Records after its last event show that it was still running, unless that event was a stop.
  fileprivate mutating func finish(_ end: End) {
    self.end = end
    if end != .stopped, let recorded { last = max(last, recorded) }
  }
}

/// A span in which nothing was recorded, or for which there is no evidence of recording.
struct RecorderOutage {
  /// Why.
  enum Reason: String {
    /// The recorder had been stopped and not yet restarted.
    case stopped
    /// It had ended without a stop event and not yet been restarted.
    case died
    /// It gave no sign of life for more than two heartbeats, neither an event of its own nor a flow's record.
    case silent
  }

  var store: String?
  var span: RecorderRun.Stretch
  var reason: Reason
}

/// The runs of the recorders of some stores.
struct RecorderRuns {
  /// In the order in which they began, store by store.
  private(set) var runs: [RecorderRun] = []
  /// In the order in which they began, store by store.
  private(set) var outages: [RecorderOutage] = []

  /// The event types it is based on.
  static let types = ["recorder.started", "recorder.heartbeat", "recorder.stopped"]

  /// Derives them from the stores' own events, which are in the order of each log.
  init(_ own: [OwnEvent]) {
    var current: RecorderRun?
    for event in own where Self.types.contains(event.type) {
      if let run = current, run.store != event.store { end(run, .open, &current) }
      switch event.type {
      case "recorder.started":
        if let run = current { end(run, .died, &current) }
        let begun = RecorderRun(event)
        if let before = runs.last, before.store == begun.store, before.end != .open {
          let span = RecorderRun.Stretch(from: before.last, to: begun.started)
          if span.milliseconds > 0 {
            outages.append(
              RecorderOutage(store: event.store, span: span, reason: before.end == .died ? .died : .stopped))
          }
        }
        current = begun
      case "recorder.heartbeat":
        begin(withoutStart: event, &current)
        current?.sign(by: event)
      default:
        begin(withoutStart: event, &current)
        current?.sign(by: event)
        if let run = current { end(run, .stopped, &current) }
      }
    }
    if let run = current { end(run, .open, &current) }
  }

  /// Begins the first run of a store with a sign of life if its `recorder.started` was pruned; the heartbeat interval
  /// is unknown then.
  private func begin(withoutStart event: OwnEvent, _ current: inout RecorderRun?) {
    if current == nil, runs.last.map({ $0.store != event.store }) ?? true { current = RecorderRun(event) }
  }

  /// The outage after the last sign of life before a moment, if the recorder had stopped or died, or if a heartbeat was
  /// overdue.
  ///
  /// - Parameters:
  ///   - moment: the time up to which the events go.
  ///   - isFollowedByStart: whether the recorder's next event is a start, which shows that the run before it had died.
  func outage(before moment: Timestamp, isFollowedByStart: Bool) -> RecorderOutage? {
    guard let run = runs.last else { return nil }
    let span = RecorderRun.Stretch(from: run.last, to: moment)
    guard span.milliseconds > 0 else { return nil }
    if run.end == .stopped { return RecorderOutage(store: run.store, span: span, reason: .stopped) }
    if isFollowedByStart { return RecorderOutage(store: run.store, span: span, reason: .died) }
    guard let heartbeat = run.heartbeat, span.milliseconds > 2 * heartbeat else { return nil }
    return RecorderOutage(store: run.store, span: span, reason: .silent)
  }

  private mutating func end(_ run: RecorderRun, _ end: RecorderRun.End, _ current: inout RecorderRun?) {
    var run = run
    run.finish(end)
    outages += run.silences.map { RecorderOutage(store: run.store, span: $0, reason: .silent) }
    runs.append(run)
    current = nil
  }

  /// Whether a span of time, open-ended if the end is nil, overlaps the selected period.
  static func touches(_ filter: FlowFilter, _ from: Timestamp, _ to: Timestamp?) -> Bool {
    if let since = filter.since, let to, to < since { return false }
    if let until = filter.until, from > until { return false }
    return true
  }
}
