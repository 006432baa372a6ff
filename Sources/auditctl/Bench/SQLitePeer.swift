// SQLite by the library that is on the machine, if any: the program does not link it, so that it needs none.
import Glibc

/// A table of events beside the log, or nothing if there is no SQLite.
final class SQLitePeer {
  private typealias Open = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>) -> Int32
  private typealias Execute =
    @convention(c) (OpaquePointer?, UnsafePointer<CChar>, OpaquePointer?, OpaquePointer?, OpaquePointer?) -> Int32
  private typealias Prepare =
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<OpaquePointer?>, OpaquePointer?
    ) -> Int32
  private typealias BindText =
    @convention(c) (OpaquePointer?, Int32, UnsafePointer<UInt8>?, Int32, OpaquePointer?) -> Int32
  private typealias BindInt = @convention(c) (OpaquePointer?, Int32, Int64) -> Int32
  private typealias OfStatement = @convention(c) (OpaquePointer?) -> Int32
  private typealias ColumnBytes = @convention(c) (OpaquePointer?, Int32) -> Int32
  private typealias ColumnText = @convention(c) (OpaquePointer?, Int32) -> OpaquePointer?

  private let library: UnsafeMutableRawPointer
  private let execute: Execute
  private let prepare: Prepare
  private let bindText: BindText
  private let bindInt: BindInt
  private let step: OfStatement
  private let reset: OfStatement
  private let finalize: OfStatement
  private let close: OfStatement
  private let columnBytes: ColumnBytes
  private let columnText: ColumnText
  private var database: OpaquePointer?

  /// The result of a step: a row, or the end.
  private static let row: Int32 = 100
  private static let done: Int32 = 101

  /// A new database; nil if there is no SQLite, or it cannot make one.
  init?(path: String) {
    guard let library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL) else { return nil }
    func symbol<Function>(_ name: String, as type: Function.Type) -> Function? {
      dlsym(library, "sqlite3_" + name).map { unsafeBitCast($0, to: type) }
    }
    guard let open = symbol("open", as: Open.self), let execute = symbol("exec", as: Execute.self),
      let prepare = symbol("prepare_v2", as: Prepare.self), let bindText = symbol("bind_text", as: BindText.self),
      let bindInt = symbol("bind_int64", as: BindInt.self), let step = symbol("step", as: OfStatement.self),
      let reset = symbol("reset", as: OfStatement.self), let finalize = symbol("finalize", as: OfStatement.self),
      let close = symbol("close", as: OfStatement.self),
      let columnBytes = symbol("column_bytes", as: ColumnBytes.self),
      let columnText = symbol("column_text", as: ColumnText.self)
    else { return nil }
    (self.library, self.execute, self.prepare, self.bindText) = (library, execute, prepare, bindText)
    (self.bindInt, self.step, self.reset, self.finalize) = (bindInt, step, reset, finalize)
    (self.close, self.columnBytes, self.columnText) = (close, columnBytes, columnText)
    guard open(path, &database) == 0,
      run("PRAGMA page_size = 65536; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"),
      run(
        "CREATE TABLE events (n INTEGER PRIMARY KEY, stream TEXT NOT NULL, rev INTEGER NOT NULL, "
          + "type TEXT NOT NULL, data TEXT NOT NULL); CREATE INDEX events_stream ON events (stream);")
    else { return nil }
  }

  deinit { _ = close(database) }

  /// Inserts rows, 1,000 a transaction. False if SQLite refuses.
  func insert(_ events: [BenchEvent]) -> Bool {
    var statement: OpaquePointer?
    let text = "INSERT INTO events (stream, rev, type, data) VALUES (?, ?, ?, ?)"
    guard prepare(database, text, -1, &statement, nil) == 0 else { return false }
    defer { _ = finalize(statement) }
    var start = 0
    while start < events.count {
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
    guard bindInt(statement, 2, Int64(event.revision)) == 0 else { return false }
    return bind(texts[...], to: statement)
  }

  /// Binds the texts, each lent while the next is bound, and steps.
  private func bind(_ texts: ArraySlice<(Int32, [UInt8])>, to statement: OpaquePointer?) -> Bool {
    guard let (place, text) = texts.first else { return step(statement) == Self.done && reset(statement) == 0 }
    return text.withUnsafeBufferPointer { bytes in
      bindText(statement, place, bytes.baseAddress, Int32(bytes.count), nil) == 0
        && bind(texts.dropFirst(), to: statement)
    }
  }

  /// Reads all rows in order; how many bytes of data they have, nil if SQLite refuses.
  func readAll() -> Int? {
    var statement: OpaquePointer?
    guard prepare(database, "SELECT n, stream, rev, type, data FROM events ORDER BY n", -1, &statement, nil) == 0 else {
      return nil
    }
    defer { _ = finalize(statement) }
    var bytes = 0
    while true {
      switch step(statement) {
      case Self.row:
        guard columnText(statement, 4) != nil else { return nil }
        bytes += Int(columnBytes(statement, 4))
      case Self.done: return bytes
      default: return nil
      }
    }
  }

  private func run(_ text: String) -> Bool { execute(database, text, nil, nil, nil) == 0 }
}
