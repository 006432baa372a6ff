// What the store is held against: liblz4 by itself, SQLite through GRDB, and a loop of plain system calls.
import CLZ4Peer
import EventStore
import Foundation
import GRDB

struct Failure: Error { var what: String }

/// liblz4 on blocks of 64 KiB.
enum RawLZ4 {
  static let block = 64 << 10

  /// The compressed blocks of `bytes`.
  static func compress(_ bytes: [UInt8]) -> [[UInt8]] {
    var room = [UInt8](repeating: 0, count: Int(LZ4_compressBound(Int32(block))))
    var blocks: [[UInt8]] = []
    each(bytes, &room) { count, room in blocks.append(Array(room[..<count])) }
    return blocks
  }

  /// Seconds of this thread for compressing all of `bytes`.
  static func compressSeconds(_ bytes: [UInt8]) -> Double {
    var room = [UInt8](repeating: 0, count: Int(LZ4_compressBound(Int32(block))))
    return Clock.seconds(Clock.thread) { each(bytes, &room) { _, _ in } }
  }

  private static func each(_ bytes: [UInt8], _ room: inout [UInt8], _ body: (Int, [UInt8]) -> Void) {
    var start = 0
    while start < bytes.count {
      let count = min(block, bytes.count - start)
      let made = bytes.withUnsafeBytes { source in
        room.withUnsafeMutableBytes { target in
          LZ4_compress_default(
            source.baseAddress.map { $0 + start }, target.baseAddress, Int32(count), Int32(target.count))
        }
      }
      body(Int(made), room)
      start += count
    }
  }

  /// Seconds of this thread for decompressing blocks of 64 KiB.
  static func decompressSeconds(_ blocks: [[UInt8]]) -> Double {
    var room = [UInt8](repeating: 0, count: block)
    return Clock.seconds(Clock.thread) {
      for part in blocks {
        part.withUnsafeBytes { source in
          room.withUnsafeMutableBytes { target in
            _ = LZ4_decompress_safe(source.baseAddress, target.baseAddress, Int32(source.count), Int32(target.count))
          }
        }
      }
    }
  }
}

/// A row of the table that people would use instead: one an event.
struct EventRow: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "events"
  var stream: String
  var rev: Int
  var at: String
  var type: String
  var data: String
}

/// SQLite through GRDB: WAL, one row an event, an index on the stream.
struct SQLitePeer {
  enum Setting {
    /// 64 KiB pages, synchronous NORMAL, a cached statement.
    case tuned
    /// What `DatabasePool` and a Codable record do by themselves.
    case asItComes
    /// Synchronous FULL on the writer's connection; the pool sets NORMAL on it when it opens.
    case full
  }

  let pool: DatabasePool
  let path: String

  init(_ path: String, _ setting: Setting) throws {
    self.path = path
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      if setting == .tuned { try db.execute(sql: "PRAGMA page_size = 65536") }
    }
    if setting == .tuned {
      // The size of pages has to stand before the pool turns the journal to WAL.
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA page_size = 65536; VACUUM") }
      try queue.close()
    }
    pool = try DatabasePool(path: path, configuration: configuration)
    try pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA synchronous = \(setting == .full ? "FULL" : "NORMAL")")
      try db.execute(
        sql: """
          CREATE TABLE events (n INTEGER PRIMARY KEY, stream TEXT NOT NULL, rev INTEGER NOT NULL, at TEXT NOT NULL,
            type TEXT NOT NULL, data TEXT NOT NULL);
          CREATE INDEX events_stream ON events (stream);
          """)
    }
  }

  /// Inserts with a statement that is prepared once, in transactions of `rows`.
  func insert(_ events: [EventRow], rows: Int) throws {
    try pool.writeWithoutTransaction { db in
      let statement = try db.cachedStatement(
        sql: "INSERT INTO events (stream, rev, at, type, data) VALUES (?, ?, ?, ?, ?)")
      var start = 0
      while start < events.count {
        let end = min(start + rows, events.count)
        try db.inTransaction {
          for event in events[start..<end] {
            statement.setUncheckedArguments([event.stream, event.rev, event.at, event.type, event.data])
            try statement.execute()
          }
          return .commit
        }
        start = end
      }
    }
  }

  /// Inserts Codable records, in transactions of `rows`.
  func insertRecords(_ events: [EventRow], rows: Int) throws {
    var start = 0
    while start < events.count {
      let end = min(start + rows, events.count)
      try pool.write { db in for event in events[start..<end] { try event.insert(db) } }
      start = end
    }
  }

  /// The bytes of the database once the write-ahead log is written back.
  func bytes() throws -> Int {
    try pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
    return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  func close() throws { try pool.close() }
}

/// A plain loop on the disk: write at the end, fdatasync.
enum BareDisk {
  /// Appends of that many bytes, each synced, a second.
  static func appendsPerSecond(_ path: String, bytes: Int, count: Int) throws -> Double {
    let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw Failure(what: "cannot open \(path)") }
    defer { close(descriptor) }
    let buffer = [UInt8](repeating: 0x78, count: bytes)
    return Double(count)
      / Clock.seconds(Clock.wall) {
        for _ in 0..<count {
          _ = buffer.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
          fdatasync(descriptor)
        }
      }
  }
}
