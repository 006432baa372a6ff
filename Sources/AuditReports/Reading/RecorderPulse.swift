// The signs of life of a recorder.

import EventStore

/// The signs of life of one recorder, one after another: its own events, and the records of flows. Tells which
/// stretches without any are longer than two heartbeats.
struct RecorderPulse: Sendable {
  /// The announced heartbeat interval, in milliseconds.
  private var heartbeat: Int?
  /// The time of its latest own event.
  private(set) var latest: Timestamp
  /// The time of its last sign of life.
  private var last: Timestamp

  /// Begins with the first known event of a run.
  init(_ event: OwnEvent) {
    heartbeat = RecorderRun.heartbeat(of: event)
    (latest, last) = (event.at, event.at)
  }

  /// Processes the recorder's next event.
  mutating func take(_ event: OwnEvent) {
    if event.type == "recorder.started" { self = RecorderPulse(event) }
    latest = max(latest, event.at)
    last = latest
  }

  /// Processes the time of a flow's record.
  ///
  /// - Returns: the stretch before it, if that is too long.
  mutating func take(recordAt time: Timestamp) -> RecorderRun.Stretch? {
    defer { last = time }
    return pause(from: last, to: time)
  }

  /// The stretch between two signs of life; nil unless it is longer than two heartbeats.
  func pause(from: Timestamp, to: Timestamp) -> RecorderRun.Stretch? {
    let stretch = RecorderRun.Stretch(from: from, to: to)
    guard let heartbeat, stretch.milliseconds > 2 * heartbeat else { return nil }
    return stretch
  }
}
