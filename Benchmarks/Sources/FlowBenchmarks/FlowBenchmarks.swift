// `make bench`: what recording costs, how fast recordings replay, how much room they take. See docs/BENCHMARKS.md.

import Authn
import CurlPeer
import EventStore
import FlowRecording
import Foundation
import Replay

@main
struct FlowBenchmarks {
  static func main() async throws {
    if CommandLine.arguments.contains("--org") { return try await OrgProcess.serve() }
    if CommandLine.arguments.contains("--device") { return try await devices() }
    if CommandLine.arguments.dropFirst().first == "--measure" {
      return try Figures.measure(Array(CommandLine.arguments.dropFirst(2)))
    }
    let org = try OrgProcess()
    defer { org.stop() }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("flowrecorder-bench-\(getpid())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    if let (kind, count) = Alone.request(of: CommandLine.arguments) {
      return try await Alone.run(kind, count, org, folder)
    }
    if CommandLine.arguments.contains("--replay-memory") { return try await ReplayMemory.rows(org, folder) }
    if CommandLine.arguments.contains("--tokens") { return try await TokenExchange.rows(org, folder) }
    print("figure" + String(repeating: " ", count: 43) + "min     median        max")
    try await recordingCost(org, folder)
    let sample = try await bytesPerSignIn(org, folder)
    try replayRate(sample)
    try peer(org)
    try await TokenExchange.rows(org, folder)
    try await DeviceChallenges.rows(folder)
  }

  /// The rows of the push authenticator alone.
  private static func devices() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("flowrecorder-device-\(getpid())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await DeviceChallenges.rows(folder)
  }

  /// Client CPU of a six-request sign-in with and without a recorder, and by two peers, in turn.
  private static func recordingCost(_ org: OrgProcess, _ folder: String) async throws {
    let recorder = LogRecorder(directory: folder + "/cost")
    let session = URLSessionSignIn(org: org.url)
    var without: [Double] = []
    var with: [Double] = []
    var foundation: [Double] = []
    var curl: [Double] = []
    // The first round warms up.
    for _ in 0..<8 {
      without.append(try await each { try await SignIn.run(against: org.url, environment: FlowEnvironment()) })
      let environment = FlowEnvironment(recorder: recorder)
      with.append(try await each { try await SignIn.run(against: org.url, environment: environment) })
      foundation.append(try await each { try await session.run() })
      curl.append(
        try await each {
          let end = curl_peer_sign_in(org.url.absoluteString, SignIn.login, SignIn.password)
          guard end == 0 else { throw SignIn.Unexpected() }
        })
    }
    try recorder.close()
    (without, with) = (Array(without.dropFirst()), Array(with.dropFirst()))
    (foundation, curl) = (Array(foundation.dropFirst()), Array(curl.dropFirst()))
    row("sign-in, 6 requests, not recorded", Spread(without), "ms CPU")
    row("sign-in, 6 requests, recorded", Spread(with), "ms CPU")
    row("  more, pair by pair", Spread(zip(with, without).map(-)), "ms CPU (to aim at: 0.3)")
    row("  ratio, pair by pair", Spread(zip(with, without).map(/)), "x")
    row("URLSession and JSONDecoder, not recorded", Spread(foundation), "ms CPU")
    row("  recorded sign-in beside it, pair by pair", Spread(zip(with, foundation).map(/)), "x (to aim at: 0.35)")
    row("libcurl in C, not recorded", Spread(curl), "ms CPU")
    row("  recorded sign-in beside it, pair by pair", Spread(zip(with, curl).map(/)), "x")
  }

  /// The CPU time of one of 100 sign-ins, in milliseconds.
  private static func each(_ signIn: () async throws -> Void) async throws -> Double {
    let count = 100
    let start = Measure.cpu()
    for _ in 0..<count { try await signIn() }
    return (Measure.cpu() - start) / Double(count) * 1000
  }

  /// The log of 1,000 sign-ins; gives the path of one of them as a recording.
  private static func bytesPerSignIn(_ org: OrgProcess, _ folder: String) async throws -> String {
    let directory = folder + "/bytes"
    let recorder = LogRecorder(directory: directory)
    let environment = FlowEnvironment(recorder: recorder)
    let count = 1000
    for _ in 0..<count { try await SignIn.run(against: org.url, environment: environment) }
    try recorder.close()
    let files = try FileManager.default.contentsOfDirectory(atPath: directory + "/segments")
    let bytes = try files.reduce(0) { sum, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: directory + "/segments/" + name)
      return sum + ((attributes[.size] as? Int) ?? 0)
    }
    row("bytes a sign-in, log of 1,000, as written", Spread([Double(bytes) / Double(count)]), "bytes")
    let sealed = try shell("cat '\(directory)'/segments/* | lz4 -dc | lz4 -9 -BD -B7 | wc -c")
    row(
      "  the same lines under lz4 -9 (as sealed)", Spread([(Double(sealed) ?? 0) / Double(count)]),
      "bytes (to aim at: 1024)")
    let raw = try shell("cat '\(directory)'/segments/* | lz4 -dc | wc -c")
    row("  the same lines, not compressed", Spread([(Double(raw) ?? 0) / Double(count)]), "bytes")

    return try sample(of: directory, to: folder)
  }

  /// A sign-in as a recording of its own; gives its path.
  static func sample(_ org: OrgProcess, _ folder: String) async throws -> String {
    let recorder = LogRecorder(directory: folder + "/one")
    try await SignIn.run(against: org.url, environment: FlowEnvironment(recorder: recorder))
    try recorder.close()
    return try sample(of: folder + "/one", to: folder)
  }

  /// The first sign-in of a log as a recording of its own; gives its path.
  private static func sample(of directory: String, to folder: String) throws -> String {
    let log = try LogReader(directory: directory)
    var cursor = try log.cursor()
    var stream: String?
    while stream == nil, let record = try cursor.next() {
      if record.stream.hasPrefix("authn/") { stream = record.stream }
    }
    let path = folder + "/sample.ndjson.lz4"
    try SliceFile.write(records: log.records(of: stream ?? ""), source: log.identity, to: path)
    return path
  }

  /// Replays of one such recording for each CPU second, opening included.
  private static func replayRate(_ path: String) throws {
    for (depth, aim) in [(ReplayDepth.core, "5,000"), (.whole, "2,000")] {
      var rates: [Double] = []
      for round in 0..<6 {
        let start = Measure.cpu()
        var count = 0
        while Measure.cpu() - start < 0.5 {
          for _ in 0..<20 {
            let found = try Replay.replay(Recording(contentsOf: path), depth: depth)
            guard found.isEmpty else { throw SignIn.Unexpected() }
          }
          count += 20
        }
        if round > 0 { rates.append(Double(count) / (Measure.cpu() - start)) }
      }
      row("replays of that sign-in, \(depth.rawValue)", Spread(rates), "a CPU second (to aim at: \(aim))")
    }
  }

  /// vcrpy on the same six requests, if Python has it.
  private static func peer(_ org: OrgProcess) throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Peers/vcrpy_replay.py").standardizedFileURL.path
    print(try shell("python3 '\(script)' '\(org.url.absoluteString)' '\(SignIn.login)' '\(SignIn.password)'"))
  }

  private static func shell(_ command: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
