import ArgumentParser
import AuditReports
import EventStore
import FlowRecording

/// `auditctl prune`
struct PruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Drop the records of whole old segments; keep their hashes.",
    discussion: """
      A segment goes when all its records are before the given position or time, all segments before it go too, and a \
      signed checkpoint covers it. Its leaf hashes stay, so that every proof and checkpoint still holds; verify then \
      says pruned. A log.pruned record says so, and is signed before anything goes: this needs the signing key. What \
      recovery had moved from such a segment to quarantine goes too. A log that does not fill its segments has them end \
      by age: append --segment-age 1d. The records cannot be brought back: make a backup first.

      EXAMPLES
        auditctl prune --before -90d --store audit --dry-run
        auditctl prune --before 2026-01-01 --store audit
        auditctl prune --before 100000 --store audit --signing-key audit.key
      """)

  @OptionGroup var store: StoreOption
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A position, or a time: 2026-01-01, -90d, yesterday, @1763712000, RFC 3339. Days are in UTC.", valueName: "T|N"))
  var before: String
  @Flag(help: "Change nothing; say what would go.") var dryRun = false
  @OptionGroup var signer: SigningKeyOption
  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    guard limit(now: .now()) != nil else {
      throw ValidationError(
        "'\(before)' is no position and no time; write 1000, 2026-11-21T08:35:00Z, yesterday or -90d")
    }
  }

  func run() throws {
    let identity = try LogReader(directory: store.directory).identity
    guard let limit = limit(now: .now()) else { return }
    // A store without a key has no signed checkpoint, so that nothing of it can go: none is made here.
    let isThere = signer.file != nil || FileMode(of: SigningKey.defaultPath(origin: identity.origin)) != nil
    let key =
      dryRun || !isThere
      ? nil : try StoreKey(at: signer.file, for: identity, store: store.directory, state: signer.state).key
    let log = try EventLog.open(at: store.directory)
    let progress = Progress("pruning")
    defer { progress.end() }
    let report = try log.prune(before: limit, signingWith: key, dryRun: dryRun) { done, count in
      progress.show(done, of: count)
      return true
    }
    try log.close()
    progress.end()
    let output = Output()
    if json.isOn {
      let document: JSON = [
        "firstKept": .number(String(report.firstKept)), "records": .number(String(report.records)),
        "segments": .int(report.segments),
        // What a segment shrinks to is known once it was written anew.
        "bytesFreed": dryRun ? .null : .number(String(report.bytesFreed)),
        "quarantined": .int(report.quarantined),
        "dryRun": .bool(dryRun), "position": report.told.map { .number(String($0)) } ?? .null,
      ]
      try output.json(document)
    } else {
      try output.line(text(of: report))
    }
    try output.flush()
  }

  private func limit(now: Timestamp) -> PruningLimit? {
    if before.allSatisfy({ $0.isASCII && $0.isNumber }) { return UInt64(before).map { .position($0) } }
    return TimeExpression.time(before, now: now).map { .time($0) }
  }

  private func text(of report: PruningReport) -> String {
    let count = Quantity.count(Int(clamping: report.records), "record")
    var segments = Quantity.count(report.segments, "segment")
    if report.quarantined > 0 { segments += " and \(Quantity.count(report.quarantined, "file")) of quarantine" }
    if report.segments == 0 { return "There was nothing to prune: no whole segment is before \(before)." }
    if dryRun { return "\(count) of \(segments) would go; the first that is kept is \(report.firstKept)." }
    return "\(count) of \(segments) pruned, \(Quantity.size(report.bytesFreed)) free again; the first that is kept is "
      + "\(report.firstKept)."
  }
}
