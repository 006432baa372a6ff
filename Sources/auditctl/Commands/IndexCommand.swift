import ArgumentParser
import AuditReports
import EventStore
import FlowRecording
import ReadModel

/// `auditctl index`
struct IndexCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index", abstract: "Build the index of a store, or bring it up to date.",
    discussion: """
      With an index, flows, show, search and report answer without reading the log, with the same result; they bring \
      it up to date first. It is a cache: it may be deleted at any time. It is not in the store but below \
      $XDG_CACHE_HOME/flowrecorder, readable by you alone, and contains what the log contains: logins and other \
      personal data, no secrets. One index can be of several stores; commands use it when they are given the same \
      stores.

      If it is stopped, what was indexed so far stays, and the next run continues from there.

      EXAMPLES
        auditctl index --store audit
        auditctl index --store paris --store oslo
        auditctl index --store audit --rebuild
      """)

  @OptionGroup var stores: DirectoriesOption
  @OptionGroup var index: IndexOptions
  @OptionGroup var json: JSONFlag

  func run() throws {
    let logs = try stores.once()
    let place = index.file ?? IndexPlace.file(for: logs)
    try StorePlace.refuse(place)
    try Self.build(logs, at: place, isAnew: index.rebuild, asJSON: json.isOn)
  }

  /// Builds an index, or updates it, and reports its contents.
  static func build(_ logs: [LogReader], at place: String, isAnew: Bool, asJSON: Bool) throws {
    let index = try ProgressBar.during("Indexing", .records) { progress in
      try FlowIndex.open(logs, at: place, mode: isAnew ? .rebuild : .make, progress: progress)
    }
    guard let index else { return }
    let statistics = try index.statistics()
    let output = Output()
    if asJSON {
      try output.json([
        "index": .string(place), "flows": .int(statistics.flows), "bytes": .int(statistics.bytes),
        "stores": .array(
          statistics.stores.map { ["store": .string($0.directory), "position": .number(String($0.position))] }),
      ])
    } else {
      try output.line(
        "\(place.printable): \(Quantity.count(statistics.flows, "flow")), \(Quantity.size(UInt64(max(0, statistics.bytes))))"
      )
      for store in statistics.stores {
        try output.line("  \(store.directory.printable) up to record \(store.position)")
      }
    }
    try output.flush()
  }
}
