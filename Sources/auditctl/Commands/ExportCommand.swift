import ArgumentParser
import AuditReports
import EventStore
import FlowRecording
import Glibc

/// `auditctl export`
struct ExportCommand: ParsableCommand {
  /// What a flow can be exported as.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// A portable recording, `*.ndjson.lz4`: the records unchanged under a header that says `slice`.
    case recording
    /// The records as JSON Lines.
    case ndjson
  }

  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Export flows as a recording or as JSON Lines, or the log as tiles.",
    discussion: """
      A recording replays anywhere: auditctl replay FILE, or expectReplays(FILE) in a test. Several flows that belong \
      together go into one file.

      --tiles exports the whole log, as far as its latest checkpoint covers it, as static files in the layout of C2SP \
      tlog-tiles (checkpoint, tile/0/..., tile/entries/...), for any web server and any client of that layout. Where \
      records were pruned, entries begin with the first bundle of 256 that is whole.

      EXAMPLES
        auditctl export 01KAJ4 --store audit --as recording -o push.ndjson.lz4
        auditctl export 01KAJ4 --store audit --as ndjson -o - | jq .type
        auditctl export --store audit --tiles public/log
      """)

  @Argument(help: ArgumentHelp("The flows.", valueName: "FLOW")) var flows: [String] = []
  @OptionGroup var stores: StoresOption
  @Option(name: .customLong("as"), help: ArgumentHelp("The format.", valueName: "recording|ndjson")) var format: Format?
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write; - for stdout, with ndjson. One that is there is replaced.", valueName: "FILE"))
  var output: String?
  @Option(help: ArgumentHelp("The new directory for the log's tiles.", valueName: "DIR")) var tiles: String?

  mutating func validate() throws {
    if tiles != nil {
      guard flows.isEmpty, format == nil, output == nil else {
        throw ValidationError("--tiles exports the whole log: give it without flows, --as and -o")
      }
      guard stores.directories.count < 2 else { throw ValidationError("--tiles is about one log: give one --store") }
      return
    }
    guard !flows.isEmpty else { throw ValidationError("Missing expected argument '<FLOW>'") }
    guard let format else { throw ValidationError("Missing expected argument '--as <recording|ndjson>'") }
    guard let output else { throw ValidationError("Missing expected argument '--output <FILE>'") }
    guard output != "-" || format == .ndjson else {
      throw ValidationError("a recording is binary: give a file with -o, such as -o push.ndjson.lz4")
    }
  }

  func run() throws {
    if let tiles { return try exportTiles(to: tiles) }
    guard let format, let output else { return }
    let logs = try stores.open()
    let found = try flows.map { try FlowLookup.find($0, in: logs) }
    guard let first = found.first else { return }
    let records = found.flatMap(\.records)
    switch format {
    case .recording:
      guard found.allSatisfy({ $0.log.identity.id == first.log.identity.id }) else {
        throw CommandFailure(.usage, "these flows lie in different stores; export them one by one")
      }
      let ordered = records.sorted { $0.position < $1.position }
      try Creation.of { () throws(StoreError) in
        try SliceFile.write(records: ordered, source: first.log.identity, to: output)
      }
    case .ndjson: try writeLines(records, to: output)
    }
  }

  private func exportTiles(to target: String) throws {
    guard let store = try stores.required().first else { return }
    let report = try ProgressBar.during("Exporting", .records) {
      try TileExport(of: store).write(to: target, progress: $0)
    }
    let output = Output()
    try output.line("\(Quantity.count(Int(clamping: report.records), "record")) as tiles in \(target.printable)")
    try output.line("  root     \(report.root)")
    if report.minimumIndex > 0 {
      try output.line("  entries  from \(report.minimumIndex) on; of those before, which were pruned, the hashes alone")
    }
    try output.flush()
  }

  private func writeLines(_ records: [StoredRecord], to output: String) throws {
    guard output != "-" else { return try write(records, to: Output()) }
    let descriptor = try OutputFile(path: output).descriptor()
    defer { close(descriptor) }
    try write(records, to: Output(descriptor: descriptor))
  }

  private func write(_ records: [StoredRecord], to output: Output) throws {
    for record in records { try output.line(record.line) }
    try output.flush()
  }
}
