// How digests of a recording's flows are made.

import EventStore
public import FlowKinds
public import FlowRecording

extension RecordedDigests {
  /// How long digests are together at most, in bytes: they stand in the recording's header, which is a small frame.
  private static let mostBytes = 58_000
  /// How many flows a recording has at most to have a digest for each type of event; of more the digests of variants
  /// have it.
  private static let mostByType = 8
  /// How many variants of its flows a recording of the SDK's own tests has digests of.
  private static let variants = 12
  /// How many bytes of states, event by event, are looked at; recordings of more have no digests.
  static let mostStateBytes = 128 << 20

  /// Those of flows as this SDK runs them. Cost: a whole replay.
  ///
  /// - Parameters:
  ///   - flows: the flows.
  ///   - kinds: the kinds that are known.
  ///   - declarations: whether with what the kinds declare. The recordings of the SDK's own tests have that: it is another with
  ///     most versions.
  /// - Returns: nil if a flow is of a kind that is not known, or if they are more than a header has room for: some 15,000
  ///   events.
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
  /// The recording with the digests of what this SDK makes of it, for one that is kept as a test; those of what the
  /// kinds declare too, if it had them. Cost: a whole replay.
  ///
  /// - Returns: without any if a flow is of a kind that is not known, or if they are more than a header has room for.
  public func withDigests(kinds: KindRegistry = .standard) -> Recording {
    var recording = self
    recording.digests = RecordedDigests(of: flows, kinds: kinds, declarations: digests?.hasDeclarations == true)
    return recording
  }
}
