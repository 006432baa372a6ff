// Replays recordings, of whatever kind their flows are, and counts.

public import EventStore
public import FlowKinds
public import FlowRecording

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
  /// - Parameters:
  ///   - recording: the recording.
  ///   - kinds: the kinds of flow to replay; a flow of another kind is an error.
  /// - Returns: the first divergence of each flow that has one.
  /// - Throws: `ReplayError` where it cannot be replayed at all.
  public static func replay(
    _ recording: Recording, kinds: KindRegistry = .standard
  ) throws(ReplayError) -> [Divergence] {
    guard !recording.flows.isEmpty else { throw .empty(name: recording.name) }
    var divergences: [Divergence] = []
    for flow in recording.flows {
      guard let kind = kinds.kind(of: flow.records) else {
        throw .unknownKind(stream: flow.stream, kind: Self.kind(of: flow))
      }
      if let divergence = kind.divergence(of: flow, in: recording.name) { divergences.append(divergence) }
    }
    return divergences
  }

  /// Replays recordings and counts.
  ///
  /// - Throws: `ReplayError` where one of them cannot be replayed at all.
  public static func report(
    on recordings: some Sequence<Recording>, kinds: KindRegistry = .standard
  ) throws(ReplayError) -> ReplayReport {
    var report = ReplayReport()
    for recording in recordings {
      report.recordings += 1
      report.replayed += recording.flows.count
      report.divergences += try replay(recording, kinds: kinds)
    }
    return report
  }

  private static func kind(of flow: RecordedFlow) -> String {
    if case .flowStarted(let started) = flow.records.first?.event { return started.kind }
    return flow.records.first?.event.type ?? ""
  }
}

extension FlowKind {
  /// The first divergence of a replay of a flow; nil if there is none.
  static func divergence(of flow: RecordedFlow, in recording: String) -> Divergence? {
    do throws(Divergence) {
      try Replayer<Core>(flow, of: recording).run()
      return nil
    } catch {
      return error
    }
  }
}
