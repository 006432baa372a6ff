import Foundation
import Testing

/// A run of the program that says what it cost, whatever else the machine did meanwhile.
struct MeasuredRun: Decodable {
  var code: Int32
  /// The most memory that it had at once, in bytes.
  var memory: Int
  /// The processor's time that it took, in seconds.
  var seconds: Double

  /// Linux counts what a process took before `exec` as its own, and that is what the process had that started it: these
  /// tests have a lot. So a small one starts it (`getrusage(2)`, `ru_maxrss`).
  private static let meter = """
    import json, resource, subprocess, sys
    nothing = subprocess.DEVNULL
    code = subprocess.run(sys.argv[1:], stdin=nothing, stdout=nothing, stderr=nothing).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(json.dumps({"code": code if code >= 0 else 128 - code, "memory": used.ru_maxrss << 10,
      "seconds": used.ru_utime + used.ru_stime}))
    """

  /// Runs to the end; what is printed is thrown away.
  init(_ arguments: [String], in folder: Folder) throws {
    _ = try folder.write(Self.meter, to: "meter.py")
    let words = ([Program.binary] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let run = try Program.shell("python3 meter.py \(words)", in: folder)
    try #require(run.code == 0, "\(run.output)")
    self = try JSONDecoder().decode(Self.self, from: Data(run.output.utf8))
  }
}
