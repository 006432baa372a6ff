// The peer of the log in `bench`: the SQLite that the index of the flows uses, by its C functions.

import GRDBSQLite

/// A table of events beside the log.
final class SQLitePeer {
  private var database: OpaquePointer?

  /// A new database; nil if SQLite cannot make one.
  init?(path: String) {
    guard sqlite3_open(path, &database) == SQLITE_OK,
      run("PRAGMA page_size = 65536; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"),
      run(
        "CREATE TABLE events (n INTEGER PRIMARY KEY, stream TEXT NOT NULL, rev INTEGER NOT NULL, "
          + "type TEXT NOT NULL, data TEXT NOT NULL); CREATE INDEX events_stream ON events (stream);")
    else { return nil }
  }

  deinit { sqlite3_close(database) }

  /// Inserts rows, 1,000 a transaction. False if SQLite refuses.
  ///
  /// - Throws: `ExitCodes.interrupted` between two transactions, if a signal has come.
  func insert(_ events: [BenchEvent]) throws -> Bool {
    var statement: OpaquePointer?
    let text = "INSERT INTO events (stream, rev, type, data) VALUES (?, ?, ?, ?)"
    guard sqlite3_prepare_v2(database, text, -1, &statement, nil) == SQLITE_OK else { return false }
    defer { sqlite3_finalize(statement) }
    var start = 0
    while start < events.count {
      try Interruption.check()
      guard run("BEGIN") else { return false }
      let end = min(start + 1_000, events.count)
      for event in events[start..<end] {
        guard insert(event, by: statement) else { return false }
      }
      guard run("COMMIT") else { return false }
      start = end
    }
    return true
  }

  private func insert(_ event: BenchEvent, by statement: OpaquePointer?) -> Bool {
    let texts: [(Int32, [UInt8])] = [(1, event.streamBytes), (3, event.typeBytes), (4, event.data)]
    guard sqlite3_bind_int64(statement, 2, Int64(event.revision)) == SQLITE_OK else { return false }
    return bind(texts[...], to: statement)
  }

  /// Binds the texts, each lent while the next is bound, and steps.
  private func bind(_ texts: ArraySlice<(Int32, [UInt8])>, to statement: OpaquePointer?) -> Bool {
    guard let (place, text) = texts.first else {
      return sqlite3_step(statement) == SQLITE_DONE && sqlite3_reset(statement) == SQLITE_OK
    }
    return text.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        sqlite3_bind_text(statement, place, characters.baseAddress, Int32(characters.count), nil) == SQLITE_OK
          && bind(texts.dropFirst(), to: statement)
      }
    }
  }

  /// Reads all rows in order; how many bytes of data they have, nil if SQLite refuses.
  ///
  /// - Throws: `ExitCodes.interrupted` between two thousands of rows, if a signal has come.
  func readAll() throws -> Int? {
    var statement: OpaquePointer?
    let text = "SELECT n, stream, rev, type, data FROM events ORDER BY n"
    guard sqlite3_prepare_v2(database, text, -1, &statement, nil) == SQLITE_OK else { return nil }
    defer { sqlite3_finalize(statement) }
    var (rows, bytes) = (0, 0)
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        guard sqlite3_column_text(statement, 4) != nil else { return nil }
        bytes += Int(sqlite3_column_bytes(statement, 4))
        rows += 1
        if rows.isMultiple(of: 1_000) { try Interruption.check() }
      case SQLITE_DONE: return bytes
      default: return nil
      }
    }
  }

  private func run(_ text: String) -> Bool { sqlite3_exec(database, text, nil, nil, nil) == SQLITE_OK }
}
