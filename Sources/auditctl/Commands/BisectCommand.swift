import ArgumentParser
import AuditReports
import EventStore
import FlowRecording
import Foundation
import Glibc
import Replay

/// `auditctl bisect`
struct BisectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bisect", abstract: "Find the first build that a recording does not replay with.",
    discussion: """
      Each DIR holds a build of auditctl, as DIR/auditctl or DIR/bin/auditctl; give them from the oldest to the \
      newest. Each that is tried runs its own replay of the recording; a build that cannot run or cannot read it is \
      skipped. If such builds come before the first that differs, each of them may be the one: they are named. Exits 1 \
      if the newest build that can be used replays it, so that there is nothing to find, and 65 if none can be used.

      EXAMPLES
        auditctl bisect field.ndjson.lz4 --builds builds/0.1 builds/0.2 builds/0.3
        auditctl bisect field.ndjson.lz4 --builds builds/* --json | jq .firstBad
      """)

  @Argument(help: ArgumentHelp("The recording.", valueName: "RECORDING")) var recording: String
  @Option(
    parsing: .upToNextOption, help: ArgumentHelp("Folders of builds, from the oldest to the newest.", valueName: "DIR"))
  var builds: [String]
  @OptionGroup var json: JSONFlag

  func run() throws {
    // A recording that no build could read is reported before any build runs.
    let bytes = try InputFile.recording(recording)
    _ = try Recording(name: recording, bytes: bytes)
    let programs = try builds.map { try Build(folder: $0) }
    let copy = try isFileForAll ? nil : Self.copy(of: bytes)
    defer { if let copy { unlink(copy) } }
    var bisection = Bisection(name: recording, recording: copy ?? recording, builds: programs)
    let progress = Progress("bisecting")
    let first = bisection.firstBad { progress.show($0, of: programs.count) }
    progress.end()
    let output = Output()
    if json.isOn {
      try output.json(bisection.json(first))
    } else {
      for run in bisection.runs { try output.line("\(run.build.printable): \(run.words)") }
      if bisection.isUsable { try output.lines(verdict(of: bisection, first)) }
    }
    try output.end()
    guard bisection.isUsable else {
      throw CommandFailure(
        .malformed,
        "\(recording.printable) says nothing of these builds: none of them could be used; give one that runs and reads it"
      )
    }
    if first == nil { throw ExitCodes.finding }
  }

  /// Whether each build can read the recording by its path: a pipe is read only once, and what this program has open
  /// (`/dev/stdin`) is not open there.
  private var isFileForAll: Bool {
    FileMode(of: recording)?.isRegular == true && !recording.hasPrefix("/dev/") && !recording.hasPrefix("/proc/")
  }

  /// Copies a recording into a file that each build can read.
  ///
  /// - Returns: the path of the file, which the caller removes.
  /// - Throws: exit 73 or 74 if it cannot be written.
  private static func copy(of bytes: [UInt8]) throws -> String {
    let name = "flowrecorder-\(UUID().uuidString)"
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
    try OutputFile(path: path).write(bytes)
    return path
  }

  /// The conclusion from all builds that were tried.
  private func verdict(of bisection: Bisection, _ first: Int?) -> [String] {
    let width = LineWidth(Terminal.width.columns, isStrict: false)
    guard let first else { return ["no build was found that differs"] }
    let unknown = bisection.unknown(before: first).map(\.printable).joined(separator: ", ")
    switch (bisection.good(before: first), unknown.isEmpty) {
    case (nil, true) where first == 0:
      return Paragraph.lines(
        "\(builds[0].printable) differs, and is the oldest: give one that does not to find where it began", width: width
      )
    case (nil, _):
      return Paragraph.lines(
        "\(builds[first].printable) differs, and is the oldest that can be used; what came before cannot: \(unknown); "
          + "give one that does not differ to find where it began", width: width)
    case (_?, true): return ["\(builds[first].printable) is the first that differs"]
    case (let good?, false):
      return Paragraph.lines(
        "\(builds[first].printable) differs and \(builds[good].printable) does not; the first that differs may also be "
          + "one between them that cannot be used: \(unknown)", width: width)
    }
  }
}

/// A build of `auditctl`.
private struct Build {
  var folder: String
  var program: String

  /// - Throws: exit 66 if the folder holds none.
  init(folder: String) throws(CommandFailure) {
    self.folder = folder
    let places = ["\(folder)/auditctl", "\(folder)/bin/auditctl"]
    guard let program = places.first(where: { access($0, X_OK) == 0 && InputFile.isFile($0) }) else {
      throw CommandFailure(.notFound, "\(folder.printable) holds no auditctl that can be run; give a folder of a build")
    }
    self.program = program
  }

  /// The result of its replay of a recording; nil if it cannot replay it.
  func replay(_ recording: String) -> (isBad: Bool, message: String?)? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["replay", "--json", "--", recording]
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    guard (try? process.run()) != nil else { return nil }
    let bytes = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
    process.waitUntilExit()
    guard process.terminationReason == .exit, [0, 1].contains(process.terminationStatus),
      let report = try? JSON(parsing: Array(bytes)), let diverged = report["diverged"]?.int
    else { return nil }
    return (diverged > 0, report["divergences"]?.array?.first?["message"]?.string)
  }
}

/// A search for the first build that differs.
private struct Bisection {
  /// The result of a build that was tried.
  struct Run {
    var build: String
    /// Nil if the build could not be used.
    var isBad: Bool?
    var message: String?

    var result: String { isBad.map { $0 ? "bad" : "good" } ?? "unusable" }

    var words: String {
      switch isBad {
      case true?: "differs" + (message.map { ": \($0.printable)" } ?? "")
      case false?: "replays it"
      case nil: "cannot be used"
      }
    }
  }

  /// What the caller calls the recording.
  let name: String
  /// The path of its file.
  let recording: String
  let builds: [Build]
  private(set) var runs: [Run] = []
  private var known: [Int: Run] = [:]

  init(name: String, recording: String, builds: [Build]) {
    (self.name, self.recording, self.builds) = (name, recording, builds)
  }

  /// The index of the first build that differs, if the builds before it replay it and those after it do not.
  mutating func firstBad(_ progress: (Int) -> Void) -> Int? {
    // The newest usable build is known to differ.
    var high = builds.count - 1
    while high >= 0, isBad(high, progress) == nil { high -= 1 }
    guard high >= 0, isBad(high, progress) == true else { return nil }
    var low = -1
    while high - low > 1 {
      var middle = (low + high) / 2
      // A build that cannot be used gives no result, so the next one is tried.
      while middle < high, isBad(middle, progress) == nil { middle += 1 }
      if middle == high {
        middle = (low + high) / 2 - 1
        while middle > low, isBad(middle, progress) == nil { middle -= 1 }
        guard middle > low else { break }
      }
      if isBad(middle, progress) == true { high = middle } else { low = middle }
    }
    return high
  }

  /// Whether any build that was tried could be used.
  var isUsable: Bool { runs.contains { $0.isBad != nil } }

  /// The index of the newest build before another that is known to replay the recording.
  func good(before first: Int) -> Int? { (0..<first).last { known[$0]?.isBad == false } }

  /// The builds right before another of which nothing is known, since they cannot be used.
  func unknown(before first: Int) -> [String] {
    ((good(before: first) ?? -1) + 1..<first).map { builds[$0].folder }
  }

  private mutating func isBad(_ index: Int, _ progress: (Int) -> Void) -> Bool? {
    if let run = known[index] { return run.isBad }
    let result = builds[index].replay(recording)
    let run = Run(
      build: builds[index].folder, isBad: result?.isBad, message: result?.isBad == true ? result?.message : nil)
    known[index] = run
    runs.append(run)
    progress(runs.count)
    return run.isBad
  }

  func json(_ first: Int?) -> JSON {
    let good = first.flatMap { self.good(before: $0) }
    let unknown = first.map { self.unknown(before: $0) } ?? []
    return .members([
      ("recording", .string(name)), ("firstBad", first.map { .string(builds[$0].folder) } ?? .null),
      ("lastGood", good.map { .string(builds[$0].folder) } ?? .null), ("unknown", .array(unknown.map(JSON.string))),
      (
        "runs",
        .array(
          runs.map { run in
            .members([
              ("build", .string(run.build)), ("result", .string(run.result)), ("message", run.message.map(JSON.string)),
            ])
          })
      ),
    ])
  }
}
