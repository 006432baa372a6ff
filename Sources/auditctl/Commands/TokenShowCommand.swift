import ArgumentParser
import AuditReports
import EventStore

/// `auditctl token show`
struct TokenShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the life of tokens: issued, renewed, introspected, revoked, by which flow.",
    discussion: """
      Exits 66 if no store has such tokens, and 64 if several begin so.

      EXAMPLES
        auditctl token show 7f3a --store audit
        auditctl token show 7f3a --store phone --store desk --json \\
          | jq '.events[].event'
      """)

  @Argument(help: ArgumentHelp("The tokens' id, or its beginning.", valueName: "TOKENS")) var id: String
  @OptionGroup var stores: StoresOption
  @OptionGroup var place: ZoneOption
  @OptionGroup var json: JSONFlag

  func run() throws {
    let all = try TokenLives(reading: stores.once()).lives
    let life: TokenLife?
    switch FlowReference.match(id, in: id.isEmpty ? [] : all.map(\.id)) {
    case .one(let found): life = all.first { $0.id == found }
    case .several(let count):
      throw CommandFailure(
        .usage, "'\(id)' is the beginning of \(count) ids; give more of it, as auditctl token list --json prints it")
    case .none: life = nil
    }
    guard let life else {
      throw CommandFailure(.notFound, "there are no tokens '\(id)'; list them with: auditctl token list --store DIR")
    }
    let now = Timestamp.now()
    let output = Output()
    if json.isOn {
      try output.json(life.document(at: now))
    } else {
      let head = "\(life.id)  \(life.standing(at: now).word)"
      try output.lines([head] + life.lines(width: Terminal.tableWidth, zone: place.zone))
    }
    try output.flush()
  }
}
