// Recordings made smaller, and into tests, by the command.

import EventStore
import Foundation
import Replay
import Testing

@Suite struct MinimiseCommandTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func path(_ name: String) -> String { GoldenPath.file(name) }

  private func document(_ run: Run) throws -> JSON { try JSON(parsing: Array(run.output.utf8)) }

  @Test("a status is kept, persons are not, and the result replays and is shown")
  func status() throws {
    let run = try Program.run(
      [
        "minimise", path("push-timed-out"), "--keep", "status=MFA_CHALLENGE", "--anonymise", "-o", "small.ndjson.lz4",
        "--json",
      ],
      in: folder)
    #expect(run.code == 0, "\(run)")
    let document = try document(run)
    #expect(document["schema"]?.int == 1 && document["anonymised"] == true)
    #expect((document["events"]?.int ?? 999) < 24 && (document["eventsBefore"]?.int ?? 0) > 200, "\(run.output)")
    let replay = try Program.run(["replay", "small.ndjson.lz4"], in: folder)
    #expect(replay.code == 0, "\(replay)")
    let cat = try Program.run(["cat", "--store", "small.ndjson.lz4"], in: folder)
    #expect(cat.code == 0 && !cat.output.contains("ann@") && cat.output.contains("MFA_CHALLENGE"), "\(cat)")
    let show = try Program.run(["show", "small.ndjson.lz4"], in: folder)
    #expect(show.code == 0 && show.output.contains("MFA_CHALLENGE"), "\(show)")
  }

  @Test("a divergence is kept, and a command decides")
  func divergence() throws {
    let make = try Program.shell(
      "lz4 -dc '\(path("push-timed-out"))' | sed 's/\"ms\":5000/\"ms\":4000/' > changed.ndjson", in: folder)
    #expect(make.code == 0)
    let run = try Program.run(
      ["minimise", "changed.ndjson", "--keep", "diverges", "-o", "small.ndjson.lz4"], in: folder)
    #expect(run.code == 0 && run.output.contains("small.ndjson.lz4: "), "\(run)")
    let replay = try Program.run(["replay", "small.ndjson.lz4"], in: folder)
    #expect(replay.code == 1 && replay.output.contains("4000"), "\(replay)")
    let exec = try Program.run(
      ["minimise", path("locked-out"), "--exec", "test -s", "-o", "tiny.ndjson.lz4", "--json"], in: folder)
    #expect(try exec.code == 0 && document(exec)["events"]?.int == 1, "\(exec)")
    for command in ["/no/such/command", "kill -9 $$; :"] {
      let unable = try Program.run(
        ["minimise", path("locked-out"), "--exec", command, "-o", "none.ndjson.lz4"], in: folder)
      #expect(unable.code == 64 && unable.errors.contains("gives no verdict"), "\(unable)")
      #expect(!FileManager.default.fileExists(atPath: folder("none.ndjson.lz4")))
    }
  }

  @Test("the command runs once more after persons were replaced, and a message says if what it looks for is gone")
  func anonymisedTest() throws {
    let named = #"f() { lz4 -dc "$1" | grep -q ann@acme.example; }; f"#
    let lost = try Program.run(
      ["minimise", path("locked-out"), "--exec", named, "--anonymise", "-o", "lost.ndjson.lz4"], in: folder)
    let words = lost.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(lost.code == 1 && words.contains("lost.ndjson.lz4 does not show it any more"), "\(lost)")
    let kept = try Program.run(
      ["minimise", path("locked-out"), "--exec", "test -s", "--anonymise", "-o", "kept.ndjson.lz4"], in: folder)
    #expect(kept.code == 0 && kept.errors.isEmpty, "\(kept)")
  }

  @Test("what is to be kept is looked for once more after persons were replaced")
  func anonymisedKeep() throws {
    let make = try Program.shell(
      """
      lz4 -dc '\(path("push-approved"))' | sed '/"type":"status.changed"/s/"status":"MFA_CHALLENGE"/"status":"Waiting"/
      s/"lastName":"Example"/"lastName":"Waiting"/' > named.ndjson
      """, in: folder)
    #expect(make.code == 0, "\(make)")
    let lost = try Program.run(
      ["minimise", "named.ndjson", "--keep", "status=Waiting", "--anonymise", "-o", "lost.ndjson.lz4"], in: folder)
    let words = lost.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      lost.code == 1 && words.contains("lost.ndjson.lz4 does not show it any more: --keep status=Waiting holds"),
      "\(lost)")
    let short = try Program.shell(
      "lz4 -dc '\(path("push-approved"))' | sed 's/ann@acme.example/al/g; s/\"ms\":5000/\"ms\":4000/' > short.ndjson",
      in: folder)
    #expect(short.code == 0, "\(short)")
    let kept = try Program.run(
      ["minimise", "short.ndjson", "--keep", "diverges", "--anonymise", "-o", "kept.ndjson.lz4"], in: folder)
    #expect(kept.code == 0 && kept.errors.isEmpty, "\(kept)")
    let replay = try Program.run(["replay", "kept.ndjson.lz4"], in: folder)
    #expect(replay.code == 1 && replay.output.contains("4000"), "\(replay)")
  }

  @Test("the context of a flow keeps no address, device and correlation")
  func contexts() throws {
    let run = try Program.run(
      [
        "minimise", path("corner-contexts"), "--keep", "status=SUCCESS", "--anonymise", "-o", "context.ndjson.lz4",
      ], in: folder)
    #expect(run.code == 0, "\(run)")
    #expect(try Program.run(["replay", "context.ndjson.lz4"], in: folder).code == 0)
    let cat = try Program.run(["cat", "--store", "context.ndjson.lz4"], in: folder)
    #expect(cat.output.contains("\"context\""), "\(cat)")
    for value in ["192.0.2.7", "2001:db8::1", "dev-1", "req-9"] { #expect(!cat.output.contains(value), "\(value)") }
  }

  @Test("coverage names a damaged recording, and counts the others")
  func damagedCoverage() throws {
    let make = try Program.shell(
      """
      mkdir mixed && cp '\(path("password-only"))' mixed/z.ndjson.lz4 &&
        head -c 200 '\(path("password-only"))' > mixed/a.ndjson.lz4
      """, in: folder)
    #expect(make.code == 0, "\(make)")
    let run = try Program.run(["coverage", "mixed", "--kind", "authn"], in: folder)
    #expect(run.code == 65 && run.output.contains("1 recording, 1 flow"), "\(run)")
    #expect(run.errors.contains("mixed/a.ndjson.lz4"), "\(run)")
  }

  @Test("what cannot be is said in one sentence, and leaves no file")
  func refused() throws {
    let cases: [(arguments: [String], code: Int32)] = [
      ([path("push-approved"), "--keep", "diverges", "-o", "x.lz4"], 1),
      ([path("push-approved"), "--keep", "status=NOTHING", "-o", "x.lz4"], 1),
      ([path("push-approved"), "--keep", "colour=red", "-o", "x.lz4"], 64),
      ([path("push-approved"), "-o", "x.lz4"], 64),
      (["nothing.lz4", "--keep", "diverges", "-o", "x.lz4"], 66),
      ([#filePath, "--keep", "diverges", "-o", "x.lz4"], 65),
      ([path("push-approved"), "--keep", "status=SUCCESS", "-o", "nowhere/x.lz4"], 73),
    ]
    for (arguments, code) in cases {
      let run = try Program.run(["minimise"] + arguments, in: folder)
      #expect(run.code == code, "\(arguments): \(run)")
      #expect(run.output.isEmpty && run.errors.split(separator: "\n").count == 1, "\(run)")
      #expect(!FileManager.default.fileExists(atPath: folder("x.lz4")))
    }
  }

  @Test("promotion writes recordings, an index and tests; duplicates are named; twice gives the same bytes")
  func promote() throws {
    let names = ["push-timed-out", "wrong-password", "idx-password"].map(path)
    let run = try Program.run(["promote"] + names + ["--into", "kept"], in: folder)
    #expect(run.code == 0 && run.lines.count == 3, "\(run)")
    #expect(run.lines.allSatisfy { $0.hasPrefix("@Test func ") && $0.contains("try expectReplays(\"kept/") })
    func content() throws -> [String: Data] {
      var content: [String: Data] = [:]
      for file in try FileManager.default.contentsOfDirectory(atPath: folder("kept")) {
        content[file] = FileManager.default.contents(atPath: folder("kept/\(file)"))
      }
      return content
    }
    let first = try content()
    #expect(first.count == 4)
    let index = try JSON(parsing: Array(try #require(first["INDEX.json"])))
    #expect(index["schema"]?.int == 1 && index["recordings"]?.array?.count == 3)
    #expect(index.text.contains("\"MFA_CHALLENGE\"") && index.text.contains("E0000004"), "\(index.text)")
    let again = try Program.run(["promote"] + names + ["--into", "kept", "--json"], in: folder)
    #expect(again.code == 0 && again.lines.allSatisfy { $0.contains("\"duplicate\":true") }, "\(again)")
    #expect(try content() == first)
    let replay = try Program.shell("auditctl=\(Program.binary); $auditctl replay kept/*.lz4", in: folder)
    #expect(replay.code == 0 && replay.output.contains("3 flows replayed, 0 divergences"), "\(replay)")
    for (name, bytes) in first where name.hasSuffix(".lz4") {
      let cat = try Program.run(["cat", "--store", "kept/\(name)"], in: folder)
      #expect(!cat.output.contains("ann@acme.example") && !bytes.isEmpty, "\(name)")
    }
    let missing = try Program.run(["promote", "nothing", "--into", "kept"], in: folder)
    #expect(missing.code == 66, "\(missing)")
    let nowhere = try Program.run(["promote", names[0], "--into", "no/where"], in: folder)
    #expect(nowhere.code == 73, "\(nowhere)")
  }

  @Test("a recording whose test line cannot be printed is not kept, and the next run makes both")
  func promoteUnprinted() throws {
    let first = try Program.run(["promote", path("wrong-password"), "--into", "kept"], in: folder)
    #expect(first.code == 0 && first.lines.count == 1, "\(first)")
    func files() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder("kept")).filter { $0.hasSuffix(".lz4") }.sorted()
    }
    func listed() throws -> [String]? {
      let index = try JSON(parsing: Array(Data(contentsOf: URL(fileURLWithPath: folder("kept/INDEX.json")))))
      return index["recordings"]?.array?.compactMap { $0["file"]?.string }
    }
    let before = try files()
    #expect(try before.count == 1 && listed() == before)
    let more = "'\(path("wrong-password"))' '\(path("password-only"))' --into kept"
    for form in ["", " --json"] {
      let run = try Program.shell("'\(Program.binary)' promote \(more)\(form) > /dev/full", in: folder)
      #expect(run.code == 74, "\(run)")
      #expect(try files() == before && listed() == before)
    }
    let again = try Program.shell("'\(Program.binary)' promote \(more)", in: folder)
    #expect(again.code == 0 && again.lines.count { $0.hasPrefix("@Test ") } == 1, "\(again)")
    #expect(try files().count == 2 && listed() == files())
  }

  @Test("a run that was killed before it wrote the recording leaves an entry alone; the next one makes both")
  func promoteIndex() throws {
    let run = try Program.run(["promote", path("wrong-password"), "--into", "kept"], in: folder)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder("kept")).filter { $0.hasSuffix(".lz4") }
    #expect(run.code == 0 && files.count == 1, "\(run)")
    let file = try #require(files.first)
    try FileManager.default.removeItem(atPath: folder("kept/\(file)"))
    let again = try Program.run(["promote", path("wrong-password"), "--into", "kept"], in: folder)
    #expect(again.code == 0 && again.lines.count == 1 && again.output.contains("kept/\(file)"), "\(again)")
    #expect(FileManager.default.fileExists(atPath: folder("kept/\(file)")))
  }

  @Test("coverage says what recordings reach and what not")
  func coverage() throws {
    let run = try Program.run(["coverage", GoldenPath.folder, "--json"], in: folder)
    #expect(run.code == 0)
    let document = try document(run)
    let kinds = document["kinds"]?.array ?? []
    #expect(document["schema"]?.int == 1 && kinds.count == 4)
    let authn = try #require(kinds.first { $0["kind"]?.string == "authn" })
    #expect(authn["parts"]?["status"]?["reached"]?["MFA_CHALLENGE"] != nil, "\(authn["parts"]?["status"]?.text ?? "")")
    #expect(authn["parts"]?["factorType"]?["reached"]?["push"] != nil)
    #expect(authn["parts"]?["errorCodes"]?["reached"]?["E0000004"] != nil)
    #expect(authn["parts"]?["calls"]?["missing"]?.array != nil)
    let idx = try #require(kinds.first { $0["kind"]?.string == "idx" })
    #expect(idx["parts"]?["remediation.name"]?["reached"]?["identify"] != nil, "\(idx["parts"]?.keys ?? [])")
    let one = try Program.run(["coverage", path("password-only"), "--kind", "authn"], in: folder)
    #expect(one.code == 0 && one.output.contains("1 recording, 1 flow") && one.output.contains("missing:"), "\(one)")
    #expect(!one.output.contains("idx"))
    let alone = try Program.run(["coverage", path("password-only"), "--kind", "authn", "--json"], in: folder)
    #expect(try self.document(alone)["kinds"]?.array?.compactMap { $0["kind"]?.string } == ["authn"], "\(alone)")
    // What an application appended to a store is no flow.
    let line = #"{"stream":"app/1","type":"shop.opened","data":{}}"#
    #expect(try Program.run(["append", "--store", "mine"], input: line, in: folder).code == 0)
    let mine = try Program.run(["coverage", "mine"], in: folder)
    #expect(mine.lines.first == "0 recordings, 0 flows" && mine.errors.isEmpty, "\(mine)")
    let text = try Program.run(["coverage", GoldenPath.folder], in: folder)
    for part in text.output.components(separatedBy: "\n\n") {
      let columns = part.split(separator: "\n").compactMap { line in
        line.range(of: "missing:").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
      }
      #expect(Set(columns).count <= 1, "one column: \(part)")
    }
    #expect(try Program.run(["coverage", "nowhere"], in: folder).code == 66)
    #expect(try Program.run(["coverage", GoldenPath.folder, "--kind", "x"], in: folder).code == 64)
  }
}
