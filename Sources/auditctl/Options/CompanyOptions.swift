import ArgumentParser

/// A made-up company instead of an org that runs.
struct CompanyOptions: ParsableArguments {
  @Flag(name: .customLong("company"), help: "Write the sign-ins of a made-up company into --store, and end.")
  var isAsked = false
  @Option(help: ArgumentHelp("With --company: the seed of all that is random (default: 1).", valueName: "N"))
  var seed: UInt64?
  @Option(
    help: ArgumentHelp(
      "With --company: how many flows; the planted attacks take up to 220, and fewer are refused (default: 10000).",
      valueName: "N"))
  var flows: Int?
  @Option(help: ArgumentHelp("With --company: the store, which must have no flows yet.", valueName: "DIR"))
  var store: String?
  @Option(
    help: ArgumentHelp(
      "With --company: put the store back to an older copy; DIR gets what was noted before.", valueName: "DIR"))
  var rolledBack: String?
  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    guard isAsked else {
      guard seed == nil, flows == nil, store == nil, rolledBack == nil, !json.isOn else {
        throw ValidationError("--seed, --flows, --store, --rolled-back and --json go with --company")
      }
      return
    }
    if store == nil { throw ValidationError("Missing expected argument '--store <DIR>'") }
    if rolledBack?.isEmpty == true { throw ValidationError("--rolled-back is empty; give a new folder") }
    if let flows, !(1...10_000_000).contains(flows) {
      throw ValidationError("--flows \(flows) is not within 1 and 10000000")
    }
  }
}
