// Folds a flow and notes what changes in its state.

import EventStore
import FlowKinds
import FlowRecording

/// The state of a flow after each of its events, and its facts for lists and reports.
struct StateFold<Kind: FlowKind> {
  private var core = Kind.Core()
  private var facts = FactsFold<Kind>()
  private var before = JSON.null
  private var state = JSON.null
  private var digest = ""
  /// How many bytes the states have had so far.
  private(set) var bytes = 0

  /// Applies the next event.
  ///
  /// - Returns: the digest of the state after it; nil if it is the same as before.
  mutating func take(_ record: FlowRecord) -> String? {
    core.fold(record)
    facts.take(record)
    before = state
    state = Kind.state(of: core)
    let text = state.bytes + facts.text
    bytes += text.count
    let digest = RecordedDigests.digest(text)
    defer { self.digest = digest }
    return digest == self.digest ? nil : digest
  }

  /// The members of the state that the last event changed; null for one that is gone.
  var changes: [(name: String, value: JSON)] {
    let (old, new) = (before.object?.members ?? [], state.object?.members ?? [])
    let changed = new.filter { before[$0.key] != $0.value }.map { ($0.key, $0.value) }
    return changed + old.filter { state[$0.key] == nil }.map { ($0.key, .null) }
  }
}

extension FlowKind {
  /// The digest of a flow's state after each event, nil for one that changes nothing. Returns nil if the states are too
  /// large.
  static func stateDigests(of records: [FlowRecord]) -> [String?]? {
    var fold = StateFold<Self>()
    var digests: [String?] = []
    for record in records {
      digests.append(fold.take(record))
      guard fold.bytes <= RecordedDigests.mostStateBytes else { return nil }
    }
    return digests
  }

  /// The first event of a flow after which its state differs from when its recording was made.
  ///
  /// - Parameter recorded: the digests of its states.
  /// - Returns: nil if all states are unchanged. States too large for digests are not compared.
  static func stateDivergence(of flow: RecordedFlow, from recorded: [String?], in recording: String) -> Divergence? {
    var fold = StateFold<Self>()
    guard recorded.count == flow.records.count else {
      return flow.records.indices.last.map { last in
        Divergence(
          of: "state", after: last, of: flow, in: recording, "the recording has digests of other events", names: [],
          recorded: .string("\(recorded.count) digests"), replayed: .string("\(flow.records.count) events"))
      }
    }
    for (index, record) in flow.records.enumerated() where fold.bytes <= RecordedDigests.mostStateBytes {
      let (actual, expected) = (fold.take(record), recorded[index])
      guard actual != expected else { continue }
      let changes = fold.changes
      return Divergence(
        of: "state", after: index, of: flow, in: recording,
        "the state is another after \(record.event.type)" + (changes.isEmpty ? "" : "; what changes in it: "),
        names: changes.map(\.name), recorded: expected.map { .string("digest \($0)") } ?? "as before",
        replayed: actual == nil ? "as before" : .members(changes.map { ($0.name, $0.value) }))
    }
    return nil
  }
}
