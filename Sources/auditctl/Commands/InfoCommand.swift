import ArgumentParser
import AuditReports
import EventStore

/// `auditctl info`
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Tell what a store is and how much it holds.",
    discussion: """
      EXAMPLES
        auditctl info --store audit
        auditctl info --store audit --json | jq .records
      """)

  @OptionGroup var stores: StoresOption
  @OptionGroup var json: JSONFlag

  func run() throws {
    let output = Output()
    for (index, log) in try stores.open().enumerated() {
      let info = try StoreInfo(log)
      if json.isOn {
        try output.json(info.json)
      } else {
        if index > 0 { try output.line() }
        try output.lines(info.lines(width: Terminal.tableWidth))
      }
    }
    try output.flush()
  }
}
