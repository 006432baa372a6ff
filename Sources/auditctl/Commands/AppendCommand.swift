import ArgumentParser
import EventStore
import FlowRecording

/// `auditctl append`
struct AppendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "append", abstract: "Append records that come as JSON Lines on stdin.",
    discussion: """
      Each line is {"stream":S,"type":T,"data":{...}}, with "id", "v", "at" and "cause" where wanted. The lines that \
      are there at once become one commit; once it is durable, {"position":N} is printed for its last record. A \
      malformed line ends the command with 65: what stood before it is appended, nothing of it is.

      EXAMPLES
        echo '{"stream":"app/1","type":"note","data":{"text":"hello"}}' |
          auditctl append --store audit
        auditctl append --store audit --durability group:20 < lines.ndjson
      """)

  @OptionGroup var store: StoreOption
  @Option(
    help: ArgumentHelp(
      "When a commit counts as durable: each (synced), group:MS (written; synced every MS ms), os (written).",
      valueName: "each|group:MS|os"))
  var durability = DurabilityOption(value: .each)

  func run() throws {
    let log = try EventLog.open(at: store.directory, options: EventLog.Options(durability: durability.value))
    let failure: (any Error)?
    do {
      try appendAll(to: log)
      failure = nil
    } catch {
      failure = error
    }
    try log.close()
    if let failure { throw failure }
  }

  /// Lines longer than any record can become.
  private static let longestLine = 1 << 20
  /// A commit has at most 4 MiB; this leaves room for envelopes.
  private static let batchBytes = 1 << 20

  private func appendAll(to log: EventLog) throws {
    let output = Output()
    let input = LineInput()
    var number = 0
    while let lines = try input.batch(limit: AppendCommand.longestLine) {
      let now = Timestamp.now()
      var batch: [NewRecord] = []
      var bytes = 0
      for line in lines {
        number += 1
        guard !line.isEmpty else { continue }
        let record: NewRecord
        do throws(AppendLine.Problem) {
          record = try AppendLine.record(line, now: now)
        } catch {
          try commit(&batch, to: log, output)
          throw Failure(.malformed, "line \(number) of the input cannot be appended: \(error.reason)")
        }
        if bytes + line.count > AppendCommand.batchBytes {
          try commit(&batch, to: log, output, before: number)
          bytes = 0
        }
        batch.append(record)
        bytes += line.count
      }
      try commit(&batch, to: log, output, before: number + 1)
    }
  }

  /// Appends what is collected. A record that the log refuses is found one by one, so that its line can be named.
  private func commit(_ batch: inout [NewRecord], to log: EventLog, _ output: Output, before line: Int? = nil) throws {
    guard !batch.isEmpty else { return }
    defer { batch = [] }
    if let position = try log.appendDurably(batch) {
      try output.line("{\"position\":\(position)}")
      try output.flush()
    }
  }
}
