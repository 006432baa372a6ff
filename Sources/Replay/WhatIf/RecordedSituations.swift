// What an application knew when it made the calls of a recorded flow.

import EventStore
import FlowRecording

/// The situations in which the calls of a recorded flow were made.
struct RecordedSituations<Kind: FlowKind> {
  /// The records of the flow, by revision.
  let records: [Int: FlowRecord]
  /// The calls that were made while no other was under way.
  let quiet: Set<Int>
  /// The status of the flow at each record.
  let statuses: [Int: String]
  /// The state of the object that each call was made on, by the revision of the call; the flow's own for a call on none.
  let objects: [Int: Kind.Core]

  /// Cost: folds the flow.
  init(_ flow: RecordedFlow) {
    records = Dictionary(flow.records.map { ($0.revision, $0) }) { first, _ in first }
    let held = Set(flow.records.compactMap { if case .callMade(let made) = $0.event { made.on } else { nil } })
    var (quiet, statuses, objects) = (Set<Int>(), [Int: String](), [Int: Kind.Core]())
    var (core, cores, facts, open) = (Kind.Core(), [Int: Kind.Core](), SignInFacts(), Set<Int>())
    for record in flow.records {
      if case .callMade(let made) = record.event { objects[record.revision] = made.on.flatMap { cores[$0] } ?? core }
      core.fold(record)
      if held.contains(record.revision) { cores[record.revision] = core }
      Kind.note(record.event.type, { record.event.data }, in: &facts)
      statuses[record.revision] = facts.status
      if case .callMade(let made) = record.event {
        if open.isEmpty { quiet.insert(record.revision) }
        if !made.isControl { open.insert(record.revision) }
      }
      if case .callReturned(let returned) = record.event { open.remove(returned.call) }
    }
    (self.quiet, self.statuses, self.objects) = (quiet, statuses, objects)
  }
}
