// Remakes whole flows.

import EventStore
import FlowRecording

extension FlowKind {
  /// The flow with other inputs and draws, as the SDK makes it: everything that follows from them is made again.
  ///
  /// - Returns: `nil` if it does not begin with an input, or if an input no longer answers anything.
  static func remade(_ flow: RecordedFlow, _ change: (FlowEvent) -> FlowEvent) -> RecordedFlow? {
    guard let steps = flow.steps else { return nil }
    var changed = flow
    changed.records = flow.records.map { record in
      guard case .drawMade = record.event else { return record }
      var record = record
      record.event = change(record.event)
      return record
    }
    guard let draws = changed.steps, draws.count == steps.count else { return nil }
    let remaking = FlowRemaking<Core>(changed)
    for step in draws {
      let event = step.input.event
      let isDraw = if case .drawMade = event { true } else { false }
      guard remaking.feed(step, as: isDraw ? event : change(event)) != nil else { return nil }
    }
    return remaking.flow
  }

  /// The flow with its placeholders numbered as in a recording: numbers may be missing after events were left out.
  ///
  /// - Returns: `nil` if the numbering cannot be determined, or leads to other events.
  static func renamed(_ flow: RecordedFlow) -> RecordedFlow? {
    guard PlaceholderNames(of: flow.records).haveSurrogates, let steps = flow.steps else { return nil }
    let held = Set(flow.records.compactMap { if case .callMade(let made) = $0.event { made.on } else { nil } })
    let driver = RuntimeDriver<Core>(flow, reading: { event, _ in event }) { _, _ in nil }
    var snapshots: [Int: Core] = [:]
    var records: [FlowRecord] = []
    for step in steps {
      var snapshot: Core?
      if case .callMade(let made) = step.input.event { snapshot = made.on.flatMap { snapshots[$0] } }
      driver.feed(step.input, on: snapshot)
      records += driver.take()
      _ = driver.findings()
      let core = driver.core
      if let revision = core.snapshotRevision, held.contains(revision) { snapshots[revision] = core }
    }
    let isSame =
      records.count == flow.records.count
      && zip(records, flow.records).allSatisfy { $0.event.type == $1.event.type && $0.revision == $1.revision }
    return isSame ? RecordedFlow(stream: flow.stream, records: records) : nil
  }
}
