import EventStore
import Foundation
import Testing

/// Text that applications and orgs brought into a log, in the output of commands, and verdicts that no reader waits for.
@Suite struct ForeignTextTests {
  private let folder: Folder
  private let store: String

  init() throws {
    folder = try Folder()
    store = folder("audit")
    let log = try EventLog.open(at: store, options: LogOptions(origin: "play"))
    let start = try #require(Timestamp("2026-01-15T09:00:00Z"))
    func add(_ stream: String, _ kind: String, user: String, outcome: String) throws {
      let events: [(String, JSON)] = [
        ("flow.started", ["kind": .string(kind), "sdk": "s/1", "settings": [:]]),
        ("call.made", ["call": "authenticate", "arguments": ["username": .string(user)]]),
        ("flow.ended", ["outcome": .string(outcome)]),
      ]
      for (minute, (type, data)) in events.enumerated() {
        let at = Timestamp(microseconds: start.microseconds + Int64(minute) * 300_000_000)
        _ = try log.append([NewRecord(at: at, stream: stream, type: type, data: data.bytes)])
      }
    }
    // Marks that make one letter with the sign before them.
    try add("authn/a", "authn", user: "ann,\u{301}SUCCESS,x\"\u{301}y", outcome: "failed")
    try add("authn/b", "authn", user: "bob src=\u{301}6.6.6.6", outcome: "failed")
    try add("authn/c", "authn", user: "=\u{301}SUM(A1)", outcome: "fai\u{1B}[31m\r\nled")
    try add("odd/a", "od\u{1B}[31md", user: "cleo", outcome: "failed")
    try log.close()
  }

  private func run(_ arguments: String...) throws -> Run {
    try Program.run(arguments + ["--store", store], in: folder)
  }

  @Test("separators and signs of formulas are found scalar by scalar, in CSV and in CEF")
  func separators() throws {
    let csv = try run("report", "sign-ins", "--format", "csv").output
    #expect(csv.utf8.contains(0x22) && csv.contains("\"ann,\u{301}SUCCESS,x\"\"\u{301}y\""), "\(csv)")
    #expect(csv.contains("'=\u{301}SUM(A1)"))
    let cef = try run("export", "--as", "cef", "-o", "-").output
    #expect(cef.contains("suser=bob src\\=\u{301}6.6.6.6"), "\(cef)")
  }

  @Test("what ends a flow, and its kind, move no cursor")
  func cursor() throws {
    for run in [try run("show", "authn/c"), try run("report", "funnel")] {
      #expect(run.code == 0 && !run.output.unicodeScalars.contains("\u{1B}") && !run.output.contains("\r"), "\(run)")
    }
  }

  @Test("a flow of an unknown kind is named, and the others are replayed")
  func unknownKind() throws {
    let replay = try run("replay", "--json")
    #expect(replay.code == 1 && replay.output.contains("\"recordings\":3"), "\(replay)")
    #expect(replay.output.contains("odd/a"))
  }

  @Test("an export of a span of time has what happened in it, however long before its flow began")
  func window() throws {
    let late = try run(
      "export", "--as", "ecs", "--since", "2026-01-15T09:09:00Z", "--until", "2026-01-15T09:11:00Z", "-o", "-")
    #expect(late.code == 0 && late.output.contains("\"authn/a\"") && late.output.contains("failure"), "\(late)")
    let early = try run("export", "--as", "ecs", "--until", "2026-01-15T09:01:00Z", "-o", "-")
    #expect(early.code == 1 && early.output.isEmpty, "\(early)")
  }

  @Test("a verdict is the exit code, though the output is not read")
  func unread() throws {
    let script = #""$0" "$@" | true; exit ${PIPESTATUS[0]}"#
    for (arguments, code) in [(["verify", "--store", store], 10), (["replay", "--store", store], 1)]
      as [([String], Int32)]
    {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/bash")
      process.arguments = ["-c", script, Program.binary] + arguments
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == code, "\(arguments)")
    }
  }

  @Test("JSON has no character that a terminal obeys, and means the same")
  func controlCharacters() throws {
    let signed = try SignedStore()
    let name = "s\u{7F}\u{9B}31m\u{202E}x"
    let line = "{\"stream\":\"\(name)\",\"type\":\"t\",\"data\":{}}\n"
    _ = try signed.run("append", "--store", signed.path, input: line)
    let flows = try signed.run("flows", "--store", signed.path, "--json").output
    #expect(!flows.unicodeScalars.contains { $0.value == 0x7F || $0.value == 0x9B || $0.value == 0x202E })
    let names = try flows.split(separator: "\n").map { try JSON(parsing: Array($0.utf8))["flow"]?.string }
    #expect(names.contains(name))
  }
}
