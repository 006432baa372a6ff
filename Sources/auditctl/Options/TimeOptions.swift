import ArgumentParser
import AuditReports
import EventStore

/// The span of time that a command is about.
struct TimeOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Flows that began then or later: RFC 3339, now, today, yesterday, -15m, -24h, -7d.", valueName: "T"))
  var since: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Flows that began then or before.", valueName: "T"))
  var until: String?

  mutating func validate() throws {
    for text in [since, until].compactMap({ $0 }) where TimeExpression.time(text, now: .now()) == nil {
      throw ValidationError(
        "'\(text)' is no time; write 2026-11-21T08:35:00Z, now, today, yesterday, -15m, -24h or -7d")
    }
  }

  /// The bounds, both counted from the same moment.
  func bounds() -> (since: Timestamp?, until: Timestamp?) {
    let now = Timestamp.now()
    return (since.flatMap { TimeExpression.time($0, now: now) }, until.flatMap { TimeExpression.time($0, now: now) })
  }
}

/// When an append counts as durable.
struct DurabilityOption: ExpressibleByArgument {
  let value: Durability

  /// A mode.
  init(_ value: Durability) { self.value = value }

  init?(argument: String) {
    switch argument {
    case "each": value = .each
    case "os": value = .os
    default:
      guard argument.hasPrefix("group:"), let milliseconds = Int(argument.dropFirst(6)),
        (1...60_000).contains(milliseconds)
      else { return nil }
      value = .group(milliseconds: milliseconds)
    }
  }
}
