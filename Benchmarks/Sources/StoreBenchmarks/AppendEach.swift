// Durability `each`: an appender goes on once its record is on the disk. Against GRDB with synchronous FULL, one transaction
// each, and against the bare loop of write and fdatasync on the same disk. Time by the wall.
import EventStore
import Foundation

enum AppendEach {
  static func run(_ bench: Bench) throws -> [Figure] {
    let count = 2_000
    let events = Events(count * 8, seed: 3)
    let some = Array(events.records.prefix(count))
    let lineBytes = events.rawBytes / events.records.count / 4
    let rounds = try bench.repeated { _ in
      let folder = try bench.fresh("each")
      let single = try appendAll(folder + "/one", some, appenders: 1)
      let bare = try BareDisk.appendsPerSecond(folder + "/bare", bytes: lineBytes, count: count)
      let full = try SQLitePeer(folder + "/full.db", .full)
      let rows = Array(events.rows.prefix(count))
      let sqlite = try Clock.seconds(Clock.wall) { try full.insert(rows, rows: 1) }
      try full.close()
      let many = try appendAll(folder + "/many", events.records, appenders: 64)
      return (single, bare, Double(count) / sqlite, many)
    }
    bench.remove("each")
    let (one, bare, sqlite, many) = (
      rounds.map(\.0).median, rounds.map(\.1).median, rounds.map(\.2).median, rounds.map(\.3).median
    )
    return [
      Figure(
        "append each, 64 appenders / GRDB FULL", rounds.map { $0.3 / $0.2 }, "x", .atLeast(18),
        "\(Figure.short(many)) events/s beside \(Figure.short(sqlite)), wall"),
      Figure(
        "append each, one / GRDB FULL", rounds.map { $0.0 / $0.2 }, "x", .atLeast(1),
        "\(Figure.short(one)) events/s beside \(Figure.short(sqlite)), wall"),
      Figure(
        "append each, one / F", rounds.map { $0.0 / $0.1 }, "x", .atLeast(0.9),
        "\(Figure.short(one)) events/s beside F = \(Figure.short(bare)) of \(lineBytes) bytes, wall"),
    ]
  }

  /// Durable appends a second, by tasks that each wait for their own record.
  private static func appendAll(_ path: String, _ records: [NewRecord], appenders: Int) throws -> Double {
    let log = try Store.open(path, .each)
    defer { try? log.close() }
    let done = DispatchSemaphore(value: 0)
    let start = Clock.wall()
    if appenders == 1 {
      let waiting = DispatchSemaphore(value: 0)
      for record in records {
        let ticket = try log.append([record])
        switch log.barrier(ticket, resume: { _ in waiting.signal() }) {
        case .passed: break
        case .pending: waiting.wait()
        case .failed(let error): throw error
        }
      }
    } else {
      // One position at a time for each appender; what each record answers is known by then, so causes are left out.
      for appender in 0..<appenders {
        let share = stride(from: appender, to: records.count, by: appenders).map { index in
          var record = records[index]
          record.cause = nil
          return record
        }
        Task {
          for record in share { _ = try await log.appendAndWait([record]) }
          done.signal()
        }
      }
      for _ in 0..<appenders { done.wait() }
    }
    return Double(records.count) / (Clock.wall() - start)
  }
}
