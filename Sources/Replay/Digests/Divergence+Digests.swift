// Divergences that show in no event.

import EventStore
import FlowRecording

extension Divergence {
  /// A part that differs after an event from when the recording was made.
  ///
  /// - Parameters:
  ///   - subject: what it is, the first part of `path`.
  ///   - what: the beginning of the sentence, up to the names.
  ///   - names: the members that may differ.
  ///   - recorded: its digest, or words.
  ///   - replayed: its current value.
  ///   - more: the text after the names.
  init(
    of subject: String, after index: Int, of flow: RecordedFlow, in recording: String, _ what: String, names: [String],
    recorded: JSON, replayed: JSON, after more: String = ""
  ) {
    let record = flow.records[index]
    let call = flow.call(at: index)
    func side(_ value: JSON) -> JSON { .members([("type", .string(record.event.type)), (subject, value)]) }
    self.init(
      recording: recording, flow: flow.stream, revision: record.revision, kind: .state, call: call,
      expected: side(recorded), actual: side(replayed), path: ([subject] + names.prefix(1)).joined(separator: "."),
      recorded: recorded, replayed: replayed, before: Self.context(flow.records[..<index]),
      recordedBy: flow.recordedBy, replayedBy: UserAgent.product,
      message:
        "revision \(record.revision)\(call.map { ", \($0)" } ?? ""): \(what)\(names.joined(separator: ", "))\(more)")
  }

  /// The last three of the events before a place.
  static func context(_ records: ArraySlice<FlowRecord>) -> [JSON] {
    records.suffix(3).map { record in
      .members([("rev", .int(record.revision)), ("type", .string(record.event.type)), ("data", record.event.data)])
    }
  }
}

extension RecordedFlow {
  /// The SDK that recorded it; empty if this is not a flow.
  var recordedBy: String { if case .flowStarted(let started)? = records.first?.event { started.sdk } else { "" } }

  /// The call that led to the record at an index, according to the causes; if they lead to none, the latest call up
  /// to there. Calls overlap: a poll belongs to the call that began it, not to one made since. Cost: linear in the
  /// records.
  func call(at index: Int) -> String? {
    guard records.indices.contains(index) else { return nil }
    var (wanted, latest): (Int, String?) = (records[index].revision, nil)
    for place in (0...index).reversed() {
      let isWanted = records[place].revision == wanted
      if case .callMade(let made) = records[place].event {
        if isWanted { return made.call }
        latest = latest ?? made.call
      }
      if isWanted, let cause = records[place].cause { wanted = cause }
    }
    return latest
  }
}
