import Foundation
import Testing

/// DESIGN §2 rule 8: the same recording gives the same events, in any process, time zone, locale and hash seed.
@Suite struct GoldenReplayTests {
  @Test(
    "golden recordings replay a hundred times over in other processes, time zones and locales",
    arguments: [
      ("Pacific/Kiritimati", "C"), ("America/St_Johns", "tr_TR.UTF-8"), ("Asia/Kathmandu", "th_TH.UTF-8"),
      ("UTC", "ar_EG.UTF-8"),
    ])
  func replays(zone: String, locale: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Recordings").standardizedFileURL.path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".ndjson.lz4") }
    #expect(files.count >= 9)
    let list = files.sorted().map { "\(folder)/\($0)" }
    // Five processes of five rounds for each zone, each with a hash seed of its own, as many at once as there are cores; ten of ten
    // in the long form.
    let count = ProcessInfo.processInfo.environment["FLOWRECORDER_LONG"] == nil ? 5 : 10
    let runs = Runs()
    DispatchQueue.concurrentPerform(iterations: count) { _ in
      runs.add(Result { try replay(Array(repeating: list, count: count).flatMap(\.self), zone: zone, locale: locale) })
    }
    #expect(runs.all.count == count)
    for run in runs.all {
      let (status, text) = try run.get()
      #expect(status == 0)
      #expect(text.contains("\"recordings\":\(files.count * count),"))
      #expect(text.contains("\"diverged\":0"))
    }
  }

  /// How runs ended, and what they printed.
  private final class Runs: @unchecked Sendable {  // guarded by `guardian`
    private let guardian = NSLock()
    private var ends: [Result<(status: Int32, text: String), any Error>] = []

    func add(_ end: Result<(status: Int32, text: String), any Error>) { guardian.withLock { ends.append(end) } }
    var all: [Result<(status: Int32, text: String), any Error>] { guardian.withLock { ends } }
  }

  /// Replays files in a process of its own.
  private func replay(_ files: [String], zone: String, locale: String) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.binary)
    process.arguments = ["replay", "--json"] + files
    process.environment = ["TZ": zone, "LANG": locale, "LC_ALL": locale, "PATH": "/usr/bin:/bin"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test("a replay opens no socket")
  func noSocket() throws {
    let strace = "/usr/bin/strace"
    guard FileManager.default.isExecutableFile(atPath: strace) else {
      print("skipped: strace is not installed")
      return
    }
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Recordings").standardizedFileURL.path
    let process = Process()
    process.executableURL = URL(fileURLWithPath: strace)
    process.arguments = [
      "-f", "-qq", "-e", "trace=socket,connect", Program.binary, "replay", "\(folder)/push-approved.ndjson.lz4",
    ]
    let trace = Pipe()
    process.standardError = trace
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: trace.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      print("skipped: strace may not trace here")
      return
    }
    #expect(!text.contains("socket("), "\(text)")
    #expect(!text.contains("connect("), "\(text)")
  }
}
