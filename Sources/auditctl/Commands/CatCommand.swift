import ArgumentParser
import EventStore

/// `auditctl cat`
struct CatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cat", abstract: "Print records as JSON Lines, exactly the bytes that were hashed.",
    discussion: """
      Without --from it begins with the first record that was not pruned, and says so on stderr where that is not 0.

      EXAMPLES
        auditctl cat --store audit | jq .
        auditctl cat --store audit --from 100 --to 199
        auditctl cat --store audit --type status.changed --follow
        auditctl cat --store audit --last 20 --follow
      """)

  @OptionGroup var stores: StoresOption
  @Option(help: ArgumentHelp("The first position to print.", valueName: "N")) var from: UInt64?
  @Option(help: ArgumentHelp("The last position to print.", valueName: "N")) var to: UInt64?
  @Option(help: ArgumentHelp("The last N that fit, of each store.", valueName: "N")) var last: Int?
  @Option(help: ArgumentHelp("Records of this stream only.", valueName: "S")) var stream: String?
  @Option(help: ArgumentHelp("Records of this type only.", valueName: "T")) var type: String?
  @Flag(help: "Go on printing what is appended, until interrupted or --to is reached.") var follow = false

  mutating func validate() throws {
    if let last, last < 1 { throw ValidationError("--last \(last) is under 1") }
    if last != nil, from != nil || to != nil {
      throw ValidationError("--last goes with neither --from nor --to")
    }
    if let from, let to, from > to { throw ValidationError("--from \(from) lies behind --to \(to)") }
  }

  func run() throws {
    let output = Output()
    do {
      try run(output)
    } catch {
      // What stands before a damage is good, and is printed.
      if !(error is OutputClosed) { try output.flush() }
      throw error
    }
  }

  private func run(_ output: Output) throws {
    let logs = try stores.open()
    let watch = follow ? LogWatch(over: logs) : nil
    var next = try logs.map(start)
    var printed = 0
    repeat {
      var news = 0
      for (index, log) in logs.enumerated() {
        let before = next[index]
        printed += try print(log, from: &next[index], to: output)
        news += next[index] > before ? 1 : 0
      }
      try output.flush()
      if follow, let to, next.allSatisfy({ $0 > to }) { return }
      if news == 0 { watch?.wait() }
    } while follow
    guard printed == 0 else { return }
    if stream == nil, let from, from > 0, next.allSatisfy({ $0 <= from }) {
      throw CommandFailure(
        .notFound, "there is no position \(from): the log is shorter; auditctl info tells how long it is")
    }
    if stream != nil || type != nil { throw ExitCode(ExitStatus.finding.rawValue) }
  }

  /// The position to begin with. Records that were pruned are passed by, and told, where none of them was asked for.
  private func start(of log: LogReader) throws -> UInt64 {
    let kept = try log.firstKept()
    guard let last else {
      guard let from else {
        if kept > 0 { Messages.say("auditctl: the records 0 to \(kept - 1) of \(log.directory) were pruned.") }
        return kept
      }
      guard from >= kept else { throw log.pruned(from, before: kept) }
      return from
    }
    if let stream, type == nil { return try log.last(last, of: stream).first?.position ?? log.size() }
    var start = try log.size()
    var cursor = try log.reversed(from: start)
    var found = 0
    while start > kept, found < last, let record = try cursor.next() {
      start = record.position
      if (stream ?? record.stream) == record.stream, (type ?? record.type) == record.type { found += 1 }
    }
    return start
  }

  /// Prints what a log has from a position on, and moves the position on.
  ///
  /// - Returns: how many records were printed.
  private func print(_ log: LogReader, from next: inout UInt64, to output: Output) throws -> Int {
    if let stream, !follow { return try print(stream, of: log, from: &next, to: output) }
    var printed = 0
    var after = next
    try log.forEachRecord(from: next) { record, line in
      if let to, record.position > to {
        after = max(after, record.position)
        return false
      }
      after = record.position + 1
      if stream.map({ record.isOf(stream: $0, in: line) }) ?? true,
        type.map({ record.isOf(type: $0, in: line) }) ?? true
      {
        printed += 1
        try output.line(line)
      }
      return record.position != to
    }
    next = after
    return printed
  }

  /// Prints one stream, by the index of the log instead of a walk over all of it.
  private func print(
    _ stream: String, of log: LogReader, from next: inout UInt64, to output: Output
  ) throws -> Int {
    var printed = 0
    for record in try log.keptRecords(of: stream) {
      guard record.position >= next else { continue }
      if let to, record.position > to { break }
      next = record.position + 1
      if let type, record.type != type { continue }
      printed += 1
      try output.line(record.line)
    }
    return printed
  }
}
