import ArgumentParser
import AuditReports
import EventStore

/// `auditctl cat`
struct CatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cat", abstract: "Print records as JSON Lines, exactly the bytes that were hashed.",
    discussion: """
      Without --from it begins with the first record that was not pruned, and says so on stderr if that is not 0.

      The records of several stores or recordings are merged by "at", those of one staying in their order; a line does \
      not name its store, since it is what was hashed. One that is given twice is printed once. With --follow, which \
      takes no recordings, records that are available at the same time are merged.

      EXAMPLES
        auditctl cat --store audit | jq .
        auditctl cat --store audit --from 100 --to 199
        auditctl cat --store audit --type status.changed --follow
        auditctl cat --store audit --last 20 --follow
        auditctl cat --store push.ndjson.lz4 | jq .data
        auditctl cat --store paris --store oslo --type flow.ended | jq -r .at
      """)

  @OptionGroup var stores: StoresOption
  @Option(parsing: .unconditional, help: ArgumentHelp("The first position to print.", valueName: "N")) var from: UInt64?
  @Option(help: ArgumentHelp("The last position to print.", valueName: "N")) var to: UInt64?
  @Option(help: ArgumentHelp("The last N that fit.", valueName: "N")) var last: Int?
  @Option(help: ArgumentHelp("The first N that fit.", valueName: "N")) var limit: Int?
  @Option(help: ArgumentHelp("Records of this stream only.", valueName: "S")) var stream: String?
  @Option(help: ArgumentHelp("Records of this type only.", valueName: "T")) var type: String?
  @Flag(help: "Go on printing what is appended, until interrupted or --to is reached.") var follow = false

  mutating func validate() throws {
    if let last, last < 1 { throw ValidationError("--last \(last) is under 1") }
    if let limit, limit < 1 { throw ValidationError("--limit \(limit) is under 1") }
    if last != nil, from != nil || to != nil || limit != nil {
      throw ValidationError("--last goes with none of --from, --to and --limit")
    }
    if let from, let to, from > to { throw ValidationError("--from \(from) lies behind --to \(to)") }
  }

  func run() throws {
    let output = Output()
    do {
      try run(output)
    } catch {
      // Records before the damage are good, and are printed.
      if !(error is OutputClosed) { try output.flush() }
      throw error
    }
  }

  private func run(_ output: Output) throws {
    let sources = try stores.once()
    let logs = sources.compactMap(\.log)
    if follow, let other = sources.first(where: { $0.log == nil }) {
      throw CommandFailure(
        .usage,
        "--follow waits for what is appended, and \(other.directory.printable) is "
          + "\(stores.keepsGoing ? "read with --keep-going" : "a recording"); leave out one of them")
    }
    let watch = follow ? LogWatch(over: logs) : nil
    var next = try sources.map { source in try source.log.map(start) ?? from ?? 0 }
    var printed = 0
    repeat {
      let before = next
      printed +=
        sources.count == 1 && logs.count == 1
        ? try print(logs[0], from: &next[0], printed: printed, to: output)
        : try printMerged(sources, from: &next, printed: printed, to: output)
      try output.flush()
      if follow, let to, next.allSatisfy({ $0 > to }) { return }
      if let limit, printed >= limit { return }
      if next == before { watch?.wait() }
    } while follow
    guard printed == 0 else { return }
    if stream == nil, let from, from > 0, next.allSatisfy({ $0 <= from }) {
      throw CommandFailure(
        .notFound, "there is no position \(from): the log is shorter; auditctl cat --last 1 shows its end")
    }
    if stream != nil || type != nil { throw nothing }
  }

  /// Reported and thrown if there was nothing to print.
  private var nothing: ExitCode {
    Messages.say("No record passes these filters.")
    return ExitCode(ExitStatus.finding.rawValue)
  }

  /// The position to begin with. Pruned records are skipped, with a message, if none of them was asked for.
  private func start(of log: LogReader) throws -> UInt64 {
    let kept = try log.firstKept()
    guard let last else {
      guard let from else {
        if kept > 0 {
          Messages.say("auditctl: the records 0 to \(kept - 1) of \(log.directory.printable) were pruned.")
        }
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

  /// Prints what one log has from a position on, and moves the position on.
  ///
  /// - Returns: how many records were printed.
  private func print(
    _ log: LogReader, from next: inout UInt64, printed before: Int, to output: Output
  ) throws -> Int {
    if let stream, !follow { return try print(stream, of: log, from: &next, to: output) }
    var printed = 0
    var after = next
    // Records pruned in the meantime are skipped like those pruned before, unless --from names them.
    try log.forEachRecord(from: next, passingPruned: from == nil) { record, line in
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
      return record.position != to && limit.map { before + printed < $0 } ?? true
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
      if let limit, printed >= limit { break }
      next = record.position + 1
      if let type, record.type != type { continue }
      printed += 1
      try output.line(record.line)
    }
    return printed
  }

  /// Prints what logs and recordings have from positions on, merged by time, and moves the positions on.
  ///
  /// - Returns: how many records were printed.
  private func printMerged(
    _ sources: [LogSource], from next: inout [UInt64], printed before: Int, to output: Output
  ) throws -> Int {
    var merged = try MergedRecords(of: sources, from: next, to: to) { [stream, type] record in
      (stream ?? record.stream) == record.stream && (type ?? record.type) == record.type
    }
    defer { next = merged.next }
    // The last N of each store begin at `next`: of all of them, only the last N count the first time.
    guard let last, before == 0 else {
      var printed = 0
      while limit.map({ before + printed < $0 }) ?? true, let record = try merged.record() {
        printed += 1
        try output.line(record.line)
      }
      return printed
    }
    var lines: [[UInt8]] = []
    while let record = try merged.record() {
      lines.append(record.line)
      if lines.count / 2 >= last { lines.removeFirst(lines.count - last) }
    }
    lines.removeFirst(max(0, lines.count - last))
    for line in lines { try output.line(line) }
    return lines.count
  }
}
