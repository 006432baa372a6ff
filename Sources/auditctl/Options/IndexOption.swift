import ArgumentParser
import AuditReports
import EventStore
import ReadModel

/// The index that a command may read in place of the log.
struct IndexOption: ParsableArguments {
  @Flag(name: .customLong("no-index"), help: "Read the log itself, even if there is an index of it.")
  var isIgnored = false
  @Option(
    name: .customLong("index"),
    help: ArgumentHelp("Where the index is (default: below $XDG_CACHE_HOME/flowrecorder).", valueName: "FILE"))
  var file: String?

  /// The stores among some sources; nil if a recording is one of them.
  static func logs(of sources: [LogSource]) -> [LogReader]? {
    let logs = sources.compactMap(\.log)
    return logs.count == sources.count ? logs : nil
  }

  /// Where the index of some stores is.
  func place(of logs: [LogReader]) -> String { file ?? IndexPlace.file(for: logs) }

  /// The index of some sources, up to date, if there is one. One that cannot be used is reported and skipped: the log
  /// says the same.
  func existing(for sources: [LogSource]) throws -> FlowIndex? {
    guard !isIgnored, let logs = Self.logs(of: sources) else { return nil }
    do {
      return try ProgressBar.during("Indexing", .records) { progress in
        try FlowIndex.open(logs, at: place(of: logs), mode: .existing, progress: progress)
      }
    } catch let error as ReadModelError {
      Messages.say("The index is not used: \(error.description.printable).")
      return nil
    }
  }
}
