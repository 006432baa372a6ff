import ArgumentParser
import AuditReports
import EventStore

/// `auditctl append`
struct AppendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "append", abstract: "Append records that come as JSON Lines on stdin.",
    discussion: """
      Each line is {"stream":S,"type":T,"data":{...}}, with "id", "v", "at" and "cause" if wanted. Lines that are \
      available at once become one commit; once it is durable, {"position":N} is printed for its last record. A \
      malformed line ends the command with 65: the lines before it are appended, nothing of it is.

      A line may keep the "n" and "rev" with which cat printed it: a "cause" then names an earlier line by its "n". The \
      log gives each record a position and a revision of its own.

      A line with the "id" of one of the last 65,536 records is not appended again: the earlier position is printed. \
      So input with ids can be sent again after a crash.

      If there is no store, the first line creates it, also a blank one, which is no record; input without any line \
      creates none.

      EXAMPLES
        echo '{"stream":"app/1","type":"note","data":{"text":"hello"}}' |
          auditctl append --store audit
        auditctl cat --store audit --stream app/1 | auditctl append --store copy
        auditctl append --store audit --durability group:20 < lines.ndjson
      """)

  @OptionGroup var store: StoreOption
  @Option(
    help: ArgumentHelp(
      "When a commit is synced and acknowledged: each (at once), group:MS (with others, every MS ms), os (when the system likes; acknowledged when written).",
      valueName: "each|group:MS|os"))
  var durability = DurabilityOption(.each)
  @Option(
    help: ArgumentHelp(
      "Begin a new segment file once the first record of this one is that old: 12h, 7d. Whole segments can be pruned.",
      valueName: "AGE"))
  var segmentAge: AgeOption?

  func run() throws {
    let input = LineInput()
    var first: [ArraySlice<UInt8>]?
    if FileMode(of: store.directory + "/store.json") == nil {
      first = try input.batch(limit: AppendCommand.longestLine)
      guard first != nil else {
        return Messages.say(
          "Nothing came on stdin: nothing was appended, and no store was made at \(store.directory).".printable)
      }
    }
    let acknowledgements = Acknowledgements(durability.value)
    var options = EventLog.Options(durability: durability.value, metrics: acknowledgements)
    options.segmentAge = segmentAge?.value
    let log = try Creation.of(store.directory) { () throws(StoreError) in
      try EventLog.open(at: store.directory, options: options)
    }
    let failure: (any Error)?
    do {
      try appendAll(first, then: input, to: log, acknowledgements)
      failure = nil
    } catch {
      failure = error
    }
    try log.close()
    // Including those of the lines before a refused one.
    if !(failure is OutputClosed) { try acknowledgements.finish() }
    if let failure { throw failure }
  }

  /// Longer than any valid line.
  private static let longestLine = 1 << 20
  /// A commit has at most 4 MiB; this leaves room for envelopes.
  private static let batchBytes = 1 << 20

  /// Appends lines that were read already, and those of an input up to its end.
  private func appendAll(
    _ first: [ArraySlice<UInt8>]?, then input: LineInput, to log: EventLog, _ output: Acknowledgements
  ) throws {
    var number = 0
    var batch = AppendBatch()
    var first = first
    while let lines = try first ?? input.batch(limit: AppendCommand.longestLine) {
      first = nil
      let now = Timestamp.now()
      for line in lines {
        number += 1
        guard !line.isEmpty else { continue }
        let asked: AppendLine
        do throws(AppendLine.Problem) {
          asked = try AppendLine(line, now: now)
          try batch.check(asked)
        } catch {
          try commit(&batch, to: log, output)
          throw refusal(of: number, error.reason)
        }
        if batch.bytes + line.count > AppendCommand.batchBytes { try commit(&batch, to: log, output) }
        batch.add(asked, number: number, bytes: line.count)
      }
      try commit(&batch, to: log, output)
    }
  }

  private func commit(_ batch: inout AppendBatch, to log: EventLog, _ output: Acknowledgements) throws {
    guard !batch.isEmpty else { return }
    do {
      try acknowledge(batch.settle(at: try log.appendDurably(batch.records)), output)
    } catch let error as StoreError {
      guard error.code == .invalid || error.code == .tooLarge || error.code == .conflict else { throw error }
      // The log refused the batch and names no line: one by one, up to the one it refuses. If lines with an id were
      // appended before, in other batches, each gives its earlier position so.
      try commitSingly(&batch, to: log, output)
    }
  }

  private func commitSingly(_ batch: inout AppendBatch, to log: EventLog, _ output: Acknowledgements) throws {
    while let (number, record) = batch.first {
      do {
        try acknowledge(batch.settleFirst(at: try log.appendDurably([record])), output)
      } catch let error as StoreError {
        guard error.code == .invalid || error.code == .tooLarge || error.code == .conflict else { throw error }
        let reason = error.message.replacing("record 0 of the batch", with: "it")
        throw refusal(of: number, error.advice.map { "\(reason) (\($0))" } ?? reason)
      }
    }
  }

  private func acknowledge(_ position: UInt64?, _ output: Acknowledgements) throws {
    if let position { try output.tell(position) }
  }

  private func refusal(of line: Int, _ reason: String) -> CommandFailure {
    CommandFailure(
      .malformed, "line \(line) of the input cannot be appended: \(reason); correct it and append from there on")
  }
}
