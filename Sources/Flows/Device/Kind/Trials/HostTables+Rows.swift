// How stored values are represented in SQLite tables. The database is in memory: nothing touches a disk.

import EventStore
import Foundation
import FlowRecording
import GRDB

extension HostTables {
  /// Runs a closure with an in-memory database.
  private static func database(_ body: (Database) throws -> [String]) -> [String] {
    do {
      let queue = try DatabaseQueue()
      try StorageSchema.migrator.migrate(queue)
      return try queue.write { try body($0) }
    } catch {
      return ["failed: \(show(StorageFailure(error)))"]
    }
  }

  private static func text(_ body: () throws -> String?) -> String {
    do { return try body() ?? "none" } catch { return show(StorageFailure(error)) }
  }

  private static func show(_ value: DatabaseValue) -> String {
    switch value.storage {
    case .null: "null"
    case .int64(let number): "int \(number)"
    case .double(let number): "double \(number)"
    case .string(let text): "text \(text)"
    case .blob(let data): "\(data.count) bytes"
    }
  }

  // MARK: Rows

  /// Rows as they are written and read, with each of their values changed in turn.
  static var rows: [String] {
    database { database in
      let plain = try CellSeal(key: nil)
      let least = StoredEnrollment(id: "i", orgID: "o", orgURL: "u", userID: "p", deviceID: "d")
      let policy = StoredPolicy(orgID: "o", id: "i", clientID: "c", content: HostSamples.policy)
      let answer = HostSamples.transaction(.signed, response: "jwt")
      let enrollment = { (row: Row) throws -> String in try EnrollmentRow.read(row, plain).json.text }
      let answered = { (row: Row) throws -> String in show(try AnswerRow.read(row, plain)) }
      let configured = { (row: Row) throws -> String in
        let policy = try PolicyRow.read(row)
        return "\(policy.orgID) \(policy.id) \(policy.clientID) \(policy.content.text)"
      }
      let device = { (row: Row) throws -> String in try DeviceRow.read(row).json.text }
      let whole = try EnrollmentRow.values(HostSamples.enrollment, plain)
      var lines = try trials("enrollment", EnrollmentRow.columns, whole, database, enrollment)
      lines += try trials("least", EnrollmentRow.columns, try EnrollmentRow.values(least, plain), database, enrollment)
      lines += try trials("policy", PolicyRow.columns, PolicyRow.values(policy), database, configured)
      lines += try trials("device", DeviceRow.columns, DeviceRow.values(HostSamples.device), database, device)
      lines += try trials("answer", AnswerRow.columns, try AnswerRow.values(answer, plain), database, answered)
      return lines
    }
  }

  /// A row, and what is read from it if one value is changed.
  private static func trials(
    _ name: String, _ columns: [String], _ values: [DatabaseValue], _ database: Database, _ read: (Row) throws -> String
  ) throws -> [String] {
    let others: [DatabaseValue] = [.null, 5.databaseValue, "[5".databaseValue, Data([1]).databaseValue]
    let marks = values.map { _ in "?" }.joined(separator: ", ")
    let pairs = zip(columns, values).map { column, value in "\(column) = \(show(value))" }
    var lines = [line(name, pairs.joined(separator: ", "))]
    for (index, column) in ([""] + columns).enumerated() {
      for other in index == 0 ? [DatabaseValue.null] : others {
        var changed = values
        if index > 0 { changed[index - 1] = other }
        let arguments = StatementArguments(changed)
        let found = text {
          let row = try Row.fetchOne(database, sql: "SELECT \(marks)", arguments: arguments)
          return try row.map { try read($0) }
        }
        lines.append(line("\(name) \(column) \(show(other))", found))
      }
    }
    return lines
  }

  // MARK: Tables

  /// The tables, the statements, and which tables of a newer version can be read.
  static var schema: [String] {
    let statements = [
      SQLiteEnrollmentStorage.selectEnrollments, SQLiteEnrollmentStorage.selectPolicy,
      SQLiteEnrollmentStorage.selectDevices, SQLiteEnrollmentStorage.selectAnswer,
      SQLiteEnrollmentStorage.putEnrollment, SQLiteEnrollmentStorage.putPolicy, SQLiteEnrollmentStorage.putDevice,
      SQLiteEnrollmentStorage.putAnswer,
    ]
    let columns = StorageSchema.columns.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return statements + columns
      + database { database in
        let master = "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite%' AND name NOT LIKE 'grdb%'"
        let tables = try Row.fetchAll(database, sql: master + " ORDER BY name").map { row in
          row.databaseValues.map { show($0) }.joined(separator: " ")
        }
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version")
        var lines = tables + [line("version", version.map { "\($0)" })]
        let seal = "CREATE TABLE seal (name TEXT PRIMARY KEY NOT NULL"
        for change in [
          "ALTER TABLE enrollment ADD COLUMN more TEXT", "DROP TABLE seal", seal + ")", "DROP TABLE seal",
          seal + ", proof BLOB NOT NULL, more TEXT NOT NULL)", "DROP TABLE seal",
          seal + ", proof BLOB NOT NULL, more TEXT NOT NULL DEFAULT 'x')", "DROP TABLE seal",
          "CREATE TABLE seal (more INTEGER PRIMARY KEY NOT NULL, name TEXT, proof BLOB)", "DROP TABLE answer",
        ] {
          try database.execute(sql: change)
          let isRead = text {
            try StorageSchema.check(database)
            return "read"
          }
          lines.append(line(change, isRead))
        }
        return lines
      }
  }

  /// The meaning of SQLite errors.
  static var sqliteErrors: [String] {
    let codes: [ResultCode] = [
      .SQLITE_CORRUPT, .SQLITE_CORRUPT_INDEX, .SQLITE_NOTADB, .SQLITE_BUSY, .SQLITE_BUSY_TIMEOUT, .SQLITE_LOCKED,
      .SQLITE_LOCKED_SHAREDCACHE, .SQLITE_FULL, .SQLITE_CONSTRAINT_UNIQUE,
    ]
    return codes.map { line("\($0.rawValue)", show(StorageFailure(DatabaseError(resultCode: $0, message: "why")))) }
      + [line("own", show(StorageFailure(StorageFailure.migration(reason: "why"))))]
  }
}
