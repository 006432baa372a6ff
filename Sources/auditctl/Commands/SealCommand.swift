import ArgumentParser
import AuditReports
import EventStore
import FlowRecording

/// `auditctl seal`
struct SealCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seal", abstract: "Compress full segments for keeping, with an index.",
    discussion: """
      Rewrites each segment but the last with LZ4-HC, an index of its streams and the hashes that proofs need, reads it \
      back, and puts it in the old one's place. Positions, hashes, proofs and checkpoints stay what they are; lz4 and jq \
      still read it. What is sealed is left alone. A store that is being written is sealed by its writer; here it is \
      locked (exit 75).

      EXAMPLES
        auditctl seal --store audit
        auditctl seal --store audit --json | jq .bytesAfter
      """)

  @OptionGroup var store: StoreOption
  @OptionGroup var json: JSONFlag

  func run() throws {
    // A missing store must not be created by reading it.
    _ = try LogReader(directory: store.directory)
    let log = try EventLog.open(at: store.directory)
    let progress = Progress("sealing")
    defer { progress.end() }
    let report = try log.seal { done, count in
      progress.show(done, of: count)
      return true
    }
    try log.close()
    progress.end()
    let output = Output()
    if json.isOn {
      let document: JSON = [
        "sealed": .int(report.sealed), "left": .int(report.left),
        "bytesBefore": .number(String(report.bytesBefore)), "bytesAfter": .number(String(report.bytesAfter)),
      ]
      try output.json(document)
    } else {
      try output.line(text(of: report))
    }
    try output.flush()
    for problem in report.damaged.dropFirst() { Messages.say(problem.description.printable) }
    if let damage = report.damaged.first { throw damage }
  }

  private func text(of report: SealingReport) -> String {
    var text =
      report.sealed == 0
      ? report.damaged.isEmpty ? "There was nothing to seal." : "No segment was sealed."
      : "\(Quantity.count(report.sealed, "segment")) sealed: \(Quantity.size(report.bytesBefore)) are "
        + "\(Quantity.size(report.bytesAfter)) now."
    if report.left > 0 {
      text += " \(Quantity.count(report.left, "segment")) could not be sealed yet; try again after the next opening."
    }
    return text
  }
}
