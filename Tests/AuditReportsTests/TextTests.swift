import AuditReports
import EventStore
import Testing

@Suite struct TextTests {
  @Test("control and direction-changing characters are escaped, other text stays")
  func printable() {
    #expect("a\u{1B}[31mb\u{07}".printable == "a\\u001b[31mb\\u0007")
    #expect("a\nb\tc\r".printable == "a\\nb\\tc\\r")
    #expect("\u{202E}evil\u{9B}".printable == "\\u202eevil\\u009b")
    #expect("Grüße, 世界 👋".printable == "Grüße, 世界 👋")
  }

  @Test("columns count wide characters twice")
  func columns() {
    #expect("abc".columns == 3 && "世界".columns == 4)
    #expect("世界世界".cut(to: 6) == "世界…")
    #expect("abc".cut(to: 3) == "abc" && "abcd".cut(to: 3) == "ab…" && "abc".cut(to: 0).isEmpty)
  }

  @Test("paragraphs never exceed their width", arguments: [20, 40, 80])
  func paragraph(width: Int) {
    let text = "A long word: \(String(repeating: "x", count: 100)) and some short ones after it, 世界世界世界世界"
    let lines = Paragraph.lines(text, width: width, lead: "  lead  ")
    #expect(lines.allSatisfy { $0.columns <= width })
    let words = lines.joined().filter { $0 != " " }
    #expect(words == "lead" + text.filter { $0 != " " })
    #expect(Paragraph.lines("", width: width) == [""])
  }

  @Test("a table takes what is too much from the widest cells that may shrink")
  func table() {
    let long = String(repeating: "y", count: 50)
    let table = TextTable(
      [.init("A"), .init("NAME", mayShrink: true), .init("N", alignsRight: true)],
      rows: [["1", long, "7"], ["2", "z", "11"]])
    let lines = table.lines(width: 20)
    #expect(lines.allSatisfy { $0.columns <= 20 })
    #expect(lines[1].hasSuffix("…  7") && lines[2].hasSuffix(" 11"))
  }

  @Test(
    "times as commands take them",
    arguments: [
      ("now", "2026-11-21T12:34:56.000000Z"), ("today", "2026-11-21T00:00:00.000000Z"),
      ("yesterday", "2026-11-20T00:00:00.000000Z"), ("-15m", "2026-11-21T12:19:56.000000Z"),
      ("-24h", "2026-11-20T12:34:56.000000Z"), ("-7d", "2026-11-14T12:34:56.000000Z"),
      ("2026-11-21T08:35:00+01:00", "2026-11-21T07:35:00.000000Z"), ("2026-11-01", "2026-11-01T00:00:00.000000Z"),
    ])
  func time(text: String, meant: String) throws {
    let now = try #require(Timestamp("2026-11-21T12:34:56Z"))
    #expect(TimeExpression.time(text, now: now)?.description == meant)
  }

  @Test(
    "other text is no time", arguments: ["", "-", "-m", "-5", "-5y", "--5m", "soon", "2026", "-99999999999999999d"])
  func noTime(text: String) { #expect(TimeExpression.time(text, now: .now()) == nil) }

  @Test("quantities")
  func quantities() {
    #expect(Quantity.duration(milliseconds: 340) == "340 ms")
    #expect(Quantity.duration(milliseconds: 5_000) == "5 s" && Quantity.duration(milliseconds: 2_149) == "2.1 s")
    #expect(Quantity.duration(milliseconds: 200_000) == "3 min 20 s")
    #expect(Quantity.size(812) == "812 bytes" && Quantity.size(4_120) == "4.1 KB")
    #expect(Quantity.count(1, "flow") == "1 flow" && Quantity.count(0, "flow") == "0 flows")
  }
}
