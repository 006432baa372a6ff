import ArgumentParser
import AuditReports
import EventStore
import FlowRecording

/// Selects the flows of a bundle.
struct EvidenceChoice: ParsableArguments {
  @Argument(help: ArgumentHelp("The flows.", valueName: "FLOW")) var flows: [String] = []
  @Option(
    name: .customLong("user"), parsing: .singleValue,
    help: ArgumentHelp("All flows of this login, and of its tokens.", valueName: "U"))
  var users: [String] = []
  @OptionGroup var times: TimeOptions

  mutating func validate() throws { try OnceOption.check("--user", users) }

  /// Refuses flows beside filters, and neither. Asked when the command runs: the value of an option that is not known
  /// would be taken for a flow.
  func check() throws {
    let filters = !users.isEmpty || times.since != nil || times.until != nil
    guard flows.isEmpty == filters else {
      throw ValidationError(
        filters
          ? "Flows are named, or chosen by --user, --since and --until: give one of them"
          : "Missing expected argument '<FLOW>', or --user, --since, --until")
    }
  }

  /// The flows of a log that are chosen; empty if no flow passes the filters.
  ///
  /// - Parameter checkpoint: an earlier checkpoint to prove them in; nil for the store's latest.
  /// - Throws: the shortfall of a log whose latest checkpoint is of more records; exit 66 if there is not a flow of a
  ///   name.
  func streams(of log: LogReader, checkpoint: SignedNote? = nil) throws -> [String] {
    // First: a flow may be among the records that are gone.
    if checkpoint == nil { try log.refuseShortfall() }
    var found: [String] = []
    if flows.isEmpty {
      let (since, until) = times.bounds()
      try LogFacts.reading([log], mentioning: users.first, withTokens: true)
        .forEachFlowOfPerson(FlowFilter(user: users.first, since: since, until: until), parts: .all) {
          found.append($0.stream)
        }
      return found
    }
    for flow in flows {
      let stream = try FlowLookup.find(flow, in: [log]).stream
      if !found.contains(where: { ByteName.isSame($0, stream) }) { found.append(stream) }
    }
    return found
  }

  /// Writes a bundle of some flows.
  ///
  /// - Parameter checkpoint: an earlier checkpoint to prove them in; nil for the store's latest.
  /// - Returns: what to say about it.
  func write(_ streams: [String], of log: LogReader, to file: String, checkpoint: SignedNote? = nil) throws -> String {
    let (since, until) = times.bounds()
    let bundle = try EvidenceBundle(
      of: streams, in: log, checkpoint: checkpoint,
      selection: EvidenceSelection(user: users.first, since: since, until: until))
    try OutputFile(path: file).write(try bundle.encoded())
    return "\(file.printable): \(Quantity.count(bundle.records, "record")) of "
      + "\(Quantity.count(streams.count, "flow")), proved in the checkpoint of \(bundle.size) records"
  }
}
