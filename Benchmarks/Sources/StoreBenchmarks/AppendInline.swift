// Envelope, LZ4, leaf hash, tree and `write`, all on the calling thread, against LZ4 alone. The clock is that thread's.
import EventStore

enum AppendInline {
  static func run(_ bench: Bench) throws -> [Figure] {
    let events = Events(50_000, seed: 1, withRows: false)
    let lines = events.lines()
    let megabytes = Double(lines.count) / 1e6
    let pairs = try bench.repeated { _ in
      let log = try Store.open(bench.fresh("inline"), .os)
      let ours = try Clock.seconds(Clock.thread) {
        for (index, record) in events.records.enumerated() {
          _ = try log.append([record])
          if index % 64 == 63 { try log.flush() }
        }
        try log.flush()
      }
      try log.close()
      return (ours, RawLZ4.compressSeconds(lines))
    }
    bench.remove("inline")
    let rates = (pairs.map { megabytes / $0.0 }.median, pairs.map { megabytes / $0.1 }.median)
    return [
      Figure(
        "append inline / raw LZ4", pairs.map { $0.1 / $0.0 }, "x", .atLeast(0.38),
        "\(Figure.short(rates.0)) MB/s beside \(Figure.short(rates.1)) MB/s, CPU of one thread, median line "
          + "\(events.medianLine) bytes")
    ]
  }
}
