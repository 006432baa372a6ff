// One file of an index by day: rows clustered by user and time, so that the flows of a user stand side by side.

import EventStore
import Foundation
import GRDB

/// A database of one day and bucket.
struct DayFile {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Writes rows. Existing rows only get a later end, so that rows may be written twice.
  func write(_ rows: [DayRow]) throws {
    try PrivateFile.claim(path)
    let queue = try connect()
    do {
      try queue.writeWithoutTransaction { database in
        try database.inTransaction(.immediate) {
          try database.execute(
            sql: """
              CREATE TABLE IF NOT EXISTS flows (
                user INTEGER NOT NULL, started INTEGER NOT NULL, store INTEGER NOT NULL, first INTEGER NOT NULL,
                last INTEGER NOT NULL, PRIMARY KEY (user, started, store, first)) WITHOUT ROWID
              """)
          let insert = try database.cachedStatement(
            sql: """
              INSERT INTO flows VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET last = max(last, excluded.last)
              """)
          for row in rows {
            try insert.execute(arguments: [
              row.user.hash, row.started.microseconds, row.store, Int64(bitPattern: row.first),
              Int64(bitPattern: row.last),
            ])
          }
          return .commit
        }
      }
    } catch {
      throw ReadModelError(error, file: path)
    }
  }

  /// Adds the rows of a user's flows that began in some time.
  func read(_ user: UserKey, since: Timestamp?, until: Timestamp?, into rows: inout [DayRow]) throws {
    let queue = try connect()
    do {
      try queue.read { database in
        let found = try Row.fetchCursor(
          database,
          sql: "SELECT started, store, first, last FROM flows WHERE user = ? AND started BETWEEN ? AND ?",
          arguments: [user.hash, since?.microseconds ?? .min, until?.microseconds ?? .max])
        while let row = try found.next() {
          rows.append(
            DayRow(
              user: user, started: Timestamp(microseconds: try row.integer(0)), store: try row.number(1),
              first: try row.position(2), last: try row.position(3)))
        }
      }
    } catch {
      throw ReadModelError(error, file: path)
    }
  }

  private func connect() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    configuration.prepareDatabase { database in
      // Rows lost in a power cut are built again. A process that is killed leaves a journal, which the next one rolls
      // back.
      IndexSchema.bound(database)
      try database.execute(sql: "PRAGMA synchronous = OFF; PRAGMA trusted_schema = OFF")
    }
    do {
      return try DatabaseQueue(path: path, configuration: configuration)
    } catch {
      throw ReadModelError(error, file: path)
    }
  }
}
