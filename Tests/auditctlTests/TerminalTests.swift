// What is cut where: on a terminal, nothing else.

import Testing

@Suite struct TerminalTests {
  private let folder: Folder
  private var store: String { folder("audit") }
  private static let user = "a.person.with.a.long.name.that.fills.the.line@department.acme.example"

  init() throws {
    folder = try Folder()
    var log = LogText()
    log.add(
      "authn/01AAAAAAAAAAAAAAAAAAAAAAAA", user: Self.user, at: "2026-11-20T10:00:00Z", outcome: "lockedOutByPolicy")
    log.add("authn/01BBBBBBBBBBBBBBBBBBBBBBBB", user: "bob", at: "2026-11-20T11:00:00Z")
    try log.write(to: store, in: folder)
  }

  @Test(
    "a table that no terminal shows is whole, so that it can be searched",
    arguments: [["flows"], ["report", "summary"]])
  func pipedTable(command: [String]) throws {
    let run = try Program.run(command + ["--store", store], in: folder)
    #expect(run.lines.contains { $0.contains(Self.user) }, "\(run.output)")
    #expect(!run.output.contains("…"))
  }

  @Test("COLUMNS does not cut what no terminal shows")
  func pipedColumns() throws {
    let shell = try Program.run(["flows", "--store", store], environment: ["COLUMNS": "40"], in: folder)
    #expect(shell.lines.contains { $0.contains(Self.user) }, "\(shell.output)")
  }

  @Test("a row of info that no terminal shows is one line")
  func pipedRows() throws {
    let place = try Folder()
    let deep = place(String(repeating: "a-long-name-", count: 12))
    var log = LogText()
    log.add("authn/01AAAAAAAAAAAAAAAAAAAAAAAA", user: "ann", at: "2026-11-20T10:00:00Z")
    try log.write(to: deep, in: place)
    let run = try Program.run(["info", "--store", deep], in: place)
    #expect(run.lines.contains { $0.hasSuffix(deep) }, "\(run.output)")
  }

  @Test("a table fits its terminal, and uses all of it", arguments: [60, 80, 110, 160])
  func terminal(columns: Int) throws {
    let run = try PseudoTerminal.output(of: ["flows", "--store", store], columns: columns, in: folder)
    #expect(run.code == 0)
    let whole = try #require(try Program.run(["flows", "--store", store], in: folder).lines.map(\.count).max())
    #expect(whole > 110 && whole < 160)
    #expect(run.lines.map(\.count).max() == min(columns, whole), "\(run.output)")
    #expect(run.output.contains(Self.user) == (columns >= whole))
    let info = try PseudoTerminal.output(of: ["info", "--store", store], columns: columns, in: folder)
    #expect(info.lines.allSatisfy { $0.count <= columns }, "\(info.output)")
  }

  @Test("COLUMNS counts on a terminal, before what the terminal says")
  func columns() throws {
    let run = try PseudoTerminal.output(
      of: ["flows", "--store", store], columns: 160, environment: ["COLUMNS": "70"], in: folder)
    #expect(run.lines.map(\.count).max() == 70, "\(run.output)")
  }

  @Test(
    "the tables of help keep to a narrow terminal, what goes on stands under its column", arguments: [50, 66, 80, 120])
  func help(columns: Int) throws {
    let run = try PseudoTerminal.output(of: ["help", "simulate"], columns: columns, in: folder)
    let lines = run.lines
    let start = try #require(lines.firstIndex { $0.hasPrefix("POLICIES") })
    let end = try #require(lines.firstIndex { $0.hasPrefix("PATH is") })
    let table = lines[(start + 1)..<end].filter { !$0.isEmpty && !$0.hasPrefix("FAULTS") }
    #expect(table.count > 35)
    for line in table {
      #expect(line.count <= columns && line.hasPrefix("  "), "\(line)")
    }
  }

  @Test("a terminal gets nothing that it would obey or not show; a pipe gets the bytes that were hashed")
  func records() throws {
    let place = try Folder()
    let audit = place("audit")
    let hostile = "a\u{9B}31mb\u{202E}c\u{AD}d\u{200B}e\u{E0041}"
    let line = #"{"stream":"x/\#(hostile)","type":"t","data":{"text":"\#(hostile)"}}"#
    #expect(try Program.run(["append", "--store", audit], input: line, in: place).code == 0)
    #expect(try Program.run(["cat", "--store", audit], in: place).output.contains(hostile))
    let shown = #"a\u009b31mb\u202ec\u00add\u200be\udb40\udc41"#
    for command in [["cat"], ["cat", "--stream", "x/" + hostile], ["cat", "--last", "1"], ["flows"], ["info"]] {
      let run = try PseudoTerminal.output(of: command + ["--store", audit], columns: 160, in: place)
      #expect(!run.output.unicodeScalars.contains { hostile.unicodeScalars.contains($0) && $0.value > 0x7F })
      #expect(command[0] != "cat" || run.output.contains(#""text":"\#(shown)""#), "\(command): \(run.output)")
    }
    let explained = try PseudoTerminal.output(
      of: ["explain", "--json", try place.write(#"{"status":"\#(hostile)"}"#, to: "body.json")], columns: 80, in: place)
    #expect(!explained.output.unicodeScalars.contains { [0x9B, 0x202E, 0xAD].contains($0.value) })
  }

  @Test("on a terminal, PAGER shows what is for reading; elsewhere nothing begins it")
  func pager() throws {
    let flows = ["flows", "--store", store]
    let pager = ["PAGER": "sed s/^/page:/"]
    let paged = try PseudoTerminal.output(of: flows, columns: 160, environment: pager, in: folder)
    #expect(paged.output.contains("page:FLOW") && paged.output.contains(Self.user), "\(paged)")
    #expect(try !PseudoTerminal.output(of: flows, columns: 160, in: folder).output.contains("page:"))
    #expect(try !Program.run(flows, environment: pager, in: folder).output.contains("page:"))
    let gone = try PseudoTerminal.output(of: flows, columns: 160, environment: ["PAGER": "true"], in: folder)
    #expect(gone.code == 0 && !gone.output.contains(Self.user), "\(gone)")
  }
}
