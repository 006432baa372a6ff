public import EventStore

/// The result of replaying some recordings.
public struct ReplayReport: Sendable, Hashable {
  /// How many recordings there were.
  public var recordings = 0
  /// How many flows were replayed.
  public var replayed = 0
  /// A flow that was replayed.
  public struct ReplayedFlow: Sendable, Hashable {
    /// The name of its recording in messages.
    public var recording: String
    /// Its stream.
    public var stream: String
  }

  /// The flows that replayed as recorded, in order, as far as their names were given.
  public private(set) var passed: [ReplayedFlow] = []
  /// The divergences of each flow that diverged: first the flows with a different event, then those with a different
  /// state, then those with only a different declaration, each in order. An event says the most about a change.
  public var divergedFlows: [[Divergence]] { byRank.flatMap(\.self) }
  /// The same in the order of addition, grouped by the rank of the first divergence.
  private var byRank: [[[Divergence]]] = Array(repeating: [], count: Divergence.ranks)
  /// For each flow of a log, or recording, that cannot be read, and so not be replayed, one sentence that names it and
  /// the reason.
  public var unreadable: [String] = []

  /// An empty report.
  public init() {}

  /// How many flows diverged.
  public var diverged: Int { byRank.reduce(0) { $0 + $1.count } }

  /// The first divergence of each flow that diverged.
  public var divergences: [Divergence] { divergedFlows.compactMap(\.first) }

  /// The divergences after the first, of all flows: some follow from the first.
  public var later: [Divergence] { divergedFlows.flatMap { $0.dropFirst() } }

  /// How many more differences the flows have that are not listed: those of a step after the first few hundred.
  public var leftOut: Int { divergedFlows.joined().reduce(0) { $0 + $1.leftOut } }

  /// The first divergences by their cause: by rank, as the flows, then the cause with the most flows first.
  public var causes: [DivergenceCause] { DivergenceCause.grouping(divergences) }

  /// Adds a recording.
  ///
  /// - Parameters:
  ///   - flows: the divergences of each of its flows.
  ///   - names: the names of these flows, in the same order; none if they are not needed.
  public mutating func add(_ flows: [[Divergence]], named names: [ReplayedFlow] = []) {
    passed += zip(flows, names).filter { $0.0.isEmpty }.map(\.1)
    recordings += 1
    replayed += flows.count
    for flow in flows {
      if let first = flow.first { byRank[first.rank].append(flow) }
    }
  }

  /// The members of `auditctl replay --json`.
  public var json: JSON {
    .members([
      ("recordings", .int(recordings)), ("replayed", .int(replayed)), ("diverged", .int(diverged)),
      ("divergences", .array(divergences.map(\.json))), ("causes", .array(causes.map(\.json))),
      ("later", .array(later.map(\.json))), ("leftOut", leftOut > 0 ? .int(leftOut) : nil),
      ("unreadable", unreadable.isEmpty ? nil : .array(unreadable.map(JSON.string))),
    ])
  }
}
