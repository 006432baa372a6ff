import ArgumentParser
import EventStore

/// `auditctl demo`
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Show the whole idea: sign-ins recorded, verified, folded, replayed.",
    discussion: """
      Starts an org on loopback, signs in with password, push and text message, and checks the log. Exits 1 if a check \
      fails.

      EXAMPLES
        auditctl demo
        auditctl demo --store audit
        auditctl demo --json | jq .verify
      """)

  @Option(
    name: .customLong("store"),
    help: ArgumentHelp("Where to leave the log (default: a new directory).", valueName: "DIR"))
  var directory: String?
  @OptionGroup var signingKey: SigningKeyOption
  @OptionGroup var json: JSONFlag

  func run() async throws {
    let output = Output()
    let text = DemoText(width: Terminal.width, style: Terminal.style)
    let isText = !json.isOn
    let facts = try await Demo(
      directory: directory, signingKey: signingKey.file, signerState: signingKey.state
    ).run(
      begun: { facts in
        guard isText else { return }
        try output.lines(text.opening(facts))
        try output.flush()
      },
      finished: { signIn in
        guard isText else { return }
        try output.lines(text.finished(signIn))
        try output.end()
      })
    if isText { try output.lines(text.closing(facts)) } else { try output.json(facts.json) }
    try output.end()
    if !facts.isGood { throw ExitCode(ExitStatus.finding.rawValue) }
  }
}
