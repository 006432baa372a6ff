// Debugging sessions by script, and the screen.

import AuditReports
import EventStore
import Foundation
import Replay
import Testing

@testable import auditctl

@Suite struct DebugTests {
  private let folder: Folder
  private static let golden = GoldenPath.file("push-approved")

  init() throws { folder = try Folder() }

  private func debug(_ command: String, _ more: String...) throws -> Run {
    try Program.run(["debug", Self.golden, "--command", command] + more, in: folder)
  }

  @Test("a script runs to a status, prints the state, says what changed and why")
  func script() throws {
    let run = try debug(
      "run until status=MFA_CHALLENGE; print state.status; changes; causes; why status")
    #expect(run.code == 0, "\(run)")
    #expect(run.lines.first?.hasPrefix("[MFA_CHALLENGE] ") == true, "\(run.output)")
    #expect(run.lines.dropFirst().first == "MFA_CHALLENGE", "\(run.output)")
    #expect(run.output.contains("\nstatus: MFA_REQUIRED -> MFA_CHALLENGE"), "\(run.output)")
    #expect(run.output.contains("call.made") && run.output.contains("request.sent"), "\(run.output)")
  }

  @Test(
    "a status that the events of a flow give it and its state has not can be asked about",
    arguments: [
      ("idx-password", "identify", "nothing", "remediation.changed"),
      ("oidc-device", "awaited", "nothing", "token.awaited"), ("oidc-device", "signedIn", "awaited", "token.issued"),
    ])
  func statusOfEvents(name: String, status: String, before: String, cause: String) throws {
    let script = "run until status=\(status); step; print state.status; print status; why status"
    let run = try Program.run(["debug", GoldenPath.file(name), "--command", script], in: folder)
    #expect(run.code == 0 && run.lines.first?.hasPrefix("[\(status)] ") == true, "\(run)")
    let parts = run.output.components(separatedBy: "\n\(status)\n\(status)\nstatus: \(before) -> \(status), since\n")
    #expect(parts.count == 2 && parts.last?.split(separator: "\n").first?.contains(cause) == true, "\(run.output)")
    // Before the first status there is none to ask about.
    let none = try Program.run(["debug", GoldenPath.file(name), "--command", "why status"], in: folder)
    #expect(none.code == 1 && none.output == "the state has no status here\n", "\(none)")
  }

  @Test(
    "a command with what it does not take is 64, and is not called unknown",
    arguments: ["list -1", "list 0", "go 99999999999999999999", "step -5", "run until x=1", "why", "search"])
  func wrong(command: String) throws {
    let run = try debug(command)
    let name = try #require(command.split(separator: " ").first)
    #expect(run.code == 64 && run.errors.contains("\(name) is given otherwise"), "\(run)")
    #expect(try debug("fly").errors.contains("'fly' is no command"))
  }

  @Test("the help at a terminal has the keys and the commands, on one screen of 80 columns and 24 lines")
  func help() {
    let lines = DebugKeys.wrapped(DebugKeys.help, width: 80)
    // An empty line and «press a key» follow.
    #expect(lines.count + 2 <= 24 && lines.allSatisfy { $0.count <= 80 }, "\(lines)")
    let keys = lines.drop { $0 != "KEYS" }.dropFirst().prefix { !$0.isEmpty }.joined(separator: "  ")
    let words = keys.split(separator: " ").map(String.init)
    for key in ["n", "p", "r", "R", "s", "S", "0", "e", "g", "/", "w", "i", "c", "j", "k", "?", "q"] {
      #expect(words.contains(key), "\(key)")
    }
    for command in ["run until", "print state", "why MEMBER", "TARGET is"] {
      #expect(lines.contains { $0.hasPrefix(command) }, "\(command)")
    }
  }

  @Test("lines and tabs separate too; help is no wider than 80 columns; a script without a command is refused")
  func separators() throws {
    let run = try debug("step\nprint\tstate.status")
    #expect(run.code != 64 && run.lines.count == 2, "\(run)")
    for wrong in ["help me", "quit now", "", " ; "] {
      let refused = try debug(wrong)
      #expect(refused.code == 64 && refused.errors.split(separator: "\n").count == 1, "\(wrong): \(refused)")
    }
    let help = try debug("help")
    #expect(help.code == 0 && help.lines.allSatisfy { $0.count <= 80 }, "\(help)")
  }

  @Test("commands come from standard input too, a line each, until quit")
  func input() throws {
    let run = try Program.run(["debug", Self.golden], input: "step 2\nback\nquit\nstep\n", in: folder)
    #expect(run.code == 0 && run.lines.count == 2, "\(run)")
    #expect(run.lines.last?.contains("1 call.made") == true, "\(run.output)")
  }

  @Test("each answer is a document, with the schema's number")
  func json() throws {
    let run = try debug("end; list 3; print record; search push; go 0", "--json")
    #expect(run.lines.count == 5, "\(run)")
    let documents = try run.lines.map { try JSON(parsing: Array($0.utf8)) }
    #expect(documents.allSatisfy { $0["schema"]?.int == 1 })
    #expect(documents[1]["records"]?.array?.count == 3)
    #expect(documents[3]["found"] == false && run.code == 1, "nothing is behind the end")
    #expect(documents[4]["record"]?["revision"]?.int == 0)
  }

  @Test(
    "what is not there is a finding; what is no command is refused",
    arguments: [
      ("run until status=LOCKED_OUT", Int32(1)), ("go 100000", 1), ("print state.nothing", 1),
      ("why nothing.at.all", 1),
      ("dance", 64), ("step -1", 64), ("run until", 64), ("go x", 64), ("why", 64), ("step 2 3", 64),
    ])
  func refused(command: String, code: Int32) throws {
    let run = try debug(command)
    #expect(run.code == code, "\(run)")
  }

  @Test("no secret is shown, and nothing leaves the process")
  func masked() throws {
    let run = try debug("end; print state; list 1000; back until type=call.made; print record")
    #expect(run.code == 0 && run.output.contains("$secret."), "\(run)")
  }

  @Test("the screen keeps to its columns and rows, and marks what changed", arguments: [(80, 24), (40, 10), (200, 50)])
  func screen(columns: Int, rows: Int) throws {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: Self.golden)))
    var debugger = try Debugger(RecordingFile(path: "r", bytes: bytes).records)
    let screen = DebugScreen(columns: columns, rows: rows, style: Style(colours: false))
    for _ in 0..<40 {
      let lines = screen.lines(debugger, scroll: 0, message: "keys")
      #expect(lines.count <= rows && lines.allSatisfy { $0.count <= columns }, "\(lines)")
      #expect(lines.contains { $0.hasPrefix("> \(debugger.session.revision) ") }, "\(lines)")
      if !debugger.session.changes.isEmpty { #expect(lines.contains { $0.contains("| *") }, "\(lines)") }
      _ = debugger.perform(.step(1))
    }
  }

  @Test("at a terminal of 24 lines a long record is shown page by page, and the last line names the key that quits")
  func pages() throws {
    let arguments = ["debug", Self.golden]
    func screens(typing keys: String) throws -> [String] {
      let run = try PseudoTerminal.output(of: arguments, columns: 80, typing: keys, in: folder)
      #expect(run.code == 0, "\(run)")
      let screens = Array(run.output.components(separatedBy: "\u{1B}[H\u{1B}[2J").dropFirst())
      for screen in screens {
        #expect(screen.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).count <= 24, "\(screen)")
      }
      return screens
    }
    // To the first answer, all of its record, back to the time line, and out.
    let all = try screens(typing: "nnnni   q")
    #expect(all.first?.contains("q quit") == true, "\(all)")
    let pages = all.filter { $0.contains("press a key") }
    #expect(pages.count == 3 && pages.first?.contains("status = 200") == true, "\(pages)")
    #expect(pages.last?.contains("body._links.cancel.href") == true, "\(pages)")
    // Left at its first page.
    #expect(try screens(typing: "nnnniqq").count { $0.contains("press a key") } == 1)
  }

  @Test("a signal ends a session at a terminal with 130, and what stood on the terminal comes back")
  func interrupted() throws {
    let run = try PseudoTerminal.output(
      of: ["debug", Self.golden], columns: 80, typing: "", interruptingAt: "q quit", in: folder)
    #expect(run.code == 130 && run.output.hasSuffix("\u{1B}[?1049l"), "\(run)")
  }
}
