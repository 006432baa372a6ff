// When recorders ran, and when nothing was recorded, by what they say of themselves in the stream `log`.

import EventStore
import FlowRecording

/// One life of a recorder: from `recorder.started` to its end.
struct RecorderRun {
  /// How it ended.
  enum End: String {
    /// It closed the log.
    case stopped
    /// Another one started, and it had not closed the log: its process died, or its log broke.
    case died
    /// Nothing says that it ended.
    case open
  }

  var store: String?
  var started: Timestamp
  /// The last that it said of itself.
  var last: Timestamp
  var end: End
  /// How often it promised to say that it runs, in milliseconds.
  var heartbeat: Int?
  var version: String?
  /// Spans between two of its signs of life that are longer than two heartbeats.
  var silences: [Stretch] = []

  struct Stretch {
    var from: Timestamp
    var to: Timestamp

    var milliseconds: Int { Int(clamping: to.microseconds.subtracting(from.microseconds) / 1_000) }
  }

  fileprivate init(_ event: OwnEvent) {
    store = event.store
    started = event.at
    last = event.at
    end = .open
    // A forged number is no promise.
    heartbeat = event.data["heartbeat"]?.int.flatMap { (1...Int(Int32.max)).contains($0) ? $0 : nil }
    version = event.data["sdk"]?.string
  }

  fileprivate mutating func sign(at time: Timestamp) {
    let span = Stretch(from: last, to: time)
    if let heartbeat, span.milliseconds > 2 * heartbeat { silences.append(span) }
    last = max(last, time)
  }
}

/// A span in which nothing was recorded, or nothing says that it was.
struct RecorderOutage {
  /// Why.
  enum Reason: String {
    /// The recorder had been stopped, and was not started yet.
    case stopped
    /// It had ended without a word, and was not started again yet.
    case died
    /// It did not say for more than two heartbeats that it ran.
    case silent
  }

  var store: String?
  var span: RecorderRun.Stretch
  var reason: Reason
}

/// The lives of the recorders of some stores.
struct RecorderRuns {
  /// In the order in which they began, store by store.
  private(set) var runs: [RecorderRun] = []
  /// In the order in which they began, store by store.
  private(set) var outages: [RecorderOutage] = []

  /// The types of events that it stands on.
  static let types = ["recorder.started", "recorder.heartbeat", "recorder.stopped"]

  /// Takes them from the stores' own events, which are in the order of each log.
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
      case "recorder.heartbeat": current?.sign(at: event.at)
      default:
        current?.sign(at: event.at)
        if let run = current { end(run, .stopped, &current) }
      }
    }
    if let run = current { end(run, .open, &current) }
  }

  private mutating func end(_ run: RecorderRun, _ end: RecorderRun.End, _ current: inout RecorderRun?) {
    var run = run
    run.end = end
    outages += run.silences.map { RecorderOutage(store: run.store, span: $0, reason: .silent) }
    runs.append(run)
    current = nil
  }

  /// Whether a span of time, open at its end with nil, has to do with the time that is asked for.
  static func touches(_ filter: FlowFilter, _ from: Timestamp, _ to: Timestamp?) -> Bool {
    if let since = filter.since, let to, to < since { return false }
    if let until = filter.until, from > until { return false }
    return true
  }
}

extension Int64 {
  /// The difference, or the nearest number that there is: times of a log may be forged.
  fileprivate func subtracting(_ other: Int64) -> Int64 {
    let (difference, overflowed) = subtractingReportingOverflow(other)
    return overflowed ? (self < other ? .min : .max) : difference
  }
}
