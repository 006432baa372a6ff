import EventStore
import Foundation
import Glibc
import Testing

@Suite struct ServeTests {
  @Test("nothing is shown without the link, which works once, and under no other name")
  func entry() throws {
    let served = try Served(try Recorded.once().store, in: try Folder())
    #expect(served.link.hasPrefix("http://127.0.0.1:") && served.link.contains("/open?token="))
    for path in ["/", "/flows", "/app.js", "/events", "/open", "/open?token=0", "/nothing"] {
      #expect(try served.status(path) == "403", "\(path)")
    }
    // Who only looks at the link leaves it for the one who opens it.
    #expect(try served.status(served.link, "-I") == "200")
    #expect(try served.status("/") == "403")
    #expect(try served.get(served.link, "-i").contains("HttpOnly; SameSite=Strict"))
    #expect(try served.status("/") == "200")
    #expect(try served.status(served.link) == "403")
    #expect(try served.status("/", "-H 'Host: evil.example'") == "403")
    #expect(try served.status("/", "-H 'Host: 127.0.0.1.evil.example'") == "403")
    #expect(try served.status("/", "-X POST") == "405")
    let head = try served.get("/", "-D - -o /dev/null")
    #expect(head.contains("default-src 'none'") && !head.contains("unsafe-inline") && head.contains("no-store"))
  }

  @Test("two servers at once leave each other's session in the browser alone")
  func twoServers() throws {
    let (store, folder) = (try Recorded.once().store, try Folder())
    let (one, other) = (try Served(store, in: folder), try Served(store, in: folder))
    try one.enter()
    try other.enter()
    #expect(try one.status("/") == "200")
    #expect(try other.status("/") == "200")
  }

  @Test(
    "the cookie is of no use to another user of this machine",
    .enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0, "needs root and setpriv"))
  func otherUser() throws {
    let folder = try Folder()
    let served = try Served(try Recorded.once().store, in: folder)
    try served.enter()
    func status(_ program: String) throws -> String {
      try Program.shell(
        "cookie=$(awk '/flowrecorder/ {print $6 \"=\" $7}' jar); "
          + "\(program) -s -m 20 -o /dev/null -w '%{http_code}' -H \"Cookie: $cookie\" '\(served.root)/'", in: folder
      ).output
    }
    #expect(try status("curl") == "200")
    #expect(try status("setpriv --reuid=65534 --clear-groups curl") == "403")
    #expect(try status("curl") == "200")
  }

  @Test("each view shows what the log has, and the proof holds")
  func views() throws {
    let recorded = try Recorded.once()
    let served = try Served(recorded.store, in: try Folder())
    try served.enter()
    let flow = try recorded.flow(of: "ann@acme.example")
    let overview = try served.get("/")
    #expect(overview.contains("<svg class=\"chart\"") && overview.contains("ann@acme.example"))
    let list = try served.get("/flows?user=ann%40acme.example")
    #expect(list.contains("ann@acme.example") && !list.contains("bob@acme.example"))
    // What cannot be understood is said as the command line says it, beside the form.
    for (query, words) in [
      ("since=nonsense", "is no time; write one of RFC 3339"), ("kind=nonsense", "is no kind; there are authn, device"),
      ("status=nonsense", "is the status and outcome of no flow; there are"),
      ("since=2026-02-01&until=2026-01-01", "nothing is between them"),
    ] {
      let refused = try served.get("/flows?\(query)")
      #expect(refused.contains("role=\"alert\"") && refused.contains(words), "\(query): \(refused)")
      #expect(refused.contains("<form class=\"filter\"") && !refused.contains("ann@acme.example"), "\(query)")
      #expect(try served.status("/flows?\(query)") == "400", "\(query)")
    }
    let page = try served.get("/flow?id=\(flow)")
    #expect(page.contains("<svg class=\"sequence\"") && page.contains("leads to the root of the latest checkpoint"))
    #expect(page.contains("authenticate") && page.contains("type=\"range\""))
    let state = try served.get("/state?id=\(flow)&at=1")
    let later = try served.get("/state?id=\(flow)&at=9")
    #expect(state.contains("revision 1") && state != later)
    #expect(try served.get("/person?user=ann@acme.example").contains("first seen"))
    let integrity = try served.get("/integrity")
    for part in ["log.opened", "class=\"strip\"", "Merkle tree", "complete subtrees"] {
      #expect(integrity.contains(part), "\(part)")
    }
    #expect(try served.get("/integrity?check=all").contains("unanchored"))
    for (path, status) in [
      ("/flow?id=nothing", "404"), ("/flow", "404"), ("/state?id=\(flow)&at=x", "404"), ("/nothing", "404"),
      ("/report", "404"), ("/report?name=user", "404"), ("/report?name=x", "404"), ("/detections?since=x", "400"),
      ("/?kind=x", "400"), ("/person?user=ann&until=x", "400"), ("/report?name=sign-ins&since=x", "400"),
      ("/flows?status=LOCKED_OUT", "200"), ("/flows?status=none", "200"), ("/flows?kind=idx", "200"),
      ("/flow?id=\(flow)&at=3", "200"), ("/flow?id=\(flow)&at=999", "404"), ("/flow?id=\(flow)&at=x", "404"),
      ("/state?id=\(flow)&at=999", "404"), ("/state?id=\(flow)&at=-1", "404"),
      ("/../../etc/passwd", "404"), ("/flow?id=%ff%00", "404"), ("/flows?from=-5", "200"), ("/person", "200"),
    ] { #expect(try served.status(path, "--path-as-is") == status, "\(path)") }
    for text in [overview, list, page] {
      #expect(!text.contains("<script>") && !text.contains(" style=") && !text.contains("onclick"))
    }
  }

  @Test("reports are views with charts and links; with an index all pages are the same")
  func reports() throws {
    let folder = try Folder()
    let store = folder("company")
    #expect(try Program.run(["simulate", "--company", "--flows", "600", "--store", store], in: folder).code == 0)
    let plain = try Served(store, in: folder, ["--no-index"])
    try plain.enter()
    let overview = try plain.get("/")
    #expect(overview.contains("<svg class=\"spark\"") && overview.contains("href=\"/report?name=tokens\""))
    let factors = try plain.get("/factors")
    #expect(factors.contains("<svg class=\"bars\"") && factors.contains("Factors and push</h1>"))
    let detections = try plain.get("/detections")
    #expect(detections.contains("Bursts over many accounts (UTC)") && detections.contains("203.0."))
    let latency = try plain.get("/latency")
    #expect(latency.contains("The slowest requests") && latency.contains("as the flow saw it: p95, the first 12 of "))
    let hours = try plain.get("/report?name=hours")
    #expect(WebParts(hours).tables.first?.count == hours.components(separatedBy: "class=\"bar\"").count - 1)
    #expect(try plain.get("/person?user=ann0@acme.example").contains("days without flows left out, at most"))
    #expect(try plain.get("/report?name=compare").contains("<p class=\"quiet\">Of since "))
    let signIns = try plain.get("/report?name=sign-ins")
    #expect(signIns.contains("href=\"/flow?id=authn/") && signIns.contains("more rows: auditctl report prints"))
    let mine = try plain.get("/report?name=sign-ins&user=ANN0@acme.example")
    #expect(mine.contains("ann0@acme.example") && !mine.contains("bob1@acme.example"))
    #expect(try Program.run(["index", "--store", store, "--index", folder("i.sqlite")], in: folder).code == 0)
    let other = try Folder()
    let indexed = try Served(store, in: other, ["--index", folder("i.sqlite")])
    try indexed.enter()
    for path in [
      "/", "/flows", "/flows?q=ann&from=20", "/flows?from=590", "/flows?from=9999", "/flows?status=failed",
      "/person?user=ann0@acme.example", "/factors", "/detections", "/latency", "/report?name=funnel",
    ] {
      let page = try plain.get(path)
      #expect(page == (try indexed.get(path)), "\(path)")
      #expect(page.contains("</html>"))
      #expect(!page.contains("<script>") && !page.contains(" style=") && !page.contains("onclick"), "\(path)")
    }
  }

  @Test("a guess that got in has the color of what is bad; dates and short words are not broken, long ones may be")
  func guessing() throws {
    let folder = try Folder()
    let simulate = ["simulate", "--company", "--seed", "7", "--flows", "2500", "--store", folder("s")]
    #expect(try Program.run(simulate, in: folder).code == 0)
    let served = try Served(folder("s"), in: folder)
    try served.enter()
    let guesses = try served.get("/report?name=guessing")
    #expect(guesses.contains("<span class=\"outcome bad\">succeeded</span>"))
    #expect(guesses.contains("<span class=\"whole\">2026-01-"))
    #expect(try served.get("/report?name=tokens").contains("<span class=\"long\">01K"))
  }

  @Test("of a damaged store the verdict is shown, and the page that asks for it")
  func damaged() throws {
    let folder = try Folder()
    let simulate = ["simulate", "--company", "--flows", "300", "--store", folder("s")]
    #expect(try Program.run(simulate, in: folder).code == 0)
    let file = try #require(try FileManager.default.contentsOfDirectory(atPath: folder("s/segments")).first)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: folder("s/segments/\(file)")))
    bytes[bytes.count / 2] ^= 0xFF
    try bytes.write(to: URL(fileURLWithPath: folder("s/segments/\(file)")))
    let served = try Served(folder("s"), in: folder, ["--no-index"])
    try served.enter()
    #expect(try served.status("/") == "500")
    let integrity = try served.get("/integrity")
    #expect(integrity.contains("role=\"alert\"") && integrity.contains("Check every byte"), "\(integrity)")
    let verdict = try served.get("/integrity?check=all")
    #expect(verdict.contains("<b>altered</b>") && verdict.contains("<caption>Findings</caption>"), "\(verdict)")
  }

  @Test("recorded text is text: markup, escapes, directions, 64 KB")
  func hostile() throws {
    let folder = try Folder()
    let nasty = "<script>alert(1)</script>\"'&\u{202E}\u{1B}[31m" + String(repeating: "x", count: 40_000)
    let log = try EventLog.open(at: folder("s"))
    let started: JSON = ["kind": "authn", "sdk": "s", "settings": ["org": .string("https://<b>")]]
    let called: JSON = ["call": "authenticate", "arguments": ["username": .string(nasty)]]
    for (type, data) in [("flow.started", started), ("call.made", called), ("note.added", ["text": .string(nasty)])] {
      _ = try log.append([NewRecord(at: .now(), stream: "authn/01<b>'&", type: type, data: data.bytes)])
    }
    _ = try log.append([NewRecord(at: .now(), stream: "app/<i>", type: "<u>", data: called.bytes)])
    let blank: JSON = ["call": "authenticate", "arguments": ["username": "  "]]
    for (type, data) in [("flow.started", started), ("call.made", blank)] {
      _ = try log.append([NewRecord(at: .now(), stream: "authn/02", type: type, data: data.bytes)])
    }
    try log.close()
    let served = try Served(folder("s"), in: folder)
    try served.enter()
    for path in [
      "/", "/flows", "/flow?id=authn/01%3Cb%3E%27%26", "/flow?id=app/%3Ci%3E", "/flows?q=%3Cscript%3E",
      "/person?user=%3Cscript%3E", "/integrity", "/factors?user=%3Cscript%3E", "/detections?since=%3Cscript%3E",
      "/latency", "/report?name=sign-ins", "/report?name=failures",
    ] {
      let page = try served.get(path)
      #expect(page.contains("</html>"), "\(path)")
      for word in ["<script>", "<b>'", "<i>", "<u>", "\u{202E}", "\u{1B}"] {
        #expect(!page.contains(word), "\(path) has \(word)")
      }
    }
    // A person without a visible name has a link that can be seen; a long name does not fill the page.
    #expect(try served.get("/flows").contains(">&quot;  &quot;</a>"))
    #expect(try served.get("/flow?id=authn/01%3Cb%3E%27%26").contains("xxx…</span></a>"))
    let records = try served.get("/flow?id=app/%3Ci%3E")
    #expect(records.contains("This stream belongs to an application") && !records.contains("class=\"sequence\""))
  }

  @Test("new records are sent to clients that follow")
  func live() throws {
    let folder = try Folder()
    let log = try EventLog.open(at: folder("s"))
    try log.flush()
    let served = try Served(folder("s"), in: folder)
    try served.enter()
    let listening = Process()
    listening.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    listening.arguments = ["curl", "-sN", "-m", "60", "-b", "jar", "\(served.root)/events"]
    listening.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let pipe = Pipe()
    listening.standardOutput = pipe
    try listening.run()
    // The first line says that the server listens.
    func line() -> String {
      var line = Data()
      while line.last != 0x0A {
        let next = pipe.fileHandleForReading.readData(ofLength: 1)
        if next.isEmpty { break }
        line += next
      }
      return String(decoding: line, as: UTF8.self)
    }
    #expect(line() != "")
    _ = try log.append([NewRecord(at: .now(), stream: "app/1", type: "note", data: Array("{}".utf8))])
    try log.flush()
    // Then the event comes: the server says now and then that it is still there.
    var heard: [String] = []
    while heard.last?.hasPrefix("data:") != true {
      let next = line()
      guard next != "" else { break }
      if next.hasPrefix("event:") || next.hasPrefix("data:") { heard.append(next) }
    }
    // A process that these tests start may take no notice of SIGTERM.
    kill(listening.processIdentifier, SIGKILL)
    listening.waitUntilExit()
    try log.close()
    #expect(heard == ["event: records\n", "data: {\"position\":1}\n"])
  }

  @Test("a store that is not there is 66, a port that is taken 73")
  func refused() throws {
    let folder = try Folder()
    #expect(try Program.run(["serve", "--store", folder("none")], in: folder).code == 66)
    let served = try Served(try Recorded.once().store, in: folder)
    let port = String(served.root.split(separator: ":").last ?? "")
    let run = try Program.run(["serve", "--store", try Recorded.once().store, "--port", port], in: folder)
    #expect(run.code == 73 && run.errors.contains("in use"), "\(run)")
  }
}
