// How digests of a recording's flows are made.

import EventStore
public import FlowKinds
public import FlowRecording

extension RecordedDigests {
  /// The most bytes of all digests together: they are in the recording's header, which is a small frame.
  private static let mostBytes = 58_000
  /// Up to this many flows, a recording has a digest for each type of event; with more flows, the digests of variants
  /// include it.
  private static let mostByType = 8
  /// How many variants of its flows a recording of the SDK's own tests has digests of.
  private static let variants = 12
  /// The most bytes of states, summed over all events; recordings with more have no digests.
  static let mostStateBytes = 128 << 20

  /// The digests of flows as this SDK runs them. Cost: a whole replay.
  ///
  /// - Parameters:
  ///   - flows: the flows.
  ///   - kinds: the known kinds.
  ///   - declarations: whether to include the declarations of the kinds, as in the recordings of the SDK's own tests.
  ///     They change with most versions.
  /// - Returns: nil if a flow is of an unknown kind, or if a header has no room for the digests: with more than some
  ///   15,000 events.
  public init?(of flows: [RecordedFlow], kinds: KindRegistry = .standard, declarations: Bool = false) {
    guard flows.reduce(0, { $0 + $1.records.count }) <= Self.mostEvents else { return nil }
    self.init()
    var declared: Set<String> = []
    for flow in flows {
      guard let kind = kinds.kind(of: flow.records), let states = kind.stateDigests(of: flow.records) else {
        return nil
      }
      let isFirst = declarations && declared.insert(kind.name).inserted
      self[flow.stream] = Flow(
        states: states, errors: kind.errors(of: flow),
        declared: isFirst ? KindDeclarations.digests(of: kind) : [:],
        events: flows.count > Self.mostByType ? [:] : EventDigests.of(flow),
        variants: declarations ? kind.variantDigests(of: flow, count: max(1, Self.variants / flows.count)) : [])
    }
    guard json.bytes.count <= Self.mostBytes else { return nil }
  }
}

extension Recording {
  /// The recording with digests of this SDK's results, for a recording that is kept as a test; includes digests of
  /// declarations if it had them. Cost: a whole replay.
  ///
  /// - Returns: the recording without digests if a flow is of an unknown kind, or if a header has no room for them.
  public func withDigests(kinds: KindRegistry = .standard) -> Recording {
    var recording = self
    recording.digests = RecordedDigests(of: flows, kinds: kinds, declarations: digests?.hasDeclarations == true)
    return recording
  }
}
