// The states of a flow, by record: some are kept, the others are folded from the nearest kept one.

import EventStore
import FlowKinds
import FlowRecording

/// Gives the state after any record of a flow.
struct FoldedStates: Sendable {
  /// How many records lie between two kept states.
  private static let distance = 64
  private let read: @Sendable (Int) -> JSON

  /// Folds a flow once, and keeps every 64th state.
  init(_ records: [FlowRecord], of kind: any FlowKind.Type) {
    read = Self.reader(records, kind)
  }

  private static func reader<Kind: FlowKind>(
    _ records: [FlowRecord], _ kind: Kind.Type
  ) -> @Sendable (Int) -> JSON {
    var kept: [Kind.Core] = []
    var core = Kind.Core()
    for (index, record) in records.enumerated() {
      core.fold(record)
      if index % distance == 0 { kept.append(core) }
    }
    let states = kept
    return { index in
      let nearest = index / distance
      var core = states[nearest]
      for record in records[(nearest * distance + 1)..<max(nearest * distance + 1, index + 1)] { core.fold(record) }
      return kind.state(of: core)
    }
  }

  /// The state after the record at an index.
  subscript(index: Int) -> JSON { read(index) }
}
