// Reading all records in order, against LZ4 alone on the same lines in blocks of 64 KiB, and against `SELECT *` of a tuned
// SQLite.
import EventStore
import Foundation
import GRDB

enum Scan {
  static func run(_ bench: Bench) throws -> [Figure] {
    let events = Events(100_000, seed: 5)
    let lines = events.lines()
    let megabytes = Double(lines.count) / 1e6
    let blocks = RawLZ4.compress(lines)
    let folder = try bench.fresh("scan")
    let log = try Store.open(folder + "/log", .group(milliseconds: 5))
    for record in events.records { _ = try log.append([record]) }
    try log.close()
    let reader = try LogReader(directory: folder + "/log")
    let tuned = try SQLitePeer(folder + "/tuned.db", .tuned)
    try tuned.insert(events.rows, rows: 1_000)

    let rounds = try bench.repeated { _ in
      let raw = RawLZ4.decompressSeconds(blocks)
      var found = (0, 0)
      let ours = try Clock.seconds(Clock.thread) { found = try scan(reader) }
      guard found.0 == events.records.count + 1 else { throw Failure(what: "the scan found \(found.0) records") }
      var rows = 0
      let cpu = Clock.thread()
      let sqlite = try Clock.seconds(Clock.wall) {
        rows = try tuned.pool.read { db in
          let cursor = try Row.fetchCursor(db, sql: "SELECT n, stream, rev, at, type, data FROM events ORDER BY n")
          var bytes = 0
          while let row = try cursor.next() {
            bytes += try row.withUnsafeData(atIndex: 5) { $0?.count ?? 0 }
          }
          return bytes
        }
      }
      guard rows > 0 else { throw Failure(what: "the table is empty") }
      let peer = Clock.thread() - cpu
      let (process, thread) = (Clock.process(), Clock.thread())
      let two = try Clock.seconds(Clock.wall) { try scanOnTwoThreads(reader, events.records.count + 1) }
      let mine = Clock.thread() - thread
      return (ours, raw, two, sqlite, peer / max(mine, Clock.process() - process - mine))
    }
    try tuned.close()
    bench.remove("scan")
    let rates = [rounds.map(\.0), rounds.map(\.1), rounds.map(\.2), rounds.map(\.3)].map {
      Figure.short(megabytes / $0.median)
    }
    return [
      Figure(
        "scan, one thread / raw LZ4", rounds.map { $0.1 / $0.0 }, "x", .atLeast(0.68),
        "\(rates[0]) MB/s beside \(rates[1]) MB/s, CPU of one thread"),
      Figure(
        "scan, two threads / tuned SQLite", rounds.map { $0.3 / $0.2 }, "x", .atLeast(1.1),
        "\(rates[2]) MB/s beside \(rates[3]) MB/s, wall; other processes count"),
      Figure(
        "  by the CPU of the busier thread", rounds.map(\.4), "x", .atLeast(1.1), "what two idle cores would give"),
    ]
  }

  /// Records and bytes.
  private static func scan(_ reader: LogReader, from: UInt64 = 0, to: UInt64 = .max) throws -> (Int, Int) {
    var count = 0
    var bytes = 0
    try reader.forEachRecord(from: from) { record, _ in
      count += 1
      bytes += record.data.count
      return record.position + 1 < to
    }
    return (count, bytes)
  }

  private static func scanOnTwoThreads(_ reader: LogReader, _ count: Int) throws {
    let done = DispatchSemaphore(value: 0)
    let half = UInt64(count / 2)
    let thread = Thread {
      _ = try? scan(reader, from: 0, to: half)
      done.signal()
    }
    thread.start()
    _ = try scan(reader, from: half)
    done.wait()
  }
}
