// Runs a program against a hostile org, and measures what that cost.
import Foundation
import Glibc

/// What became of a run.
struct Fate {
  /// The exit code; nil if a signal ended it, or the clock.
  var code: Int32?
  var output: String
  /// The most memory it ever had, in bytes: the larger of what was seen while it ran and what it wrote down at its end.
  var peakMemory: Int
  /// How often its memory was seen while it ran.
  var looks: Int
  /// True if it wrote down its memory at its end, as `hostile-subject` does.
  var wroteMemory: Bool
  var wasTooLong: Bool
}

/// A program that signs in.
enum Victim {
  /// How long a run may take, in seconds.
  static let limit = 60.0
  /// How many run at once: they wait more than they compute, but an honest step must not time out.
  private static let gate = DispatchSemaphore(value: 8)

  /// The program of that name, beside the test bundle.
  static func binary(_ name: String) -> String {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    for path in [own] + CommandLine.arguments + Bundle.allBundles.map(\.bundlePath) {
      var directory = URL(fileURLWithPath: path).deletingLastPathComponent()
      for _ in 0..<4 {
        let binary = directory.appendingPathComponent(name).path
        if FileManager.default.isExecutableFile(atPath: binary) { return binary }
        directory.deleteLastPathComponent()
      }
    }
    return name
  }

  /// Runs to the end, on a thread of its own: the tests of other attacks go on.
  static func run(_ name: String, _ arguments: [String], input: String, in folder: URL) async throws -> Fate {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        gate.wait()
        defer { gate.signal() }
        continuation.resume(with: Result { try runBlocking(name, arguments, input: input, in: folder) })
      }
    }
  }

  private static func runBlocking(
    _ name: String, _ arguments: [String], input: String, in folder: URL
  ) throws -> Fate {
    let files = ["in", "out", "peak"].map { folder.appending(path: "\(UUID().uuidString).\($0)") }
    try input.write(to: files[0], atomically: false, encoding: .utf8)
    let child = try Child(
      binary(name), arguments,
      environment: [
        "HOME": folder.path, "TMPDIR": folder.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
        "SWIFT_BACKTRACE": "enable=no", "FLOWRECORDER_PEAK": files[2].path,
      ], input: files[0].path, output: files[1].path)
    // The kernel's own mark of the process only rises, so that the last look is the highest. On a busy machine it may
    // end before it is looked at: hence what it writes down itself.
    let status = "/proc/\(child.identifier)/status"
    let deadline = ContinuousClock.now + .seconds(limit)
    var fate = Fate(code: nil, output: "", peakMemory: 0, looks: 0, wroteMemory: false, wasTooLong: false)
    while true {
      if let end = child.end() {
        if case .code(let code) = end { fate.code = code }
        break
      }
      if let mark = highWaterMark(status) {
        fate.peakMemory = max(fate.peakMemory, mark)
        fate.looks += 1
      }
      if !fate.wasTooLong, ContinuousClock.now > deadline {
        fate.wasTooLong = true
        child.kill()
      }
      usleep(2_000)
    }
    if let mark = highWaterMark(files[2].path) {
      fate.peakMemory = max(fate.peakMemory, mark)
      fate.wroteMemory = true
    }
    fate.output = String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
    for file in files { try? FileManager.default.removeItem(at: file) }
    return fate
  }

  /// The figure `VmHWM` in a file of the form of `/proc/PID/status`, in bytes; nil if there is none.
  private static func highWaterMark(_ status: String) -> Int? {
    guard let text = try? String(contentsOfFile: status, encoding: .utf8) else { return nil }
    return text.firstMatch(of: /VmHWM:\s*(\d+) kB/).flatMap { Int($0.1) }.map { $0 << 10 }
  }
}
