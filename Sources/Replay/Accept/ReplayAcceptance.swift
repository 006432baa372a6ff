// Accepts an intended change of the SDK: recordings are remade with its current behavior.

public import FlowKinds
public import FlowRecording

extension Replay {
  /// The recording as this SDK makes it: the same inputs, and what follows from them now. If it has digests, they are
  /// computed again.
  ///
  /// - Returns: `nil` if an input no longer answers anything, so that the sign-in must be recorded again.
  /// - Throws: `ReplayError` if a flow is of an unknown kind.
  public static func accepting(
    _ recording: Recording, kinds: KindRegistry = .standard
  ) throws(ReplayError) -> Recording? {
    var accepted = recording
    for (index, flow) in recording.flows.enumerated() {
      guard let kind = kinds.kind(of: flow.records) else {
        throw .noKind(of: flow)
      }
      guard let made = kind.remade(flow, { $0 }) else { return nil }
      accepted.flows[index] = made
    }
    guard let digests = recording.digests else { return accepted }
    // Changing the flows removed the digests; the old ones determine what the new ones cover.
    accepted.digests = digests
    return accepted.withDigests(kinds: kinds)
  }
}
