// The records about a recorder itself, in the store's stream `log` (docs/EVENTS.md §8).

package import EventStore

/// A record about the recorder itself, so that a log shows when it was running.
package enum RecorderEvent {
  /// It has opened the log: its settings, and whether the log had failed before.
  case started(Auditing, heartbeat: Duration?, afterFailure: Bool)
  /// It is running.
  case heartbeat
  /// It closes the log: the number of lost events not recorded by a `log.gap`.
  case stopped(lost: Int)

  /// Its type.
  package var type: String {
    switch self {
    case .started: "recorder.started"
    case .heartbeat: "recorder.heartbeat"
    case .stopped: "recorder.stopped"
    }
  }

  private var data: JSON {
    switch self {
    case .started(let auditing, let heartbeat, let afterFailure):
      .members([
        ("sdk", .string(UserAgent.product)), ("auditing", .string(auditing == .required ? "required" : "bestEffort")),
        ("heartbeat", heartbeat.map { .int(Int($0 / .milliseconds(1))) }),
        ("afterFailure", afterFailure ? .bool(true) : nil),
      ])
    case .heartbeat: [:]
    case .stopped(let lost): .members([("lost", lost > 0 ? .int(lost) : nil)])
    }
  }

  /// The record.
  package func record(at time: Timestamp) -> NewRecord {
    NewRecord(at: time, stream: "log", id: nil, type: type, version: 1, cause: nil, data: data.bytes)
  }
}
