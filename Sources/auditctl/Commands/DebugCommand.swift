import ArgumentParser
import AuditReports
import EventStore
import Glibc

/// `auditctl debug`
struct DebugCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "debug", abstract: "Step through a recorded flow: forward, back, and why.",
    discussion: """
      At a terminal, keys move through the time line, beside the state at each record; what the record changed is \
      marked with *. Press ? for the keys. With --command, or if standard input is no terminal, commands are read \
      instead, separated by ; or by lines. Nothing is run and nothing is sent: the state is folded from the recording. \
      Exits 1 if a command did not find what it looked for.

      COMMANDS
      \(DebugAction.summary)

      EXAMPLES
        auditctl debug push.ndjson.lz4
        auditctl debug 01KAJ4 --store audit
        auditctl debug push.ndjson.lz4 \\
          --command 'run until status=MFA_CHALLENGE; changes; why status'
        auditctl debug push.ndjson.lz4 --command 'end; print state' --json
      """)

  @Argument(help: ArgumentHelp("The flow, or a recording of one.", valueName: "FLOW")) var flow: String
  @OptionGroup var stores: StoresOption
  @Option(help: ArgumentHelp("Perform these commands, separated by ; or lines.", valueName: "C")) var command: String?
  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    guard let command else { return }
    guard command.contains(where: { !$0.isWhitespace && $0 != ";" }) else {
      throw ValidationError("--command has no command in it; give one, such as 'end; print state'")
    }
  }

  func run() throws {
    let found = try FlowLookup.find(flow, in: stores)
    try found.sayDisorder()
    var debugger = try Debugger(found.records, allowingGaps: found.mayBeEdited)
    if command == nil, !json.isOn, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 {
      var keys = DebugKeys(debugger)
      return try keys.run()
    }
    let output = Output()
    var isFound = true
    func perform(_ script: String) throws -> Bool {
      for action in try DebugAction.parse(script) {
        if action == .quit { return false }
        let answer = debugger.perform(action)
        isFound = isFound && answer.isFound
        if json.isOn {
          try output.json(answer.json)
        } else {
          try output.lines(DebugKeys.wrapped(answer.lines, width: Terminal.tableWidth))
        }
      }
      try output.flush()
      return true
    }
    if let command {
      _ = try perform(command)
    } else {
      let input = LineInput()
      while let line = try input.line(), try perform(line) {}
    }
    try output.end()
    if !isFound { throw ExitCodes.finding }
  }
}
