import AuditReports
import EventStore
import FlowRecording
import SimulatedCompany

/// Writes a simulated company into a store, and reports what was planted.
enum CompanyStore {
  static func write(_ options: CompanyOptions) throws {
    let count = options.flows ?? 10_000
    let company = SimulatedCompany(seed: options.seed ?? 1, flows: count)
    let store = options.store ?? ""
    // A plan is quick to make while it is this small.
    if count < 1_000, company.flows > count {
      throw CommandFailure(
        .usage,
        "--flows \(count) is too few: the attacks that are planted take \(company.flows) with this --seed; give "
          + "\(company.flows) or more")
    }
    let (incidents, records) =
      try options.rolledBack.map { try rolledBack(company, in: store, noting: $0) } ?? written(company, to: store)
    let flows = company.flows - incidents.reduce(0) { $0 + ($1.rollback?.flows ?? 0) }
    let output = Output()
    if options.json.isOn {
      try output.json([
        "store": .string(store), "flows": .int(flows), "records": .number(String(records)),
        "incidents": .array(incidents.map(\.json)),
      ])
    } else {
      try output.line(
        "\(Quantity.count(flows, "flow")), \(records) records in \(store.printable)")
      try output.lines(
        TextTable(
          [.init("PLANTED"), .init("FROM"), .init("TO"), .init("PLACE"), .init("USER"), .init("ENTERED")],
          rows: incidents.map { incident in
            [
              incident.kind.rawValue, incident.first.description, incident.last.description, incident.place ?? "-",
              incident.user ?? "-", incident.entered.isEmpty ? "-" : incident.entered.joined(separator: ", "),
            ]
          }
        ).lines(width: Terminal.tableWidth))
      for rollback in incidents.compactMap(\.rollback) {
        try output.line(
          "Rolled back: \(Quantity.count(rollback.flows, "flow")), records \(rollback.records.lowerBound) to "
            + "\(rollback.records.upperBound), are gone; \((options.rolledBack ?? "").printable) has what was noted before"
        )
      }
    }
    try output.flush()
  }

  private static func written(
    _ company: SimulatedCompany, to store: String
  ) throws -> ([CompanyIncident], UInt64) {
    try refuseFlows(in: store)
    let log = try Creation.of(store) { () throws(StoreError) in
      try EventLog.open(at: store, options: EventLog.Options(durability: .os))
    }
    let incidents = try ProgressBar.during("Writing", .flows) { progress in
      try company.write(to: log, progress: progress)
    }
    let records = log.size
    try log.close()
    return (incidents, records)
  }

  /// The same with a rollback on its way, of a store that is new: what is there already is not put back.
  private static func rolledBack(
    _ company: SimulatedCompany, in store: String, noting kept: String
  ) throws -> ([CompanyIncident], UInt64) {
    for path in [store, SimulatedCompany.copy(of: store), kept] where FileMode(ofLink: path) != nil {
      throw CommandFailure(
        .cannotCreate, "\(path.printable) is there already; --rolled-back makes a store and a folder")
    }
    let incidents = try ProgressBar.during("Writing", .flows) { progress in
      try company.writeRolledBack(at: store, noting: kept, progress: progress)
    }
    return (incidents, try LogReader(directory: store).statistics().records)
  }

  /// Refuses a store that has streams of an application: the company's would run on in it, and a flow begins once.
  private static func refuseFlows(in store: String) throws {
    guard FileMode(of: store + "/store.json") != nil else { return }
    guard try LogReader(directory: store).streams().allSatisfy({ $0 == LogFacts.ownStream }) else {
      throw CommandFailure(.cannotCreate, "\(store.printable) has flows already; give a new store")
    }
  }
}
