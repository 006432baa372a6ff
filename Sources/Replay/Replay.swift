// Replays recordings with flows of any kind, and counts the results.

import Dispatch
public import FlowKinds
public import FlowRecording

/// Replays recordings. Never opens a socket: the transport of a replay sends nothing.
public enum Replay {
  /// The most divergences collected per flow. A flow that differs everywhere has one for each event.
  public static let limit = 1_000

  /// Replays all flows of a recording, each up to its first divergence.
  ///
  /// - Parameters:
  ///   - recording: the recording.
  ///   - kinds: the kinds of flow to replay; a flow of another kind is an error.
  ///   - depth: how much of the SDK runs.
  /// - Returns: the first divergence of each flow that has one.
  /// - Throws: `ReplayError` if it cannot be replayed at all.
  public static func replay(
    _ recording: Recording, kinds: KindRegistry = .standard, depth: ReplayDepth = .whole
  ) throws(ReplayError) -> [Divergence] {
    try flows(of: recording, kinds: kinds, depth: depth, limit: 1).compactMap(\.first)
  }

  /// Replays all flows of a recording to their ends: after a divergence, the replay continues from the recorded state.
  ///
  /// - Returns: for each flow, in order, its divergences: none if it went as recorded, `limit` at most.
  /// - Throws: `ReplayError` if it cannot be replayed at all.
  public static func divergences(
    of recording: Recording, kinds: KindRegistry = .standard, depth: ReplayDepth = .whole
  ) throws(ReplayError) -> [[Divergence]] {
    try flows(of: recording, kinds: kinds, depth: depth, limit: limit)
  }

  /// Replays recordings and counts.
  ///
  /// - Throws: `ReplayError` if one of them cannot be replayed at all.
  public static func report(
    on recordings: some Sequence<Recording>, kinds: KindRegistry = .standard, depth: ReplayDepth = .whole
  ) throws(ReplayError) -> ReplayReport {
    var report = ReplayReport()
    for recording in recordings {
      report.add(try divergences(of: recording, kinds: kinds, depth: depth), named: recording.names)
    }
    return report
  }

  /// Reads and replays recordings on all cores, and counts the results. Each core has one recording in memory at a
  /// time.
  ///
  /// - Parameters:
  ///   - count: how many recordings there are.
  ///   - kinds: the kinds of flow to replay; a flow of another kind is an error.
  ///   - depth: how much of the SDK runs.
  ///   - progress: called with the count of recordings done, in order, from any thread.
  ///   - read: reads a recording by its number, from 0; `nil` for one that is not a flow, and is not counted.
  /// - Throws: `ReplayError` of the first recording, by number, that cannot be replayed. `read` must decide how to
  ///   treat a malformed stream of a log.
  public static func report(
    on count: Int, kinds: KindRegistry = .standard, depth: ReplayDepth = .whole,
    progress: @escaping @Sendable (Int) -> Void = { _ in },
    reading read: @escaping @Sendable (Int) throws(ReplayError) -> Recording?
  ) throws(ReplayError) -> ReplayReport {
    typealias Found = (divergences: [[Divergence]], names: [ReplayReport.ReplayedFlow])
    let results = Locked<(all: [Int: Result<Found?, ReplayError>], done: Int)>(([:], 0))
    DispatchQueue.concurrentPerform(iterations: count) { number in
      let result: Result<Found?, ReplayError>
      do throws(ReplayError) {
        if let recording = try read(number) {
          result = .success((try divergences(of: recording, kinds: kinds, depth: depth), recording.names))
        } else {
          result = .success(nil)
        }
      } catch {
        result = .failure(error)
      }
      results.withLock { results in
        results.all[number] = result
        results.done += 1
        progress(results.done)
      }
    }
    var report = ReplayReport()
    for (_, result) in results.withLock({ $0.all }).sorted(by: { $0.key < $1.key }) {
      if let found = try result.get() { report.add(found.divergences, named: found.names) }
    }
    return report
  }

  private static func flows(
    of recording: Recording, kinds: KindRegistry, depth: ReplayDepth, limit: Int
  ) throws(ReplayError) -> [[Divergence]] {
    guard !recording.flows.isEmpty else { throw .empty(name: recording.name) }
    var divergences: [[Divergence]] = []
    for flow in recording.flows {
      guard let kind = kinds.kind(of: flow.records) else {
        throw .noKind(of: flow)
      }
      let digests = recording.digests?[flow.stream]
      divergences.append(
        kind.divergences(of: flow, digests, in: recording.name, depth: depth, limit: limit))
    }
    return divergences
  }
}

extension Recording {
  /// The names of its flows.
  fileprivate var names: [ReplayReport.ReplayedFlow] {
    flows.map { ReplayReport.ReplayedFlow(recording: name, stream: $0.stream) }
  }
}

extension FlowKind {
  /// The divergences of a replay of a flow, `limit` at most. Differences of the decisions come before differences
  /// around them, since they are named event by event. A whole run makes all events too, so the decisions run by
  /// themselves only if the whole run differs.
  static func divergences(
    of flow: RecordedFlow, _ digests: RecordedDigests.Flow? = nil, in recording: String, depth: ReplayDepth, limit: Int
  ) -> [Divergence] {
    var errors: [Int: String] = [:]
    if depth == .whole, let surrogates = surrogates(for: flow) {
      let replayer = whole(flow, surrogates, of: recording)
      let found = replayer.run(limit: limit)
      errors = replayer.forms?.errors ?? [:]
      guard found.isEmpty else {
        let decisions = Replayer<Core>(flow, of: recording).run(limit: limit)
        return decisions.isEmpty ? found : decisions
      }
    } else {
      let found = Replayer<Core>(flow, of: recording).run(limit: limit)
      guard found.isEmpty else { return found }
    }
    // A different event mostly makes a different state, which adds no information.
    guard let digests else { return [] }
    let other =
      Divergence.ofDeclarations(of: flow, from: digests.declared, to: self, in: recording)
      ?? Divergence.ofEvents(flow, from: digests.events, in: recording)
      ?? stateDivergence(of: flow, from: digests.states, in: recording)
      ?? Divergence.ofErrors(of: flow, from: digests.errors, to: errors, in: recording)
      ?? variantDivergence(of: flow, from: digests.variants, in: recording)
    return other.map { [$0] } ?? []
  }

  /// A whole replay of a flow, for digests: in their variants, a draw of another kind may answer a changed flow. Each
  /// event is read back from its bytes before it is compared.
  package static func whole(_ flow: RecordedFlow, of recording: String) -> Replayer<Core> {
    whole(flow, nil, of: recording, comparingDraws: false)
  }

  private static func whole(
    _ flow: RecordedFlow, _ surrogates: Surrogates?, of recording: String, comparingDraws: Bool = true
  ) -> Replayer<Core> {
    let driver = RuntimeDriver<Core>(flow, surrogates, reading: reread) { start, environment throws(PlayedRefusal) in
      try application(start, environment)
    }
    return Replayer(flow, of: recording, by: driver, comparingDraws: comparingDraws)
  }

  /// Whether made-up secrets can stand for all placeholders of a flow, so that it runs whole.
  package static func canRunWhole(_ flow: RecordedFlow) -> Bool { surrogates(for: flow) != nil }

  /// The surrogates for the placeholders of a flow, so that it runs whole; nil if some of them cannot have one.
  private static func surrogates(for flow: RecordedFlow) -> Surrogates? {
    let placeholders = PlaceholderNames(of: flow.records)
    guard placeholders.haveSurrogates else { return nil }
    let check = MisfitCheck<Core>(flow.records)
    guard !check.hasMisfit, check.values.isEmpty || placeholders.countUp else { return nil }
    return Surrogates(for: flow.records, placeholders, misfits: check.values)
  }

  /// The application of a flow, if the kind has public objects that can be called.
  private static func application(
    _ start: FlowStarted, _ environment: FlowEnvironment
  ) throws(PlayedRefusal) -> (any PlayedApplication<Core>)? {
    guard let kind = Self.self as? any PlayableKind.Type else { return nil }
    func make<Kind: PlayableKind>(_ kind: Kind.Type) throws(PlayedRefusal) -> Any? {
      try kind.Application(start, environment)
    }
    return try make(kind) as? any PlayedApplication<Core>
  }
}
