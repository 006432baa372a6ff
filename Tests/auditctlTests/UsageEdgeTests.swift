import EventStore
import Foundation
import Testing

/// What commands refuse, and with which exit code, where two of them could differ.
@Suite struct UsageEdgeTests {
  @Test("what cannot be made in a directory that may not be written is 73, whichever command makes it")
  func readOnlyDirectory() throws {
    let recorded = try Recorded.once()
    let flow = try recorded.flow(of: "bob@acme.example")
    let folder = try Folder()
    let file = folder("bob.ndjson.lz4")
    #expect(try recorded.run("export", flow, "--as", "recording", "-o", file).code == 0)
    let store = recorded.store
    let commands = [
      ["export", flow, "--store", store, "--as", "recording", "-o", "/sys/flowrecorder-a"],
      ["export", flow, "--store", store, "--as", "har", "-o", "/sys/flowrecorder-a"],
      ["export", "--store", store, "--tiles", "/sys/flowrecorder-tiles"],
      ["backup", "--store", store, "-o", "/sys/flowrecorder-backup"],
      ["restore", store, "--store", "/sys/flowrecorder-new"],
      ["minimise", file, "--keep", "outcome=success", "-o", "/sys/flowrecorder-m"],
      ["promote", file, "--into", "/sys/flowrecorder-p"],
      ["append", "--store", "/sys/flowrecorder-audit"],
      ["simulate", "--company", "--flows", "300", "--store", "/sys/flowrecorder-co"],
    ]
    for command in commands {
      // A line, since an input without any makes no store.
      let run = try Program.run(command, input: "\n", in: folder)
      #expect(run.code == 73, "\(command) \(run.code) \(run.errors)\(run.output)")
    }
  }

  @Test("a store given twice counts once; a store and its copy are refused")
  func twice() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let copy = try recorded.copy(into: folder)
    let once = try recorded.run("report", "summary", "--json")
    let same = try recorded.run("report", "summary", "--json", "--store", recorded.store + "/.")
    #expect(same.code == 0 && same.output == once.output)
    for (command, beginning) in [("replay", 0), ("info", 1)] {
      // The path of the store, which is the one that was given first.
      let once = try recorded.run(command).lines.dropFirst(beginning)
      let same = try recorded.run(command, "--store", recorded.store + "/.")
      #expect(!once.isEmpty && same.lines.dropFirst(beginning) == once, "\(command): \(same)")
    }
    for command in [["flows"], ["cat"], ["replay"], ["replay", "--sweep"]] {
      let copies = try Program.run(command + ["--store", copy, "--store", recorded.store], in: folder)
      #expect(copies.code == 64 && copies.errors.contains("copies of one log"), "\(command): \(copies)")
    }
    // What is said of each by itself may be compared.
    #expect(try recorded.run("info", "--store", copy, "--json").lines.count == 2)
  }

  @Test("a store beside one that was restored from it, or a recording of its flows there, is refused")
  func restored() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let flow = try recorded.flow(of: "bob@acme.example")
    let (old, file) = (recorded.store, folder("bob.ndjson.lz4"))
    #expect(try recorded.run("export", flow, "--as", "recording", "-o", file).code == 0)
    for name in ["one", "two"] {
      #expect(try Program.run(["restore", old, "--store", folder(name)], in: folder).code == 0)
    }
    let (one, two) = (folder("one"), folder("two"))
    for (first, second) in [(old, one), (one, old), (one, two), (one, file), (file, one)] {
      let run = try Program.run(["report", "summary", "--store", first, "--store", second], in: folder)
      let words = run.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(run.code == 64 && words.contains("are copies of one log; give one of them"), "\(run)")
    }
    // A flow that the restored store alone has.
    let input = #"{"stream":"authn/01NEW","type":"flow.started","data":{"kind":"authn"}}"#
    #expect(try Program.run(["append", "--store", one], input: input, in: folder).code == 0)
    let added = folder("new.ndjson.lz4")
    let export = ["export", "authn/01NEW", "--store", one, "--as", "recording", "-o", added]
    #expect(try Program.run(export, in: folder).code == 0)
    #expect(try Program.run(["flows", "--store", old, "--store", added], in: folder).code == 0)
  }

  @Test("a recording beside its store, or beside its copy, is refused, since its flows would count twice")
  func recordingTwice() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let flow = try recorded.flow(of: "bob@acme.example")
    let file = folder("bob.ndjson.lz4")
    #expect(try recorded.run("export", flow, "--as", "recording", "-o", file).code == 0)
    let lines = folder("bob.ndjson")
    #expect(try recorded.run("export", flow, "--as", "ndjson", "-o", lines).code == 0)
    let other = try #require(try recorded.flows().compactMap { $0["flow"]?.string }.first { $0 != flow })
    let second = folder("other.ndjson.lz4")
    #expect(try recorded.run("export", other, "--as", "recording", "-o", second).code == 0)
    try FileManager.default.copyItem(atPath: file, toPath: folder("copy.ndjson.lz4"))
    let text = try String(contentsOfFile: lines, encoding: .utf8)
    let part = try folder.write(text.split(separator: "\n").prefix(3).joined(separator: "\n") + "\n", to: "part.ndjson")
    let pairs = [
      (recorded.store, file), (file, recorded.store), (recorded.store, lines), (file, lines),
      (file, folder("copy.ndjson.lz4")), (lines, part), (part, file),
    ]
    for command in [["flows"], ["report", "summary"], ["cat"], ["replay"]] {
      for (one, two) in pairs {
        let run = try Program.run(command + ["--store", one, "--store", two], in: folder)
        let words = run.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(run.code == 64 && words.contains("are copies of one log; give one of them"), "\(command) \(run)")
      }
      let both = try Program.run(command + ["--store", file, "--store", second], in: folder)
      #expect(both.code == 0, "\(both)")
    }
    let salvaged = try Program.run(
      ["flows", "--keep-going", "--store", recorded.store, "--store", file], in: folder)
    #expect(salvaged.code == 64 && salvaged.errors.contains("copies of one log"), "\(salvaged)")
    // Recordings that do not name a store may have flows of one name, as golden ones do.
    let golden = ["push-approved", "push-rejected"].flatMap { ["--store", GoldenPath.file($0)] }
    #expect(try Program.run(["flows", "--json"] + golden, in: folder).lines.count == 2)
  }

  @Test("a recording is taken wherever records are read, and its lines are those of the store")
  func recordings() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let flow = try recorded.flow(of: "bob@acme.example")
    let file = folder("bob.ndjson.lz4")
    #expect(try recorded.run("export", flow, "--as", "recording", "-o", file).code == 0)
    for format in ["ocsf", "ecs", "cef", "otlp", "ndjson", "har"] {
      let stored = try recorded.run("export", flow, "--as", format, "-o", "-")
      let cut = try Program.run(["export", flow, "--as", format, "-o", "-", "--store", file], in: folder)
      #expect(cut.code == 0 && cut.output == stored.output, "\(format) \(cut.errors)")
    }
    #expect(try Program.run(["token", "list", "--store", file], in: folder).code == 0)
    #expect(try Program.run(["correlate", "--store", file], in: folder).code == 1)
    for command in [["verify"], ["keys", "list"], ["index"], ["evidence", flow, "-o", folder("x.zip")]] {
      let run = try Program.run(command + ["--store", file], in: folder)
      #expect([64, 66].contains(run.code) && !run.errors.contains("no such"), "\(command) \(run)")
    }
  }

  @Test(
    "command lines that cannot mean what they say",
    arguments: [
      ("show nosuch.ndjson.lz4", 66, "no file nosuch.ndjson.lz4"), ("debug nosuch.lz4", 66, "no file nosuch.lz4"),
      ("show .", 66, "is a directory"), ("show 01KAJ4", 64, "--store"), ("token", 64, "list"), ("device", 64, "enroll"),
      ("prove", 64, "inclusion"), ("fleet", 64, "status"), ("help token", 0, "OVERVIEW"),
      ("token --help", 0, "OVERVIEW"),
      ("report summary --store STORE --since 2026-01-20 --until 2026-01-10", 64, "after --until"),
      ("flows --store STORE --user ann --user bob", 64, "2 times"), ("flows --store STORE --limit -1", 64, "under 1"),
      ("evidence --store STORE --user ann --user bob -o x.zip", 64, "2 times"),
      ("export --store STORE --as ocsf --user ann --user bob -o x", 64, "2 times"),
      ("report user --store STORE --user ann --user bob", 64, "2 times"),
      ("evidence --store STORE --user bob@acme.example -o -", 64, "- is no file"),
      ("flows --store STORE --since -1h30", 64, "'-1h30' is no time; write one of"),
      ("flows --store STORE --since -1h --limit 0", 64, "--limit 0 is under 1"),
      ("report push --store STORE --fatigue-pushes -1", 64, "under 1"),
      ("report hours --store STORE --work-hours 9", 64, "span of hours"),
      ("report summary --store STORE --json --format csv", 64, "--json and --format csv are two ways to write it"),
      ("report --list --json --format json", 0, "reports"),
      (
        "report people --store STORE --attack-users 5", 64,
        "--attack-users is for report spray, stuffing and detections; report people does not use it"
      ),
      ("report hours --store STORE --fatigue-pushes 5", 64, "--fatigue-pushes is for report push and detections"),
      ("report spray --store STORE --quick-approval 5s", 64, "--quick-approval is for report push"),
      ("report theft --store STORE --overlap-window 5m", 64, "--overlap-window is for report overlaps"),
      ("report spray --store STORE --guess-tries 3", 64, "--guess-tries is for report guessing and detections"),
      ("report people --store STORE --guess-window 2h", 64, "--guess-window is for report guessing and detections"),
      ("report guessing --store STORE --guess-tries 1", 64, "under 2"),
      ("report guessing --store STORE --guess-tries -1", 64, "under 2"),
      ("report guessing --store STORE --guess-tries 20 --guess-window 1d", 0, "Guessing"),
      ("report people --store STORE --shared-users 3", 64, "--shared-users is for report shared"),
      ("report shared --store STORE --shared-users 1", 64, "under 2"),
      ("report hours --store STORE --quiet-for 30d", 64, "--quiet-for is for report people"),
      ("report push --store STORE --work-hours 8-18", 64, "--work-hours is for report hours"),
      ("fleet report user --fleet f --user ann --theft-window 1d", 64, "--theft-window is for report theft and"),
      ("report detections --store STORE --attack-users 5 --theft-window 1d", 0, "Detections"),
      ("witness init --name 'a b' --key k --state s", 64, "--name 'a b' cannot be the name of a key"),
      ("restore STORE --store new --origin a+b", 64, "--origin 'a+b' cannot be used"),
      ("simulate --company --store new --port 8080", 64, "runs no org"),
      ("sign-in --org http://127.0.0.1:1 --store new --username ''", 64, "--username is empty"),
      ("append --store ''", 64, "--store is empty"), ("flows --store ''", 64, "--store is empty"),
    ])
  func refusals(line: String, code: Int32, words: String) throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let run = try Program.shell("'\(Program.binary)' \(line.replacing("STORE", with: recorded.store))", in: folder)
    #expect(run.code == code, "\(run)")
    #expect(run.output.contains(words), "\(run)")
    #expect(code == 0 || run.output.hasSuffix(".\n"), "\(run.output)")
    #expect(!FileManager.default.fileExists(atPath: folder("-")))
  }

  @Test("the error for a line with a member twice, or with an unknown name, says which")
  func lines() throws {
    let folder = try Folder()
    func append(_ line: String) throws -> Run {
      try Program.run(["append", "--store", folder("audit")], input: line + "\n", in: folder)
    }
    let twice = try append(#"{"stream":"a","stream":"b","type":"t","data":{}}"#)
    #expect(twice.code == 65 && twice.errors.contains("line 1") && twice.errors.contains("stream twice"), "\(twice)")
    let quoted = try append(#"{"stream":"a","type":"t\"","data":{}}"#)
    #expect(quoted.code == 65 && quoted.errors.contains("as type no name"), "\(quoted)")
    #expect(!quoted.errors.contains("batch"), "\(quoted)")
  }

  @Test("replay says what it can of good recordings beside one that cannot be read: 65")
  func goodAndBad() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let file = folder("bob.ndjson.lz4")
    #expect(
      try recorded.run("export", recorded.flow(of: "bob@acme.example"), "--as", "recording", "-o", file).code == 0)
    try "no recording".write(toFile: folder("bad.lz4"), atomically: true, encoding: .utf8)
    let run = try Program.run(["replay", file, folder("bad.lz4"), "--json"], in: folder)
    #expect(run.code == 65 && run.output.contains(#""replayed":1"#) && run.errors.contains("bad.lz4"), "\(run)")
  }

  @Test("edits that exclude each other are refused")
  func edits() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let flow = try recorded.flow(of: "bob@acme.example")
    for (edits, words) in [
      (#"{"edits":[{"at":4,"status":429},{"at":4,"missing":true}]}"#, "two edits at 4"),
      (#"{"edits":[{"at":4,"status":429,"lost":"timedOut"}]}"#, "exclude each other"),
    ] {
      try edits.write(toFile: folder("edits.json"), atomically: true, encoding: .utf8)
      let run = try recorded.run("replay", flow, "--edit", folder("edits.json"))
      #expect(run.code == 65 && run.errors.contains(words), "\(run)")
    }
  }

  @Test("a store whose only segment is gone says so among its findings")
  func segmentGone() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let store = try recorded.copy(into: folder)
    for name in try FileManager.default.contentsOfDirectory(atPath: store + "/segments") {
      try FileManager.default.removeItem(atPath: store + "/segments/" + name)
    }
    let run = try Program.run(["verify", "--store", store, "--json"], in: folder)
    let findings = try JSON(parsing: Array(run.output.utf8))["findings"]?.array ?? []
    #expect(run.code == 21 && findings.contains { $0["kind"] == "missingSegment" }, "\(run)")
    #expect(!findings.contains { $0["kind"] == "ok" }, "\(run)")
  }

  @Test("a company counts the flows that it wrote")
  func companySize() throws {
    let folder = try Folder()
    let run = try Program.run(
      ["simulate", "--company", "--flows", "240", "--store", folder("co"), "--json"], in: folder)
    let flows = try Program.run(["flows", "--store", folder("co"), "--json"], in: folder).lines.count
    #expect(try JSON(parsing: Array(run.output.utf8))["flows"]?.int == flows && flows == 240)
  }

  @Test("a company of fewer flows than its attacks take is refused, and the least number is accepted")
  func leastCompany() throws {
    let folder = try Folder()
    let company = ["simulate", "--company", "--store", folder("co"), "--json", "--flows"]
    let refused = try Program.run(company + ["50"], in: folder)
    #expect(refused.code == 64 && refused.output.isEmpty, "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: folder("co")))
    let least = try #require(refused.errors.firstMatch(of: /give ([0-9]+) or more/)?.output.1)
    let below = try #require(Int(least)) - 1
    #expect(try Program.run(company + [String(below)], in: folder).code == 64)
    let run = try Program.run(company + [String(least)], in: folder)
    #expect(run.code == 0, "\(run)")
    #expect(try JSON(parsing: Array(run.output.utf8))["flows"]?.int == Int(least))
  }
}
