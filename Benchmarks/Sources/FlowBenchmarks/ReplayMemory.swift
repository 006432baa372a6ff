// What replays of much need: long flows, large stores, many recordings. Measured is `auditctl` as people run it, each time in a
// process of its own.

import EventStore
import Foundation
import Replay

enum ReplayMemory {
  /// Prints the rows.
  static func rows(_ org: OrgProcess, _ folder: String) async throws {
    let auditctl = try program()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    func report(_ name: String, _ time: String, _ memory: String, _ arguments: [String], flows: Int) throws -> Figures {
      let figures = try Figures.measuring([auditctl, "replay", "--json"] + arguments)
      guard figures.output.contains("\"replayed\":\(flows),\"diverged\":0,") else {
        throw Failure(what: "\(name): \(figures.output.prefix(400))")
      }
      row("\(name), CPU", Spread([figures.cpu]), time)
      row("  memory", Spread([figures.memory]), memory)
      return figures
    }

    let polling = folder + "/polling.ndjson.lz4"
    var events = try await LongFlow.record(polls: LongFlow.halfAnHour, to: polling)
    try replays(of: polling, events)
    _ = try report("the same by auditctl", "s CPU", "MiB (to aim at: 40)", [polling], flows: 1)

    let long = folder + "/long.ndjson.lz4"
    events = try await LongFlow.record(polls: 2_000, to: long)
    try sessions(of: long, events, auditctl)
    events = try await LongFlow.record(polls: 20_000, to: long)
    _ = try report("a flow of \(events) events", "s CPU", "MiB (to aim at: 200)", [long], flows: 1)
    _ = try report("  core", "s CPU", "MiB (to aim at: 200)", ["--core", long], flows: 1)

    let copies = try ManyFlows(of: try await FlowBenchmarks.sample(org, folder))
    let store = folder + "/store"
    try copies.fill(store, 20_000)
    _ = try report("20,000 flows of a store", "s CPU", "MiB (to aim at: 150)", ["--store", store], flows: 20_000)
    try FileManager.default.removeItem(atPath: store)

    let recordings = folder + "/recordings"
    try copies.write(to: recordings, 10_000)
    let files = try FileManager.default.contentsOfDirectory(atPath: recordings).sorted().map { "\(recordings)/\($0)" }
    let figures = try report("10,000 recordings", "s CPU", "MiB (to aim at: 200)", files, flows: 10_000)
    row("  cores", Spread([figures.cpu / figures.wall]), "(to aim at: all)")
  }

  /// A recording replayed over and over in this process.
  private static func replays(of path: String, _ events: Int) throws {
    var times: [Double] = []
    for round in 0..<12 {
      let start = Measure.cpu()
      guard try Replay.replay(Recording(contentsOf: path)).isEmpty else { throw SignIn.Unexpected() }
      if round > 0 { times.append((Measure.cpu() - start) * 1000) }
    }
    row("30 minutes of polling, \(events) events, whole", Spread(times), "ms CPU (to aim at: 10)")
    times = []
    for round in 0..<12 {
      let start = Measure.cpu()
      guard try Replay.replay(Recording(contentsOf: path), depth: .core).isEmpty else { throw SignIn.Unexpected() }
      if round > 0 { times.append((Measure.cpu() - start) * 1000) }
    }
    row("  core", Spread(times), "ms CPU (to aim at: 10)")
  }

  /// Any revision of a long flow, in a session and by a command of its own.
  private static func sessions(of path: String, _ events: Int, _ auditctl: String) throws {
    let recording = try Recording(contentsOf: path)
    var start = Measure.cpu()
    let session = try ReplaySession(recording.flows[0])
    row("a session of \(events) events, opened", Spread([(Measure.cpu() - start) * 1000]), "ms CPU")
    var times: [Double] = []
    for revision in stride(from: 0, to: events, by: 7) {
      start = Measure.cpu()
      guard session.state(at: revision) != nil else { throw SignIn.Unexpected() }
      times.append((Measure.cpu() - start) * 1000)
    }
    row("  a revision of it", Spread(times), "ms CPU (to aim at: 50)")
    let revisions = [0, 1, events / 3, events / 2, events * 3 / 4, events - 1]
    let shown = try revisions.map { try Figures.measuring([auditctl, "show", path, "--at", "\($0)"]) }
    row("  auditctl show --at", Spread(shown.map { $0.cpu * 1000 }), "ms CPU (to aim at: 50)")
    let debugged = try revisions.map {
      try Figures.measuring([auditctl, "debug", path, "--command", "go \($0); print state"])
    }
    row("  auditctl debug, go and print", Spread(debugged.map { $0.cpu * 1000 }), "ms CPU")
  }

  /// The `auditctl` of the same build.
  private static func program() throws -> String {
    let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("auditctl").path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      let command = "swift build -c release --package-path Benchmarks --product auditctl"
      throw Failure(what: "there is no \(path); build it: \(command)")
    }
    return path
  }

  struct Failure: Error, CustomStringConvertible {
    let what: String
    var description: String { what }
  }
}

/// What a command took, measured by a process that runs nothing else: its largest memory would be that of the largest child.
struct Figures {
  /// User and system time, and time by the clock, in seconds.
  var (cpu, wall): (Double, Double)
  /// The largest resident memory, in MiB.
  var memory: Double
  /// What it printed.
  var output: String

  /// Runs a command.
  ///
  /// - Throws: if it does not end with 0.
  static func measuring(_ command: [String]) throws -> Figures {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--measure"] + command
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let numbers = (lines.last ?? "").split(separator: " ").compactMap { Double($0) }
    guard process.terminationStatus == 0, numbers.count == 3 else {
      throw ReplayMemory.Failure(what: "\(command.prefix(4)) failed: \(text.prefix(400))")
    }
    return Figures(
      cpu: numbers[0], wall: numbers[1], memory: numbers[2], output: lines.dropLast().joined(separator: "\n"))
  }

  /// What the process between the two does: runs the command, and prints its figures in a last line.
  static func measure(_ command: [String]) throws {
    let start = Date()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { exit(process.terminationStatus) }
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    print(Measure.seconds(of: usage), Date().timeIntervalSince(start), Double(usage.ru_maxrss) / 1024)
  }
}
