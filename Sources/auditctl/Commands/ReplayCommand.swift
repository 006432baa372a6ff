import ArgumentParser
import AuditReports
import EventStore
import FlowKinds
import FlowRecording
import Replay

/// `auditctl replay`
struct ReplayCommand: ParsableCommand, GivenStores {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Run the SDK again on recordings and show where it differs.",
    discussion: """
      Every request, timer, draw and status is compared with the recorded one. After a difference the replay goes on \
      from the recorded state. If all decisions are as recorded, what stands around them runs too, with made-up secrets \
      in the place of placeholders: public objects, masking, the encoding of requests, answers to callers. --core leaves \
      that out. Divergences with one cause are shown once; --all shows each. No socket is opened, and time does not \
      pass. FILE is a recording, records as JSON Lines, plain or in an LZ4 frame, or a folder with recordings \
      (*.ndjson.lz4). Exits 1 if a replay \
      diverged, or if a flow of a whole store cannot be read.

      --accept rewrites the recordings that diverge, as this SDK behaves now, and prints the difference.

      WHAT IF
        --edit FILE runs one recording with changes: another answer, a lost or late one, another order. Once the \
      recording has no answer to a request, those of the file are given; after them, what an edit replaced. "at" and "after" are revisions of the recording as show \
      prints them, also behind edits that take events out or add some; those of the new recording may be others: where \
      it begins to differ and where it ends is printed in its own revisions. -o writes it.
        --sweep tries every fault at every request, and every order of what was concurrent. A flow that hangs, loops \
      or ends unnamed is a finding.

        {"edits": [{"at": 7, "status": 429, "headers": {"Retry-After": "2"}},
                   {"at": 12, "lost": "timedOut"}, {"at": 15, "late": 3000},
                   {"at": 16, "after": 18}, {"at": 9, "malformed": true},
                   {"at": 20, "missing": true}, {"at": 22, "cancelled": true},
                   {"at": 10, "body": {"status": "LOCKED_OUT"}}],
         "answers": [{"request": "POST /api/v1/authn", "status": 200,
                      "body": {"status": "SUCCESS"}}]}

      EXAMPLES
        auditctl replay Recordings
        auditctl replay push.ndjson.lz4 --edit edits.json -o limited.ndjson.lz4
        auditctl replay Recordings/*.ndjson.lz4 --sweep
        auditctl replay Recordings/*.ndjson.lz4 --accept
        ssh host cat push.ndjson.lz4 | auditctl replay /dev/stdin
        auditctl replay --store audit --junit replay.xml
        auditctl replay --store audit 01KAJ4 --json | jq '.divergences[].message'
      """)

  @Argument(
    help: ArgumentHelp(
      "Recordings, or folders of them; with --store, flows of it (all if none is named).", valueName: "FILE"))
  var parsed: [String] = []
  /// What is to be replayed.
  private var names: [String] { RecordingNames.all(parsed) }
  @Option(
    name: .customLong("store"), parsing: .singleValue,
    help: ArgumentHelp("A store's directory, or a recording. May be repeated.", valueName: "DIR"))
  var directories: [String] = []
  @Flag(help: "Run the SDK's decisions alone: several times as fast if recordings have no digests.") var core = false
  @Flag(help: "Show every divergence: of each flow, and after the first.") var all = false
  @Option(help: ArgumentHelp("Write the result as JUnit XML too.", valueName: "FILE")) var junit: String?
  @Option(help: ArgumentHelp("Run one recording with the changes of this file.", valueName: "FILE")) var edit: String?
  @Option(name: .shortAndLong, help: ArgumentHelp("With --edit, the recording to write.", valueName: "FILE"))
  var output: String?
  @Flag(help: "Try every fault at every request.") var sweep = false
  @Flag(help: "Rewrite recordings that diverge, as this SDK behaves now.") var accept = false
  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    let ways = [edit != nil, sweep, accept].count { $0 }
    guard ways <= 1 else { throw ValidationError("--edit, --sweep and --accept exclude each other; give one of them") }
    guard ways == 0 || !core && junit == nil else {
      throw ValidationError("--core and --junit are for a replay without --edit, --sweep and --accept")
    }
    if edit != nil, names.count != 1 { throw ValidationError("--edit changes one recording: give one") }
    if output != nil, edit == nil { throw ValidationError("-o is where --edit writes the new recording: give --edit") }
    if accept, !directories.isEmpty {
      throw ValidationError("--accept writes recordings anew; a store is never changed: give it without --store")
    }
    guard !names.isEmpty || !directories.isEmpty else {
      throw ValidationError("Missing expected argument: give recordings, or --store DIR")
    }
  }

  private var depth: ReplayDepth { core ? .core : .whole }

  func run() throws {
    let names = directories.isEmpty ? try RecordingNames.files(names) : names
    if let edit {
      // A folder may have several.
      guard names.count == 1 else { throw ValidationError("--edit changes one recording: give one") }
      return try EditedReplay.run(names[0], stores: directories, edits: edit, output: output, isJSON: json.isOn)
    }
    if accept { return try AcceptedReplay.run(names, isJSON: json.isOn, of: Self.self) }
    if sweep { return try sweepAll(names) }
    var unread: [any Error] = []
    let report = try directories.isEmpty ? report(onFiles: names, unread: &unread) : reportOnStores(names)
    var whole = report
    whole.unreadable += ErrorReport.messages(unread, of: Self.self)
    if let junit { try TextFile.write(JUnitReport.xml(whole), to: junit) }
    let output = Output()
    if json.isOn {
      try output.json(whole.json)
    } else {
      try output.lines(
        DivergenceText(
          report, width: LineWidth(Terminal.width.columns), style: Terminal.style, showsAll: all, unread: unread.count
        ).lines)
    }
    try output.end()
    try ErrorReport.finish(unread, of: Self.self)
    if report.diverged > 0 || !report.unreadable.isEmpty { throw ExitCodes.finding }
  }

  /// Tries faults on files, or on the flows of stores.
  private func sweepAll(_ names: [String]) throws {
    if directories.isEmpty || !names.isEmpty {
      return try SweptReplay.run(names.count, of: Self.self, showsAll: all, isJSON: json.isOn) { number in
        let recording = try RecordingLookup.find(names[number], in: directories).recording
        try recording.refuseUnknownKinds()
        return recording
      }
    }
    let places = try FlowLookup.streams(of: Self.distinct(sources()))
    try SweptReplay.run(places.count, of: Self.self, showsAll: all, isJSON: json.isOn) { number in
      let place = places[number]
      let recording = try Recording(name: place.stream, records: place.log.records(of: place.stream))
      return recording.flows.isEmpty ? nil : recording
    }
  }

  /// Replays files on all cores.
  ///
  /// - Parameter unread: receives why files cannot be read, if others can.
  /// - Throws: the error of the first file if none can be read.
  private func report(onFiles names: [String], unread: inout [any Error]) throws -> ReplayReport {
    let failures = Locked<[Int: any Error]>([:])
    let report = try report(on: names.count, .recordings) { number throws(ReplayError) in
      do {
        let bytes = try InputFile.recording(names[number])
        let recording = try Recording(name: names[number], bytes: bytes)
        try recording.refuseUnknownKinds()
        return recording
      } catch {
        failures.withLock { $0[number] = error }
        return nil
      }
    }
    let failed = failures.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
    guard names.count > 1, failed.count < names.count else {
      if let first = failed.first { throw first }
      return report
    }
    unread = failed
    return report
  }

  /// Replays on all cores, and says on a terminal how far that is.
  private func report(
    on count: Int, _ unit: ProgressBar.Unit, reading read: @escaping @Sendable (Int) throws(ReplayError) -> Recording?
  ) throws(ReplayError) -> ReplayReport {
    try ProgressBar.during("Replaying", unit) { progress throws(ReplayError) in
      try Replay.report(
        on: count, depth: depth, progress: { progress?(UInt64($0), UInt64(count)) }, reading: read)
    }
  }

  /// Opens the stores and recordings that `--store` names.
  private func sources() throws -> [LogSource] { try directories.map { try LogSource(path: $0) } }

  private func reportOnStores(_ names: [String]) throws -> ReplayReport {
    let sources = try sources()
    guard names.isEmpty else {
      return try Replay.report(
        on: names.map { name in
          let found = try FlowLookup.find(name, in: sources)
          return try Recording(name: found.stream, records: found.records)
        }, depth: depth)
    }
    let places = try FlowLookup.streams(of: Self.distinct(sources))
    let unreadable = Locked<[Int: String]>([:])
    var report = try report(on: places.count, .flows) { number throws(ReplayError) in
      let place = places[number]
      do throws(StoreError) {
        let recording = try Recording(name: place.stream, records: place.log.records(of: place.stream))
        guard !recording.flows.isEmpty else { return nil }
        if let unknown = recording.unknownKind {
          unreadable.withLock { $0[number] = unknown.description }
          return nil
        }
        return recording
      } catch {
        guard error.code == .malformed else { throw .unreadable(error) }
        unreadable.withLock { $0[number] = error.message }
        return nil
      }
    }
    report.unreadable = unreadable.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
    return report
  }
}
