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
  /// The last that it said of itself, or recorded.
  var last: Timestamp
  /// The last record behind the last that it said of itself.
  private var recorded: Timestamp?
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
    recorded = event.recorded
    end = .open
    // A forged number is no promise.
    heartbeat = event.data["heartbeat"]?.int.flatMap { (1...31_536_000_000).contains($0) ? $0 : nil }
    version = event.data["sdk"]?.string
  }

  fileprivate mutating func sign(by event: OwnEvent) {
    let span = Stretch(from: last, to: event.at)
    if let heartbeat, span.milliseconds > 2 * heartbeat { silences.append(span) }
    last = max(last, event.at)
    recorded = event.recorded
  }

  /// Ends it. What was recorded after its last word says that it still ran, unless that was that it stops.
  fileprivate mutating func finish(_ end: End) {
    self.end = end
    if end != .stopped, let recorded { last = max(last, recorded) }
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

  /// Begins the first run of a store with a sign of life, if its `recorder.started` was pruned: what it promised is not
  /// known.
  private func begin(withoutStart event: OwnEvent, _ current: inout RecorderRun?) {
    if current == nil, runs.last.map({ $0.store != event.store }) ?? true { current = RecorderRun(event) }
  }

  /// What is behind the last sign of life before a moment, if the recorder had stopped or died then, or should have
  /// said that it ran.
  ///
  /// - Parameters:
  ///   - moment: the time up to which the events go.
  ///   - isFollowedByStart: whether the recorder's next event says that it started: the run before that had died.
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
