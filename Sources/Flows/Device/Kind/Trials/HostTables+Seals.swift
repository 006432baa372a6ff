// What is stored encrypted: columns of the storage, and the key that encrypts them.

import Foundation
import GRDB

extension HostTables {
  private static let key = Array(UInt8(0)..<32)
  /// A user name, an answer, and the key's proof, each encrypted for its place under `key`.
  private static let (name, answer, proof) = (
    Data(base64Encoded: "AAECAwQFBgcICQoLJmy46eMgpOLxEPknAe3kShSqow=="),
    Data(base64Encoded: "AAECAwQFBgcICQoLLXWif/SFdRkukNhEgvzX1aFIag=="),
    Data(base64Encoded: "AAECAwQFBgcICQoLIW65bLeAoXT/JfL5kZoMAvG34FEXL/MO742zTkJLeMKPYi60")
  )

  private static func text(_ body: () throws -> String?) -> String {
    do { return try body() ?? "none" } catch { return show(StorageFailure(error)) }
  }

  private static let turned = Array(key.reversed())

  /// The contents of cells with and without a key.
  static var cells: [String] {
    let counts: [Int?] = [nil, 0, 31, 32, 33]
    let lengths = counts.map { count in
      let sealing = text {
        let seal = try CellSeal(key: count.map { Array(repeating: 7, count: $0) })
        return "\(seal.isSealing)"
      }
      return line(count.map { "\($0) bytes" } ?? "none", sealing)
    }
    let values: [(String, DatabaseValue)] = [
      ("null", .null), ("text", "ann".databaseValue), ("name", name.databaseValue), ("answer", answer.databaseValue),
      ("number", 5.databaseValue), ("fraction", 0.5.databaseValue), ("bytes", Data([1, 2]).databaseValue),
    ]
    let keys: [[UInt8]?] = [nil, key, turned]
    let opened = keys.enumerated().flatMap { number, key in
      values.map { name, value in
        line("key \(number) \(name)", open(value, key, "enrollment.user_name", "pfd-1", "00o-1"))
      }
    }
    let moved = [("00o-1", "pfd-1"), ("pfd-1", "00o-2")].map { id, org in
      line("\(id) of \(org)", open(name.databaseValue, key, "enrollment.user_name", id, org))
    }
    let answers = ["ft-1", "ft-2"].map { id in
      line(id, text { try CellSeal(key: key).open(answer.databaseValue, at: "answer.response", id) })
    }
    return lengths + opened + moved + answers + sealed
  }

  private static func open(
    _ value: DatabaseValue, _ key: [UInt8]?, _ table: String, _ id: String, _ org: String
  ) -> String {
    text { try CellSeal(key: key).open(value, at: table, id, org) }
  }

  /// Sealed values open only in their own place.
  private static var sealed: [String] {
    let (keys, texts): ([[UInt8]?], [String?]) = ([nil, key], [nil, "", "ann"])
    return keys.flatMap { key in
      texts.map { content -> String in
        let found = text {
          let seal = try CellSeal(key: key)
          let value = try seal.seal(content, at: "table", "row")
          let (here, there) = (
            try seal.open(value, at: "table", "row"), text { try seal.open(value, at: "table", "x") }
          )
          let isBytes = if case .blob = value.storage { true } else { false }
          return "\(isBytes) \(here ?? "null") \(there)"
        }
        return line("\(key == nil ? "plain" : "key") \(content ?? "null")", found)
      }
    }
  }

  /// How storages respond to keys, one after the other.
  static var storageSeals: [String] {
    do {
      let queue = try DatabaseQueue()
      try StorageSchema.migrator.migrate(queue)
      return try queue.write { try opened($0) }
    } catch {
      return ["failed: \(show(StorageFailure(error)))"]
    }
  }

  private static func opened(_ database: Database) throws -> [String] {
    let plain = try CellSeal(key: nil)
    var nameless = HostSamples.enrollment
    (nameless.id, nameless.userName) = ("pfd-2", nil)
    for enrollment in [HostSamples.enrollment, nameless] {
      let values = StatementArguments(try EnrollmentRow.values(enrollment, plain))
      try database.execute(sql: SQLiteEnrollmentStorage.putEnrollment, arguments: values)
    }
    for transaction in [HostSamples.transaction(.signed, response: "jwt"), HostSamples.transaction(id: "ft-2")] {
      let values = StatementArguments(try AnswerRow.values(transaction, plain))
      try database.execute(sql: SQLiteEnrollmentStorage.putAnswer, arguments: values)
    }
    let keys: [(String, [UInt8]?)] = [
      ("none", nil), ("key", key), ("again", key), ("another", turned), ("none", nil),
    ]
    var lines = try keys.map { name, key in
      let seal = try CellSeal(key: key)
      let said = text { try StorageSeal.prepare(database, seal) ? "taken" : "as it was" }
      let (read, plainly) = (try contents(database, seal), try contents(database, plain))
      return line(name, "\(said) | \(read) | \(plainly)")
    }
    let seal = try CellSeal(key: key)
    for value in [proof, name] {
      try database.execute(sql: "UPDATE seal SET proof = ?", arguments: [value.databaseValue])
      lines.append(line("other proof", text { try StorageSeal.prepare(database, seal) ? "taken" : "as it was" }))
    }
    return lines
  }

  private static func contents(_ database: Database, _ seal: CellSeal) throws -> String {
    let select = SQLiteEnrollmentStorage.selectEnrollments + " ORDER BY sequence"
    let names = try Row.fetchAll(database, sql: select).map { row in
      text { try EnrollmentRow.read(row, seal).userName }
    }
    let answers = try ["ft-1", "ft-2"].map { id in
      let row = try Row.fetchOne(database, sql: SQLiteEnrollmentStorage.selectAnswer, arguments: [id])
      return text { try row.map { try AnswerRow.read($0, seal).response ?? "null" } }
    }
    return "\(names) \(answers)"
  }
}
