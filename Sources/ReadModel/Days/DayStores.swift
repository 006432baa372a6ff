// Which stores an index by day covers, and how far.

import EventStore
import Foundation
import GRDB

/// The table of stores of an index by day. Every change of the index requires its write lock.
struct DayStores {
  /// The known facts about a store.
  struct Standing {
    var number: Int
    var position: UInt64
    var tree: MerkleFrontier?
  }

  /// Increases with each change of the tables or their content.
  private static let version: Int32 = 2
  private let path: String
  private let queue: DatabaseQueue

  static func path(in folder: String) -> String { folder + "/stores.sqlite" }

  init(in folder: String) throws {
    path = Self.path(in: folder)
    try PrivateFile.claim(path)
    try IndexMark.check(path, isOurs: false)
    do {
      queue = try Self.connect(path)
      let version = try queue.read { try Int32.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
      if version != Self.version {
        if version != 0 { try Self.removeDays(folder) }
        try queue.write { database in
          try database.execute(
            sql: """
              DROP TABLE IF EXISTS stores;
              CREATE TABLE stores (
                number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, position INTEGER NOT NULL, tail BLOB);
              PRAGMA user_version = \(Self.version);
              """)
        }
      }
    } catch {
      throw ReadModelError(error, file: path)
    }
  }

  private static func connect(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    configuration.prepareDatabase { database in
      try IndexMark.put(on: database)
      IndexSchema.bound(database)
      try database.execute(sql: "PRAGMA synchronous = OFF; PRAGMA trusted_schema = OFF")
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Removes an index: its days and its table of stores, and nothing else in the folder.
  static func remove(_ folder: String) throws {
    let path = path(in: folder)
    if FileManager.default.fileExists(atPath: path) { try IndexMark.check(path, isOurs: false) }
    try removeDays(folder)
    for name in [path, path + "-journal"] where FileManager.default.fileExists(atPath: name) {
      do {
        try FileManager.default.removeItem(atPath: name)
      } catch {
        throw ReadModelError(.cannotWrite, "\(name) cannot be removed")
      }
    }
  }

  private static func removeDays(_ folder: String) throws {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where DayBucket.isDay(name) {
      do {
        try FileManager.default.removeItem(atPath: folder + "/" + name)
      } catch {
        throw ReadModelError(.cannotWrite, "\(folder)/\(name) cannot be removed")
      }
    }
  }

  /// Runs a closure while no other process changes the index; its changes are committed unless it throws.
  func change<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do {
      return try queue.writeWithoutTransaction { database in
        var value: Value?
        try database.inTransaction(.immediate) {
          value = try body(database)
          return .commit
        }
        guard let value else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
        return value
      }
    } catch let error as DatabaseError {
      throw ReadModelError(error, file: path)
    }
  }

  /// The known facts about a store; nil if it was never indexed.
  func standing(of id: String, _ database: Database) throws -> Standing? {
    guard
      let row = try Row.fetchOne(
        database, sql: "SELECT number, position, tail FROM stores WHERE id = ?", arguments: [id])
    else { return nil }
    let position = try row.position(1)
    return Standing(
      number: try row.number(0), position: position, tree: TreeTail.frontier(of: position, try row.optionalData(2)))
  }

  /// Begins to index a store from the beginning, under a number that no row has.
  func begin(_ id: String, at position: UInt64, _ database: Database) throws -> Int {
    try database.execute(sql: "DELETE FROM stores WHERE id = ?", arguments: [id])
    try database.execute(
      sql: "INSERT INTO stores (id, position) VALUES (?, ?)", arguments: [id, Int64(bitPattern: position)])
    return Int(database.lastInsertedRowID)
  }

  /// Records how far a store is indexed.
  func advance(_ number: Int, to tree: MerkleFrontier, _ database: Database) throws {
    try database.execute(
      sql: "UPDATE stores SET position = ?, tail = ? WHERE number = ?",
      arguments: [Int64(bitPattern: tree.size), TreeTail.data(of: tree), number])
  }

  /// How far each store is indexed, by its number.
  func positions() throws -> [Int: UInt64] {
    do {
      return try queue.read { database in
        let rows = try Row.fetchAll(database, sql: "SELECT number, position FROM stores")
        return Dictionary(
          try rows.map { (try $0.number(0), try $0.position(1)) }, uniquingKeysWith: { first, _ in first })
      }
    } catch {
      throw ReadModelError(error, file: path)
    }
  }
}
