// `verify` of everything, against the bare SHA-256 of the same leaves.
import Crypto
import EventStore

enum VerifyRate {
  static func run(_ bench: Bench) throws -> [Figure] {
    let events = Events(100_000, seed: 6, withRows: false)
    let lines = events.lines()
    let folder = try bench.fresh("verify")
    let log = try EventLog.open(
      at: folder, options: .init(durability: .group(milliseconds: 5), segmentBytes: 4 << 20))
    for record in events.records { _ = try log.append([record]) }
    try log.close()
    let rounds = try bench.repeated { _ in
      let hashing = hashSeconds(lines)
      var report: VerifyReport?
      let one = try Clock.seconds(Clock.thread) { report = try Verifier(directory: folder).run(threads: 1) }
      guard report?.verdict == .unanchored, report?.records == UInt64(events.records.count + 1) else {
        throw Failure(what: "verify says \(String(describing: report))")
      }
      let onOne = try Clock.seconds(Clock.wall) { _ = try Verifier(directory: folder).run(threads: 1) }
      let (process, thread, wall) = (Clock.process(), Clock.thread(), Clock.wall())
      _ = try Verifier(directory: folder).run(threads: 2)
      let (onTwo, mine) = (Clock.wall() - wall, Clock.thread() - thread)
      // On cores of their own, the one that has more to do decides.
      let longer = max(mine, Clock.process() - process - mine)
      return (one, hashing, onOne / onTwo, one / longer)
    }
    bench.remove("verify")
    let count = Double(events.records.count)
    let rates = (Figure.short(count / rounds.map(\.0).median), Figure.short(count / rounds.map(\.1).median))
    return [
      Figure(
        "verify, one thread / bare SHA-256", rounds.map { $0.1 / $0.0 }, "x", .atLeast(0.6),
        "\(rates.0) records/s beside \(rates.1), CPU of one thread"),
      Figure("verify, two threads / one", rounds.map(\.2), "x", .atLeast(1.8), "wall; other processes count"),
      Figure(
        "  by the CPU of the busier thread", rounds.map(\.3), "x", .atLeast(1.8), "what two idle cores would give"),
    ]
  }

  /// Seconds of this thread for the leaf hashes of all lines.
  private static func hashSeconds(_ lines: [UInt8]) -> Double {
    var kept: UInt8 = 0
    let seconds = lines.withUnsafeBytes { bytes in
      Clock.seconds(Clock.thread) {
        var start = 0
        for index in bytes.indices where bytes[index] == 0x0A {
          var hasher = SHA256()
          hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
          kept ^= hasher.finalize().withUnsafeBytes { $0[0] }
          start = index + 1
        }
      }
    }
    return kept == 0 ? seconds : seconds
  }
}
