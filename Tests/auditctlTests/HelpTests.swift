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

  @Test("what needs whole flows does not offer to read past damaged records", arguments: ["minimise", "promote"])
  func wholeFlows(command: String) throws {
    let run = try Program.run([command, "--help"], in: Folder())
    #expect(run.code == 0 && run.output.contains("--store") && !run.output.contains("--keep-going"), "\(run)")
  }

  @Test("the root's help names every command and the exit codes")
  func root() throws {
    let run = try Program.run(["--help"], in: Folder())
    #expect(run.code == 0)
    for command in Self.commands { #expect(run.output.contains("\n  \(command) ")) }
    #expect(run.output.contains("EXIT CODES"))
  }

  @Test(
    "a command that takes one store shows --store without dots",
    arguments: ["serve", "evidence make", "append", "sign-in", "device list", "statement make", "cosign request"])
  func oneStore(command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let help = try Program.run(["help"] + words, in: Folder())
    let usage = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.code == 0 && usage.contains("--store <DIR>"), "\(help)")
    #expect(!usage.contains("--store <DIR> ..."), "\(usage)")
  }

  @Test(
    "what is about one store, beside reports that take several, says so",
    arguments: [
      ("evidence make", "make one for each store"), ("serve", "They show one store"), ("report", "of one store"),
    ])
  func oneStoreSaid(command: String, words: String) throws {
    let help = try Program.run(["help"] + command.split(separator: " ").map(String.init), in: Folder())
    #expect(help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(words), "\(help)")
  }

  @Test("a command that takes one store refuses a second one", arguments: ["serve", "append", "checkpoint"])
  func secondStore(command: String) throws {
    let run = try Program.run([command, "--store", "a", "--store", "b"], in: Folder())
    #expect(run.code == 64 && run.errors.contains("--store is given 2 times"), "\(run)")
  }

  @Test(
    "the help of a group names the help that has the options of its default",
    arguments: [("evidence", "make"), ("statement", "make"), ("cosign", "ask")])
  func defaults(group: String, command: String) throws {
    let help = try Program.run([group, "--help"], in: Folder())
    let words = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("auditctl help \(group) \(command)"), "\(help.output)")
    let own = try Program.run(["help", group, command], in: Folder())
    #expect(own.code == 0 && own.output.contains("--store <DIR>"), "\(own)")
  }

  @Test(
    "what goes on below EXIT CODES and DEMANDS is indented",
    arguments: [
      ("verify", "VERDICTS AND EXIT CODES"), ("verify", "DEMANDS"), ("correlate", "EXIT CODES"), ("", "EXIT CODES"),
    ])
  func indented(command: String, heading: String) throws {
    let run = try Program.run((command.isEmpty ? [] : [command]) + ["--help"], in: Folder())
    let lines = run.lines.drop { $0 != heading }.dropFirst().prefix { !$0.isEmpty }
    #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("  ") && $0.count < 80 }, "\(lines)")
  }

  @Test("the public key of a witness that examples name is made by one of them", arguments: ["cosign", "witness"])
  func witnessKey(command: String) throws {
    let examples = try Program.run([command, "--help"], in: Folder()).lines.drop { $0 != "EXAMPLES" }
    let text = examples.joined(separator: " ").split(separator: " ").joined(separator: " ")
    let makes = "auditctl witness init --name example.com/w1 --key w1.key --state w1 \\ > w1.pub"
    #expect(text.contains(makes), "\(text)")
    let verify = try Program.run(["verify", "--help"], in: Folder()).output
    #expect(verify.contains("--witness-key w1.pub"), "\(verify)")
  }
}
