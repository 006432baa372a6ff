// Verdicts and exit codes on stores that were damaged (CLI.md).

import EventStore
import Foundation
import Testing

@Suite struct VerifyTests {
  private func verify(_ store: String, _ more: String..., in folder: Folder) throws -> (code: Int32, json: JSON) {
    let run = try Program.run(["verify", "--store", store, "--json"] + more, in: folder)
    return (run.code, try JSON(parsing: Array(run.output.utf8)))
  }

  private func segment(of store: String) throws -> URL {
    let names = try FileManager.default.contentsOfDirectory(atPath: store + "/segments").sorted()
    return URL(fileURLWithPath: store + "/segments/" + (try #require(names.first)))
  }

  /// A copy of the recorded store whose segment has lost its second half, and that segment.
  private func cutCopy(of recorded: Recorded, in folder: Folder) throws -> (store: String, segment: URL) {
    let store = try recorded.copy(into: folder)
    let file = try segment(of: store)
    let bytes = try Data(contentsOf: file)
    try bytes.prefix(bytes.count / 2).write(to: file)
    return (store, file)
  }

  @Test("pinned: ok 0; not pinned: unanchored 10, without the words ok and pass")
  func anchored() throws {
    let recorded = try Recorded.once()
    let pinned = try verify(recorded.store, "--public-key", recorded.publicKey, in: recorded.folder)
    #expect(pinned.code == 0)
    #expect(pinned.json["verdict"]?.string == "ok")
    #expect(pinned.json["anchored"] == pinned.json["records"])
    for key in ["verdict", "records", "root", "findings", "anchored"] { #expect(pinned.json.keys.contains(key)) }
    let run = try recorded.run("verify")
    #expect(run.code == 10)
    #expect(run.output.contains("--public-key"))
    let words = run.output.lowercased().split { !$0.isLetter }
    #expect(!words.contains("ok") && !words.contains("pass"))
  }

  @Test("records after the anchor are counted")
  func afterAnchor() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let store = try recorded.copy(into: folder)
    _ = try Program.run(
      ["append", "--store", store], input: #"{"stream":"app/1","type":"t","data":{}}"#, in: folder)
    let report = try verify(store, "--public-key", recorded.publicKey, in: folder)
    #expect(report.code == 0)
    #expect(report.json["recordsAfterAnchor"]?.int == 1)
    let text = try Program.run(["verify", "--store", store, "--public-key", recorded.publicKey], in: folder)
    #expect(text.output.contains("1 record follow"))
  }

  @Test("a changed byte: altered 20")
  func altered() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let store = try recorded.copy(into: folder)
    let file = try segment(of: store)
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count / 4] ^= 0x10
    try bytes.write(to: file)
    let report = try verify(store, "--public-key", recorded.publicKey, in: folder)
    #expect(report.code == 20, "\(report.json.text)")
    let finding = try #require(report.json["findings"]?.array?.first)
    #expect(finding.keys == ["kind", "segment", "offset", "position", "message"])
  }

  @Test("a log without its end: truncated 21; without its segment: missingSegment 24 or graver")
  func cut() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let (store, file) = try cutCopy(of: recorded, in: folder)
    #expect(try verify(store, "--public-key", recorded.publicKey, in: folder).code == 21)
    try FileManager.default.removeItem(at: file)
    #expect([21, 24].contains(try verify(store, "--public-key", recorded.publicKey, in: folder).code))
  }

  @Test("what is read of a log without its end says so: each report in its text, its document, and beside its table")
  func reportsOfCut() throws {
    let folder = try Folder()
    let store = try cutCopy(of: Recorded.once(), in: folder).store
    for name in ["summary", "sign-ins", "people"] {
      func report(_ format: String) throws -> Run {
        try Program.run(["report", name, "--store", store, "--format", format], in: folder)
      }
      let json = try report("json")
      let notes = try JSON(parsing: Array(json.output.utf8))["notes"]?.array?.compactMap(\.string) ?? []
      #expect(json.code == 0 && notes.contains { $0.contains("records are gone from its end") }, "\(name): \(notes)")
      let text = try report("text").output.replacing("\n", with: " ")
      #expect(text.contains("gone from its end"), "\(name): \(text)")
      #expect(try report("csv").errors.contains("gone from its end"))
    }
  }

  @Test("a torn tail after the last sync: torn 11")
  func torn() throws {
    let folder = try Folder()
    let input = (0..<20).map { #"{"stream":"app/1","type":"t","data":{"n":\#($0)}}"# + "\n" }.joined()
    _ = try Program.run(["append", "--store", folder("audit"), "--durability", "os"], input: input, in: folder)
    let file = try segment(of: folder("audit"))
    var bytes = try Data(contentsOf: file)
    // A frame that was begun and never finished.
    bytes.append(contentsOf: [0x04, 0x22, 0x4D, 0x18, 0x70, 0x40])
    try bytes.write(to: file)
    #expect(try verify(folder("audit"), in: folder).code == 11)
  }

  @Test("a checkpoint of another key: badSignature 23; of another log: forked 22")
  func otherKey() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let other = try Program.run(
      ["demo", "--store", folder("audit"), "--signing-key", folder("other.key"), "--json"], in: folder)
    #expect(other.code == 0)
    let pinned = try verify(recorded.store, "--public-key", folder("other.pub"), in: folder)
    #expect(pinned.code == 23, "\(pinned.json.text)")
  }

  @Test("checkpoint prints a note that verify takes, made with a key of its own on first use")
  func checkpoint() throws {
    let folder = try Folder()
    _ = try Program.run(
      ["append", "--store", folder("audit")], input: #"{"stream":"app/1","type":"t","data":{}}"#, in: folder)
    let run = try Program.run(["checkpoint", "--store", folder("audit")], in: folder)
    #expect(run.code == 0, "\(run.errors)")
    let note = try SignedNote(text: run.output)
    #expect(note.size == 2)
    let keys = folder(".local/state/flowrecorder")
    let names = try FileManager.default.contentsOfDirectory(atPath: keys).sorted()
    #expect(names == [".key", ".key.state", ".key.state.lock", ".pub"].map { note.origin + $0 })
    let mode = try FileManager.default.attributesOfItem(atPath: "\(keys)/\(note.origin).key")[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let file = try folder.write(run.output, to: "noted.txt")
    let report = try verify(
      folder("audit"), "--public-key", "\(keys)/\(note.origin).pub", "--checkpoint", file, in: folder)
    #expect(report.code == 0)
    #expect(report.json["root"]?.string == note.root.description)
  }

  @Test("checkpoint --also keeps a copy, and refuses an older copy of the store")
  func secondPlace() throws {
    let folder = try Folder()
    let line = #"{"stream":"app/1","type":"t","data":{}}"#
    func checkpoint() throws -> Run {
      try Program.run(["checkpoint", "--store", folder("audit"), "--also", folder("other")], in: folder)
    }
    _ = try Program.run(["append", "--store", folder("audit")], input: line, in: folder)
    let missing = try checkpoint()
    #expect(missing.code == 73 && missing.errors.contains("other"), "\(missing.errors)")
    let files = FileManager.default
    try files.createDirectory(atPath: folder("other"), withIntermediateDirectories: false)
    let first = try checkpoint()
    #expect(first.code == 0, "\(first.errors)")
    let copies = try files.contentsOfDirectory(atPath: folder("other")).filter { $0.hasSuffix(".checkpoint") }
    let copy = folder("other") + "/" + (try #require(copies.first))
    #expect(copies.count == 1)
    #expect(try String(contentsOfFile: copy, encoding: .utf8) == first.output)
    try files.copyItem(atPath: folder("audit"), toPath: folder("older"))
    _ = try Program.run(["append", "--store", folder("audit")], input: line, in: folder)
    let second = try checkpoint()
    #expect(try String(contentsOfFile: copy, encoding: .utf8) == second.output && second.output != first.output)
    try files.removeItem(atPath: folder("audit"))
    try files.moveItem(atPath: folder("older"), toPath: folder("audit"))
    let refused = try checkpoint()
    #expect(
      refused.code == 65 && refused.output.isEmpty && refused.errors.contains("second place"), "\(refused.errors)")
  }
}
