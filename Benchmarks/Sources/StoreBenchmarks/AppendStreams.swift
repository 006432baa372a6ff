// Many streams that the log does not have yet, in large batches, as `auditctl append` reads them. Time by the wall, until all is
// written and synced.
import EventStore

enum AppendStreams {
  /// How many records a batch has, each of a stream of its own: under 4 MiB.
  private static let batch = 25_000

  static func run(_ bench: Bench) throws -> [Figure] {
    let now = Timestamp.now()
    let records = (0..<100_000).map { number in
      NewRecord(
        at: now, stream: "flow/\(number % 50_000)", type: "note.added", data: Array("{\"text\":\"hello\"}".utf8))
    }
    let times = try bench.repeated { _ in
      let log = try Store.open(bench.fresh("streams"), .os)
      let seconds = try Clock.seconds(Clock.wall) {
        for start in stride(from: 0, to: records.count, by: batch) {
          _ = try log.append(Array(records[start..<start + batch]))
        }
        try log.sync()
      }
      try log.close()
      return seconds
    }
    bench.remove("streams")
    return [
      Figure("append 50,000 new streams", times, "s", .atMost(0.5), "wall; 100,000 records in batches of 25,000")
    ]
  }
}
