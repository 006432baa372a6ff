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

  @Test("info tells flows from the streams of an application")
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
