// Builds the index from the logs. Each transaction indexes some records and records how far, so that an interrupted
// build leaves an index that is correct up to there.

import AuditReports
import EventStore
import FlowKinds
import FlowRecording
import Foundation
import GRDB

/// Brings an index up to date.
struct IndexBuilder {
  private let logs: [LogReader]
  private let queue: DatabaseQueue
  /// How many records are indexed in one transaction, which is lost if the build is stopped.
  private static let batch = 100_000
  /// For how many records words are collected while earlier ones are indexed.
  private static let ahead = 2_000
  /// How many flows are kept in memory at most, from one transaction to the next.
  private static let kept = 20_000

  init(_ logs: [LogReader], _ queue: DatabaseQueue) {
    self.logs = logs
    self.queue = queue
  }

  /// Checks that the index is one of these logs, and empties it if not.
  func prepare() throws {
    try queue.writeWithoutTransaction { database in
      try database.inTransaction(.immediate) {
        if try !IndexSchema.isCurrent(database) || !isOfTheseLogs(database) {
          try empty(database)
          try IndexSchema.make(database)
          for (number, log) in logs.enumerated() {
            let kept = try log.firstKept()
            try database.execute(
              sql: "INSERT INTO stores VALUES (?, ?, ?, ?, ?, NULL)",
              arguments: [
                number, log.directory, log.identity.id, Int64(bitPattern: kept), Int64(bitPattern: kept),
              ])
          }
        }
        return .commit
      }
    }
  }

  private func empty(_ database: Database) throws {
    let names = try String.fetchAll(
      database,
      sql:
        """
        SELECT name FROM sqlite_master WHERE type = 'table'
        AND name IN ('meta','stores','flows','tokens','pruned','own','texts','words')
        """
    )
    for name in names { try database.execute(sql: "DROP TABLE \(name)") }
  }

  /// True if the logs are those that were indexed, and have since only grown: the same stores, nothing more pruned, and
  /// the same record where the index ends.
  private func isOfTheseLogs(_ database: Database) throws -> Bool {
    let rows = try Row.fetchAll(database, sql: "SELECT id, position, kept, tail FROM stores ORDER BY number")
    guard rows.count == logs.count else { return false }
    for (row, log) in zip(rows, logs) {
      let position = try row.position(1)
      let kept = try row.position(2)
      guard try row.text(0) == log.identity.id, try log.firstKept() == kept else { return false }
      guard position > kept else { continue }
      var cursor = try log.cursor(from: position - 1)
      guard let record = try cursor.next(), record.position == position - 1 else { return false }
      // The tree over the indexed records must be the log's tree of that size.
      guard let tree = TreeTail.frontier(of: position, try row.optionalData(3)),
        (try? log.root(at: position)) == tree.root
      else {
        return false
      }
    }
    return true
  }

  // MARK: Taking up records

  /// Indexes the records of the logs that the index lacks.
  ///
  /// - Returns: true if there were any.
  func catchUp(_ progress: WorkProgress?) throws -> Bool {
    var hasTaken = false
    for (number, log) in logs.enumerated() {
      var live = LiveFlows(store: number)
      var tree = MerkleFrontier()
      var cursor: EventStore.RecordCursor?
      var position: UInt64 = 0
      // Computed only if there are records to index: it costs a look at the whole last segment.
      var end: UInt64?
      while true {
        let taken = try queue.writeWithoutTransaction { database -> Int in
          var taken = 0
          try database.inTransaction(.immediate) {
            let stands = UInt64(
              bitPattern: try Int64.fetchOne(
                database, sql: "SELECT position FROM stores WHERE number = ?", arguments: [number]) ?? 0)
            if cursor == nil || stands != position {
              // The first batch, or another process has continued meanwhile.
              live = LiveFlows(store: number)
              position = stands
              tree = try self.tree(of: number, at: stands, database)
              cursor = try log.cursor(from: stands)
            }
            taken = try take(&cursor, &live, &tree, &position, database)
            return taken == 0 ? .rollback : .commit
          }
          return taken
        }
        if taken == 0 { break }
        hasTaken = true
        live.forget(over: Self.kept)
        guard let progress else { continue }
        let last = try end ?? log.statistics().records
        end = last
        progress(min(position, last), max(last, position))
      }
    }
    try shortenNames()
    return hasTaken
  }

  /// Called once for all new flows: sorting the names after each batch would cost as much as everything else. If the
  /// build is stopped before, the next one does it.
  private func shortenNames() throws {
    guard try queue.read(ShortNames.isBehind) else { return }
    try queue.writeWithoutTransaction { database in
      try database.inTransaction(.immediate) {
        try ShortNames.update(database)
        return .commit
      }
    }
  }

  /// The tree over the indexed records. For records that were pruned before, the log's own tree is used.
  private func tree(of number: Int, at position: UInt64, _ database: Database) throws -> MerkleFrontier {
    let row = try Row.fetchOne(database, sql: "SELECT tail FROM stores WHERE number = ?", arguments: [number])
    if let tree = TreeTail.frontier(of: position, try row?.optionalData(0)) { return tree }
    return try logs[number].frontier(at: position)
  }

  private func take(
    _ cursor: inout EventStore.RecordCursor?, _ live: inout LiveFlows, _ tree: inout MerkleFrontier,
    _ position: inout UInt64, _ database: Database
  ) throws -> Int {
    var taken = 0
    var last: StoredRecord?
    var ahead = try WordsAhead(&cursor, Self.ahead)
    while let batch = ahead {
      let most = min(Self.ahead, Self.batch - taken - batch.records.count)
      ahead = try most > 0 ? WordsAhead(&cursor, most) : nil
      let (words, leaves) = batch.collection()
      for (record, words) in zip(batch.records, words) { try live.take(record, words, database) }
      for leaf in leaves { tree.append(leaf) }
      taken += batch.records.count
      last = batch.records.last
    }
    guard let last else { return 0 }
    try live.write(database)
    position = last.position + 1
    try database.execute(
      sql: "UPDATE stores SET position = ?, tail = ? WHERE number = ?",
      arguments: [Int64(bitPattern: position), TreeTail.data(of: tree), live.store])
    return taken
  }
}
