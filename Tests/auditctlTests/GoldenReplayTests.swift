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
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.binary)
    process.arguments =
      ["replay", "--json"] + Array(repeating: files.sorted().map { "\(folder)/\($0)" }, count: 100).flatMap(\.self)
    process.environment = ["TZ": zone, "LANG": locale, "LC_ALL": locale, "PATH": "/usr/bin:/bin"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text.contains("\"recordings\":\(files.count * 100),"))
    #expect(text.contains("\"diverged\":0"))
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
