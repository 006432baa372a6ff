import ArgumentParser
import AuditReports
import EventStore

/// `auditctl token list`
struct TokenListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the tokens that flows issued, refreshed, checked, or revoked.",
    discussion: """
      A line for each set of tokens: when it was issued, what became of it, how many events there are, its scope and \
      its issuer. The status is what the log says last: active, refused, revoked, inactive or cleared; of tokens whose \
      access token has run out by now, renewable if a refresh token came with it, else expired. Whether a token still \
      counts, its server alone knows.

      EXAMPLES
        auditctl token list --store audit
        auditctl token list --store audit --json | jq '.tokens[].flow'
      """)

  @OptionGroup var stores: StoresOption
  @OptionGroup var place: ZoneOption
  @OptionGroup var json: JSONFlag

  func run() throws {
    let found = try TokenLives(reading: stores.once())
    let now = Timestamp.now()
    let output = Output()
    if json.isOn {
      try output.json(["tokens": .array(found.lives.map { $0.json(at: now) })])
    } else if found.lives.isEmpty {
      try output.line("No flow of these stores had to do with tokens.")
    } else {
      try output.lines(found.lines(width: Terminal.tableWidth, zone: place.zone, at: now))
    }
    try output.flush()
  }
}
