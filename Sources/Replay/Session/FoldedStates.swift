// The states of a flow, by record: some are kept, the others are folded from the nearest kept one.

import EventStore
import FlowKinds
import FlowRecording

/// Gives the state after any record of a flow.
struct FoldedStates: Sendable {
  /// How many states are kept at most, and how many records lie between two of them at least.
  private static let (most, nearest) = (128, 64)
  private let read: @Sendable (Int) -> JSON
  /// How many states are kept.
  let count: Int

  /// Folds a flow once, and keeps a state every 64 records; of a long flow fewer, so that memory does not grow with its square.
  init(_ records: [FlowRecord], of kind: any FlowKind.Type) {
    (read, count) = Self.reader(records, kind)
  }

  private static func reader<Kind: FlowKind>(
    _ records: [FlowRecord], _ kind: Kind.Type
  ) -> (read: @Sendable (Int) -> JSON, count: Int) {
    let distance = max(nearest, (records.count + most - 1) / most)
    var kept: [Kind.Core] = []
    var core = Kind.Core()
    for (index, record) in records.enumerated() {
      core.fold(record)
      if index % distance == 0 { kept.append(core) }
    }
    let states = kept
    let read = { @Sendable (index: Int) in
      let place = index / distance
      var core = states[place]
      for record in records[(place * distance + 1)..<max(place * distance + 1, index + 1)] { core.fold(record) }
      return kind.state(of: core)
    }
    return (read, states.count)
  }

  /// The state after the record at an index.
  subscript(index: Int) -> JSON { read(index) }
}
