import EventStore
import Foundation
import Testing

/// Reports, the index and searches, as a person at a terminal has them.
@Suite struct ReportFigureTests {
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("reports_check.py").path

  private static let names = [
    "summary", "sign-ins", "failures", "factors", "enrollments", "push", "spray", "stuffing", "guessing", "theft",
    "overlaps", "shared", "detections", "lockouts", "recovery", "sessions", "tokens", "devices", "latency", "http",
    "clients", "people", "places", "days", "hours", "funnel", "admin", "integrity", "compare", "user",
  ]

  @Test("a script that knows the records alone comes to every figure of every report")
  func figures() throws {
    let folder = try Folder()
    let store = folder("company")
    let simulated = try Program.run(
      ["simulate", "--company", "--seed", "11", "--flows", "2500", "--store", store, "--json"], in: folder)
    let document = try JSON(parsing: Array(simulated.output.utf8))
    let incidents = document["incidents"]?.array ?? []
    #expect(document["flows"] == 2_500 && incidents.count == 8)
    // Overlaps, factors that are set up twice and keys of several users are appended: a made-up company has none.
    let victim = try #require(incidents.first(where: { $0["kind"] == "theft" })?["user"]?.string)
    let place = try #require(incidents.first(where: { $0["kind"] == "enrollment" })?["place"]?.string)
    let device = try #require(incidents.first(where: { $0["kind"] == "shared" })?["device"]?.string)
    let guessed = try #require(incidents.first(where: { $0["kind"] == "guessing" })?["user"]?.string)
    let more = try Program.shell("python3 '\(Self.script)' --more \(victim) > more.ndjson", in: folder)
    let appended = try Program.shell("'\(Program.binary)' append --store company < more.ndjson", in: folder)
    #expect(more.code == 0 && appended.code == 0, "\(more) \(appended)")
    let cat = try Program.run(["cat", "--store", store], in: folder).output
    try cat.write(toFile: folder("cat.ndjson"), atomically: true, encoding: .utf8)
    try FileManager.default.createDirectory(atPath: folder("plain"), withIntermediateDirectories: true)
    let index = folder("index.sqlite")
    #expect(try Program.run(["index", "--store", store, "--index", index], in: folder).code == 0)
    // Without the index each report reads the log. Those that cross streams or list most do so here; the others agree
    // on the smaller log of `indexed()`.
    // The victim's report has flows that name no one: the renewals of the tokens.
    let crossing = ["sign-ins", "detections", "overlaps", "sessions", "theft", "compare", "latency", "user"]
    for name in Self.names {
      let options = ["report", name, "--store", store, "--json"] + Self.filter(of: name, user: victim)
      let report = try Program.run(options + ["--index", index], in: folder)
      #expect(report.code == 0, "\(name)")
      if crossing.contains(name) {
        #expect(try Program.run(options + ["--no-index"], in: folder).output == report.output, "\(name)")
      }
      try report.output.write(toFile: folder("plain/\(name).json"), atomically: true, encoding: .utf8)
    }
    let check = try Program.shell("python3 '\(Self.script)' cat.ndjson plain", in: folder)
    #expect(check.code == 0, "\(check.output)")
    for name in ["enrollments", "overlaps", "shared"] {
      let report = try String(contentsOfFile: folder("plain/\(name).json"), encoding: .utf8)
      #expect(report.contains("more-2"), "\(name) names the device of the appended flows")
      if name == "enrollments" { #expect(report.contains("\"\(place)\"")) }
      if name == "shared" { #expect(report.contains("\"\(device)\"")) }
    }
    let guessing = try String(contentsOfFile: folder("plain/guessing.json"), encoding: .utf8)
    #expect(guessing.contains("\"\(guessed)\"") && guessing.contains("\"succeeded\""))
    #expect(guessing.contains("\"gil@acme.example\"") && guessing.contains("\"locked\""))
    #expect(check.output.hasSuffix("30 reports, 0 tables differ\n"), "\(check.output)")
  }

  /// The options that a report needs.
  private static func filter(of name: String, user: String) -> [String] {
    switch name {
    case "user": ["--user", user.uppercased()]
    case "compare": ["--since", "2026-01-19", "--until", "2026-01-25"]
    // With an end, so that the days since a success do not depend on the clock.
    case "people": ["--until", "2026-06-30"]
    // Their notes name the time at which tokens are judged.
    case "sessions", "tokens": ["--as-of", "2026-06-30"]
    default: []
    }
  }

  @Test("each report is the same with the index and without")
  func indexed() throws {
    let folder = try Folder()
    let store = folder("company")
    let simulated = try Program.run(
      ["simulate", "--company", "--seed", "12", "--flows", "400", "--store", store, "--json"], in: folder)
    let incidents = try JSON(parsing: Array(simulated.output.utf8))["incidents"]?.array ?? []
    let user = try #require(incidents.first(where: { $0["kind"] == "theft" })?["user"]?.string)
    let appended = try Program.shell(
      "python3 '\(Self.script)' --more \(user) | '\(Program.binary)' append --store company", in: folder)
    #expect(appended.code == 0, "\(appended)")
    let index = folder("index.sqlite")
    #expect(try Program.run(["index", "--store", store, "--index", index], in: folder).code == 0)
    for name in Self.names {
      let options = ["report", name, "--store", store, "--json"] + Self.filter(of: name, user: user)
      let plain = try Program.run(options + ["--no-index"], in: folder)
      let indexed = try Program.run(options + ["--index", index], in: folder)
      #expect(plain.code == 0 && plain.output == indexed.output, "\(name)")
    }
  }

  @Test("search and show last find flows, with the index and without; nothing found exits 1")
  func search() throws {
    let folder = try Folder()
    let store = folder("company")
    #expect(
      try Program.run(["simulate", "--company", "--flows", "300", "--store", store, "--json"], in: folder).code == 0)
    func run(_ arguments: String...) throws -> Run { try Program.run(arguments + ["--store", store], in: folder) }
    let first = try JSON(parsing: Array(run("flows", "--limit", "1", "--json").output.utf8))
    let records = try run("cat", "--stream", try #require(first["flow"]?.string)).output
    let id = try #require(records.firstMatch(of: /"X-Okta-Request-Id","(req[0-9a-z]+)"/)?.output.1)
    var outputs: [[String]] = []
    for _ in 0..<2 {
      outputs.append(
        try [
          run("search", String(id), "--json").output, run("flows", "--search", String(id), "--json").output,
          run("search", "E0000004", "ann", "--json").output, run("show", "last").output,
          run("flows", "--reason", "wrongPassword", "--json").output, run("flows").output,
          run("show", String(try #require(first["flow"]?.string).dropFirst(6).prefix(20))).output,
        ])
      #expect(try run("index").code == 0)
    }
    #expect(outputs[0] == outputs[1])
    #expect(outputs[0][0].split(separator: "\n").count == 1 && outputs[0][0] == outputs[0][1])
    #expect(outputs[0][0].contains(try #require(first["flow"]?.string)))
    #expect(!outputs[0][4].isEmpty)
    #expect(try run("search", "zzzznothing").code == 1)
    #expect(try run("search", "---").code == 64)
    #expect(try run("index", "--index", "/proc/none/x").code == 73)
    #expect(try run("verify", "--json").output.contains("stray") == false)
  }

  @Test("an index that is stopped half-way is gone on with, and says the same")
  func stopped() throws {
    let folder = try Folder()
    let store = folder("company")
    #expect(try Program.run(["simulate", "--company", "--flows", "1500", "--store", store], in: folder).code == 0)
    // A second company of the same seed would go on in the same streams.
    let again = try Program.run(["simulate", "--company", "--flows", "300", "--store", store], in: folder)
    #expect(again.code == 73 && again.errors.contains("has flows already"), "\(again)")
    // Killed as soon as its file has something in it, however long that takes on this machine.
    let index = "'\(Program.binary)' index --store company --index i.sqlite"
    let cut = try Program.shell(
      "\(index) & until [ -s i.sqlite ] || ! kill -0 $!; do sleep 0.01; done; kill -KILL $!; wait; [ -s i.sqlite ]",
      in: folder)
    #expect(cut.code == 0, "\(cut.output)")
    let plain = try Program.run(["flows", "--store", store, "--json", "--no-index"], in: folder)
    let indexed = try Program.run(["flows", "--store", store, "--json", "--index", folder("i.sqlite")], in: folder)
    #expect(plain.output == indexed.output)
    #expect(try Program.run(["index", "--store", store, "--index", folder("i.sqlite")], in: folder).code == 0)
    #expect(
      try Program.run(["flows", "--store", store, "--json", "--index", folder("i.sqlite")], in: folder).output
        == plain.output)
  }

  @Test("report --list names the reports, each with its question and its events")
  func list() throws {
    let folder = try Folder()
    let list = try JSON(parsing: Array(Program.run(["report", "--list", "--json"], in: folder).output.utf8))
    #expect(list["schema"] == 1 && list["reports"]?.array?.compactMap { $0["name"]?.string } == Self.names)
    #expect(list["reports"]?.array?.allSatisfy { $0["events"]?.array?.isEmpty == false } == true)
    #expect(try Program.run(["report", "user", "--store", "x"], in: folder).code == 64)
    #expect(try Program.run(["report", "spray", "--store", "x", "--attack-percent", "101"], in: folder).code == 64)
    #expect(try Program.run(["report", "spray", "--store", folder("none")], in: folder).code == 66)
  }
}
