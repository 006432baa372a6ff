// Lists of flows: which part, in which order, by which clock, of which store.

import EventStore
import Testing

@Suite struct ListTests {
  private let folder: Folder
  private var paris: String { folder("paris") }
  private var oslo: String { folder("oslo") }

  /// Two stores whose flows began in turns.
  init() throws {
    folder = try Folder()
    var log = LogText()
    log.add("authn/01A", user: "ann", at: "2026-11-20T10:00:00Z", milliseconds: 30)
    log.add("authn/01C", user: "cat", at: "2026-11-20T23:30:00Z", milliseconds: 10, outcome: "failed")
    try log.write(to: paris, in: folder)
    log = LogText()
    log.add("authn/01B", user: "bob", at: "2026-11-20T11:00:00Z", milliseconds: 20)
    log.add("authn/01D", user: "dan", at: "2026-11-21T00:10:00Z", milliseconds: 40)
    try log.write(to: oslo, in: folder)
  }

  private func flows(_ arguments: String...) throws -> [String] {
    let run = try Program.run(["flows", "--json"] + arguments, in: folder)
    return try run.lines.map { try #require(try JSON(parsing: Array($0.utf8))["user"]?.string) }
  }

  @Test("flows of several stores are merged by time, and each names its store")
  func merged() throws {
    #expect(try flows("--store", paris, "--store", oslo) == ["ann", "bob", "cat", "dan"])
    let run = try Program.run(["flows", "--store", paris, "--store", oslo], in: folder)
    #expect(run.lines.first?.hasSuffix("OUTCOME STORE") == true, "\(run.output)")
    #expect(run.lines.filter { $0.hasSuffix(paris) }.count == 2 && run.lines.filter { $0.hasSuffix(oslo) }.count == 2)
    let json = try Program.run(["flows", "--json", "--store", paris, "--store", oslo], in: folder).lines
    #expect(try json.map { try JSON(parsing: Array($0.utf8))["store"]?.string } == [paris, oslo, paris, oslo])
  }

  @Test("one store is not named")
  func single() throws {
    #expect(try !Program.run(["flows", "--store", paris], in: folder).output.contains("STORE"))
    #expect(try !Program.run(["flows", "--json", "--store", paris], in: folder).output.contains("\"store\""))
  }

  @Test("cat merges several stores by time, byte for byte")
  func cat() throws {
    let run = try Program.run(["cat", "--store", paris, "--store", oslo, "--type", "flow.started"], in: folder)
    let streams = try run.lines.map { try StoredRecord(line: Array($0.utf8)).stream }
    #expect(streams == ["authn/01A", "authn/01B", "authn/01C", "authn/01D"])
    let one = try Program.run(["cat", "--store", paris], in: folder).lines
    let other = try Program.run(["cat", "--store", oslo], in: folder).lines
    let both = try Program.run(["cat", "--store", paris, "--store", oslo], in: folder).lines
    #expect(both.sorted() == (one + other).sorted())
    #expect(both.filter(Set(one).contains) == one && both.filter(Set(other).contains) == other)
    let last = try Program.run(
      ["cat", "--store", paris, "--store", oslo, "--type", "flow.started", "--last", "3"], in: folder)
    #expect(last.lines == Array(run.lines.suffix(3)))
    let first = try Program.run(
      ["cat", "--store", paris, "--store", oslo, "--type", "flow.started", "--limit", "2"], in: folder)
    #expect(first.lines == Array(run.lines.prefix(2)))
    #expect(try Program.run(["cat", "--store", paris, "--limit", "2"], in: folder).lines == Array(one.prefix(2)))
  }

  @Test("a report over several stores counts the flows of each")
  func report() throws {
    let run = try Program.run(["report", "summary", "--store", paris, "--store", oslo, "--format", "json"], in: folder)
    let document = try JSON(parsing: Array(run.output.utf8))
    #expect(document["flows"]?.int == 4)
    #expect(document["stores"]?[paris]?.int == 2 && document["stores"]?[oslo]?.int == 2)
    let text = try Program.run(["report", "summary", "--store", paris, "--store", oslo], in: folder)
    #expect(text.lines.contains("Stores"))
  }

  @Test("documents about several stores name theirs", arguments: [["verify"], ["keys"], ["prove", "inclusion", "0"]])
  func documents(command: [String]) throws {
    let json = command.first == "prove" ? [] : ["--json"]
    let run = try Program.run(command + json + ["--store", paris, "--store", oslo], in: folder)
    #expect(try run.lines.map { try JSON(parsing: Array($0.utf8))["store"]?.string } == [paris, oslo], "\(run.output)")
  }

  @Test("--limit and --last give the ends of the list, --sort its order")
  func parts() throws {
    #expect(try flows("--store", paris, "--store", oslo, "--limit", "1") == ["ann"])
    #expect(try flows("--store", paris, "--store", oslo, "--last", "2") == ["cat", "dan"])
    #expect(try flows("--store", paris, "--store", oslo, "--sort", "duration") == ["cat", "bob", "ann", "dan"])
    #expect(try flows("--store", paris, "--store", oslo, "--sort", "-duration", "--limit", "2") == ["dan", "ann"])
    #expect(try flows("--store", paris, "--store", oslo, "--sort", "-started") == ["dan", "cat", "bob", "ann"])
    #expect(try flows("--store", paris, "--sort", "outcome") == ["cat", "ann"])
    for bad in [["--limit", "0"], ["--limit", "1", "--last", "1"], ["--sort", "colour"], ["--tz", "Mars"]] {
      #expect(try Program.run(["flows", "--store", paris] + bad, in: folder).code == 64, "\(bad)")
    }
  }

  @Test("flows that a log has in another order than they began are listed, and found as last, by when they began")
  func late() throws {
    let store = folder("late")
    var log = LogText()
    log.add("authn/01F", user: "fay", at: "2026-11-20T12:00:00Z")
    log.add("authn/01E", user: "eve", at: "2026-11-20T09:00:00Z")
    log.add("authn/01G", user: "gus", at: "2026-11-20T12:00:00Z")
    log.add("authn/01H", user: "hal", at: "2026-11-20T08:00:00Z")
    try log.write(to: store, in: folder)
    let index = folder("late.sqlite")
    #expect(try Program.run(["index", "--store", store, "--index", index], in: folder).code == 0)
    for option in [["--no-index"], ["--index", index]] {
      func users(_ arguments: String...) throws -> [String] {
        let run = try Program.run(["flows", "--json", "--store", store] + option + arguments, in: folder)
        return try run.lines.map { try #require(try JSON(parsing: Array($0.utf8))["user"]?.string) }
      }
      #expect(try users() == ["hal", "eve", "fay", "gus"])
      #expect(try users("--sort", "started", "--limit", "2") == ["hal", "eve"])
      #expect(try users("--sort", "-started", "--limit", "1") == ["fay"])
      #expect(try users("--last", "1") == ["gus"])
      let last = try Program.run(["show", "last", "--json", "--store", store] + option, in: folder)
      #expect(last.output.contains("authn/01G"), "\(last)")
    }
  }

  @Test("flows without a status are found, and shown, as none")
  func statusNone() throws {
    #expect(try flows("--store", paris, "--status", "none") == ["ann", "cat"])
    let run = try Program.run(["flows", "--store", paris], in: folder)
    #expect(run.lines.filter { $0.contains(" none ") }.count == 2, "\(run)")
    let funnel = try Program.run(["report", "funnel", "--store", paris], in: folder)
    #expect(funnel.output.contains("\nnone "), "\(funnel)")
  }

  @Test("sign-ins by one factor alone are listed apart from those with a second one")
  func onlyFactor() throws {
    let demo = try Program.run(["demo", "--store", folder("demo")], in: folder)
    #expect(demo.code == 0, "\(demo)")
    func users(_ options: String...) throws -> Set<String> {
      let run = try Program.run(["flows", "--store", "demo", "--kind", "authn", "--json"] + options, in: folder)
      return try Set(
        run.lines.compactMap { try JSON(parsing: Array($0.utf8))["user"]?.string?.prefix { $0 != "@" } }.map(
          String.init))
    }
    #expect(try users("--only-factor", "Password", "--outcome", "success") == ["ann"])
    #expect(try users("--factor", "password", "--outcome", "success") == ["ann", "bob", "dan"])
    #expect(try users("--only-factor", "push") == [])
  }

  @Test("a word that no filter knows and no flow has is 64, with the words there are")
  func words() throws {
    let store = folder("own")
    let line = #"{"stream":"mine/1","type":"flow.started","data":{"kind":"mine","sdk":"s","settings":{}}}"#
    #expect(try Program.run(["append", "--store", store], input: line, in: folder).code == 0)
    for (option, word, listed) in [
      ("--outcome", "sucess", "lockedOut"), ("--kind", "auhtn", "mine"), ("--factor", "pusch", "webauthn"),
      ("--only-factor", "pusch", "webauthn"),
    ] {
      for command in [["flows"], ["report", "summary"], ["report", "sign-ins", "--json"]] {
        let run = try Program.run(command + ["--store", store, option, word], in: folder)
        #expect(run.code == 64 && run.output.isEmpty, "\(run)")
        #expect(run.errors.contains("'\(word)' is no") && run.errors.contains(listed), "\(run)")
      }
    }
    #expect(try Program.run(["flows", "--store", store, "--kind", "mine"], in: folder).code == 0)
    #expect(try Program.run(["flows", "--store", store, "--kind", "mine", "--user", "ann"], in: folder).code == 1)
    #expect(try Program.run(["flows", "--store", store, "--outcome", "LockedOut"], in: folder).code == 1)
    #expect(try Program.run(["flows", "--store", store, "--factor", "push"], in: folder).code == 1)
  }

  @Test("a filter that renewals of the person's tokens pass, which name no one, lets something pass")
  func renewals() throws {
    let store = folder("tokens")
    var log = LogText()
    log.add("authn/01A", user: "ann", at: "2026-01-01T10:00:00Z")
    let context = #"{"client":{"address":"203.0.113.9"}}"#
    let lines = [
      #"{"stream":"authn/01A","type":"token.issued","at":"2026-01-01T10:00:01Z","data":{"id":"t1"}}"#,
      #"{"stream":"oidc/01B","type":"flow.started","at":"2026-01-01T11:00:00Z","#
        + #""data":{"kind":"oidc","sdk":"s","settings":{},"context":\#(context)}}"#,
      #"{"stream":"oidc/01B","type":"token.refreshed","at":"2026-01-01T11:00:00Z","data":{"id":"t1"}}"#,
    ]
    let input = (log.lines + lines).joined(separator: "\n")
    #expect(try Program.run(["append", "--store", store], input: input, in: folder).code == 0)
    for arguments in [
      ["tokens", "--place", "203.0.113.9"], ["theft", "--kind", "oidc"], ["detections", "--kind", "oidc"],
    ] {
      let run = try Program.run(["report"] + arguments + ["--user", "ann", "--store", store], in: folder)
      #expect(run.code == 0 && run.errors.isEmpty, "\(arguments): \(run)")
    }
    let none = try Program.run(["report", "tokens", "--user", "ann", "--kind", "idx", "--store", store], in: folder)
    #expect(none.code == 1 && none.errors.contains("No flow passes these filters"), "\(none)")
  }

  @Test(
    "a report about the log itself says that a filter of flows selects nothing in it",
    arguments: ["admin", "integrity"])
  func filtersOfFlows(name: String) throws {
    let store = folder("of-the-log-\(name)")
    var log = LogText()
    log.add("authn/01A", user: "ann", at: "2026-01-01T10:00:00Z")
    #expect(
      try Program.run(["append", "--store", store], input: log.lines.joined(separator: "\n"), in: folder).code == 0)
    let run = try Program.run(["report", name, "--store", store, "--place", "x", "--json"], in: folder)
    #expect(run.code == 0 && run.errors.isEmpty, "\(run)")
    let document = try JSON(parsing: Array(run.output.utf8))
    #expect(document["filter"]?["place"] == nil)
    #expect(run.output.contains("--place selects flows; this report is about the log itself"), "\(run.output)")
  }

  @Test("compare says if nothing began in the time that it chose, and refuses a part of it; CSV says what is left out")
  func quiet() throws {
    let store = folder("old")
    var log = LogText()
    log.add("authn/01A", user: "ann", at: "2020-01-01T10:00:00Z")
    log.add("authn/01B", user: "bob", at: "2020-01-01T10:00:01Z")
    try log.write(to: store, in: folder)
    let compare = try Program.run(["report", "compare", "--store", store], in: folder)
    #expect(compare.code == 0 && compare.errors.contains("No flow began in that time"), "\(compare)")
    #expect(compare.output.contains("Durations are of sign-ins and recoveries alone."))
    let then = try Program.run(["report", "compare", "--store", store, "--since", "2020-01-01"], in: folder)
    #expect(then.code == 0 && then.errors.isEmpty, "\(then)")
    let inside = try Program.run(
      ["report", "compare", "--store", store, "--since", "2020-01-01", "--against", "2020-01-02"], in: folder)
    let said = inside.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(inside.code == 64 && inside.output.isEmpty && said.contains("is inside the requested time"), "\(inside)")
    let csv = try Program.run(["report", "sign-ins", "--format", "csv", "--limit", "1", "--store", store], in: folder)
    #expect(csv.lines.count == 2 && csv.errors.contains("1 row is left out"), "\(csv)")
    let summary = ["report", "summary", "--limit", "1", "--store", store]
    let json = try JSON(parsing: Array(Program.run(summary + ["--json"], in: folder).output.utf8))
    #expect(json["users"] == ["ann": 1] && json["flows"] == 2, "\(json.text)")
    let listed = try Program.run(summary + ["--format", "csv"], in: folder)
    #expect(listed.lines.filter { $0.hasPrefix("users,") } == ["users,ann,1"], "\(listed)")
    #expect(listed.errors.contains("1 row is left out"), "\(listed)")
  }

  @Test("a minute is meant to its end, and an hour that comes twice from its first time to its last")
  func minutes() throws {
    let store = folder("autumn")
    var log = LogText()
    log.add("authn/01A", user: "ann", at: "2026-10-25T00:30:30Z")
    log.add("authn/01B", user: "bob", at: "2026-10-25T01:30:30Z")
    try log.write(to: store, in: folder)
    let berlin = ["--tz", "Europe/Berlin"]
    #expect(
      try flows("--store", store, berlin[0], berlin[1], "--since", "2026-10-25T02:30", "--until", "2026-10-25T02:30")
        == ["ann", "bob"])
    #expect(try flows("--store", store, "--since", "2026-10-25T01:30", "--until", "2026-10-25T01:30") == ["bob"])
    #expect(try flows("--store", store, "--until", "2026-10-25T00:30:30Z") == ["ann"])
    #expect(try flows("--store", store, berlin[0], berlin[1], "--until", "2026-10-25T02:30+02:00") == ["ann"])
    let table = try Program.run(["flows", "--store", store] + berlin, in: folder).output
    #expect(table.contains("02:30:30 +02:00") && table.contains("02:30:30 +01:00"), "\(table)")
    let report = try Program.run(["report", "sign-ins", "--store", store] + berlin, in: folder).output
    #expect(report.contains("2026-10-25 02:30:30 +02:00") && report.contains("2026-10-25 02:30:30 +01:00"), "\(report)")
  }

  @Test("in another order than that of time, each row has its day")
  func days() throws {
    let run = try Program.run(["flows", "--store", paris, "--sort", "-duration"], in: folder)
    #expect(run.lines.dropFirst().allSatisfy { $0.contains("2026-11-20 ") })
    #expect(run.lines.count == 3)
  }

  @Test("--tz moves days and times; JSON stays in UTC")
  func zone() throws {
    let run = try Program.run(["flows", "--store", paris, "--tz", "Europe/Berlin"], in: folder)
    #expect(
      run.lines.filter { $0.hasSuffix("Europe/Berlin") } == ["2026-11-20 Europe/Berlin", "2026-11-21 Europe/Berlin"])
    #expect(run.output.contains(" 11:00:00 ") && run.output.contains(" 00:30:00 "))
    let json = try Program.run(["flows", "--json", "--store", paris, "--tz", "+01:00"], in: folder).output
    #expect(json.contains("2026-11-20T23:30:00.000000Z"))
    let show = try Program.run(["show", "01A", "--store", paris, "--tz", "+05:30"], in: folder)
    #expect(show.output.contains("2026-11-20T15:30:00.000000+05:30"), "\(show.output)")
  }

  @Test("--until with a day includes all of that day, in the zone that is asked for")
  func untilDay() throws {
    #expect(try flows("--store", paris, "--store", oslo, "--until", "2026-11-20") == ["ann", "bob", "cat"])
    #expect(try flows("--store", paris, "--store", oslo, "--since", "2026-11-21") == ["dan"])
    let berlin = ["--tz", "Europe/Berlin"]
    #expect(
      try flows("--store", paris, "--store", oslo, "--until", "2026-11-20", berlin[0], berlin[1]) == ["ann", "bob"])
    #expect(try flows("--store", paris, "--since", "2026-11-20 10:30") == ["cat"])
    #expect(try flows("--store", paris, "--until", "@1795176000") == ["ann"])
  }

  @Test("info counts flows apart from the streams of an application")
  func info() throws {
    let store = folder("mixed")
    var log = LogText()
    log.add("authn/01A", user: "ann", at: "2026-11-20T10:00:00Z")
    try log.write(to: store, in: folder)
    let note = #"{"stream":"app/1","type":"note","data":{}}"# + "\n" + #"{"stream":"app/2","type":"note","data":{}}"#
    #expect(try Program.run(["append", "--store", store], input: note, in: folder).code == 0)
    let info = try JSON(parsing: Array(Program.run(["info", "--store", store, "--json"], in: folder).output.utf8))
    #expect(info["flows"]?.int == 1 && info["applicationStreams"]?.int == 2)
    let text = try Program.run(["info", "--store", store], in: folder)
    #expect(text.lines.contains("flows       1, and 2 streams of applications"), "\(text.output)")
  }
}
