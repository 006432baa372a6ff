import AuditReports
import EventStore
import FlowRecording
import SimulatedCompany

/// Writes a simulated company into a store, and reports what was planted.
enum CompanyStore {
  static func write(_ options: CompanyOptions) throws {
    let count = options.flows ?? 10_000
    let company = SimulatedCompany(seed: options.seed ?? 1, flows: count)
    try refuseFlows(in: options.store ?? "")
    let log = try Creation.of(options.store ?? "") { () throws(StoreError) in
      try EventLog.open(at: options.store ?? "", options: EventLog.Options(durability: .os))
    }
    let incidents = try ProgressBar.during("Writing", .flows) { progress in
      try company.write(to: log, progress: progress)
    }
    let records = log.size
    try log.close()
    let output = Output()
    if options.json.isOn {
      try output.json([
        "store": .string(options.store ?? ""), "flows": .int(company.flows), "records": .number(String(records)),
        "incidents": .array(incidents.map(\.json)),
      ])
    } else {
      try output.line(
        "\(Quantity.count(company.flows, "flow")), \(records) records in \((options.store ?? "").printable)")
      try output.lines(
        TextTable(
          [.init("PLANTED"), .init("FROM"), .init("TO"), .init("PLACE"), .init("USER"), .init("ENTERED")],
          rows: incidents.map { incident in
            [
              incident.kind.rawValue, incident.first.description, incident.last.description, incident.place,
              incident.user ?? "-", incident.entered.isEmpty ? "-" : incident.entered.joined(separator: ", "),
            ]
          }
        ).lines(width: Terminal.tableWidth))
    }
    try output.flush()
  }

  /// Refuses a store that has streams of an application: the company's would run on in it, and a flow begins once.
  private static func refuseFlows(in store: String) throws {
    guard FileMode(of: store + "/store.json") != nil else { return }
    guard try LogReader(directory: store).streams().allSatisfy({ $0 == LogFacts.ownStream }) else {
      throw CommandFailure(.cannotCreate, "\(store.printable) has flows already; give a new store")
    }
  }
}
