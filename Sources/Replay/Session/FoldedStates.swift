// The states of a flow, by record: some are kept, the others are folded from the nearest kept one.

import EventStore
import FlowKinds
import FlowRecording

/// Returns the state after any record of a flow.
struct FoldedStates: Sendable {
  /// The most states that are kept, and the fewest records between two of them.
  private static let (most, nearest) = (128, 64)
  /// Calls its second argument with the state after each record of a stretch, in order.
  private let read: @Sendable (Range<Int>, (JSON) -> Void) -> Void
  /// How many records lie between two states that are kept.
  private let distance: Int
  /// How many states are kept.
  let count: Int

  /// Folds a flow once, and keeps a state every 64 records; of a long flow fewer, so that memory does not grow with its
  /// square.
  ///
  /// - Parameters:
  ///   - records: the flow.
  ///   - kind: its kind.
  ///   - calls: the revisions of calls that are cancelled at once, so that the states do not list them.
  init(_ records: [FlowRecord], of kind: any FlowKind.Type, givingUp calls: Set<Int> = []) {
    distance = max(Self.nearest, (records.count + Self.most - 1) / Self.most)
    (read, count) = Self.reader(records, kind, distance, calls)
  }

  /// States that are each folded only from the first records of a flow and from those right before its place: they lack
  /// everything in between, and are small in a flow of any length. Nothing is folded ahead.
  ///
  /// - Parameters:
  ///   - records: the flow.
  ///   - kind: its kind.
  init(recent records: [FlowRecord], of kind: any FlowKind.Type) {
    distance = Self.window
    (read, count) = (Self.recentReader(records, kind), 0)
  }

  /// The minimum number of records that are folded at the beginning, and right before a place.
  private static let window = 256

  private static func recentReader<Kind: FlowKind>(
    _ records: [FlowRecord], _ kind: Kind.Type
  ) -> @Sendable (Range<Int>, (JSON) -> Void) -> Void {
    var first = Kind.Core()
    for record in records.prefix(window) { first.fold(record) }
    let head = first
    return { places, take in
      var place = places.lowerBound
      while place < places.upperBound {
        let window = Self.window
        let start = max(0, place / window * window - window)
        let end = min((place / window + 1) * window, places.upperBound)
        var core = start == 0 ? Kind.Core() : head
        for index in start..<end {
          core.fold(records[index])
          if index >= place { take(kind.state(of: core)) }
        }
        place = end
      }
    }
  }

  private static func reader<Kind: FlowKind>(
    _ records: [FlowRecord], _ kind: Kind.Type, _ distance: Int, _ calls: Set<Int>
  ) -> (read: @Sendable (Range<Int>, (JSON) -> Void) -> Void, count: Int) {
    let fold = { @Sendable (core: inout Kind.Core, record: FlowRecord) in
      core.fold(record)
      guard calls.contains(record.revision) else { return }
      let end = FlowEvent.callReturned(CallReturned(call: record.revision, outcome: .cancelled))
      core.fold(FlowRecord(revision: record.revision, at: record.at, cause: record.revision, event: end))
    }
    var kept: [Kind.Core] = []
    var core = Kind.Core()
    for (index, record) in records.enumerated() {
      fold(&core, record)
      if index % distance == 0 { kept.append(core) }
    }
    let states = kept
    let read = { @Sendable (places: Range<Int>, take: (JSON) -> Void) in
      guard let first = places.first else { return }
      let start = first / distance
      var core = states[start]
      for place in (start * distance)..<places.upperBound {
        if place > start * distance { fold(&core, records[place]) }
        if place >= first { take(kind.state(of: core)) }
      }
    }
    return (read, states.count)
  }

  /// The state after the record at an index.
  subscript(index: Int) -> JSON {
    var found = JSON.null
    read(index..<index + 1) { found = $0 }
    return found
  }

  /// The beginning of the stretch before an index in which all states fulfill the condition; the index itself if the
  /// state right before it does not. Cost: the states of the stretch, and at most as many again before it.
  func start(ofStretchTo end: Int, where isSo: (JSON) -> Bool) -> Int {
    var (start, length) = (end, 1)
    while start > 0 {
      let first = max(0, start - length)
      var (begin, place) = (first, first)
      read(first..<start) { state in
        place += 1
        if !isSo(state) { begin = place }
      }
      if begin > first { return begin }
      (start, length) = (first, min(2 * length, distance))
    }
    return 0
  }
}
