// Replays recordings, of whatever kind their flows are, and counts.

import Authn
public import EventStore
import FlowRecording
import IDX

/// What replaying some recordings came to.
public struct ReplayReport: Sendable, Hashable {
  /// How many recordings there were.
  public var recordings = 0
  /// How many flows were replayed.
  public var replayed = 0
  /// The first divergence of each flow that diverged.
  public var divergences: [Divergence] = []
  /// The flows of a log that cannot be read, and so not be replayed: why, each in one sentence that names the flow.
  public var unreadable: [String] = []

  /// A report of nothing.
  public init() {}

  /// How many flows diverged.
  public var diverged: Int { divergences.count }

  /// The members of `auditctl replay --json`.
  public var json: JSON {
    .members([
      ("recordings", .int(recordings)), ("replayed", .int(replayed)), ("diverged", .int(diverged)),
      ("divergences", .array(divergences.map(\.json))),
      ("unreadable", unreadable.isEmpty ? nil : .array(unreadable.map(JSON.string))),
    ])
  }
}

/// Replays recordings. Never opens a socket: the transport of a replay sends nothing.
public enum Replay {
  /// Replays all flows of a recording.
  ///
  /// - Returns: the first divergence of each flow that has one.
  /// - Throws: `ReplayError` where it cannot be replayed at all.
  public static func replay(_ recording: Recording) throws(ReplayError) -> [Divergence] {
    guard !recording.flows.isEmpty else { throw .empty(name: recording.name) }
    var divergences: [Divergence] = []
    for flow in recording.flows {
      switch kind(of: flow) {
      case AuthnCore.kind: divergences += divergence(of: Replayer<AuthnCore>(flow, of: recording.name))
      case IDXCore.kind: divergences += divergence(of: Replayer<IDXCore>(flow, of: recording.name))
      case let kind: throw .unknownKind(stream: flow.stream, kind: kind)
      }
    }
    return divergences
  }

  /// Replays recordings and counts.
  ///
  /// - Throws: `ReplayError` where one of them cannot be replayed at all.
  public static func report(on recordings: some Sequence<Recording>) throws(ReplayError) -> ReplayReport {
    var report = ReplayReport()
    for recording in recordings {
      report.recordings += 1
      report.replayed += recording.flows.count
      report.divergences += try replay(recording)
    }
    return report
  }

  private static func divergence(of replayer: Replayer<some FlowCore>) -> [Divergence] {
    do throws(Divergence) {
      try replayer.run()
      return []
    } catch {
      return [error]
    }
  }

  private static func kind(of flow: RecordedFlow) -> String {
    if case .flowStarted(let started) = flow.records.first?.event { return started.kind }
    return flow.records.first?.event.type ?? ""
  }
}
