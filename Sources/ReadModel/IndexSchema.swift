// The tables of an index. The index is a cache: another version is rebuilt, never migrated.

import AuditReports
import EventStore
import GRDB
import GRDBSQLite

enum IndexSchema {
  /// Increases with each change of the tables; `FlowFacts.codingVersion` increases with each change of their content.
  static let version = "5.\(FlowFacts.codingVersion)"

  static func make(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE stores (
          number INTEGER PRIMARY KEY, path TEXT NOT NULL, id TEXT NOT NULL,
          position INTEGER NOT NULL, kept INTEGER NOT NULL, tail BLOB);
        CREATE TABLE flows (
          id INTEGER PRIMARY KEY, store INTEGER NOT NULL, stream BLOB NOT NULL, first INTEGER NOT NULL,
          started INTEGER NOT NULL, kind TEXT NOT NULL, typed TEXT, login TEXT, facts BLOB NOT NULL);
        CREATE UNIQUE INDEX flows_stream ON flows (stream, store);
        CREATE INDEX flows_started ON flows (started, store, first);
        CREATE INDEX flows_first ON flows (store, first);
        CREATE INDEX flows_typed ON flows (typed);
        CREATE INDEX flows_login ON flows (login);
        CREATE TABLE tokens (id TEXT NOT NULL, flow INTEGER NOT NULL, PRIMARY KEY (id, flow)) WITHOUT ROWID;
        CREATE TABLE pruned (store INTEGER NOT NULL, stream BLOB NOT NULL, PRIMARY KEY (stream, store)) WITHOUT ROWID;
        CREATE TABLE own (
          store INTEGER NOT NULL, position INTEGER NOT NULL, at INTEGER NOT NULL, type TEXT NOT NULL,
          data TEXT NOT NULL, PRIMARY KEY (store, position)) WITHOUT ROWID;
        CREATE TABLE texts (id INTEGER PRIMARY KEY, flow INTEGER NOT NULL);
        CREATE VIRTUAL TABLE words USING fts5(
          text, content='', columnsize=0, detail=none, tokenize="unicode61 remove_diacritics 0 tokenchars '_'",
          prefix='3');
        """)
    try database.execute(sql: "INSERT INTO meta VALUES ('version', ?)", arguments: [version])
  }

  /// True if the tables are those of this version.
  ///
  /// - Throws: `DatabaseError` if they claim to be but are not: foreign views and triggers may do anything.
  static func isCurrent(_ database: Database) throws -> Bool {
    guard try database.tableExists("meta"),
      try String.fetchOne(database, sql: "SELECT CAST(value AS TEXT) FROM meta WHERE name = 'version'") == version
    else { return false }
    guard try tables(of: database) == ownTables() else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the tables are not those of an index")
    }
    return true
  }

  private static func tables(of database: Database) throws -> [String] {
    try String.fetchAll(
      database,
      sql: """
        SELECT type || ' ' || name || ' ' || tbl_name || ' ' || ifnull(sql, '') FROM sqlite_master
        ORDER BY type, name LIMIT 100
        """)
  }

  /// The tables that `make` makes.
  private static func ownTables() throws -> [String] {
    try DatabaseQueue().write { database in
      try make(database)
      return try tables(of: database)
    }
  }

  /// The largest value that is read from a file, in bytes.
  private static let longestValue: Int32 = 64 << 20

  /// Keeps values of a damaged or crafted file from exhausting the memory.
  static func bound(_ database: Database) {
    // SAFETY: the connection is open while it is prepared, and the call only sets a number.
    _ = unsafe sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_LENGTH, longestValue)
  }
}
