import ArgumentParser
import AuditReports
import EventStore
import FlowRecording

/// `auditctl correlate`
struct CorrelateCommand: ParsableCommand, PagedCommand {
  private static let exitCodes = [
    ("0", "all pushes that were found on both sides agree"), ("1", "they do not, or none was found on both"),
  ]

  static let configuration = CommandConfiguration(
    commandName: "correlate", abstract: "Show a sign-in's push and the device's challenge as one time line.",
    discussion: """
      Reads two logs or more that know nothing of each other, the application's that signs in and the authenticator's, \
      and joins each push with its challenge by what both know: the transaction, the org, the person, the times. Never \
      by a secret. If the two do not agree, it says so and exits with 1: approved there and not here, answered twice, \
      approved after its expiry, a number that was not shown.

      FLOW is a flow of either side; without it, every push.

      EXAMPLES
        auditctl correlate --store audit --store device
        auditctl correlate --store audit --store device 01KAJ4
        auditctl correlate --store audit --store device --json |
          jq '.pairs[] | .contradictions[]'

      EXIT CODES
      \(HelpTable.text(exitCodes))
      """)

  @Argument(help: ArgumentHelp("A flow of either side.", valueName: "FLOW")) var flow: String?
  @OptionGroup var stores: StoresOption
  @Option(help: ArgumentHelp("How far the clocks of both sides may be apart.", valueName: "SECONDS"))
  var skew = 300
  @OptionGroup var place: ZoneOption
  @OptionGroup var json: JSONFlag

  func validate() throws {
    guard (0...86_400).contains(skew) else { throw ValidationError("--skew is a number of seconds, 0 to 86400") }
  }

  func run() throws {
    let logs = try stores.once()
    let chosen = try flow.map { try FlowLookup.find($0, in: logs).stream }
    var seen: [SeenPush] = []
    for (stream, log) in try FlowLookup.streams(of: logs) {
      seen += try SeenPush.all(of: log.records(of: stream), in: log.directory)
    }
    let joined = PushPair.join(
      seen.filter { $0.push.side == .signIn }, seen.filter { $0.push.side == .device }, tolerance: skew)
    let pairs = joined.pairs.filter { pair in
      chosen.map { chosen in ([pair.signIn] + pair.device).contains { ByteName.isSame($0.stream, chosen) } } ?? true
    }
    let alone = joined.alone.filter { seen in chosen.map { ByteName.isSame(seen.stream, $0) } ?? true }
    if json.isOn { try print(pairs, alone) } else { try print(pairs, alone, logs, of: chosen) }
    if pairs.isEmpty || pairs.contains(where: { !$0.contradictions.isEmpty }) {
      throw ExitCode(ExitStatus.finding.rawValue)
    }
  }

  private func print(_ pairs: [PushPair], _ alone: [SeenPush]) throws {
    let output = Output()
    try output.json([
      "pairs": .array(pairs.map(\.json)), "alone": .array(alone.map(\.json)),
      "contradictions": .int(pairs.reduce(0) { $0 + $1.contradictions.count }),
    ])
    try output.end()
  }

  /// - Parameter chosen: the one flow that was asked for.
  private func print(
    _ pairs: [PushPair], _ alone: [SeenPush], _ logs: [LogSource], of chosen: String?
  ) throws {
    let output = Output()
    for pair in pairs {
      var lines: [String: TimeLine] = [:]
      for seen in [pair.signIn] + pair.device {
        guard let log = logs.first(where: { $0.directory == seen.store }) else { continue }
        lines[seen.stream] = try TimeLine(log.records(of: seen.stream))
      }
      try output.lines(
        TwoColumns(pair, lines).lines(width: Terminal.width, style: Terminal.style, zone: place.zone) + [""])
    }
    for seen in alone {
      let side = seen.push.side == .signIn ? "a sign-in waited for" : "a device had"
      try output.lines(
        Paragraph.lines(
          "\(seen.stream): \(side) a push that no other log here has (\(seen.push.outcome.rawValue)).".printable,
          width: Terminal.width, indent: 2))
    }
    if pairs.isEmpty, alone.isEmpty {
      try output.line(chosen.map { "\($0.printable) saw no push." } ?? "No flow of these stores saw a push.")
    }
    try output.end()
  }
}
