import Foundation
import Glibc
import Testing

/// DESIGN §2 rule 8: the same recording gives the same events, in any process, time zone, locale, working directory and hash
/// seed.
@Suite struct GoldenReplayTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Recordings").standardizedFileURL.path

  private static let files: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasSuffix(".ndjson.lz4") }.sorted().map { "\(folder)/\($0)" }

  /// How often each recording is replayed in all; `nil` if `FLOWRECORDER_REPLAYS` does not say: then each place replays
  /// every fifth recording.
  private static let times = Int(ProcessInfo.processInfo.environment["FLOWRECORDER_REPLAYS"] ?? "")

  /// Where processes replay. Each has a hash seed of its own, too.
  private static let places: [(environment: [String: String], directory: String)] = [
    (["TZ": "Pacific/Kiritimati", "LANG": "C", "LC_ALL": "C"], "/"),
    (["TZ": "America/St_Johns", "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"], "a folder \u{e9}"),
    (["TZ": "Asia/Kathmandu", "LANG": "th_TH.UTF-8", "LC_ALL": "th_TH.UTF-8"], "-"),
    (["TZ": "UTC", "LANG": "ar_EG.UTF-8", "LC_ALL": "ar_EG.UTF-8"], folder), ([:], folder),
  ]

  @Test("golden recordings replay in other processes, time zones, locales and directories, and without any variable")
  func replays() throws {
    #expect(Self.files.count >= 242)
    let home = try Folder()
    // In the last place by names alone, from where they are.
    let names = Self.files.map { String($0.dropFirst(Self.folder.count + 1)) }
    // No process is given more than 25 rounds, and as many run at once as there are cores.
    let rounds = min(25, max(1, (Self.times ?? 0) / Self.places.count))
    let processes = max(Self.places.count, (Self.times ?? 0) / rounds)
    let runs = Runs()
    DispatchQueue.concurrentPerform(iterations: processes) { number in
      let (environment, place) = Self.places[number % Self.places.count]
      let directory = place.hasPrefix("/") ? place : home(place)
      var files = environment.isEmpty ? names : Self.files
      if Self.times == nil {
        files = files.enumerated().filter { $0.offset % Self.places.count == number }.map(\.element)
      }
      runs.add(
        Result {
          try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
          let (status, text) = try replay(
            Array(repeating: files, count: rounds).flatMap(\.self), environment, in: directory)
          return (status: status, text: text, recordings: files.count * rounds)
        })
    }
    #expect(runs.all.count == processes)
    var sum = 0
    for run in runs.all {
      let (status, text, recordings) = try run.get()
      #expect(status == 0)
      #expect(text.contains("\"recordings\":\(recordings),"))
      #expect(text.contains("\"diverged\":0"))
      sum += recordings
    }
    // Each recording in one of the places at least.
    #expect(sum >= Self.files.count)
    print("torture: \(Self.files.count) golden recordings replayed \(sum) times in \(processes) processes")
  }

  /// How runs ended, what they printed, and how many recordings each replayed.
  private final class Runs: @unchecked Sendable {  // guarded by `guardian`
    typealias End = Result<(status: Int32, text: String, recordings: Int), any Error>
    private let guardian = NSLock()
    private var ends: [End] = []

    func add(_ end: End) { guardian.withLock { ends.append(end) } }
    var all: [End] { guardian.withLock { ends } }
  }

  /// Replays files in a process of its own.
  private func replay(
    _ files: [String], _ environment: [String: String], in directory: String
  ) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.binary)
    process.arguments = ["replay", "--json"] + files
    process.environment = environment
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test("no replay of a golden recording opens a socket, or a file for writing", .enabled(if: Program.hasStrace))
  func noSocket() throws {
    let home = try Folder()
    let trace = home("trace")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let watched = "trace=%network,openat,unlink,unlinkat,rename,renameat,mkdir,mkdirat"
    process.arguments =
      ["strace", "-f", "-qq", "-e", watched, "-e", "signal=none", "-o", trace, Program.binary, "replay", "--json"]
      + Self.files
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text.contains("\"recordings\":\(Self.files.count),") && text.contains("\"diverged\":0"))
    // A call that others came between has a second line, without its arguments.
    let calls = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
      .filter { !$0.contains(" resumed>") }
    // The recordings themselves show that the calls were seen.
    #expect(calls.count { $0.contains("/Recordings/") } >= Self.files.count)
    let others = calls.filter { !$0.contains("openat(") || !$0.contains("O_RDONLY") }
    #expect(others.isEmpty, "\(others.prefix(3))")
  }

  @Test("on a terminal a replay of much says how far it is, and takes the line away")
  func progress() throws {
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (number, locked) = (UInt32(0), Int32(0))
    // TIOCSPTLCK and TIOCGPTN, which are no constants to Swift: unlocks the other side, and gives its number.
    try #require(ioctl(terminal, 0x4004_5431, &locked) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0)
    let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(other >= 0)
    let files = Array(Self.files.prefix(Self.times == nil ? 50 : Self.files.count))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.binary)
    process.arguments = ["replay"] + files
    process.environment = ["TERM": "xterm", "COLUMNS": "80"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle(fileDescriptor: other, closeOnDealloc: false)
    try process.run()
    close(other)
    var shown: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    // Once the program has ended, and with it the last who could write, reading is an error.
    while case let count = read(terminal, &piece, piece.count), count > 0 { shown += piece[..<count] }
    process.waitUntilExit()
    close(terminal)
    #expect(process.terminationStatus == 0)
    let lines = String(decoding: shown, as: UTF8.self).split(separator: "\r").map(String.init)
    #expect(lines.contains { $0.hasPrefix("Replaying [") && $0.contains("of \(files.count) recordings") }, "\(lines)")
    #expect(lines.last == "\u{1B}[K" && lines.count <= 2_000, "\(lines.count)")
  }
}
