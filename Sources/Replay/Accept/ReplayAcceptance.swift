// A change of the SDK that is wanted: recordings are made anew as it does things now.

public import FlowKinds
public import FlowRecording

extension Replay {
  /// The recording as this SDK makes it: the same inputs, and what follows from them now. If it has digests, it
  /// gets those of now.
  ///
  /// - Returns: `nil` if an input answers nothing any more, so that the sign-in has to be recorded again.
  /// - Throws: `ReplayError` if a flow is of a kind that is not known.
  public static func accepting(
    _ recording: Recording, kinds: KindRegistry = .standard
  ) throws(ReplayError) -> Recording? {
    var accepted = recording
    for (index, flow) in recording.flows.enumerated() {
      guard let kind = kinds.kind(of: flow.records) else {
        throw .unknownKind(stream: flow.stream, kind: Replay.kind(of: flow))
      }
      guard let made = kind.remade(flow, { $0 }) else { return nil }
      accepted.flows[index] = made
    }
    guard let digests = recording.digests else { return accepted }
    // A change of the flows took them away; what they were of says what the new ones are of.
    accepted.digests = digests
    return accepted.withDigests(kinds: kinds)
  }
}
