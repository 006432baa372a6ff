import ArgumentParser
import AuditReports
import EventStore
import FlowRecording

/// `auditctl restore`
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Make a store from a backup that continues under a new name.",
    discussion: """
      The new store has every record and checkpoint of the old one, byte by byte, and a new origin: the name under \
      which it signs, with a new key. Its store.json names the old origin, size, key and last checkpoint. The old \
      public key verifies what was taken over, not what follows.

      A log that is smaller than its last checkpoint, or a backup that is smaller than it was, is evidence: keep it as \
      it is. --accept-loss makes a store of what is left of it, which says how many signed records are lost.

      EXAMPLES
        auditctl restore /backup/audit-friday --store audit
        auditctl restore cut --store audit --accept-loss
      """)

  @Argument(help: ArgumentHelp("The backup, or another store; it is only read.", valueName: "DIR")) var source: String
  @Option(name: .customLong("store"), help: ArgumentHelp("The new store's directory.", valueName: "NEWDIR"))
  var directory: String
  @Option(help: ArgumentHelp("The new origin (default: flowrecorder-<id>).", valueName: "NAME")) var origin: String?
  @Flag(help: "Take a log that is smaller than its last checkpoint, or a backup that is smaller than it was.")
  var acceptLoss = false
  @OptionGroup var json: JSONFlag

  func run() throws {
    let report: CopyReport
    do throws(StoreError) {
      report = try ProgressBar.during("Restoring") { progress throws(StoreError) in
        try Creation.copy(of: source, to: directory) { () throws(StoreError) in
          try Restore(from: source).write(to: directory, origin: origin, acceptsLoss: acceptLoss, progress: progress)
        }
      }
    } catch {
      guard error.code == .invalid, let origin else { throw error }
      let advice = error.advice.map { "; \($0)" } ?? ""
      throw CommandFailure(.usage, "--origin '\(origin)' cannot be used: \(error.message)\(advice)")
    }
    try CopyText(report, directory: directory).tell(json: json.isOn)
  }
}

/// The result of a backup or a restore, for display.
struct CopyText {
  private let report: CopyReport
  private let directory: String

  /// A report about the store in a directory.
  init(_ report: CopyReport, directory: String) {
    self.report = report
    self.directory = directory
  }

  /// Prints it.
  func tell(json: Bool) throws {
    let output = Output()
    if json {
      try output.json(document)
    } else {
      try output.lines(lines)
    }
    try output.flush()
  }

  private var document: JSON {
    [
      "store": .string(directory), "origin": .string(report.origin), "records": .number(String(report.records)),
      "root": .string(report.root.description),
      "checkpoint": report.checkpoint.map { .number(String($0)) } ?? .null, "lost": .number(String(report.lost)),
    ]
  }

  private var lines: [String] {
    var lines = [directory.printable, "  origin   \(report.origin.printable)", "  records  \(report.records)"]
    lines.append("  root     \(report.root)")
    lines.append("  signed   " + (report.checkpoint.map { "up to \($0) records" } ?? "never"))
    if report.lost > 0 {
      lines.append("  lost     \(Quantity.count(Int(clamping: report.lost), "record")) that the checkpoint covers")
    }
    return lines
  }
}
