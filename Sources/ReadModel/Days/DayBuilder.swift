// Indexes a log by day. Rows are written first, then how far the log is indexed: a process that is stopped between the
// two writes the same rows again.

import AuditReports
import EventStore
import Foundation
import GRDB

/// Brings an index by day up to date with one log.
struct DayBuilder {
  private let log: LogReader
  private let stores: DayStores
  private let folder: String
  /// How many records are indexed before their rows are written.
  private static let batch = 200_000
  /// How many flows are kept in memory at most, from one batch to the next.
  private static let kept = 50_000

  init(_ log: LogReader, _ stores: DayStores, _ folder: String) {
    self.log = log
    self.stores = stores
    self.folder = folder
  }

  /// Indexes the records of the log that the index lacks.
  ///
  /// - Returns: the number of the store.
  func catchUp(_ progress: WorkProgress?) throws -> Int {
    var flows: (number: Int, UserFlows)?
    var cursor: EventStore.RecordCursor?
    var tree = MerkleFrontier()
    var end: UInt64?
    while true {
      let (number, taken) = try stores.change { database -> (Int, Int) in
        let standing = try standing(database)
        if flows?.number != standing.number || cursor == nil || tree.size != standing.position {
          // The first batch, or another process has continued meanwhile.
          flows = (standing.number, UserFlows(of: log, number: standing.number))
          tree = try standing.tree ?? log.frontier(at: standing.position)
          cursor = try log.cursor(from: standing.position)
        }
        var taken = 0
        while taken < Self.batch, let record = try cursor?.next() {
          try flows?.1.take(record)
          tree.append(record.leafHash)
          taken += 1
        }
        guard taken > 0 else { return (standing.number, 0) }
        try write(flows?.1.rows() ?? [])
        try stores.advance(standing.number, to: tree, database)
        return (standing.number, taken)
      }
      if taken == 0 { return number }
      flows?.1.forget(over: Self.kept)
      guard let progress else { continue }
      let last = try end ?? log.statistics().records
      end = last
      progress(min(tree.size, last), max(last, tree.size))
    }
  }

  /// How far the log is indexed. If the indexed log is not this log any more, indexing starts again.
  private func standing(_ database: Database) throws -> DayStores.Standing {
    let kept = try log.firstKept()
    if let known = try stores.standing(of: log.identity.id, database), try isSame(known, kept) { return known }
    let number = try stores.begin(log.identity.id, at: kept, database)
    return DayStores.Standing(number: number, position: kept, tree: nil)
  }

  private func isSame(_ known: DayStores.Standing, _ kept: UInt64) throws -> Bool {
    guard known.position > kept else { return known.position == kept }
    guard let tree = known.tree else { return false }
    return (try? log.root(at: known.position)) == tree.root
  }

  private func write(_ rows: [DayRow]) throws {
    let files = Dictionary(grouping: rows) { DayBucket(of: $0.user, $0.started) }
    for (bucket, rows) in files.sorted(by: { $0.key < $1.key }) {
      try DayFile(folder + "/" + bucket.path).write(rows)
    }
  }
}
