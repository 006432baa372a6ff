import AuditReports
import EventStore
import FlowRecording
import Testing

@Suite struct TextTests {
  @Test("control and direction-changing characters are escaped, other text stays")
  func printable() {
    #expect("a\u{1B}[31mb\u{07}".printable == "a\\u001b[31mb\\u0007")
    #expect("a\nb\tc\r".printable == "a\\nb\\tc\\r")
    #expect("\u{202E}evil\u{9B}".printable == "\\u202eevil\\u009b")
    #expect("Grüße, 世界 👋".printable == "Grüße, 世界 👋")
  }

  @Test("what Unicode does not show is escaped, as JSON escapes it")
  func invisible() {
    #expect("a\u{AD}b\u{200B}c\u{200D}d\u{2060}e\u{FEFF}".printable == "a\\u00adb\\u200bc\\u200dd\\u2060e\\ufeff")
    #expect("\u{E0041}\u{E007F}".printable == "\\udb40\\udc41\\udb40\\udc7f")
    #expect("\u{FFF9}\u{2066}\u{3164}\u{FE0F}".printable == "\\ufff9\\u2066\\u3164\\ufe0f")
    #expect("e\u{301}न\u{94D}".printable == "e\u{301}न\u{94D}")
  }

  @Test("what is shown keeps its lines and colors, and nothing else")
  func shown() {
    #expect("\u{1B}[1mbold\u{1B}[0m\nnext\r".shown == "\u{1B}[1mbold\u{1B}[0m\nnext\r")
    #expect("a\u{9B}31m\u{202E}\u{7}".shown == "a\\u009b31m\\u202e\\u0007")
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
    let lines = Paragraph.lines(text, width: LineWidth(width), lead: "  lead  ")
    #expect(lines.allSatisfy { $0.columns <= width })
    let words = lines.joined().filter { $0 != " " }
    #expect(words == "lead" + text.filter { $0 != " " })
    #expect(Paragraph.lines("", width: LineWidth(width)) == [""])
    let soft = Paragraph.lines(text, width: LineWidth(width, isStrict: false))
    #expect(soft.contains(String(repeating: "x", count: 100)), "a word is whole where no terminal is")
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
    #expect(table.lines(width: LineWidth(20, isStrict: false))[1].contains(long))
  }

  @Test("a table that is too wide leaves out columns, names them, and keeps times whole; elsewhere it is whole")
  func leftOut() {
    let columns: [TextTable.Column] = [
      .init("TIME"), .init("USER", mayShrink: true), .init("KIND", mayShrink: true, mayBeLeftOut: true),
      .init("CLIENT", mayShrink: true, mayBeLeftOut: true), .init("FLOW", mayShrink: true),
    ]
    let time = "2026-01-15 09:00:00"
    let table = TextTable(
      columns, rows: [[time, "ann@acme.example", "authn", String(repeating: "c", count: 40), "authn/1"]])
    let narrow = table.lines(width: 50)
    #expect(narrow.allSatisfy { $0.columns <= 50 })
    #expect(narrow[1].hasPrefix(time + " ") && narrow[1].contains("ann@acme.example") && narrow[1].hasSuffix("authn/1"))
    #expect(narrow[0].split(separator: " ") == ["TIME", "USER", "KIND", "FLOW"])
    // The note is set in the same width.
    let note = narrow.dropFirst(2).map { $0.trimmingPrefix { $0 == " " } }.joined(separator: " ")
    #expect(note == "left out, which a wider terminal and --json show: client")
    // With room for a part of it, the column is cut.
    #expect(table.lines(width: 60).count == 2 && table.lines(width: 60)[1].contains("c…"))
    #expect(table.lines(width: LineWidth(50, isStrict: false)).count == 2)
  }

  @Test("a column that says nothing if it is cut stays whole while others are left out or cut")
  func readable() {
    let time = "2026-01-15 09:00:00"
    let columns: [TextTable.Column] = [
      .init("TIME"), .init("USER", mayShrink: true), .init("PLACE", mayShrink: true, readable: 15),
      .init("KIND", mayShrink: true, isMinor: true),
    ]
    let row = [time, "ann.of.the.office@acme.example", "198.51.100.123", "idx"]
    let table = TextTable(columns, rows: [row])
    let narrow = table.lines(width: 50)
    #expect(narrow[0].split(separator: " ") == ["TIME", "USER", "PLACE"])
    #expect(narrow[1] == "\(time) ann.of.the.off… 198.51.100.123" && narrow.last?.contains("kind") == true)
    // With a column more at hand it stays; with less than is readable all are cut.
    #expect(table.lines(width: 53)[1].hasSuffix("… 198.51.100.123 idx"))
    #expect(table.lines(width: 40)[1].columns == 40)
    // Nothing is wider than the terminal, also if not all titles have room.
    for width in 24..<60 {
      #expect(table.lines(width: LineWidth(width)).allSatisfy { $0.columns <= width }, "\(width)")
    }
  }

  @Test(
    "times as commands take them",
    arguments: [
      ("now", "2026-11-21T12:34:56.000000Z"), ("today", "2026-11-21T00:00:00.000000Z"),
      ("yesterday", "2026-11-20T00:00:00.000000Z"), ("-15m", "2026-11-21T12:19:56.000000Z"),
      ("-24h", "2026-11-20T12:34:56.000000Z"), ("-7d", "2026-11-14T12:34:56.000000Z"),
      ("2026-11-21T08:35:00+01:00", "2026-11-21T07:35:00.000000Z"), ("2026-11-01", "2026-11-01T00:00:00.000000Z"),
      ("10:00", "2026-11-21T10:00:00.000000Z"), ("9:05:07", "2026-11-21T09:05:07.000000Z"),
      ("yesterday 14:00", "2026-11-20T14:00:00.000000Z"), ("today 00:00", "2026-11-21T00:00:00.000000Z"),
      ("2026-11-19 08:30", "2026-11-19T08:30:00.000000Z"), ("2026-11-19T08:30", "2026-11-19T08:30:00.000000Z"),
      ("last week", "2026-11-09T00:00:00.000000Z"), ("this week", "2026-11-16T00:00:00.000000Z"),
      ("last month", "2026-10-01T00:00:00.000000Z"), ("this month", "2026-11-01T00:00:00.000000Z"),
      ("@1795251600", "2026-11-21T09:00:00.000000Z"), ("1795251600", "2026-11-21T09:00:00.000000Z"),
      ("@1795251600.25", "2026-11-21T09:00:00.250000Z"), ("@0", "1970-01-01T00:00:00.000000Z"),
    ])
  func time(text: String, meant: String) throws {
    let now = try #require(Timestamp("2026-11-21T12:34:56Z"))
    #expect(TimeExpression.time(text, now: now)?.description == meant)
  }

  @Test(
    "other text is no time",
    arguments: [
      "", "-", "-m", "-5", "-5y", "--5m", "soon", "2026", "-99999999999999999d", "24:00", "10:60",
      "1:2", "10:00:00:00", "tomorrow 10:00", "2026-02-30", "2026-02-30 10:00", "last decade", "@", "@x",
      "@-1",
      "@99999999999999", "today 10", "T10:00", " 10:00",
    ])
  func noTime(text: String) { #expect(TimeExpression.time(text, now: .now()) == nil) }

  @Test(
    "a day, a week, a month, a minute, a second goes to its last moment",
    arguments: [
      ("today", "2026-11-21T23:59:59.999999Z"), ("yesterday", "2026-11-20T23:59:59.999999Z"),
      ("2026-02-28", "2026-02-28T23:59:59.999999Z"), ("last week", "2026-11-15T23:59:59.999999Z"),
      ("last month", "2026-10-31T23:59:59.999999Z"), ("10:00", "2026-11-21T10:00:59.999999Z"),
      ("9:05:07", "2026-11-21T09:05:07.999999Z"), ("yesterday 14:00", "2026-11-20T14:00:59.999999Z"),
      ("now", "2026-11-21T12:34:56.000000Z"), ("-15m", "2026-11-21T12:19:56.000000Z"),
      ("2026-11-21T08:35:00Z", "2026-11-21T08:35:00.999999Z"), ("2026-11-21T08:35Z", "2026-11-21T08:35:59.999999Z"),
      ("2026-11-21T08:35:00.5Z", "2026-11-21T08:35:00.500000Z"), ("@1795251600", "2026-11-21T09:00:00.999999Z"),
      ("@1795251600.25", "2026-11-21T09:00:00.250000Z"),
    ])
  func end(text: String, last: String) throws {
    let now = try #require(Timestamp("2026-11-21T12:34:56Z"))
    #expect(TimeExpression(text, now: now)?.last.description == last)
  }

  @Test(
    "days and times of day are those of the zone, also where the clock is changed",
    arguments: [
      ("today", "Europe/Berlin", "2026-03-28T23:00:00.000000Z", "2026-03-29T21:59:59.999999Z"),
      ("yesterday", "Europe/Berlin", "2026-03-27T23:00:00.000000Z", "2026-03-28T22:59:59.999999Z"),
      ("10:00", "Europe/Berlin", "2026-03-29T08:00:00.000000Z", "2026-03-29T08:00:59.999999Z"),
      ("01:59:59", "Europe/Berlin", "2026-03-29T00:59:59.000000Z", "2026-03-29T00:59:59.999999Z"),
      ("03:00", "Europe/Berlin", "2026-03-29T01:00:00.000000Z", "2026-03-29T01:00:59.999999Z"),
      ("2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00.000000Z", "2026-10-25T01:30:59.999999Z"),
      ("2026-10-25 03:00", "Europe/Berlin", "2026-10-25T02:00:00.000000Z", "2026-10-25T02:00:59.999999Z"),
      ("2026-10-25T02:30+01:00", "Europe/Berlin", "2026-10-25T01:30:00.000000Z", "2026-10-25T01:30:59.999999Z"),
      ("2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00.000000Z", "2026-10-25T22:59:59.999999Z"),
      ("today", "-08:00", "2026-03-29T08:00:00.000000Z", "2026-03-30T07:59:59.999999Z"),
      ("yesterday 23:15", "+0530", "2026-03-28T17:45:00.000000Z", "2026-03-28T17:45:59.999999Z"),
    ])
  func zones(text: String, zone: String, first: String, last: String) throws {
    let now = try #require(Timestamp("2026-03-29T10:00:00Z"))
    let place = try #require(Zone(zone))
    let time = try #require(TimeExpression(text, now: now, zone: place))
    #expect(time.first.description == first && time.last.description == last)
  }

  @Test("a time that the clock skips is none; one that it shows twice is printed with its offset, and no other is")
  func changes() throws {
    let berlin = try #require(Zone("Europe/Berlin"))
    let now = try #require(Timestamp("2026-03-29T10:00:00Z"))
    for text in ["02:30", "2026-03-29T02:30", "2026-03-29 02:00:00", "today 02:59:59"] {
      #expect(TimeExpression(text, now: now, zone: berlin) == nil, "\(text)")
      #expect(TimeExpression.isSkipped(text, now: now, zone: berlin), "\(text)")
      #expect(!TimeExpression.isSkipped(text, now: now, zone: .utc), "\(text)")
    }
    for text in ["03:00", "soon", "2026-02-30 02:30"] {
      #expect(!TimeExpression.isSkipped(text, now: now, zone: berlin), "\(text)")
    }
    for (time, shown) in [
      ("2026-10-24T23:59:59Z", "2026-10-25 01:59:59"), ("2026-10-25T00:30:00Z", "2026-10-25 02:30:00 +02:00"),
      ("2026-10-25T01:30:00Z", "2026-10-25 02:30:00 +01:00"), ("2026-10-25T02:00:00Z", "2026-10-25 03:00:00"),
      ("2026-03-29T00:30:00Z", "2026-03-29 01:30:00"), ("2026-03-29T01:30:00Z", "2026-03-29 03:30:00"),
    ] {
      #expect(berlin.moment(try #require(Timestamp(time))) == shown)
    }
    #expect(Zone.utc.moment(now) == "2026-03-29 10:00:00")
  }

  @Test("zones by name, offset and UTC; other text is none")
  func zoneNames() throws {
    let time = try #require(Timestamp("2026-07-01T22:30:00.5Z"))
    #expect(Zone("utc") == .utc && Zone.utc.text(time) == "2026-07-01T22:30:00.500000Z")
    let berlin = try #require(Zone("Europe/Berlin"))
    #expect(berlin.day(time) == "2026-07-02" && berlin.clock(time) == "00:30:00")
    #expect(berlin.text(time) == "2026-07-02T00:30:00.500000+02:00" && berlin.name == "Europe/Berlin")
    #expect(Zone("-03:30")?.text(time) == "2026-07-01T19:00:00.500000-03:30")
    #expect(Zone("local") != nil)
    for text in ["", "Mars", "Mars/Base", "+1", "+25:00", "CET/", "02:00"] { #expect(Zone(text) == nil, "\(text)") }
  }

  @Test("quantities")
  func quantities() {
    #expect(Quantity.duration(milliseconds: 340) == "340 ms")
    #expect(Quantity.duration(milliseconds: 5_000) == "5 s" && Quantity.duration(milliseconds: 2_149) == "2.1 s")
    #expect(Quantity.duration(milliseconds: 200_000) == "3 min 20 s")
    #expect(Quantity.size(812) == "812 bytes" && Quantity.size(4_120) == "4.1 KB")
    #expect(Quantity.count(1, "flow") == "1 flow" && Quantity.count(0, "flow") == "0 flows")
  }
}
