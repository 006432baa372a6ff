import ArgumentParser
import AuditReports
import EventStore

/// The zone that days and times of day are of.
struct ZoneOption: ParsableArguments {
  @Option(
    name: .customLong("tz"), parsing: .unconditional,
    help: ArgumentHelp(
      "The zone of days and times: UTC (default), local, Europe/Berlin, +02:00. Times in JSON and CSV stay in UTC, "
        + "except in notes.",
      valueName: "ZONE"), transform: ZoneOption.zone)
  var given: Zone?

  private static func zone(_ text: String) throws -> Zone {
    guard let zone = Zone(text) else {
      throw ValidationError(
        "'\(text)' is no zone; write UTC, local, a name with a slash such as Europe/Berlin, or an offset such as +02:00 "
          + "(CET, EST and the like mean different zones in different places)")
    }
    return zone
  }

  /// The zone.
  var zone: Zone { given ?? .utc }
}

/// The span of time that a command is about.
struct TimeOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Flows that began then or later (of statement, records; of export, events): \(TimeExpression.forms).",
      valueName: "T"))
  var since: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The same, then or before; a month, week, day, minute or second is meant to its end.", valueName: "T"))
  var until: String?

  @OptionGroup var place: ZoneOption

  /// The zone of days and times.
  var zone: Zone { place.zone }

  mutating func validate() throws {
    for text in [since, until].compactMap({ $0 }) { try TimeExpression.check(text, zone) }
    if case (let first?, let last?) = bounds(), first > last {
      throw ValidationError("--since \(first) is after --until \(last): nothing is between them")
    }
  }

  /// The bounds, both counted from the same moment.
  func bounds() -> (since: Timestamp?, until: Timestamp?) {
    let now = Timestamp.now()
    func expression(_ text: String?) -> TimeExpression? {
      text.flatMap { TimeExpression($0, now: now, zone: zone) }
    }
    return (expression(since)?.first, expression(until)?.last)
  }
}

extension TimeExpression {
  /// Refuses a text that means no time, or one that the clock of the zone skips.
  ///
  /// - Throws: exit 64.
  static func check(_ text: String, _ zone: Zone) throws {
    if let problem = Self.problem(text, now: Timestamp.now(), zone: zone) { throw ValidationError(problem) }
  }
}

/// Which part of a list is printed, and in which order.
struct ListOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: ArgumentHelp("The first N of the list.", valueName: "N")) var limit: Int?
  @Option(parsing: .unconditional, help: ArgumentHelp("The last N of the list.", valueName: "N")) var last: Int?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The order: \(FlowOrder.Key.allCases.map(\.rawValue).joined(separator: ", ")); with - before it the other way round.",
      valueName: "KEY"))
  var sort: FlowOrder = .began

  mutating func validate() throws {
    guard limit == nil || last == nil else { throw ValidationError("--limit and --last exclude each other; give one") }
    for (name, count) in [("--limit", limit), ("--last", last)] {
      if let count, count < 1 { throw ValidationError("\(name) \(count) is under 1") }
    }
  }

  /// The part of the list that is asked for, in its order.
  func apply(to flows: [FlowFacts]) -> [FlowFacts] {
    let sorted = sort.sorted(flows)
    if let limit { return Array(sorted.prefix(limit)) }
    return last.map { sorted.suffix($0) } ?? sorted
  }
}

extension FlowOrder: ExpressibleByArgument {
  /// The order that an argument names.
  public init?(argument: String) { self.init(argument) }
  /// The order as it is typed.
  public var defaultValueDescription: String { (isDescending ? "-" : "") + key.rawValue }
}
