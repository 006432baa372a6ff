// Which key a storage is encrypted under: it is known by a text that the key opens.

import GRDB

/// Checks the application's key against the storage, and takes it if the storage has none yet.
enum StorageSeal {
  private static let name = "columns"
  private static let proof = "flowrecorder storage"

  /// Refuses a wrong key, and a storage that needs one without it. Encrypts what an older opening without a key wrote.
  ///
  /// - Returns: whether the storage took the key now.
  static func prepare(_ database: Database, _ seal: CellSeal) throws -> Bool {
    let row = try Row.fetchOne(database, sql: "SELECT proof FROM seal WHERE name = ?", arguments: [name])
    if let value = row?.databaseValues.first {
      guard seal.isSealing else {
        throw StorageFailure.unreadable(reason: "the storage is encrypted under a key, and none was given")
      }
      guard (try? seal.open(value, at: "seal.proof")) == proof else {
        throw StorageFailure.unreadable(
          reason: "the storage is encrypted under another key than the one that was given")
      }
      return false
    } else if seal.isSealing {
      try encrypt(database, seal)
      let value = try seal.seal(proof, at: "seal.proof")
      try database.execute(sql: "INSERT INTO seal (name, proof) VALUES (?, ?)", arguments: [name, value])
      return true
    }
    return false
  }

  private static func encrypt(_ database: Database, _ seal: CellSeal) throws {
    for row in try rows(database, "SELECT id, org_id, user_name FROM enrollment WHERE user_name IS NOT NULL") {
      let (id, org) = (try row.text("id"), try row.text("org_id"))
      let value = try seal.seal(try row.text("user_name"), at: "enrollment.user_name", id, org)
      try database.execute(
        sql: "UPDATE enrollment SET user_name = ? WHERE id = ? AND org_id = ?", arguments: [value, id, org])
    }
    for row in try rows(database, "SELECT id, response FROM answer WHERE response IS NOT NULL") {
      let id = try row.text("id")
      let value = try seal.seal(try row.text("response"), at: "answer.response", id)
      try database.execute(sql: "UPDATE answer SET response = ? WHERE id = ?", arguments: [value, id])
    }
  }

  private static func rows(_ database: Database, _ sql: String) throws -> [RowReader] {
    try Row.fetchAll(database, sql: sql).map { RowReader($0, of: "storage", Array($0.columnNames)) }
  }
}
