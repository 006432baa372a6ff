import EventStore
import Foundation
import Testing

/// `auditctl report --html`
@Suite struct WebFileTests {
  private static func file(_ arguments: [String], in folder: Folder) throws -> String {
    let run = try Program.run(["report", "--html"] + arguments, in: folder)
    #expect(run.code == 0, "\(run.errors)")
    return run.output
  }

  @Test("the file says by which filters its flows were chosen")
  func filters() throws {
    let run = try Recorded.once().run("report", "--html", "--user", "ann@acme.example", "--factor", "push")
    // No flow of this store passes them.
    #expect(run.code == 1 && run.output.contains(" (of ann@acme.example, factor push). Figures"), "\(run.errors)")
    let all = try Recorded.once().run("report", "--html", "--user", "ann@acme.example")
    #expect(all.code == 0 && all.output.contains(" (of ann@acme.example). Figures"), "\(all.errors)")
  }

  @Test("the file says that no flow passes its filter, and the command exits with 1; a word that no flow has is 64")
  func nothingPasses() throws {
    let recorded = try Recorded.once()
    let nobody = try recorded.run("report", "--html", "--user", "nobody@acme.example")
    #expect(nobody.code == 1 && nobody.errors.contains("No flow passes these filters"), "\(nobody.errors)")
    #expect(nobody.output.contains("<p>No flow passes the filter.</p>"))
    let early = try recorded.run("report", "--html", "--until", "2001-01-01")
    #expect(early.code == 0 && early.errors.contains("No flow began in that time"), "\(early.errors)")
    let word = try recorded.run("report", "--html", "--factor", "bogus")
    #expect(word.code == 64 && word.output.isEmpty && word.errors.contains("'bogus' is no factor"), "\(word.errors)")
  }

  @Test("one person in two spellings has one page, and each name leads to it")
  func spellings() throws {
    let folder = try Folder()
    var log = LogText()
    log.add("authn/01A", user: "Ann", at: "2026-01-01T10:00:00Z")
    log.add("authn/01B", user: "ann", at: "2026-01-01T11:00:00Z")
    try log.write(to: folder("two"), in: folder)
    let html = try Self.file(["--store", folder("two")], in: folder)
    let persons = WebParts.sections(of: html).keys.filter { $0.hasPrefix("/person?") }
    #expect(Array(persons) == ["/person?user=ann"])
    for name in ["Ann", "ann"] { #expect(html.contains("<a href=\"#/person?user=ann\">\(name)</a>"), "\(name)") }
  }

  @Test("one file has the views of serve, with the same charts, tables and figures")
  func same() throws {
    let folder = try Folder()
    let store = folder("company")
    let simulate = ["simulate", "--company", "--seed", "7", "--flows", "600", "--store", store]
    #expect(try Program.run(simulate, in: folder).code == 0)
    let sign = ["checkpoint", "--store", store, "--signing-key", folder("k.key")]
    #expect(try Program.run(sign, in: folder).code == 0)
    #expect(
      try Program.run(["report", "--html", "--store", store, "--flows", "4", "-o", folder("a.html")], in: folder).code
        == 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder("a.html"))
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
    let file = try String(contentsOfFile: folder("a.html"), encoding: .utf8)
    let sections = WebParts.sections(of: file)
    let served = try Served(store, in: folder)
    try served.enter()
    let flows = sections.keys.filter { $0.hasPrefix("/flow?") }
    let persons = sections.keys.filter { $0.hasPrefix("/person?") }
    // The flow that the detection of fatigue names is among them, though it is not one of the latest.
    let fatigue = try #require(sections["/detections"].flatMap { WebParts($0).tables.first?.first })
    #expect(flows.count == 4 && persons.count >= 4)
    let names = flows.map { ($0.components(separatedBy: "/").last ?? "-").prefix(13) }
    #expect(names.contains { fatigue.contains($0) }, "\(fatigue) \(names)")
    let reports = sections.keys.filter { $0.hasPrefix("/report?") }
    #expect(reports.count == 29)
    for path in ["/", "/flows", "/factors", "/detections", "/latency", "/integrity"] + flows + persons + reports {
      let section = try #require(sections[path], "\(path)")
      let mine = WebParts(section)
      var page = WebParts(try served.get(path))
      #expect(mine.charts == page.charts, "\(path)")
      #expect(mine.figures == page.figures, "\(path)")
      #expect(mine.tables.count == page.tables.count && mine.tables.allSatisfy { !$0.isEmpty }, "\(path)")
      if path == "/flows" {
        // Served by the hundred; the file has all of them.
        #expect(mine.tables[0].count == 600)
        page.tables[0] += WebParts(try served.get("/flows?from=100")).tables[0]
        #expect(Array(mine.tables[0].prefix(200)) == page.tables[0])
      } else {
        for (one, other) in zip(mine.tables, page.tables) { #expect(one == Array(other.prefix(one.count)), "\(path)") }
      }
      #expect(!section.contains("Follow the log") && !section.contains(" action="), "\(path)")
    }
    // A link leads to a section that is there, and nowhere else.
    let links = WebParts.pieces(of: file, from: "href=\"", to: "\"").map { $0.dropFirst(6).dropLast() }
    #expect(links.allSatisfy { $0 == "#main" || sections[String($0.dropFirst())] != nil })
    #expect(links.contains { $0.hasPrefix("#/flow?id=") } && links.contains("#/report?name=tokens"))
    // The same store gives the same file, but for the reports that name the present time.
    var again = WebParts.sections(of: try Self.file(["--store", store, "--flows", "4"], in: folder))
    for name in ["compare", "sessions", "tokens"] {
      again["/report?name=\(name)"] = sections["/report?name=\(name)"]
    }
    #expect(again == sections)
  }

  @Test("the states of a flow are those of serve; its last one is shown")
  func states() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let file = try Self.file(["--store", recorded.store], in: folder)
    let flow = try recorded.flow(of: "ann@acme.example")
    let section = try #require(WebParts.sections(of: file)["/flow?id=\(flow)"])
    let states = WebParts.pieces(of: section, from: "<pre", to: "</pre>")
    let served = try Served(recorded.store, in: folder)
    try served.enter()
    #expect(states.count > 3 && states.filter { !$0.contains(" hidden>") }.count == 1)
    #expect(!(states.last ?? "").contains(" hidden>"))
    for state in states {
      let from = try #require(WebParts.pieces(of: state, from: "data-from=\"", to: "\"").first).filter(\.isNumber)
      let page = try served.get("/state?id=\(flow)&at=\(from)")
      let escaped = WebParts.text(state).replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(
        of: "&#39;", with: "'"
      ).replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">").replacingOccurrences(
        of: "&amp;", with: "&")
      #expect(page.hasSuffix("\n\n" + escaped), "revision \(from)")
    }
  }

  @Test("the file takes nothing from anywhere: its policy names its own style and script by their hashes")
  func policy() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let file = try Self.file(["--store", recorded.store], in: folder)
    for (tag, kind) in [("style", "style-src"), ("script", "script-src")] {
      let found = WebParts.pieces(of: file, from: "<\(tag)>", to: "</\(tag)>")
      #expect(found.count == 1)
      let text = (found.first ?? "").dropFirst(tag.count + 2).dropLast(tag.count + 3)
      _ = try folder.write(String(text), to: tag)
      let hash = try Program.shell("openssl dgst -sha256 -binary \(tag) | base64", in: folder).lines.first ?? "none"
      #expect(file.contains("\(kind) 'sha256-\(hash)';"), "\(kind)")
    }
    #expect(file.contains("content=\"default-src 'none'; ") && !file.contains("unsafe"))
    for word in [" src=", " style=", " onclick", "<link", "url(", "@import", "href=\"http", "fetch("] {
      #expect(!file.contains(word), "\(word)")
    }
  }

  @Test("a large store gives a file of bounded size that says what is left out")
  func bounds() throws {
    let folder = try Folder()
    let log = try EventLog.open(at: folder("s"), options: EventLog.Options(durability: .os))
    for number in 0..<1_100 {
      let count = number == 1_099 ? 1_001 : 1
      _ = try log.append(
        (0..<count).map { _ in
          NewRecord(at: .now(), stream: "app/\(number)", type: "note", data: Array("{}".utf8))
        })
    }
    try log.close()
    let file = try Self.file(["--store", folder("s"), "--flows", "3"], in: folder)
    let sections = WebParts.sections(of: file)
    let list = try #require(sections["/flows"])
    #expect(WebParts(list).tables[0].count == 1_000)
    #expect(list.contains("1100 flows, the latest first. This file lists 1000 of them."))
    #expect(sections.keys.filter { $0.hasPrefix("/flow?") }.count == 3)
    #expect(sections["/flow?id=app/1099"]?.contains("1001 events, more than a file shows") == true)
    #expect(sections["/"]?.contains("It is about 1100 flows.") == true)
    let none = try Self.file(["--store", folder("s"), "--flows", "0", "--since", "2001-01-01"], in: folder)
    #expect(WebParts.sections(of: none).keys.allSatisfy { !$0.hasPrefix("/flow?") })
    let empty = try Self.file(["--store", folder("s"), "--until", "2001-01-01"], in: folder)
    #expect(empty.contains("It is about 0 flows (until 2001-01-01T23:59:59.999999Z)"))
  }

  @Test("recorded text is text: markup, escapes, directions, 64 KB")
  func hostile() throws {
    let folder = try Folder()
    let long = String(repeating: "x", count: 65_000)
    let nasty = "<script>alert(1)</script>\"'&\u{202E}\u{1B}[31m</pre></section>" + long
    let log = try EventLog.open(at: folder("s"))
    let started: JSON = ["kind": "authn", "sdk": "s", "settings": ["org": .string("https://<b>")]]
    let called: JSON = ["call": "authenticate", "arguments": ["username": .string(nasty)]]
    for (type, data) in [("flow.started", started), ("call.made", called), ("note.added", ["text": .string(nasty)])] {
      _ = try log.append([NewRecord(at: .now(), stream: "authn/01<b>'&", type: type, data: data.bytes)])
    }
    _ = try log.append([NewRecord(at: .now(), stream: "app/<i>' onclick=", type: "<u>", data: called.bytes)])
    try log.close()
    let file = try Self.file(["--store", folder("s"), "--check"], in: folder)
    for word in ["<script>alert", "//<b>", "<b>'", "<i>", "<u>", "\u{202E}", "\u{1B}", "' onclick"] {
      #expect(!file.contains(word), "\(word)")
    }
    #expect(WebParts.pieces(of: file, from: "<script", to: ">").count == 1)
    #expect(file.contains("&lt;/pre&gt;&lt;/section&gt;xxxx"))
    #expect(WebParts.sections(of: file).keys.contains("/flow?id=authn/01%3Cb%3E%27%26"))
    #expect(file.contains("unanchored"))
  }

  @Test("what --html does not go with is 64, a file that cannot be written 73")
  func usage() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let recording = GoldenPath.file("password-only")
    for (arguments, says) in [
      (["push", "--html"], "leave out the name"), (["--html", "--json"], "in UTC"),
      (["--html", "--tz", "Europe/Berlin"], "in UTC"), (["push", "-o", "x"], "go with --html"),
      (["--html", "--flows", "5001"], "not within"), (["--html", "--limit", "5"], "without --limit"),
      (["--html", "--store", recording], "one store"),
    ] {
      let run = try Program.run(["report"] + arguments + ["--store", recorded.store], in: folder)
      #expect(run.code == 64 && run.errors.contains(says), "\(arguments): \(run)")
    }
    let nowhere = ["report", "--html", "--store", recorded.store, "-o", folder("no/such/file.html")]
    #expect(try Program.run(nowhere, in: folder).code == 73)
  }
}
