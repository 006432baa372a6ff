// Envelope, LZ4, leaf hash, tree and `write`, all on the calling thread, against LZ4 alone. The clock is that thread's. Events are
// made right before they are appended, 64 at a time, while the clock stands still, as an application has just made its.
import EventStore
import SignInEvents

enum AppendInline {
  static func run(_ bench: Bench) throws -> [Figure] {
    let events = Events(50_000, seed: 1, withRows: false)
    let lines = events.lines()
    let megabytes = Double(lines.count) / 1e6
    let pairs = try bench.repeated { _ in
      let log = try Store.open(bench.fresh("inline"), .os)
      var generator = SignInEvents(seed: 1, kind: .mixed)
      var ours = 0.0
      for first in stride(from: 0, to: events.records.count, by: 64) {
        let batch = generator.next(min(64, events.records.count - first))
        ours += try Clock.seconds(Clock.thread) {
          for record in batch { _ = try log.append([record]) }
          try log.flush()
        }
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
