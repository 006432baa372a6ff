// The tables of the storage, and the migration of older files (docs/DEVICE.md, "Storage").

import GRDB

/// The tables, grouped by the version that introduced them.
enum StorageSchema {
  /// The columns that this version reads and writes, by table.
  static let columns: [String: [String]] = [
    "enrollment": EnrollmentRow.columns, "policy": PolicyRow.columns, "device": DeviceRow.columns,
    "answer": AnswerRow.columns, "seal": ["name", "proof"],
  ]

  /// Migrates a file to this version. A file from a newer version is left unchanged.
  ///
  /// - Throws: `migration` if the file is from a newer version and this one cannot read it.
  static func prepare(_ pool: DatabasePool) throws {
    let migrator = migrator
    if try pool.read(migrator.hasBeenSuperseded) { return try pool.read(check) }
    if try !pool.read(migrator.hasCompletedMigrations) { try migrator.migrate(pool) }
  }

  static func check(_ database: Database) throws {
    for (table, columns) in columns {
      guard try database.tableExists(table) else { throw newer("has no table \(table)") }
      let found = try database.columns(in: table)
      for column in columns where !found.contains(where: { $0.name == column }) {
        throw newer("has no column \(table).\(column)")
      }
      // Rows inserted by this version would violate a constraint of the newer one.
      for column in found where column.isNotNull && column.defaultValueSQL == nil && !columns.contains(column.name) {
        guard column.primaryKeyIndex == 0 else { continue }
        throw newer("needs \(table).\(column.name)")
      }
    }
  }

  private static func newer(_ what: String) -> StorageFailure {
    .migration(reason: "the storage was made by a newer version and \(what); use that version")
  }

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      // `sequence` keeps the order of first saving; AUTOINCREMENT never reuses a number.
      try database.execute(
        sql: """
          CREATE TABLE enrollment (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL, org_id TEXT NOT NULL, org_url TEXT NOT NULL, user_id TEXT NOT NULL, user_name,
            device_id TEXT NOT NULL, method_id TEXT, pending_url TEXT, pop_tag TEXT, uv_tag TEXT, bio_tag TEXT,
            transaction_types TEXT NOT NULL, client_id TEXT, server_error_code TEXT,
            created REAL NOT NULL, updated REAL NOT NULL,
            UNIQUE (id, org_id));
          CREATE TABLE policy (
            org_id TEXT PRIMARY KEY NOT NULL, id TEXT NOT NULL, client_id TEXT NOT NULL, content TEXT NOT NULL);
          CREATE TABLE device (
            org_id TEXT PRIMARY KEY NOT NULL, id TEXT NOT NULL, client_instance_id TEXT NOT NULL,
            client_instance_tag TEXT NOT NULL);
          CREATE TABLE answer (
            id TEXT PRIMARY KEY NOT NULL, enrollment_id TEXT NOT NULL, fingerprint TEXT NOT NULL, stream TEXT NOT NULL,
            stage TEXT NOT NULL, response, response_expiry REAL, expiry REAL NOT NULL);
          CREATE INDEX answer_expiry ON answer (expiry);
          CREATE TABLE seal (name TEXT PRIMARY KEY NOT NULL, proof BLOB NOT NULL);
          PRAGMA user_version = 1;
          """)
    }
    return migrator
  }
}
