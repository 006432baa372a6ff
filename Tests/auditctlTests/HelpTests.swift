import Testing

@Suite struct HelpTests {
  static let commands = [
    "demo", "simulate", "sign-in", "append", "cat", "flows", "search", "index", "show", "verify", "checkpoint",
    "export", "replay",
    "report", "info", "prove", "seal", "prune", "backup", "restore", "keys", "witness", "cosign", "bench", "explain",
    "device", "token", "correlate", "ship", "collect", "fleet", "evidence", "doctor", "serve",
    "minimise", "promote", "coverage", "bisect", "import",
  ]

  @Test("each command has help with examples within 80 columns", arguments: commands)
  func help(command: String) throws {
    let folder = try Folder()
    let run = try Program.run([command, "--help"], in: folder)
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output.contains("EXAMPLES"))
    #expect(run.output.contains("auditctl \(command)"))
    #expect(run.lines.filter { $0.count > 80 } == [])
  }

  @Test("help shows no Swift, no quotation marks of another language, and whole examples", arguments: commands)
  func language(command: String) throws {
    let run = try Program.run([command, "--help"], in: Folder())
    #expect(!run.output.contains("«") && !run.output.contains("Option(") && !run.output.contains("EventStore."))
    let examples = run.lines.drop { $0 != "EXAMPLES" }.dropFirst().prefix { !$0.isEmpty }
    // An example that is too long for the line would go on without being indented.
    #expect(!examples.isEmpty && examples.allSatisfy { $0.hasPrefix("  ") }, "\(examples)")
  }

  @Test(
    "a command that is misspelled is named, with the one that was meant",
    arguments: [
      ("verfy --store audit", "did you mean verify?"), ("flow", "did you mean flows?"), ("sgin-in", "sign-in"),
      ("help repot", "report"), ("keys rotat --store audit", "there is no command 'keys rotat'; did you mean rotate?"),
      ("prove inclusoin 1", "inclusion"), ("xyzzy --store audit", "there is no command 'xyzzy'"),
    ])
  func misspelled(line: String, says: String) throws {
    let run = try Program.run(line.split(separator: " ").map(String.init), in: Folder())
    #expect(run.code == 64 && run.errors.contains(says), "\(run.errors)")
    #expect(!run.errors.contains("Unknown option") && run.errors.split(separator: "\n").count == 1)
  }

  @Test("the root's help names every command and the exit codes")
  func root() throws {
    let run = try Program.run(["--help"], in: Folder())
    #expect(run.code == 0)
    for command in Self.commands { #expect(run.output.contains("\n  \(command) ")) }
    #expect(run.output.contains("EXIT CODES"))
  }
}
