import ArgumentParser
import EventStore
import Glibc

/// `auditctl cat`
struct CatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cat", abstract: "Print records as JSON Lines, exactly the bytes that were hashed.",
    discussion: """
      EXAMPLES
        auditctl cat --store audit | jq .
        auditctl cat --store audit --from 100 --to 199
        auditctl cat --store audit --type status.changed --follow
      """)

  @OptionGroup var stores: StoresOption
  @Option(help: ArgumentHelp("The first position to print.", valueName: "N")) var from: UInt64?
  @Option(help: ArgumentHelp("The last position to print.", valueName: "N")) var to: UInt64?
  @Option(help: ArgumentHelp("Records of this stream only.", valueName: "S")) var stream: String?
  @Option(help: ArgumentHelp("Records of this type only.", valueName: "T")) var type: String?
  @Flag(help: "Go on printing what is appended, until interrupted or --to is reached.") var follow = false

  mutating func validate() throws {
    if let from, let to, from > to { throw ValidationError("--from \(from) lies behind --to \(to)") }
  }

  func run() throws {
    let logs = try stores.open()
    let output = Output()
    var next = logs.map { _ in from ?? 0 }
    var printed = 0
    repeat {
      var news = 0
      for (index, log) in logs.enumerated() {
        let (end, count) = try print(log, from: next[index], to: output)
        news += end > next[index] ? 1 : 0
        next[index] = end
        printed += count
      }
      try output.flush()
      if follow, let to, next.allSatisfy({ $0 > to }) { return }
      // A log tells nobody that it grew; ten looks a second cost nothing that can be felt.
      if follow, news == 0 { usleep(100_000) }
    } while follow
    if printed == 0 { try nothingPrinted(next) }
  }

  /// Prints what a log has from a position on.
  ///
  /// - Returns: the position after the last record looked at, and how many were printed.
  private func print(_ log: LogReader, from start: UInt64, to output: Output) throws -> (next: UInt64, printed: Int) {
    var next = start
    var printed = 0
    do throws(StoreError) {
      var cursor = try log.cursor(from: start)
      while let record = try cursor.next() {
        if let to, record.position > to { return (record.position, printed) }
        next = record.position + 1
        if let stream, record.stream != stream { continue }
        if let type, record.type != type { continue }
        printed += 1
        do { try output.line(record.line) } catch { throw Stop(error).asStoreError }
      }
    } catch {
      if let stop = Stop.pending.take() { throw stop }
      // Where a log is followed, a position that is not there yet will come.
      guard error.code == .noSuchPosition, follow else { throw error }
    }
    return (next, printed)
  }
}
