// `make bench`, the store's part: each figure beside its peer, in turn, in one run. See docs/BENCHMARKS.md.
import Foundation

/// A part of the report that can be run by itself.
struct Line: Sendable {
  var name: String
  /// True if it takes minutes, and is run only with `LONG=1` or by its name.
  var isLong = false
  var run: @Sendable (Bench) throws -> [Figure]
}

/// What every line gets.
struct Bench: Sendable {
  /// Rounds that count; one more comes before them.
  var rounds: Int
  /// A directory on the disk that is measured.
  var folder: String

  /// An empty directory of that name.
  func fresh(_ name: String) throws -> String {
    let path = folder + "/" + name
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return path
  }

  func remove(_ name: String) { try? FileManager.default.removeItem(atPath: folder + "/" + name) }

  /// One round that does not count, then those that do.
  func repeated<Result>(_ body: (Int) throws -> Result) rethrows -> [Result] {
    var results: [Result] = []
    for round in 0...rounds {
      let result = try body(round)
      if round > 0 { results.append(result) }
    }
    return results
  }
}

@main
struct StoreBenchmarks {
  static let lines: [Line] = [
    Line(name: "append-inline", run: AppendInline.run),
    Line(name: "append-group", run: AppendGroup.run),
    Line(name: "append-streams", run: AppendStreams.run),
    Line(name: "append-each", run: AppendEach.run),
    Line(name: "caller", run: CallerTime.run),
    Line(name: "caller-shipped", run: CallerTimeShipped.run),
    Line(name: "scan", run: Scan.run),
    Line(name: "verify", run: VerifyRate.run),
    Line(name: "bytes", run: DiskBytes.run),
    Line(name: "recover", run: RecoverTail.run),
    Line(name: "open-and-read", isLong: true, run: LargeLog.run),
    Line(name: "memory", isLong: true, run: WriterMemory.run),
  ]

  static func main() throws {

    var only: [String] = []
    var json = false
    var long = ProcessInfo.processInfo.environment["LONG"] == "1"
    var bench = Bench(rounds: 5, folder: FileManager.default.temporaryDirectory.path)
    var rest = CommandLine.arguments.dropFirst()
    if let command = rest.first, try Child.run(command, Array(rest.dropFirst())) { return }
    while let argument = rest.popFirst() {
      switch argument {
      case "--only": if let name = rest.popFirst() { only.append(name) }
      case "--rounds": if let count = rest.popFirst().flatMap({ Int($0) }) { bench.rounds = max(count, 1) }
      case "--directory": if let path = rest.popFirst() { bench.folder = path }
      case "--json": json = true
      case "--long": long = true
      default: return usage()
      }
    }
    guard only.allSatisfy({ name in lines.contains { $0.name == name } }) else { return usage() }
    bench.folder += "/flowrecorder-store-bench-\(getpid())"
    try FileManager.default.createDirectory(
      atPath: bench.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: bench.folder) }
    if !json { print(Figure.heading) }
    var all: [Figure] = []
    for line in lines where only.isEmpty ? long || !line.isLong : only.contains(line.name) {
      for figure in try line.run(bench) {
        all.append(figure)
        if !json {
          print(figure.row)
          fflush(nil)
          if !figure.remark.isEmpty { print("    " + figure.remark) }
        }
      }
    }
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      print(String(decoding: try encoder.encode(all), as: UTF8.self))
    } else if only.isEmpty && !long {
      print("left out: " + lines.filter(\.isLong).map(\.name).joined(separator: ", ") + " (LONG=1 runs them)")
    }
  }

  private static func usage() {
    print("StoreBenchmarks [--only LINE]... [--rounds N] [--directory DIR] [--long] [--json]")
    print("lines: " + lines.map(\.name).joined(separator: ", "))
  }
}
