// What a command refuses rather than do something else than was meant, and what it says of a log that is not whole.

import EventStore
import Foundation
import Testing

@Suite struct AskedTwiceTests {
  private func json(_ run: Run) throws -> JSON { try JSON(parsing: Array(run.output.utf8)) }

  /// A damaged copy of the recorded store: one byte in the middle of its only segment is another.
  private func damaged(_ recorded: Recorded, in folder: Folder, at part: Double = 0.5) throws -> String {
    let store = try recorded.copy(into: folder)
    let segments = store + "/segments/"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: segments).sorted().first)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: segments + name))
    bytes[Int(Double(bytes.count) * part)] ^= 0x20
    try bytes.write(to: URL(fileURLWithPath: segments + name))
    return store
  }

  @Test("an option that counts once is refused if it is given twice, whatever it is given")
  func twice() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let store = try recorded.copy(into: folder)
    for arguments in [
      ["verify", "--store", store, "--public-key", "a", "--public-key", "b"],
      ["verify", "--store", store, "--checkpoint", "a", "--checkpoint=b"],
      ["flows", "--store", store, "--since", "-1h", "--since", "-2h"],
      ["show", "last", "--store", store, "--at", "1", "--at", "2"],
      ["cat", "--store", store, "--type", "a", "--type", "b"],
      ["export", "last", "--store", store, "--as", "ndjson", "-o", folder("a"), "-o", folder("b")],
      ["export", "last", "--store", store, "--as", "ndjson", "-o", folder("a"), "--output", folder("b")],
    ] {
      let run = try Program.run(arguments, in: folder)
      #expect(run.code == 64 && run.output.isEmpty && run.errors.contains("is given 2 times; give it once"), "\(run)")
      #expect(!FileManager.default.fileExists(atPath: folder("b")))
    }
    #expect(try Program.run(["flows", "--store", store, "--store", store, "--json", "--json"], in: folder).code == 0)
  }

  @Test("nothing is written into a store, whatever path leads there")
  func intoStore() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let store = try recorded.copy(into: folder)
    try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: store)
    let key = recorded.folder("audit")
    let segment = try #require(try FileManager.default.contentsOfDirectory(atPath: store + "/segments").first)
    let recording = folder("r.ndjson.lz4")
    let exported = try Program.run(
      ["export", "last", "--store", store, "--as", "recording", "-o", recording], in: folder)
    #expect(exported.code == 0, "\(exported)")
    func contents() throws -> [String: Data?] {
      let names = try FileManager.default.subpathsOfDirectory(atPath: store)
      return Dictionary(
        uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: store + "/" + $0)) })
    }
    let before = try contents()
    for arguments in [
      ["export", "last", "--store", store, "--as", "ndjson", "-o", store + "/store.json"],
      ["export", "last", "--store", store, "--as", "recording", "-o", folder("link/segments/" + segment)],
      ["export", "--store", store, "--as", "ecs", "-o", store + "/new.json"],
      ["evidence", "last", "--store", store, "-o", store + "/store.json"],
      ["report", "--html", "--store", store, "-o", store + "/page.html"],
      ["replay", recording, "--junit", store + "/store.json"],
      ["index", "--store", store, "--index", store + "/segments/i"],
      ["index", "--store", store, "--index", folder("link/segments/new/deep/i")],
      ["export", "last", "--store", store, "--as", "ndjson", "-o", "/proc/self/cwd/copy/store.json"],
      ["export", "last", "--store", store, "--as", "ndjson", "-o", folder("copy/../copy/segments/../store.json")],
      ["checkpoint", "--store", store, "--signing-key", key + ".key", "--also", store + "/checkpoints"],
      [
        "keys", "rotate", "--store", store, "--signing-key", key + ".key", "--new-key", key + "-2.key",
        "--also", store + "/checkpoints",
      ],
      ["verify", "--store", store, "--public-key", key + ".pub", "--state", store + "/seen"],
    ] {
      let run = try Program.run(arguments, in: folder)
      #expect(run.code == 73 && run.errors.contains("lies in the store"), "\(arguments): \(run)")
    }
    #expect(try contents() == before)
  }

  @Test("times may be put together of units, with fractions; what looks like -h is no call for help")
  func times() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let store = try recorded.copy(into: folder)
    for time in ["-1h30m", "-1.5h", "-2w1d", "-0.5d", "-90000h", "-1h30m0.5s"] {
      let run = try Program.run(["flows", "--store", store, "--json", "--since", time], in: folder)
      #expect(run.code <= 1 && !run.output.contains("OVERVIEW") && !run.errors.contains("--help"), "\(time): \(run)")
    }
    for time in ["-2h5x", "-1h1h", "-30m1h", "-1.h", "-.5h", "-1.1234567h", "-1hh"] {
      let run = try Program.run(["flows", "--store", store, "--json", "--since", time], in: folder)
      #expect(run.code == 64 && run.output.isEmpty, "\(time): \(run)")
    }
    #expect(try Program.run(["flows", "-h"], in: folder).output.contains("OVERVIEW"))
  }

  @Test("a strange file is a note: what is not anchored is not called ok")
  func strangeFile() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let store = try recorded.copy(into: folder)
    try "x".write(toFile: store + "/README", atomically: false, encoding: .utf8)
    let text = try Program.run(["verify", "--store", store], in: folder)
    #expect(text.code == 10 && text.output.contains("note: "), "\(text)")
    #expect(
      text.output.range(of: #"\b(ok|pass)\b"#, options: [.regularExpression, .caseInsensitive]) == nil, "\(text)")
    let document = try Program.run(["verify", "--store", store, "--json"], in: folder)
    #expect(try json(document)["findings"]?.array?.contains { $0["kind"] == "note" } == true)
    #expect(!document.output.contains("\"ok\""))
  }

  @Test("every command that reads a log smaller than its checkpoint says so")
  func shortened() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let store = try recorded.copy(into: folder)
    let segments = store + "/segments/"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: segments).first)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: segments + name))
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: segments + name))
    for arguments in [["flows"], ["info"], ["cat"], ["report", "integrity"], ["search", "ann"]] {
      let run = try Program.run(arguments + ["--store", store], in: folder)
      #expect(run.errors.contains("its checkpoint covers"), "\(arguments): \(run)")
    }
    for arguments in [
      ["evidence", "--since", "2000-01-01", "-o", folder("e.zip")],
      // A flow that is not there may have been in the end.
      ["evidence", "zzz", "-o", folder("e.zip")], ["report", "--html", "-o", folder("p.html")],
    ] {
      let run = try Program.run(arguments + ["--store", store], in: folder)
      #expect(run.code == 65 && run.errors.contains("run auditctl verify"), "\(arguments): \(run)")
    }
    let report = try json(Program.run(["report", "integrity", "--store", store, "--json"], in: folder))
    #expect(report["tables"]?["stores"]?.array?.first?["unsigned"] == 0)
    #expect(report["notes"]?.array?.contains { $0.string?.contains("records are gone from its end") == true } == true)
  }

  @Test(
    "with --keep-going the flows that can be read are, and those that lack records are named; verify names them, too")
  func keepGoing() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let store = try damaged(recorded, in: folder)
    let all = try recorded.run("flows", "--json").lines.count
    #expect(try Program.run(["flows", "--store", store], in: folder).code == 65)
    let listed = try Program.run(["flows", "--store", store, "--keep-going", "--json"], in: folder)
    #expect(listed.code == 65 && !listed.lines.isEmpty && listed.lines.count <= all, "\(listed)")
    #expect(listed.errors.contains("cannot be read: ") && listed.errors.contains("only what can be read"))
    let kept = try Program.run(["cat", "--store", store, "--keep-going"], in: folder)
    let whole = Set(try recorded.run("cat").lines)
    #expect(
      kept.code == 65 && !kept.lines.isEmpty && kept.lines.count < whole.count && whole.isSuperset(of: kept.lines))
    let reported = try Program.run(["report", "summary", "--store", store, "--keep-going", "--json"], in: folder)
    #expect(try reported.code == 65 && json(reported)["flows"]?.int == listed.lines.count, "\(reported)")
    let verified = try Program.run(["verify", "--store", store, "--json"], in: folder)
    #expect(verified.code == 20)
    #expect(try json(verified)["lacking"]?.array != nil)
    #expect(try Program.run(["verify", "--store", store], in: folder).output.contains("cannot be read: "))
    // What is not found in the rest is not said to be nowhere.
    let absent = try Program.run(["show", "nothing/1", "--store", store, "--keep-going"], in: folder)
    #expect(absent.code == 65 && absent.errors.contains("cannot be read: "), "\(absent)")
    let shown = try Program.run(["info", "--store", store, "--keep-going", "--json"], in: folder)
    let info = try json(shown)
    #expect(shown.code == 65 && info["records"]?.int == kept.lines.count, "\(shown)")
    #expect(info["flows"]?.int ?? .max <= all && info["segments"] == 1 && info["lastCheckpoint"]?.object != nil)
    let text = try Program.run(["info", "--store", store, "--keep-going"], in: folder)
    #expect(text.code == 65 && text.output.contains("\nrecords     \(kept.lines.count)\n"), "\(text)")
    let archive = try Program.run(
      ["export", "last", "--as", "har", "-o", folder("h"), "--store", store, "--keep-going"], in: folder)
    #expect(archive.code == 64, "\(archive)")
    let place = try Folder()
    let sound = try recorded.copy(into: place)
    let unharmed = try Program.run(["flows", "--store", sound, "--keep-going", "--json"], in: folder)
    #expect(unharmed.code == 0 && unharmed.lines.count == all && unharmed.errors.isEmpty)
    let known = try Program.run(["info", "--store", sound], in: folder)
    #expect(try Program.run(["info", "--store", sound, "--keep-going"], in: folder).output == known.output)
  }

  @Test("streams that lack records between others are named")
  func lacking() throws {
    let folder = try Folder()
    let store = folder("apps")
    // Three writers, each of which ends its frame.
    for writer in 0..<3 {
      let lines = (0..<20).map {
        #"{"stream":"app/\#($0 % 4)","type":"t","data":{"n":\#($0),"writer":\#(writer),"text":"\#(UUID().uuidString)"}}"#
      }
      let run = try Program.run(["append", "--store", store], input: lines.joined(separator: "\n"), in: folder)
      #expect(run.code == 0, "\(run)")
    }
    let segments = store + "/segments/"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: segments).first)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: segments + name))
    bytes[bytes.count / 2] ^= 0x20
    try bytes.write(to: URL(fileURLWithPath: segments + name))
    let verified = try Program.run(["verify", "--store", store, "--json"], in: folder)
    let lacking = (try json(verified)["lacking"]?.array ?? []).compactMap(\.string)
    #expect(verified.code == 20 && Set(lacking) == ["app/0", "app/1", "app/2", "app/3"], "\(verified)")
    let kept = try Program.run(["cat", "--store", store, "--keep-going"], in: folder)
    #expect(
      kept.code == 65 && kept.lines.count >= 41 && kept.errors.contains("these flows lack records: app/"), "\(kept)")
  }

  @Test("a place where no key can be made is one where nothing can be created")
  func keyPlace() throws {
    let folder = try Folder()
    let store = folder("new")
    let line = #"{"stream":"app/1","type":"t","data":{}}"#
    #expect(try Program.run(["append", "--store", store], input: line, in: folder).code == 0)
    try "x".write(toFile: folder("file"), atomically: false, encoding: .utf8)
    for place in [folder("file/k"), "/proc/nothing/k"] {
      let run = try Program.run(["checkpoint", "--store", store, "--signing-key", place], in: folder)
      #expect(run.code == 73, "\(run)")
    }
  }

  @Test("explain says of a recording what is wrong with it, and takes no API for another")
  func explained() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let flow = try recorded.flow(of: "bob@acme.example")
    let path = folder("bob.ndjson.lz4")
    #expect(try recorded.run("export", flow, "--as", "recording", "-o", path).code == 0)
    #expect(try Program.run(["explain", path], in: folder).code == 0)
    #expect(try Program.run(["explain", path, "--api", "authn"], in: folder).code == 0)
    let other = try Program.run(["explain", path, "--api", "idx"], in: folder)
    #expect(other.code == 65 && other.errors.contains("--api authn"), "\(other)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: folder("cut.ndjson.lz4")))
    let cut = try Program.run(["explain", folder("cut.ndjson.lz4"), "--json"], in: folder)
    #expect(cut.code == 65 && cut.output.isEmpty && cut.errors.contains("cut"), "\(cut)")
    // A body without anything to read is an answer of the API that is named, and of none that is not.
    for (body, named, unnamed) in [("{}", Int32(0), Int32(65)), ("", 0, 65), ("[", 65, 65)] {
      let file = folder("body.json")
      try body.write(toFile: file, atomically: false, encoding: .utf8)
      #expect(try Program.run(["explain", file, "--json", "--api", "idx"], in: folder).code == named, "\(body)")
      #expect(try Program.run(["explain", file, "--json"], in: folder).code == unnamed, "\(body)")
    }
    let version = "\u{FEFF}{\"version\":\"1.0.0\",\"intent\":\"LOGIN\"}"
    try version.write(toFile: folder("body.json"), atomically: false, encoding: .utf8)
    let engine = try Program.run(["explain", folder("body.json"), "--json"], in: folder)
    #expect(try engine.code == 0 && json(engine)["intent"] == "LOGIN", "\(engine)")
  }

  @Test("--store given twice is refused where one is written to, and taken where some are read")
  func twoStores() throws {
    let signed = try SignedStore()
    let other = signed.folder("other")
    let line = "{\"stream\":\"a\",\"type\":\"t\",\"data\":{}}\n"
    let refused = try signed.run("append", "--store", signed.path, "--store", other, input: line)
    #expect(refused.code == 64 && refused.errors.contains("2 times"), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: other))
    _ = try signed.run("append", "--store", other, input: line + line)
    for command in [["keys", "--json"], ["prove", "inclusion", "1"], ["prove", "consistency", "1", "2"]] {
      let both = try Program.run(command + ["--store", signed.path, "--store", other], in: signed.folder)
      #expect(both.code == 0 && both.lines.count == 2, "\(command): \(both.errors)")
      for document in both.lines { _ = try JSON(parsing: Array(document.utf8)) }
    }
  }
}
