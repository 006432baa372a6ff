import Testing

@testable import EventStore

/// What the log does when the clock is set.
@Suite struct ClockTests {
  private let disk = MemoryDisk(seed: 21)
  private let clocks = TestClocks()

  private func open() throws -> EventLog {
    let clocks = clocks
    var options = LogOptions(durability: .os, origin: "play", idleClose: .seconds(3600))
    options.disk = disk
    options.clock = { clocks.wall }
    options.steadyClock = { clocks.steady }
    return try EventLog.open(at: Play.store, options: options)
  }

  /// Appends after each of `moves`, and returns what the log records of steps.
  private func steps(_ moves: [(wall: Duration, steady: Duration)], sourceLocation: SourceLocation = #_sourceLocation)
    throws -> [StoredRecord]
  {
    let log = try open()
    for (index, move) in moves.enumerated() {
      clocks.move(wall: move.wall, steady: move.steady)
      var new = record("s", "\(index)")
      new.at = clocks.wall
      pass(log, try log.append([new]))
    }
    try log.close()
    let all = try records(on: disk)
    #expect(all.map(\.position) == Array(0..<UInt64(all.count)), sourceLocation: sourceLocation)
    #expect(all.count { $0.stream == "s" } == moves.count, sourceLocation: sourceLocation)
    #expect(
      try Verifier(directory: Play.store, disk: disk).run().verdict == .unanchored, sourceLocation: sourceLocation)
    return all.filter { $0.type == "clock.stepped" }
  }

  @Test(arguments: [
    ("an hour back", Duration.seconds(-3_600)), ("a year on", .seconds(365 * 86_400)),
    // 2038-01-19T03:14:08Z, where 32 bits end, is 362,242,448 s after noon of 2026-07-27.
    ("to 2038", .seconds(2_147_483_648 - noon.microseconds / 1_000_000)), ("three seconds", .seconds(3)),
    ("three seconds back", .seconds(-3)),
  ]) func `a step is recorded once, with where it went`(_ step: (name: String, by: Duration)) throws {
    let second = (wall: Duration.seconds(1), steady: Duration.seconds(1))
    let told = try steps([second, second, (step.by + .seconds(1), .seconds(1)), second, second])
    let record = try #require(told.first)
    #expect(told.count == 1 && record.stream == "log")
    let parsed = try JSON(parsing: Array(record.data))
    let from = Timestamp(microseconds: noon.microseconds + 3_000_000)
    let to = Timestamp(microseconds: from.microseconds + step.by.components.seconds * 1_000_000)
    #expect(parsed["from"] == .string(from.description) && parsed["to"] == .string(to.description))
    #expect(parsed["by"] == .int(Int(step.by.components.seconds) * 1_000))
    #expect(record.at == to)
  }

  @Test(arguments: [-0.5, 0.5])
  func `steps that are too small to be recorded add up to one that is`(_ by: Double) throws {
    let told = try steps(Array(repeating: (wall: Duration.seconds(1 + by), steady: Duration.seconds(1)), count: 9))
    let record = try #require(told.first)
    // Five of them are over two seconds, the other four are not.
    #expect(told.count == 1)
    let moved = try #require(try JSON(parsing: Array(record.data))["by"]?.int)
    #expect((moved < 0) == (by < 0) && abs(moved) > 2_000 && abs(moved) < 3_000, "\(moved)")
  }

  @Test(arguments: [-0.0009, 0.0009])
  func `a clock that is led for long adds up to no step`(_ by: Double) throws {
    // 2.25 seconds in all, each of them within what a clock may be led by.
    let told = try steps(Array(repeating: (wall: Duration.seconds(1 + by), steady: Duration.seconds(1)), count: 2_500))
    #expect(told.isEmpty)
  }

  @Test func `sleep, slow drift and a clock that is led are no steps`() throws {
    let told = try steps([
      (.seconds(1), .seconds(1)), (.seconds(1.9), .zero), (.seconds(0.1), .seconds(2)),
      (.seconds(86_400 + 40), .seconds(86_400)), (.seconds(86_400 - 40), .seconds(86_400)),
      (.seconds(30 * 86_400), .seconds(30 * 86_400)), (.zero, .zero), (.seconds(-1), .zero),
    ])
    #expect(told.isEmpty)
  }

  @Test func `a step is recorded though no caller waits, and steps at the ends of time are no crash`() throws {
    let log = try open()
    clocks.move(wall: .seconds(-7_200))
    _ = try log.append([record("s")])
    try log.close()
    #expect(try records(on: disk).count { $0.type == "clock.stepped" } == 1)
    for (last, now) in [(Int64.min, Int64.max), (.max, .min), (.max, .max), (.min, .min)] {
      let step = ClockStep(from: Timestamp(microseconds: last), to: Timestamp(microseconds: now))
      #expect(step.milliseconds.magnitude <= 1 << 63)
      #expect(!step.record.data.isEmpty)
    }
  }

  @Test func `a step between two openings is no record: the times of the records show it`() throws {
    for hours in [-1, 1] {
      let disk = MemoryDisk(seed: 22)
      let clocks = TestClocks()
      var options = LogOptions(durability: .os, origin: "play", idleClose: .seconds(3600))
      options.segmentAge = .seconds(60)
      options.disk = disk
      options.clock = { clocks.wall }
      options.steadyClock = { clocks.steady }
      for session in 0..<2 {
        let log = try EventLog.open(at: Play.store, options: options)
        for number in 0..<2 {
          clocks.move(wall: .seconds(1), steady: .seconds(1))
          var new = record("s", "\(session) \(number)")
          new.at = clocks.wall
          pass(log, try log.append([new]))
        }
        try log.close()
        clocks.move(wall: .seconds(hours * 3_600), steady: .seconds(5))
      }
      let all = try records(on: disk)
      #expect(all.map(\.type) == ["log.opened"] + Array(repeating: "note.added", count: 4))
      let times = all.map(\.at.microseconds)
      #expect(times[3] - times[2] == Int64(hours) * 3_600_000_000 + 1_000_000)
      let report = try Verifier(directory: Play.store, disk: disk).run()
      #expect(report.verdict == .unanchored && report.findings.isEmpty && report.records == 5, "\(report.findings)")
    }
  }
}
