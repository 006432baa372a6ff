// One appender at full rate with `group:5`, the log's thread beside it, against SQLite in transactions of 1,000 rows. Time
// by the wall, until all is written and synced.
import EventStore

enum AppendGroup {
  static func run(_ bench: Bench) throws -> [Figure] {
    let events = Events(60_000, seed: 2)
    let rounds = try bench.repeated { _ in
      var times: [Double] = []
      times.reserveCapacity(events.records.count)
      let log = try Store.open(bench.fresh("group"), .group(milliseconds: 5))
      let ours = try Clock.seconds(Clock.wall) {
        for record in events.records {
          let start = Clock.wall()
          _ = try log.append([record])
          times.append(Clock.wall() - start)
        }
        try log.sync()
      }
      try log.close()
      let folder = try bench.fresh("group-sqlite")
      let tuned = try SQLitePeer(folder + "/tuned.db", .tuned)
      let best = try Clock.seconds(Clock.wall) { try tuned.insert(events.rows, rows: 1_000) }
      try tuned.close()
      let plain = try SQLitePeer(folder + "/plain.db", .asItComes)
      let usual = try Clock.seconds(Clock.wall) { try plain.insertRecords(events.rows, rows: 1_000) }
      try plain.close()
      return (ours, best, usual, times.quantile(0.5) * 1e6, times.quantile(0.99) * 1e6)
    }
    bench.remove("group")
    bench.remove("group-sqlite")
    let count = Double(events.records.count)
    let rates = [rounds.map(\.0).median, rounds.map(\.1).median, rounds.map(\.2).median].map {
      Figure.short(count / $0)
    }
    return [
      Figure(
        "append group:5 / tuned SQLite", rounds.map { $0.1 / $0.0 }, "x", .atLeast(1.3),
        "\(rates[0]) events/s beside \(rates[1]), wall"),
      Figure(
        "append group:5 / GRDB as it comes", rounds.map { $0.2 / $0.0 }, "x", .atLeast(3),
        "\(rates[0]) events/s beside \(rates[2]), wall; 1,000 Codable records a transaction"),
      Figure("  in append, full rate, p50", rounds.map(\.3), "us"),
      Figure("  in append, full rate, p99", rounds.map(\.4), "us", .atMost(12)),
    ]
  }
}
