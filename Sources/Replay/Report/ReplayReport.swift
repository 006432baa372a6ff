// What replaying some recordings came to.

public import EventStore

/// What replaying some recordings came to.
public struct ReplayReport: Sendable, Hashable {
  /// How many recordings there were.
  public var recordings = 0
  /// How many flows were replayed.
  public var replayed = 0
  /// A flow that was replayed.
  public struct ReplayedFlow: Sendable, Hashable {
    /// What messages call its recording.
    public var recording: String
    /// Its stream.
    public var stream: String
  }

  /// The flows that went as they were recorded, in order, as far as their names were given.
  public private(set) var passed: [ReplayedFlow] = []
  /// The divergences of each flow that diverged: first the flows with another event, then those with another state,
  /// then those of which only a declaration is another, each in order. An event says most of what was changed.
  public var divergedFlows: [[Divergence]] { byRank.flatMap(\.self) }
  /// The same in the order in which flows were added, by the rank of their first divergence.
  private var byRank: [[[Divergence]]] = Array(repeating: [], count: Divergence.ranks)
  /// The flows of a log that cannot be read, and so not be replayed: why, each in one sentence that names the flow.
  public var unreadable: [String] = []

  /// A report of nothing.
  public init() {}

  /// How many flows diverged.
  public var diverged: Int { byRank.reduce(0) { $0 + $1.count } }

  /// The first divergence of each flow that diverged.
  public var divergences: [Divergence] { divergedFlows.compactMap(\.first) }

  /// The divergences after the first, of all flows: some follow from the first.
  public var later: [Divergence] { divergedFlows.flatMap { $0.dropFirst() } }

  /// How many more differences the flows have that are not listed: those of a step behind the first few hundred.
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
