// Detects which key a storage is encrypted with, by means of a known text that the key decrypts.

import GRDB

/// Checks the application's key against the storage, and sets it if the storage has none yet.
enum StorageSeal {
  private static let name = "columns"
  private static let proof = "flowrecorder storage"

  /// Rejects a wrong or missing key, and encrypts data that was written before there was a key.
  ///
  /// - Returns: whether the storage adopted the key now.
  static func prepare(_ database: Database, _ seal: CellSeal) throws -> Bool {
    let row = try Row.fetchOne(database, sql: "SELECT proof FROM seal WHERE name = ?", arguments: [name])
    if let value = row?.databaseValues.first {
      guard seal.isSealing else { throw keyless }
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

  /// Throws if there is no key and another process has encrypted the storage since it was opened.
  static func check(_ database: Database, _ seal: CellSeal) throws {
    guard !seal.isSealing else { return }
    let statement = try database.cachedStatement(sql: "SELECT proof FROM seal WHERE name = ?")
    guard try Row.fetchOne(statement, arguments: [name]) == nil else { throw keyless }
  }

  private static var keyless: StorageFailure {
    .unreadable(reason: "the storage is encrypted under a key, and none was given")
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
