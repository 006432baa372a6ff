// What `append` costs its caller at 20,000 events a second with `group:5`: the time by the wall and by the caller's own
// clock, since on a busy machine another process may take the core in the middle of a call. Each event is made right before it
// is due, as an application has just made its.
import EventStore
import Glibc
import SignInEvents

enum CallerTime {
  /// What each of 40,000 calls took, in seconds.
  static func times(in path: String) throws -> [Double] {
    let count = 40_000
    let log = try Store.open(path, .group(milliseconds: 5))
    var times: [Double] = []
    times.reserveCapacity(count)
    var events = SignInEvents(seed: 4, kind: .mixed)
    // The clock itself takes some 30 ns of the reported time.
    let begin = Clock.wall()
    for index in 0..<count {
      let record = events.next()
      let due = begin + Double(index) / 20_000
      while Clock.wall() < due {}
      let start = Clock.wall()
      _ = try log.append([record])
      times.append(Clock.wall() - start)
    }
    try log.close()
    return times
  }

  static func run(_ bench: Bench) throws -> [Figure] {
    let rounds = try bench.repeated { _ in
      let times = try times(in: bench.fresh("caller"))
      return (times.quantile(0.5) * 1e6, times.quantile(0.99) * 1e6, times.quantile(0.999) * 1e6)
    }
    bench.remove("caller")
    return [
      Figure("in append at 20,000 events/s, p50", rounds.map(\.0), "us", .atMost(0.5), "wall, one event a call"),
      Figure("in append at 20,000 events/s, p99", rounds.map(\.1), "us", .atMost(4)),
      Figure("in append at 20,000 events/s, p99.9", rounds.map(\.2), "us"),
    ]
  }
}
