// Runs the SDK again on a recorded flow: the same core, the same runtime, inert seams (DESIGN §2).

import EventStore
package import FlowRecording

/// A replay of one flow, one input at a time.
package final class Replayer<Core: FlowCore> {
  private let recording: String
  private let flow: RecordedFlow
  private let journal = ReplayingJournal()
  private let live: Flow<Core>
  private let asked: Set<Int>
  /// The states that an application would hold objects of, by revision.
  private var snapshots: [Int: Core] = [:]
  private var index = 0
  private var call: String?

  /// Prepares a replay.
  ///
  /// - Parameters:
  ///   - flow: the recorded flow.
  ///   - recording: what messages call its recording.
  package init(_ flow: RecordedFlow, of recording: String) {
    self.flow = flow
    self.recording = recording
    live = Flow(replaying: flow.stream, journal: journal, draws: RecordedDraws(flow.records))
    asked = Set(
      flow.records.compactMap { record in
        if case .drawAsked = record.event { record.revision } else { nil }
      })
  }

  /// The state that the replay has come to.
  package var core: Core { live.core }

  /// How many records of the recording have been replayed.
  package var position: Int { index }

  /// Feeds the next input and compares what follows from it.
  ///
  /// - Returns: whether there was an input left.
  /// - Throws: `Divergence`, after which the replay cannot go on.
  package func step() throws(Divergence) -> Bool {
    guard index < flow.records.count else { return false }
    let input = flow.records[index]
    guard input.isInput(askedAt: asked) else {
      // Without an input before it, an output stands where the SDK would have made none.
      throw divergence(StepDifference(kind: .missing, revision: input.revision, expected: input, actual: nil))
    }
    if case .callMade(let made) = input.event {
      call = made.call
      live.feed(input, on: made.on.flatMap { snapshots[$0] })
    } else {
      live.feed(input, on: nil)
    }
    var end = index + 1
    while end < flow.records.count, !flow.records[end].isInput(askedAt: asked) { end += 1 }
    let made = journal.take()
    let expected = Array(flow.records[(index + 1)..<end])
    if let first = made.first, first.revision != input.revision || first.cause != input.cause {
      throw divergence(
        StepDifference(kind: .missing, revision: first.revision, expected: input, actual: nil))
    }
    if let difference = StepComparison.difference(expected, Array(made.dropFirst()), next: input.revision + 1) {
      throw divergence(difference)
    }
    index = end
    if let revision = live.core.snapshotRevision { snapshots[revision] = live.core }
    return true
  }

  /// Replays to the end.
  ///
  /// - Throws: the first `Divergence`.
  package func run() throws(Divergence) {
    while try step() {}
  }

  private func divergence(_ difference: StepDifference) -> Divergence {
    let expected = difference.expected
    let actual = difference.actual
    let path = if let expected, let actual { StepComparison.path(expected, actual) } else { String?.none }
    return Divergence(
      recording: recording, flow: flow.stream, revision: difference.revision, kind: difference.kind, call: call,
      expected: expected.map(Self.json), actual: actual.map(Self.json), path: path,
      message: Self.message(difference, call: call, path: path))
  }

  private static func json(_ record: FlowRecord) -> JSON {
    .members([
      ("type", .string(record.event.type)), ("v", .int(record.event.version)), ("cause", record.cause.map(JSON.int)),
      ("data", record.event.data),
    ])
  }

  private static func message(_ difference: StepDifference, call: String?, path: String?) -> String {
    let place = "at revision \(difference.revision)" + (call.map { ", in \($0)" } ?? "")
    let expected = difference.expected?.event.type ?? "nothing"
    let actual = difference.actual?.event.type ?? "nothing"
    switch difference.kind {
    case .missing: return "\(place), the recording has \(expected), which the SDK does not make"
    case .extra: return "\(place), the SDK makes \(actual), which the recording does not have"
    case .draw: return "\(place), the SDK asks for a draw that the recording does not have there"
    case .different where expected == actual:
      return "\(place), \(expected) differs from the recording in \(path ?? "its data")"
    case .different: return "\(place), the recording has \(expected) and the SDK makes \(actual)"
    }
  }
}
