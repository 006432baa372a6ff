import ArgumentParser
import AuditReports
import EventStore

/// `auditctl info`
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show what a store is and how much it holds.",
    discussion: """
      --personal counts personal data instead, by class and member, without any value: in the settings of \
      flows, the arguments of calls and the answers of the org, which requests and states repeat. What applications \
      append themselves is not classified.

      EXAMPLES
        auditctl info --store audit
        auditctl info --personal --store audit
        auditctl info --store audit --json | jq .records
        auditctl info --store push.ndjson.lz4
      """)

  @OptionGroup var stores: StoresOption
  @Flag(help: "An inventory of personal data instead: classes and counts, no values.") var personal = false
  @OptionGroup var json: JSONFlag

  func run() throws {
    let output = Output()
    for (index, log) in try StoresOption.unrepeated(stores.sources()).enumerated() {
      let (document, lines) = try summary(of: log)
      if json.isOn {
        try output.json(document)
      } else {
        if index > 0 { try output.line() }
        try output.lines(lines)
      }
    }
    try output.flush()
  }

  private func summary(of source: LogSource) throws -> (JSON, [String]) {
    if personal {
      let inventory = try PersonalInventory(source)
      return (inventory.json, inventory.lines(width: Terminal.tableWidth))
    }
    switch source {
    case .damaged(let log):
      let info = try StoreInfo(log)
      return (info.json, info.lines(width: Terminal.tableWidth))
    case .store(let log):
      let info = try StoreInfo(log)
      return (info.json, info.lines(width: Terminal.tableWidth))
    case .recording(let file):
      let info = RecordingInfo(file)
      return (info.json, info.lines(width: Terminal.tableWidth))
    }
  }
}
