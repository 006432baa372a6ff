// Runs the SDK again on a recorded flow: the same core, the same runtime, inert seams (DESIGN §2).

import EventStore
package import FlowRecording

/// A replay of one flow, one input at a time.
package final class Replayer<Core: FlowCore> {
  private let recording: String
  private let flow: RecordedFlow
  private let driver: any ReplayDriver<Core>
  private let asked: Set<Int>
  /// The kinds of the awaited draws, by the revisions of their `draw.asked`; none if they are not compared.
  private let askedKinds: [Int: DrawKind]
  /// The revisions that later calls were made on.
  private let held: Set<Int>
  private let recordedBy: String
  /// The states that an application would hold objects of, by revision: those that a later call was made on.
  private var snapshots: [Int: Core] = [:]
  private var index = 0
  /// The folded state of the records up to a place, and how many draws they hold; the state at a difference is folded
  /// from there.
  private var folded = (core: Core(), draws: 0, index: 0)

  /// Prepares a replay of the decisions alone.
  ///
  /// - Parameters:
  ///   - flow: the recorded flow.
  ///   - recording: the name of its recording in messages.
  package convenience init(_ flow: RecordedFlow, of recording: String) {
    self.init(flow, of: recording, by: CoreDriver<Core>(flow))
  }

  /// Prepares a replay by a driver of the flow.
  ///
  /// - Parameter comparingDraws: whether an awaited draw must be of the kind that was asked for.
  init(
    _ flow: RecordedFlow, of recording: String, by driver: any ReplayDriver<Core>, comparingDraws: Bool = true
  ) {
    self.flow = flow
    self.recording = recording
    self.driver = driver
    var askedKinds: [Int: DrawKind] = [:]
    var held: Set<Int> = []
    for record in flow.records {
      if case .drawAsked(let draw) = record.event { askedKinds[record.revision] = draw.kind }
      if case .callMade(let made) = record.event, let revision = made.on { held.insert(revision) }
    }
    asked = Set(askedKinds.keys)
    self.askedKinds = comparingDraws ? askedKinds : [:]
    self.held = held
    recordedBy = flow.recordedBy
  }

  /// The current state of the replay.
  package var core: Core { driver.core }

  /// The public forms of the calls that were made; nil if only the decisions run.
  package var forms: PlayedForms? { driver.forms }

  /// How many records of the recording have been replayed.
  package var position: Int { index }

  /// Feeds the next input and compares what follows from it. If they differ, the replay continues from the recorded
  /// state.
  ///
  /// - Returns: the differences of this step, none if it went as recorded; `nil` if no input is left.
  package func advance() -> [Divergence]? {
    guard index < flow.records.count else { return nil }
    let input = flow.records[index]
    guard input.isInput(askedAt: asked) else {
      // An output without an input before it is in a place where the SDK would have made none.
      return adopt(
        [StepDifference(kind: .missing, revision: input.revision, expected: input, actual: nil)], to: index + 1)
    }
    var end = index + 1
    while end < flow.records.count, !flow.records[end].isInput(askedAt: asked) { end += 1 }
    if let asked = drawAsked(by: input) {
      return adopt(
        [StepDifference(kind: .draw, revision: input.revision, expected: input, actual: asked)], to: end)
    }
    if case .callMade(let made) = input.event {
      driver.feed(input, on: made.on.flatMap { snapshots[$0] })
    } else {
      driver.feed(input, on: nil)
    }
    let made = driver.take()
    guard let first = made.first, first.revision == input.revision, first.cause == input.cause else {
      let revision = made.first?.revision ?? input.revision
      return adopt(
        [StepDifference(kind: .missing, revision: revision, expected: input, actual: nil)], to: end)
    }
    guard first.event.isSame(as: input.event) else {
      return adopt(
        [StepDifference(kind: .different, revision: input.revision, expected: input, actual: first)], to: end)
    }
    let compared = StepComparison.differences(
      Array(flow.records[(index + 1)..<end]), Array(made.dropFirst()), after: input)
    let differences = compared.found + driver.findings()
    guard differences.isEmpty else {
      var found = adopt(differences, to: end)
      if let last = found.indices.last { found[last].leftOut = compared.leftOut }
      return found
    }
    index = end
    keepSnapshot()
    return []
  }

  /// Feeds the next input and compares what follows from it.
  ///
  /// - Returns: whether there was an input left.
  /// - Throws: the first `Divergence` of the step.
  package func step() throws(Divergence) -> Bool {
    guard let found = advance() else { return false }
    if let first = found.first { throw first }
    return true
  }

  /// Replays to the end.
  ///
  /// - Parameter limit: how many divergences to collect before it stops.
  /// - Returns: the divergences, in order.
  package func run(limit: Int) -> [Divergence] {
    var found: [Divergence] = []
    while found.count < limit, let step = advance() { found += step }
    if found.isEmpty { found = divergences(driver.finish()) }
    return Self.listed(found, limit)
  }

  /// The first divergences up to the limit; the last one states how many of its step are left out.
  private static func listed(_ found: [Divergence], _ limit: Int) -> [Divergence] {
    var listed = Array(found.prefix(limit))
    if limit > 1, listed.count < found.count, let last = listed.indices.last {
      let rest = found.dropFirst(limit)
      listed[last].leftOut += rest.count + rest.reduce(0) { $0 + $1.leftOut }
    }
    return listed
  }

  /// An awaited draw as the SDK asked for it; `nil` if the recorded one is of that kind. A core that is given another
  /// kind of draw takes it for a late one, and makes nothing of it.
  private func drawAsked(by input: FlowRecord) -> FlowRecord? {
    guard case .drawMade(var draw) = input.event, let kind = input.cause.flatMap({ askedKinds[$0] }), kind != draw.kind
    else { return nil }
    draw.kind = kind
    var record = input
    record.event = .drawMade(draw)
    return record
  }

  // MARK: Going on

  /// Adopts the recorded state after a step, so that later steps are compared independently.
  private func adopt(_ differences: [StepDifference], to end: Int) -> [Divergence] {
    let found = divergences(differences)
    guard driver.canGoOn else {
      index = flow.records.count
      return found
    }
    for record in flow.records[folded.index..<end] {
      folded.core.fold(record)
      if case .drawMade = record.event { folded.draws += 1 }
    }
    folded.index = end
    _ = driver.take()
    let next = end < flow.records.count ? flow.records[end].revision : (flow.records.last?.revision ?? 0) + 1
    driver.adopt(folded.core, nextRevision: next, draws: folded.draws)
    index = end
    keepSnapshot()
    return found
  }

  private func keepSnapshot() {
    guard let revision = driver.snapshotRevision, held.contains(revision) else { return }
    snapshots[revision] = driver.core
  }

  // MARK: What differs

  /// The divergences of one step, all of one call.
  private func divergences(_ differences: [StepDifference]) -> [Divergence] {
    if differences.isEmpty { return [] }
    let call = flow.call(at: min(index, flow.records.count - 1))
    return differences.map { divergence($0, call) }
  }

  private func divergence(_ difference: StepDifference, _ call: String?) -> Divergence {
    let place: EventDifference? =
      if difference.kind != .moved, let expected = difference.expected, let actual = difference.actual {
        EventDifference(expected, actual)
      } else { nil }
    return Divergence(
      recording: recording, flow: flow.stream, revision: difference.revision, kind: difference.kind, call: call,
      expected: difference.expected.map(Self.json), actual: difference.actual.map(Self.json), path: place?.path,
      recorded: place?.recorded, replayed: place?.replayed, before: context(of: difference.revision),
      recordedBy: recordedBy, replayedBy: UserAgent.product,
      message: Divergence.message(difference, place, call: call), complaint: difference.complaint)
  }

  /// The three recorded events before a revision.
  private func context(of revision: Int) -> [JSON] {
    let end = flow.records.firstIndex { $0.revision >= revision } ?? flow.records.count
    return Divergence.context(flow.records[..<end])
  }

  private static func json(_ record: FlowRecord) -> JSON {
    .members([
      ("type", .string(record.event.type)), ("v", .int(record.event.version)), ("cause", record.cause.map(JSON.int)),
      ("data", record.event.data),
    ])
  }
}
