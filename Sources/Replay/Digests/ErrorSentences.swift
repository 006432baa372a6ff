// The texts of the errors that calls ended with.

import EventStore
import FlowKinds
import FlowRecording

extension FlowKind {
  /// The digests of what the errors of a flow say, by the revisions of the calls; none if it does not run whole as
  /// recorded.
  static func errors(of flow: RecordedFlow) -> [Int: String] {
    guard canRunWhole(flow) else { return [:] }
    let replayer = whole(flow, of: flow.stream)
    guard replayer.run(limit: 1).isEmpty else { return [:] }
    return (replayer.forms?.errors ?? [:]).mapValues { RecordedDigests.digest(Array($0.utf8)) }
  }
}

extension Divergence {
  /// The first call of a flow whose error text differs from when the recording was made.
  ///
  /// - Parameters:
  ///   - recorded: the digests of what errors said, by the revisions of the calls.
  ///   - replayed: what they say.
  /// - Returns: nil if the texts are unchanged.
  static func ofErrors(
    of flow: RecordedFlow, from recorded: [Int: String], to replayed: [Int: String], in recording: String
  ) -> Divergence? {
    for (index, record) in flow.records.enumerated() {
      guard case .callReturned(let end) = record.event,
        let digest = recorded[end.call], let text = replayed[end.call],
        RecordedDigests.digest(Array(text.utf8)) != digest
      else { continue }
      return Divergence(
        of: "error", after: index, of: flow, in: recording, "the error says something else", names: [],
        recorded: .string("digest \(digest)"), replayed: .string(text))
    }
    return nil
  }
}
