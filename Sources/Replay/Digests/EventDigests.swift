// Digests of a flow's events as they are read. If a reader of the log overlooks something, no replay shows it, since it
// is overlooked both in the recording and in the replay.

import EventStore
import FlowKinds
import FlowRecording

enum EventDigests {
  /// The digests of the data of a flow's events, as they were read, by type.
  static func of(_ flow: RecordedFlow) -> [String: String] {
    var bytes: [String: [UInt8]] = [:]
    for record in flow.records { bytes[record.event.type, default: []] += record.event.data.bytes }
    return bytes.mapValues(RecordedDigests.digest)
  }
}

extension Divergence {
  /// The first event that is read differently from when its recording was made; nil if there is none.
  static func ofEvents(_ flow: RecordedFlow, from recorded: [String: String], in recording: String) -> Divergence? {
    guard !recorded.isEmpty else { return nil }
    let replayed = EventDigests.of(flow)
    let changed = Set(recorded.keys).union(replayed.keys).filter { recorded[$0] != replayed[$0] }
    guard let index = flow.records.firstIndex(where: { changed.contains($0.event.type) }) else { return nil }
    let type = flow.records[index].event.type
    func side(_ digests: [String: String]) -> JSON { .string(digests[type].map { "digest \($0)" } ?? "none") }
    return Divergence(
      of: "events", after: index, of: flow, in: recording, "events of type \(type) are read otherwise", names: [],
      recorded: side(recorded), replayed: side(replayed))
  }
}
