import ArgumentParser
import AuditReports
import EventStore
import FlowRecording
import Glibc
import Replay

/// `auditctl export`
struct ExportCommand: ParsableCommand {
  /// What a flow can be exported as.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// A portable recording, `*.ndjson.lz4`: the records unchanged under a header that says `slice`.
    case recording
    /// The records as JSON Lines.
    case ndjson
    /// The requests and answers as an HTTP archive (HAR 1.2).
    case har
    /// Security events of the Open Cybersecurity Schema Framework, as JSON Lines.
    case ocsf
    /// The same in the Common Event Format, a line each.
    case cef
    /// The same in the Elastic Common Schema, as JSON Lines.
    case ecs
    /// Traces of OpenTelemetry, a line of OTLP JSON a flow.
    case otlp

    /// The format of other tools; nil for our own.
    var form: SecurityExport.Form? { SecurityExport.Form(rawValue: rawValue) }
  }

  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Export flows as a recording, for other tools, or the log as tiles.",
    discussion: """
      A recording replays anywhere: auditctl replay FILE, or expectReplays(FILE) in a test. Several flows that belong \
      together go into one file.

      An HTTP archive (HAR 1.2) opens in the network panel of a browser; secrets are placeholders there too.

      For other tools there are ocsf (OCSF 1.6: Authentication and Account Change), cef, ecs (8.11) and otlp (a span a \
      flow, one a request). They take single flows, or all that pass --user, --since and --until, which ask for the \
      time of the event (of the flow's last one for otlp); each line names the position and the leaf hash of the \
      record that it is based on.

      --tiles exports the whole log, as far as its latest checkpoint covers it, as static files in the layout of C2SP \
      tlog-tiles (checkpoint, tile/0/..., tile/entries/...), for any web server and any client of that layout. If \
      records were pruned, entries begin with the first bundle of 256 that is whole.

      EXAMPLES
        auditctl export 01KAJ4 --store audit --as recording -o push.ndjson.lz4
        auditctl export 01KAJ4 --store audit --as ndjson -o - | jq .type
        auditctl export --store audit --as ocsf --since -24h -o events.json
        auditctl export --store audit --as otlp -o - | curl --json @- $COLLECTOR
        auditctl export 01KAJ4 --store audit --as har -o sign-in.har
        auditctl export --store audit --tiles log-tiles
      """)

  @Argument(help: ArgumentHelp("The flows.", valueName: "FLOW")) var flows: [String] = []
  @OptionGroup var stores: StoresOption
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("The format: recording, ndjson, har, ocsf, cef, ecs, otlp.", valueName: "FORMAT")) var format:
    Format?
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write; - for stdout, but not of a recording. Overwrites an existing file.", valueName: "FILE"))
  var output: String?
  @Option(
    name: .customLong("user"), parsing: .singleValue,
    help: ArgumentHelp("Flows of this login, for other tools.", valueName: "U"))
  var users: [String] = []
  private var user: String? { users.first }
  @OptionGroup var times: TimeOptions
  @Option(help: ArgumentHelp("The new directory for the log's tiles.", valueName: "DIR")) var tiles: String?

  /// Whether flows are selected by filters.
  private var isFiltered: Bool { user != nil || times.since != nil || times.until != nil }

  mutating func validate() throws {
    try OnceOption.check("--user", users)
    if tiles != nil {
      guard flows.isEmpty, format == nil, output == nil, !isFiltered else {
        throw ValidationError("--tiles exports the whole log: give it without flows, --as and -o")
      }
      guard stores.directories.count < 2 else { throw ValidationError("--tiles is about one log: give one --store") }
      return
    }
    if format?.form == nil {
      guard !flows.isEmpty else { throw ValidationError("Missing expected argument '<FLOW>'") }
      guard !isFiltered else { throw ValidationError("--user, --since and --until are for ocsf, cef, ecs and otlp") }
    }
    guard format != nil else { throw ValidationError("Missing expected argument '--as <FORMAT>'") }
    guard let output else { throw ValidationError("Missing expected argument '--output <FILE>'") }
    if output == "-", format == .recording { throw ValidationError(Creation.binary) }
  }

  func run() throws {
    if tiles != nil || format == .har { try stores.refuseKeepGoing(for: "tiles and HAR") }
    if let tiles { return try exportTiles(to: tiles) }
    guard let format, let output else { return }
    if format == .har { return try exportArchive(to: output) }
    let logs = try stores.once()
    if let form = format.form { return try export(as: form, of: logs, to: output) }
    let found = try distinct(flows.map { try FlowLookup.find($0, in: logs) })
    guard let first = found.first else { return }
    let records = found.flatMap(\.records)
    switch format {
    case .recording:
      guard found.allSatisfy({ $0.log.identity.id == first.log.identity.id }) else {
        throw CommandFailure(.usage, "these flows lie in different stores; export them one by one")
      }
      let ordered = records.sorted { $0.position < $1.position }
      try Creation.recording(ordered, of: first.log.identity, at: output)
    case .ndjson, .har, .ocsf, .cef, .ecs, .otlp:
      try write(to: output) { output in
        for record in records { try output.line(record.line) }
      }
    }
  }

  private func export(as form: SecurityExport.Form, of logs: [LogSource], to path: String) throws {
    let found = try distinct(flows.map { try FlowLookup.find($0, in: logs) })
    let (since, until) = times.bounds()
    try write(to: path) { output in
      var count = 0
      for log in logs {
        let streams = found.filter { $0.log.directory == log.directory }.map(\.stream)
        guard flows.isEmpty || !streams.isEmpty else { continue }
        let export = SecurityExport(
          as: form, where: FlowFilter(user: user, since: since, until: until), streams: flows.isEmpty ? nil : streams)
        count += try export.run(on: log) { try output.line($0) }
      }
      if count == 0, isFiltered {
        Messages.say("No flow passes these filters.")
        throw ExitCode(ExitStatus.finding.rawValue)
      }
    }
  }

  /// The flows without duplicates.
  private func distinct(_ found: [FoundFlow<LogSource>]) -> [FoundFlow<LogSource>] {
    var seen: [FoundFlow<LogSource>] = []
    for flow in found
    where !seen.contains(where: { $0.stream == flow.stream && $0.log.directory == flow.log.directory }) {
      seen.append(flow)
    }
    return seen
  }

  /// Prints to a file, or to stdout for `-`.
  private func write(to path: String, _ body: (Output) throws -> Void) throws {
    guard path == "-" else { return try OutputFile(path: path).write(body) }
    let output = Output()
    try body(output)
    try output.flush()
  }

  private func exportArchive(to output: String) throws {
    var recording = Recording(name: flows[0], flows: [])
    for name in flows { recording.flows += try RecordingLookup.find(name, in: stores.directories).recording.flows }
    let document = HARExport.document(recording).bytes
    try write(to: output) { try $0.line(document) }
  }

  private func exportTiles(to target: String) throws {
    guard let store = try stores.required().first else { return }
    let report = try ProgressBar.during("Exporting", .records) { progress in
      try Creation.copy(of: store, to: target) { () throws(StoreError) in
        try TileExport(of: store).write(to: target, progress: progress)
      }
    }
    let output = Output()
    try output.line("\(Quantity.count(Int(clamping: report.records), "record")) as tiles in \(target.printable)")
    try output.line("  root     \(report.root)")
    if report.minimumIndex > 0 {
      try output.line("  entries  from \(report.minimumIndex) on; of those before, which were pruned, the hashes alone")
    }
    try output.flush()
  }
}
