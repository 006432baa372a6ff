// What `append` costs its caller while `auditctl ship` ships the log from another process: the same calls with it and without it, in
// turn.
import EventStore
import Foundation

enum CallerTimeShipped {
  static func run(_ bench: Bench) throws -> [Figure] {
    let program = try program()
    let rounds = try bench.repeated { round in
      func alone() throws -> [Double] { try CallerTime.times(in: bench.fresh("caller-alone")) }
      func shipped() throws -> [Double] {
        let path = try bench.fresh("caller-shipped")
        let place = try bench.fresh("caller-engine")
        // The store must be there before it can be shipped.
        try Store.open(path, .group(milliseconds: 5)).close()
        let ship = Process()
        ship.executableURL = URL(fileURLWithPath: program)
        ship.arguments = ["ship", "--store", path, "--to", place, "--linger", "0.2"]
        ship.standardError = FileHandle.nullDevice
        ship.standardOutput = FileHandle.nullDevice
        try ship.run()
        defer {
          ship.terminate()
          ship.waitUntilExit()
        }
        let times = try CallerTime.times(in: path)
        guard ship.isRunning, !(try FileManager.default.contentsOfDirectory(atPath: place)).isEmpty else {
          throw Failure(what: "auditctl ship did not ship")
        }
        return times
      }
      // The one that comes first changes from round to round.
      let first = try round % 2 == 0 ? alone() : shipped()
      let second = try round % 2 == 0 ? shipped() : alone()
      let (own, beside) = round % 2 == 0 ? (first, second) : (second, first)
      return (own.quantile(0.5), own.quantile(0.99), beside.quantile(0.5), beside.quantile(0.99))
    }
    for name in ["caller-alone", "caller-shipped", "caller-engine"] { bench.remove(name) }
    let p99 = rounds.map { Figure.short($0.3 * 1e6) }.joined(separator: ", ")
    return [
      Figure("in append, with ship / without, p50", rounds.map { $0.2 / $0.0 }, "x"),
      Figure(
        "in append, with ship / without, p99", rounds.map { $0.3 / $0.1 }, "x", .atMost(1.2),
        "with ship \(p99) us, wall"),
    ]
  }

  /// The `auditctl` of the same build.
  private static func program() throws -> String {
    let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("auditctl").path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Failure(
        what: "there is no \(path); build it: swift build -c release --package-path Benchmarks --product auditctl")
    }
    return path
  }
}
