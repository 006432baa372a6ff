import Testing

@Suite struct HelpTests {
  static let commands = [
    "demo", "simulate", "sign-in", "append", "cat", "flows", "show", "verify", "checkpoint", "export", "replay",
    "report", "info", "prove", "seal", "prune", "backup", "restore", "keys", "bench",
  ]

  @Test("each command has help with examples within 80 columns", arguments: commands)
  func help(command: String) throws {
    let folder = try Folder()
    let run = try Program.run([command, "--help"], in: folder)
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output.contains("EXAMPLES"))
    #expect(run.output.contains("auditctl \(command)"))
    #expect(run.lines.filter { $0.count > 80 && !$0.contains("USAGE") } == [])
  }

  @Test("the root's help names every command and the exit codes")
  func root() throws {
    let run = try Program.run(["--help"], in: Folder())
    #expect(run.code == 0)
    for command in Self.commands { #expect(run.output.contains("\n  \(command) ")) }
    #expect(run.output.contains("EXIT CODES"))
  }
}
