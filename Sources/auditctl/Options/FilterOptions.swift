import ArgumentParser
import AuditReports
import FlowRecording

/// Selects flows by everything except time.
struct FilterOptions: ParsableArguments {
  @Option(
    name: .customLong("user"), parsing: .singleValue,
    help: ArgumentHelp("Flows of this login, whole and in any case; search finds parts.", valueName: "U"))
  var users: [String] = []
  @Option(
    help: ArgumentHelp(
      "Flows with this status or outcome, whatever the case: SUCCESS, MFA_CHALLENGE, identify, failed; none for those "
        + "without a status.", valueName: "S")
  )
  var status: String?
  @Option(
    help: ArgumentHelp(
      "Flows that ended so: \(FilterWords.outcomes.joined(separator: ", ")).", valueName: "O"))
  var outcome: String?
  @Option(help: ArgumentHelp("Flows of this kind: authn, idx, device, oidc, or one of your own.", valueName: "K"))
  var kind: String?
  @Option(
    help: ArgumentHelp(
      "Flows that did not succeed for this reason: \(FailureReason.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "R"), transform: FilterOptions.reason)
  var reason: FailureReason?
  @Option(
    help: ArgumentHelp(
      "Flows from this address, device or host; 203.0.113.* for all that begin so.", valueName: "P"))
  var place: String?
  @Option(help: ArgumentHelp("Flows by this application, its version too if given: 'Portal 4.1'.", valueName: "APP"))
  var client: String?
  @Option(
    help: ArgumentHelp(
      "Flows in which this factor was tried: \(FilterWords.factors.joined(separator: ", ")).", valueName: "F"))
  var factor: String?
  @Option(
    help: ArgumentHelp(
      "Flows in which this factor and no other was tried; with --outcome success, sign-ins by it alone.", valueName: "F"
    ))
  var onlyFactor: String?

  private static func reason(_ text: String) throws -> FailureReason {
    guard let reason = FailureReason.allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() }) else {
      throw ValidationError("'\(text)' is no reason; --help names them")
    }
    return reason
  }

  mutating func validate() throws {
    try OnceOption.check("--user", users)
    for (name, text) in [
      ("--place", place), ("--client", client), ("--factor", factor), ("--only-factor", onlyFactor),
      ("--outcome", outcome),
    ] {
      if text?.isEmpty == true { throw ValidationError("\(name) is empty") }
    }
  }

  /// The names of the options that are given.
  var given: [String] {
    let all: [(option: String, isGiven: Bool)] = [
      ("--user", !users.isEmpty), ("--status", status != nil), ("--outcome", outcome != nil), ("--kind", kind != nil),
      ("--reason", reason != nil), ("--place", place != nil), ("--client", client != nil), ("--factor", factor != nil),
      ("--only-factor", onlyFactor != nil),
    ]
    return all.filter(\.isGiven).map(\.option)
  }

  /// The filter, with a span of time.
  func filter(_ times: TimeOptions) -> FlowFilter {
    let (since, until) = times.bounds()
    return FlowFilter(
      user: users.first, status: status, kind: kind, since: since, until: until, reason: reason, outcome: outcome,
      place: place, client: client, factor: factor, onlyFactor: onlyFactor)
  }
}
