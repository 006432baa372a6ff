// A log of 6.4 million records, 10 GB raw: opening it, warm and cold, and reading one stream of 40 records out of it.
import EventStore
import Foundation
import SignInEvents

enum LargeLog {
  static let large = 6_400_000
  static let small = 50_000

  static func run(_ bench: Bench) throws -> [Figure] {
    let folder = try bench.fresh("large")
    let (streams, raw) = try write(large, at: folder + "/large", kind: .identityEngine)
    let (few, _) = try write(small, at: folder + "/small", kind: .identityEngine)
    var figures = try opening(bench, folder + "/large", raw: raw)
    figures += try reading(bench, folder, streams, few)
    bench.remove("large")
    return figures
  }

  /// Writes a log; gives some of its whole streams and its raw size.
  private static func write(_ count: Int, at path: String, kind: SignInEvents.Kind) throws -> ([String], Int) {
    let log = try Store.open(path, .group(milliseconds: 5))
    var events = SignInEvents(seed: 10, kind: kind)
    var streams: [String] = []
    var raw = 0
    for index in 0..<count {
      let record = events.next()
      raw += record.data.count + 150
      if record.type == "flow.ended", index % (count / 2_000) < 40 { streams.append(record.stream) }
      _ = try log.append([record])
    }
    try log.close()
    return (streams, raw)
  }

  private static func opening(_ bench: Bench, _ path: String, raw: Int) throws -> [Figure] {
    let warm = try bench.repeated { _ in try Child.ask(["-open", path]) }
    var canDrop = true
    let cold = try bench.repeated { _ in
      canDrop = (try DiskBytes.shell("sync; echo 3 2>/dev/null >/proc/sys/vm/drop_caches && echo ok")) == "ok"
      return try Child.ask(["-open", path])
    }
    guard warm.allSatisfy({ $0.count == 3 }), cold.allSatisfy({ $0.count == 3 }) else {
      throw Failure(what: "the opening process failed")
    }
    let million = Figure.short(Double(large) / 1e6)
    let size = "\(million) million records, \(Figure.short(Double(raw) / 1e9)) GB raw"
    return [
      Figure("open \(million) million records, warm", warm.map { $0[0] }, "ms", .atMost(10), size),
      Figure("  by the CPU of the process", warm.map { $0[2] }, "ms", .atMost(10), "without what others take"),
      Figure(
        "open them, caches dropped", cold.map { $0[0] }, "ms", .atMost(60),
        canDrop ? "" : "the caches could not be dropped here: this is warm too"),
      Figure("  resident memory once open", warm.map { $0[1] / 1_048_576 }, "MiB", .atMost(64)),
    ]
  }

  /// Opens, and prints milliseconds and resident bytes.
  static func openInChild(_ arguments: [String]) throws {
    var log: EventLog?
    let cpu = Clock.process()
    let seconds = try Clock.seconds(Clock.wall) { log = try Store.open(arguments[0], .os) }
    print(seconds * 1_000, residentMemory(), (Clock.process() - cpu) * 1_000)
    try log?.close()
  }

  private static func reading(
    _ bench: Bench, _ folder: String, _ streams: [String], _ few: [String]
  ) throws -> [Figure] {
    let rounds = try bench.repeated { _ in
      (try readTimes(folder + "/large", streams), try readTimes(folder + "/small", few))
    }
    return [
      Figure("read a stream of 40, p50", rounds.map { $0.0.wall.quantile(0.5) }, "ms", .atMost(1.5), "wall, warm"),
      Figure("read a stream of 40, p99", rounds.map { $0.0.wall.quantile(0.99) }, "ms", .atMost(4)),
      Figure(
        "  by the CPU of the thread, p50", rounds.map { $0.0.cpu.quantile(0.5) }, "ms", .atMost(1.5),
        "without what others take"),
      Figure("  by the CPU of the thread, p99", rounds.map { $0.0.cpu.quantile(0.99) }, "ms", .atMost(4)),
      Figure(
        "  against 50 thousand records", rounds.map { $0.0.cpu.quantile(0.5) / $0.1.cpu.quantile(0.5) }, "x",
        .atMost(1.5), "\(Figure.short(rounds.map { $0.1.cpu.quantile(0.5) }.median)) ms of CPU in the small log"),
    ]
  }

  private static func readTimes(_ path: String, _ streams: [String]) throws -> (wall: [Double], cpu: [Double]) {
    let reader = try LogReader(directory: path)
    var times: (wall: [Double], cpu: [Double]) = ([], [])
    for stream in streams.prefix(200) {
      var found = 0
      let cpu = Clock.thread()
      times.wall.append(1_000 * (try Clock.seconds(Clock.wall) { found = try reader.records(of: stream).count }))
      times.cpu.append(1_000 * (Clock.thread() - cpu))
      guard found == SignInEvents.recordsInFlow else { throw Failure(what: "\(stream) has \(found) records") }
    }
    return times
  }
}
