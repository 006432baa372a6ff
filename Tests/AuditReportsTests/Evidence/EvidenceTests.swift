import Foundation
import Testing

@testable import AuditReports
@testable import EventStore

/// A signed store with two flows, and a bundle of one of them.
final class EvidenceStore: Sendable {
  let folder: String
  let key: SigningKey
  let bundle: [UInt8]
  /// The bundle's checkpoint is the first of two.
  let early: SignedNote

  var path: String { folder + "/audit" }
  static let flow = "authn/01KAJ4T5Z6M7N8P9Q0R1S2T3V4"
  static let other = "authn/01KAJ4T5Z6M7N8P9Q0R1S2T3V5"

  init() throws {
    folder = NSTemporaryDirectory() + "/evidence-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let log = try EventLog.open(at: folder + "/audit")
    key = try SigningKey(name: log.identity.origin)
    let started: JSON = ["kind": "authn", "sdk": "s", "settings": ["org": "https://acme.example"]]
    for step in 0..<12 {
      let data: JSON = step < 2 ? started : ["text": .string("<b>step \(step)</b> \u{202E}x")]
      let record = NewRecord(
        at: try #require(Timestamp("2026-11-21T12:00:00Z")), stream: step % 2 == 0 ? Self.flow : Self.other,
        type: step < 2 ? "flow.started" : "note.added", data: data.bytes)
      _ = try log.append([record])
      try log.flush()
    }
    early = try log.checkpoint(with: key)
    _ = try log.append([
      NewRecord(
        at: try #require(Timestamp("2026-11-21T13:00:00Z")), stream: "app/1", type: "note", data: Array("{}".utf8))
    ])
    _ = try log.checkpoint(with: key)
    try log.close()
    bundle = try EvidenceBundle(
      of: [Self.flow], in: try LogReader(directory: folder + "/audit"), checkpoint: early
    ).encoded()
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private static let result = Result { try EvidenceStore() }
  static func once() throws -> EvidenceStore { try result.get() }

  /// What `check.py` out of a bundle exits with.
  func checked(_ bundle: [UInt8], pinned: String?) throws -> (code: Int32, output: String) {
    let name = folder + "/" + UUID().uuidString
    try Data(bundle).write(to: URL(fileURLWithPath: name + ".zip"))
    try CheckProgram.text.write(toFile: name + ".py", atomically: false, encoding: .utf8)
    if let pinned { try pinned.write(toFile: name + ".pub", atomically: false, encoding: .utf8) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-I", name + ".py", name + ".zip"] + (pinned == nil ? [] : [name + ".pub"])
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  /// The exit code of our own verdict.
  func verdict(_ bundle: [UInt8], pinned: VerifierKey?) throws -> Int32 {
    do throws(StoreError) {
      return try EvidenceCheck(bundle, pinned: pinned).verdict.exitCode
    } catch {
      #expect(error.code == .malformed)
      return 65
    }
  }
}

/// A change to a bundle, and what both checkers must say of it.
struct EvidenceChange: Sendable, CustomTestStringConvertible {
  var name: String
  var code: Int32
  var change: @Sendable (inout ZipArchive, EvidenceStore) throws -> Void
  var testDescription: String { name }

  /// Replaces text in a file; the manifest then lists the new one if it is renewed.
  static func edit(
    _ name: String, _ code: Int32, _ file: String, renewed: Bool = true, _ edit: @escaping @Sendable (String) -> String
  ) -> EvidenceChange {
    EvidenceChange(name: name, code: code) { archive, _ in
      let text = String(decoding: try #require(archive[file]), as: UTF8.self)
      let edited = edit(text)
      #expect(edited != text)
      archive[file] = Array(edited.utf8)
      if renewed { try renew(&archive) }
    }
  }

  /// Makes the manifest fit the other files.
  static func renew(_ archive: inout ZipArchive) throws {
    let about = try JSON(parsing: try #require(archive[EvidenceFile.manifest]))
    let members = (about.object?.members ?? []).filter { $0.key != "files" }.map { ($0.key, Optional($0.value)) }
    archive[EvidenceFile.manifest] = EvidenceBundle.manifest(of: archive, members)
  }

  private static func withoutLine(_ index: Int) -> @Sendable (String) -> String {
    { text in
      var lines = text.components(separatedBy: "\n")
      lines.remove(at: index)
      return lines.joined(separator: "\n")
    }
  }

  private static func replacing(_ old: String, _ new: String) -> @Sendable (String) -> String {
    { text in
      guard let place = text.range(of: old) else { return text }
      return text.replacingCharacters(in: place, with: new)
    }
  }

  /// Another character in the place of the first base64 one behind a mark.
  private static func spoiled(after mark: String) -> @Sendable (String) -> String {
    { text in
      guard let place = text.range(of: mark) else { return text }
      return text.replacingCharacters(
        in: place.upperBound..<text.index(after: place.upperBound), with: text[place.upperBound] == "A" ? "B" : "A")
    }
  }

  static let all: [EvidenceChange] = [
    .edit("a record's text", 20, EvidenceFile.records, renewed: false, replacing("step 4", "step 5")),
    .edit("a record's text, listed", 20, EvidenceFile.records, replacing("step 4", "step 5")),
    .edit("the line end of the last record", 20, EvidenceFile.records) { String($0.dropLast()) },
    .edit("an empty line among the records", 20, EvidenceFile.records) { $0 + "\n" },
    EvidenceChange(name: "a record left out", code: 20) { archive, _ in try leaveOut(2, of: &archive) },
    EvidenceChange(name: "the first record left out", code: 20) { archive, _ in try leaveOut(0, of: &archive) },
    .edit("two records swapped", 20, EvidenceFile.records) { text in
      var lines = text.components(separatedBy: "\n")
      lines.swapAt(1, 2)
      return lines.joined(separator: "\n")
    },
    .edit("a hash of a proof", 20, EvidenceFile.proofs, spoiled(after: "\"hashes\":[\"")),
    .edit("a position", 20, EvidenceFile.proofs, replacing("\"position\":3", "\"position\":4")),
    .edit("a proof left out", 20, EvidenceFile.proofs, withoutLine(2)),
    .edit("a leaf hash", 20, EvidenceFile.proofs, spoiled(after: "\"leafHash\":\"")),
    .edit("a position twice", 20, EvidenceFile.proofs, replacing("\"position\":3", "\"position\":7,\"position\":3")),
    .edit("more than the proofs", 20, EvidenceFile.proofs, replacing("{\"schema\":1", "{\"schema\":1,\"by\":\"all\"")),
    .edit("the root of the checkpoint", 23, EvidenceFile.checkpoint) { text in
      var lines = text.components(separatedBy: "\n")
      lines[2] = TreeHash(sha256Of: []).description
      return lines.joined(separator: "\n")
    },
    .edit("the size of the checkpoint", 23, EvidenceFile.checkpoint, replacing("\n13\n", "\n14\n")),
    EvidenceChange(name: "a signature of another key", code: 23) { archive, store in
      let stranger = try SigningKey(name: store.early.origin)
      let note = try SignedNote(
        origin: store.early.origin, size: store.early.size, root: store.early.root, signedBy: stranger)
      archive[EvidenceFile.checkpoint] = Array(note.text.utf8)
      try renew(&archive)
    },
    EvidenceChange(name: "another key", code: 23) { archive, store in
      archive[EvidenceFile.keys] = Array("\(try SigningKey(name: store.early.origin))\n".utf8)
      try renew(&archive)
    },
    .edit("no key", 23, EvidenceFile.keys) { _ in "" },
    .edit("a key without its line end", 65, EvidenceFile.keys) { String($0.dropLast()) },
    .edit("a space before a key", 65, EvidenceFile.keys) { " " + $0 },
    .edit("line ends of two bytes behind keys", 65, EvidenceFile.keys) {
      $0.replacingOccurrences(of: "\n", with: "\r\n")
    },
    .edit("a short signature of an unknown name", 65, EvidenceFile.checkpoint) { $0 + "\u{2014} nobody AAAA\n" },
    .edit("a signature of an unknown name", 0, EvidenceFile.checkpoint) { $0 + "\u{2014} nobody AAAAAAA=\n" },
    EvidenceChange(name: "a later checkpoint by a stranger whose key is listed", code: 10) { archive, store in
      let latest = try SignedNote(text: String(decoding: try #require(archive[EvidenceFile.latest]), as: UTF8.self))
      let stranger = try SigningKey(name: latest.origin)
      let note = try SignedNote(origin: latest.origin, size: latest.size, root: latest.root, signedBy: stranger)
      archive[EvidenceFile.latest] = Array(note.text.utf8)
      archive[EvidenceFile.keys] = try #require(archive[EvidenceFile.keys]) + Array("\(stranger.verifier)\n".utf8)
      try renew(&archive)
    },
    EvidenceChange(name: "a later checkpoint of another log", code: 22) { archive, store in
      let note = try SignedNote(
        origin: store.early.origin, size: 14, root: TreeHash(sha256Of: [1]), signedBy: store.key)
      archive[EvidenceFile.latest] = Array(note.text.utf8)
      try renew(&archive)
    },
    .edit("a hash of the consistency proof", 22, EvidenceFile.consistency, spoiled(after: "\"hashes\":[\"")),
    .edit("the consistency proof emptied", 22, EvidenceFile.consistency) { _ in "{\"hashes\":[]}" },
    .edit(
      "more than the consistency proof", 20, EvidenceFile.consistency,
      replacing("{\"schema\":1", "{\"schema\":1,\"by\":\"all\"")),
    .edit("the time line", 20, EvidenceFile.timeLine, renewed: false, replacing("step 4", "nothing")),
    .edit("the flows that are named", 20, EvidenceFile.manifest, renewed: false, replacing("T3V4\"]", "T3V9\"]")),
    .edit(
      "a checkpoint of another log", 20, EvidenceFile.manifest, renewed: false,
      replacing("\"origin\":\"f", "\"origin\":\"g")),
    .edit(
      "how many records there are", 20, EvidenceFile.manifest, renewed: false,
      replacing("\"records\":6", "\"records\":7")),
    .edit(
      "the checkpoint that is named", 20, EvidenceFile.manifest, renewed: false,
      replacing("\"checkpoint\":{\"size\":", "\"checkpoint\":{\"size\":1")),
    .edit(
      "the later checkpoint that is named", 20, EvidenceFile.manifest, renewed: false,
      replacing("\"latest\":{\"size\":", "\"latest\":{\"size\":1")),
    .edit(
      "how many records there are, as another number", 20, EvidenceFile.manifest, renewed: false,
      replacing("\"records\":6", "\"records\":6.0")),
    .edit(
      "the checkpoint's size, as another number", 20, EvidenceFile.manifest, renewed: false,
      replacing("\"checkpoint\":{\"size\":13", "\"checkpoint\":{\"size\":13.0")),
    .edit(
      "more of a file", 20, EvidenceFile.manifest, renewed: false,
      replacing("{\"name\":\"check.py\"", "{\"by\":\"all\",\"name\":\"check.py\"")),
    .edit("the schema", 20, EvidenceFile.manifest, renewed: false, replacing("{\"schema\":1", "{\"schema\":7")),
    .edit("the form", 20, EvidenceFile.manifest, renewed: false, replacing("flowrecorder-evidence-1", "evidence")),
    .edit(
      "a malformed selection", 20, EvidenceFile.manifest, renewed: false,
      replacing("\"selection\":{}", "\"selection\":{\"proves\":\"all\"}")),
    .edit("white space", 20, EvidenceFile.manifest, renewed: false, replacing("{\"schema\":", "{\"schema\": ")),
    .edit("a flow with an escape", 20, EvidenceFile.manifest, renewed: false, replacing("[\"authn/", "[\"authn\\/")),
    .edit("a number among the flows", 20, EvidenceFile.manifest, renewed: false, replacing("T3V4\"]", "T3V4\",7]")),
    .edit(
      "a member that is no bundle's", 20, EvidenceFile.manifest, renewed: false,
      replacing("{\"schema\":1", "{\"schema\":1,\"statement\":\"signed by all\"")),
    .edit(
      "flows that are named twice", 20, EvidenceFile.manifest, renewed: false,
      replacing("\"flows\":[", "\"flows\":[\"authn/forged\"],\"flows\":[")),
    .edit("members in another order", 20, EvidenceFile.manifest, renewed: false) { text in
      text.replacingOccurrences(of: "{\"schema\":1,", with: "{").dropLast(2) + ",\"schema\":1}\n"
    },
    .edit("a manifest that is no JSON", 65, EvidenceFile.manifest, renewed: false) { String($0.dropLast(2)) },
    .edit("a malformed checkpoint", 65, EvidenceFile.checkpoint) { _ in "nothing\n" },
    .edit("a malformed key", 65, EvidenceFile.keys) { _ in "a+00000000+AQ==\n" },
    EvidenceChange(name: "a file left out", code: 65) { archive, _ in archive[EvidenceFile.howTo] = nil },
    EvidenceChange(name: "a file more", code: 65) { archive, _ in archive["more.txt"] = [1] },
    EvidenceChange(name: "half of the later checkpoint", code: 65) { archive, _ in
      archive[EvidenceFile.consistency] = nil
    },
  ]

  private static func leaveOut(_ index: Int, of archive: inout ZipArchive) throws {
    for (file, line) in [(EvidenceFile.records, index), (EvidenceFile.proofs, index + 1)] {
      let text = String(decoding: try #require(archive[file]), as: UTF8.self)
      archive[file] = Array(withoutLine(line)(text).utf8)
    }
    try renew(&archive)
  }
}

/// The only line of a log, the flow that the bundle says it is of, and what both checkers must say of that.
struct RecordLine: Sendable, CustomTestStringConvertible {
  var text: String
  var flow = "a/1"
  var code: Int32
  var testDescription: String { String(text.prefix(120)) }

  /// A line with that data, and with other text in the place of some of it.
  init(_ code: Int32, _ data: String = "{}", _ old: String = "", _ new: String = "", flow: String = "a/1") {
    let head = #"{"n":0,"at":"2026-11-21T08:35:00.123456Z","stream":"a/1","rev":0,"type":"t","v":1,"data":"#
    let whole = "\(head)\(data)}"
    text = old.isEmpty ? whole : whole.replacingOccurrences(of: old, with: new)
    (self.flow, self.code) = (flow, code)
  }

  static let all: [RecordLine] = [
    .init(0), .init(0, #"{"a":"}\\"}"#), .init(0, #"{"a":NaN}"#), .init(0, "{garbage}"), .init(0, deep),
    .init(20, #"{"a":1},"stream":"authn/ANN","rev":0,"z":{}"#, flow: "authn/ANN"),
    .init(20, #"{"a":1},"stream":"authn/ANN","rev":0,"z":{}"#), .init(20, #"{"a":"}"#), .init(20, #"{"a":[}]}"#),
    .init(20, "{} "), .init(20, "{}", "{\"n\"", " {\"n\""), .init(20, "{}", ",\"v\"", ",\"cause\":0,\"v\""),
    .init(20, "{}", "11-21", "02-30"), .init(20, "{}", "\"rev\":0", "\"rev\":0.0"), .init(20, "{}", "a/1", "a\\/1"),
  ]

  private static let deep =
    "{\"a\":\(String(repeating: "[", count: 3_000))\(String(repeating: "]", count: 3_000))}"
}

@Suite struct EvidenceTests {
  @Test("both checkers take a good bundle, and say how far it is anchored")
  func good() throws {
    let store = try EvidenceStore.once()
    let key = store.key.verifier
    let stranger = try SigningKey(name: key.name).verifier
    for (pinned, code) in [(key, 0), (nil, 10), (stranger, 23)] as [(VerifierKey?, Int32)] {
      #expect(try store.verdict(store.bundle, pinned: pinned) == code)
      let run = try store.checked(store.bundle, pinned: pinned.map { "\($0)\n" })
      #expect(run.code == code, "\(run.output)")
    }
    let check = try EvidenceCheck(store.bundle, pinned: key)
    #expect(check.records == 6 && check.flows == [EvidenceStore.flow] && check.size == store.early.size)
    #expect(check.reason.hasSuffix(", and in that of 14 records, which it has signed too"), "\(check.reason)")
  }

  @Test("both checkers say the same of what was changed", arguments: EvidenceChange.all)
  func bad(change: EvidenceChange) throws {
    let store = try EvidenceStore.once()
    var archive = try ZipArchive(store.bundle)
    try change.change(&archive, store)
    let bundle = try archive.encoded()
    #expect(try store.verdict(bundle, pinned: store.key.verifier) == change.code)
    let run = try store.checked(bundle, pinned: "\(store.key.verifier)\n")
    #expect(run.code == change.code, "\(run.output)")
  }

  @Test("a later checkpoint counts if the pinned key has signed it, or the one that it hands over to by the first")
  func handedOver() throws {
    let folder = NSTemporaryDirectory() + "/evidence-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let log = try EventLog.open(at: folder + "/audit")
    let (old, new) = (try SigningKey(name: log.identity.origin), try SigningKey(name: log.identity.origin))
    func append(_ stream: String) throws {
      let at = try #require(Timestamp("2026-11-21T12:00:00Z"))
      _ = try log.append([NewRecord(at: at, stream: stream, type: "note", data: Array("{}".utf8))])
    }
    try append("a/1")
    let early = try log.checkpoint(with: old)
    try append("b/1")
    let handover = try log.handOver(from: old, to: new)
    try append("b/1")
    _ = try log.checkpoint(with: new)
    try log.close()

    let store = try EvidenceStore.once()
    let reader = try LogReader(directory: folder + "/audit")
    for (note, key, code) in [(early, old, 10), (early, new, 0), (handover, old, 0), (handover, new, 0)]
      as [(SignedNote, SigningKey, Int32)]
    {
      let bundle = try EvidenceBundle(of: ["a/1"], in: reader, checkpoint: note).encoded()
      let check = try EvidenceCheck(bundle, pinned: key.verifier)
      #expect(check.verdict.exitCode == code, "\(check.reason)")
      let run = try store.checked(bundle, pinned: "\(key.verifier)\n")
      #expect(run.code == code, "\(run.output)")
    }
  }

  /// The bundle of a log of one record.
  private func bundle(of line: String, in flow: String, signedBy key: SigningKey) throws -> [UInt8] {
    let bytes = Array(line.utf8)
    let leaf = MerkleTree.leaf(bytes)
    let note = try SignedNote(origin: key.verifier.name, size: 1, root: leaf, signedBy: key)
    let proof = InclusionProof(leafIndex: 0, treeSize: 1, leafHash: leaf, root: leaf, hashes: [])
    let records = (try? StoredRecord(line: bytes)).map { [$0] } ?? []
    var archive = ZipArchive([ZipArchive.Member]())
    archive[EvidenceFile.howTo] = Array(HowToCheck.text.utf8)
    archive[EvidenceFile.program] = Array(CheckProgram.text.utf8)
    archive[EvidenceFile.checkpoint] = Array(note.text.utf8)
    archive[EvidenceFile.keys] = Array("\(key.verifier)\n".utf8)
    archive[EvidenceFile.proofs] = EvidenceBundle.json(of: [proof], in: note)
    archive[EvidenceFile.records] = bytes + [0x0A]
    archive[EvidenceFile.timeLine] = Array(EvidencePage.html([(stream: flow, records: records)], in: note).utf8)
    archive[EvidenceFile.manifest] = EvidenceBundle.manifest(
      of: archive,
      [
        ("schema", 1), ("bundle", .string(EvidenceBundle.form)), ("origin", .string(note.origin)), ("store", "s"),
        ("selection", .members([])), ("flows", .array([.string(flow)])), ("records", 1),
        ("checkpoint", EvidenceBundle.json(of: note)),
      ])
    return try archive.encoded()
  }

  @Test(
    "both checkers read the line of a record by its one form, and look for no more in its data",
    arguments: RecordLine.all)
  func lines(line: RecordLine) throws {
    let key = try SigningKey(name: "made.example/log")
    let made = try bundle(of: line.text, in: line.flow, signedBy: key)
    let store = try EvidenceStore.once()
    #expect(try store.verdict(made, pinned: key.verifier) == line.code)
    let run = try store.checked(made, pinned: "\(key.verifier)\n")
    #expect(run.code == line.code, "\(run.output)")
  }

  @Test(
    "an extra field, in which other readers find another directory, is no bundle's to both checkers",
    arguments: [
      [0x78, 0x78, 0, 0],
      // The place of a ZIP64 directory.
      [0x78, 0x78, 20, 0, 0x50, 0x4B, 6, 7] + [UInt8](repeating: 0, count: 16),
    ] as [[UInt8]])
  func hidden(extra: [UInt8]) throws {
    let store = try EvidenceStore.once()
    let bytes = store.bundle
    let end = bytes.count - 22
    let entry = try #require(bytes.indices.dropLast(3).last { bytes[$0..<$0 + 4].elementsEqual([0x50, 0x4B, 1, 2]) })
    var crafted = Array(bytes[..<end]) + extra + bytes[end...]
    crafted[entry + 30] = UInt8(extra.count)
    // The length of the directory, in the record at the end.
    let size = (0..<4).reduce(0) { $0 | Int(bytes[end + 12 + $1]) << (8 * $1) } + extra.count
    for index in 0..<4 { crafted[end + extra.count + 12 + index] = UInt8(truncatingIfNeeded: size >> (8 * index)) }
    #expect(try store.verdict(crafted, pinned: store.key.verifier) == 65)
    let run = try store.checked(crafted, pinned: "\(store.key.verifier)\n")
    #expect(run.code == 65, "\(run.output)")
  }

  @Test(
    "a program or a text that this version does not put into a bundle is found",
    arguments: ["check.py", "HOW-TO-CHECK.md"])
  func replaced(file: String) throws {
    let store = try EvidenceStore.once()
    var archive = try ZipArchive(store.bundle)
    archive[file] = try #require(archive[file]) + Array("\n".utf8)
    try EvidenceChange.renew(&archive)
    #expect(try store.verdict(try archive.encoded(), pinned: store.key.verifier) == 20)
  }

  @Test("a time line that says something else than the records is found, and a flow without its end is named")
  func forgedPage() throws {
    let store = try EvidenceStore.once()
    var archive = try ZipArchive(store.bundle)
    let page = String(decoding: try #require(archive[EvidenceFile.timeLine]), as: UTF8.self)
    archive[EvidenceFile.timeLine] = Array(page.replacing("step 4", with: "step 5").utf8)
    try EvidenceChange.renew(&archive)
    let check = try EvidenceCheck(try archive.encoded(), pinned: store.key.verifier)
    #expect(check.verdict == .altered && check.reason.contains("time-line.html"), "\(check.reason)")
    #expect(try EvidenceCheck(store.bundle, pinned: store.key.verifier).open == [EvidenceStore.flow])
  }

  @Test("a bundle without a later checkpoint is good too, and equal input gives equal bytes")
  func latest() throws {
    let store = try EvidenceStore.once()
    let log = try LogReader(directory: store.path)
    let streams = [EvidenceStore.flow, EvidenceStore.other, "app/1"]
    let bundle = try EvidenceBundle(of: streams, in: log).encoded()
    #expect(try store.verdict(bundle, pinned: store.key.verifier) == 0)
    let run = try store.checked(bundle, pinned: "\(store.key.verifier)\n")
    #expect(run.code == 0 && run.output.contains("13 records of 3 flows"), "\(run.output)")
    #expect(try EvidenceBundle(of: streams, in: try LogReader(directory: store.path)).encoded() == bundle)
    #expect(try Set(ZipArchive(bundle).members.map(\.name)) == EvidenceFile.fixed)
  }

  @Test("a later record than the checkpoint covers, and one of another log, are refused")
  func refused() throws {
    let store = try EvidenceStore.once()
    let log = try LogReader(directory: store.path)
    #expect(throws: StoreError(.noSuchPosition, "")) {
      _ = try EvidenceBundle(of: ["app/1"], in: log, checkpoint: store.early)
    }
    let foreign = try SignedNote(
      origin: store.early.origin, size: 5, root: TreeHash(sha256Of: []), signedBy: store.key)
    #expect(throws: StoreError(.noSuchPosition, "")) {
      _ = try EvidenceBundle(of: [EvidenceStore.flow], in: log, checkpoint: foreign)
    }
    let forked = try SignedNote(
      origin: store.early.origin, size: store.early.size, root: TreeHash(sha256Of: []), signedBy: store.key)
    #expect(throws: StoreError(.forked, "")) {
      _ = try EvidenceBundle(of: [EvidenceStore.flow], in: log, checkpoint: forked)
    }
  }

  @Test("the time line shows recorded text as text")
  func page() throws {
    let store = try EvidenceStore.once()
    let page = String(
      decoding: try #require(try ZipArchive(store.bundle)[EvidenceFile.timeLine]), as: UTF8.self)
    #expect(page.contains("&lt;b&gt;step 4&lt;/b&gt; \\u202ex") && !page.contains("<b>") && !page.contains("<script"))
    #expect(page.contains("default-src 'none'"))
  }
}

@Suite struct DenseBundleTests {
  @Test(
    "a bundle of many small values is refused before they are read",
    arguments: [
      (EvidenceFile.proofs, "{\"proofs\":[" + String(repeating: "0,", count: 500_000) + "0]}\n"),
      (EvidenceFile.manifest, "{\"flows\":[" + String(repeating: "[],", count: 500_000) + "0]}\n"),
      (EvidenceFile.records, String(repeating: "\n", count: 500_000)),
      (EvidenceFile.records, String(repeating: "{}\n", count: 500_000)),
    ])
  func refused(file: String, text: String) throws {
    var archive = try ZipArchive(EvidenceStore.once().bundle)
    archive[file] = Array(text.utf8)
    let bundle = try archive.encoded()
    #expect(throws: StoreError(.malformed, "")) { _ = try EvidenceCheck(bundle, pinned: nil) }
  }
}

@Suite struct ZipArchiveTests {
  private static let archive = ZipArchive([.init(name: "a.txt", bytes: [1, 2, 3]), .init(name: "b", bytes: [])])

  @Test("what is written is read again, and unzip reads it too")
  func whole() throws {
    let bytes = try Self.archive.encoded()
    #expect(try ZipArchive(bytes) == Self.archive)
    #expect(CRC32.of(Array("123456789".utf8)) == 0xCBF4_3926)
  }

  @Test("every cut and every changed byte is an error, but for the mode of a file and the program that wrote it")
  func cuts() throws {
    let bytes = try Self.archive.encoded()
    let entries = bytes.indices.dropLast(3).filter { Array(bytes[$0..<$0 + 4]) == [0x50, 0x4B, 1, 2] }
    let free = Set(entries.flatMap { [$0 + 4, $0 + 5] + Array($0 + 38..<$0 + 42) })
    #expect(free.count == 12)
    for end in 0..<bytes.count {
      #expect(throws: StoreError(.malformed, "")) { _ = try ZipArchive(Array(bytes[..<end])) }
      var changed = bytes
      changed[end] ^= 0x5A
      if free.contains(end) {
        #expect(try ZipArchive(changed) == Self.archive)
      } else {
        // A name may change into another good one only if both places that state it do.
        #expect(throws: StoreError(.malformed, "")) { _ = try ZipArchive(changed) }
      }
    }
    #expect(throws: StoreError(.malformed, "")) { _ = try ZipArchive(bytes + [0]) }
  }

  @Test("a bundle that another program put together again is read, if its members are stored")
  func elsewhere() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zip-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func python(_ method: String) throws -> [UInt8] {
      let program = """
        import zipfile
        with zipfile.ZipFile(r'\(folder)/x.zip', 'w', zipfile.\(method)) as z:
            z.writestr('a.txt', bytes([1, 2, 3]))
            z.writestr('b', b'')
        """
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["python3", "-c", program]
      try process.run()
      process.waitUntilExit()
      return try Array(Data(contentsOf: URL(fileURLWithPath: folder + "/x.zip")))
    }
    #expect(try ZipArchive(python("ZIP_STORED")) == Self.archive)
    let compressed = try python("ZIP_DEFLATED")
    #expect(throws: StoreError(.malformed, "")) { _ = try ZipArchive(compressed) }
  }

  @Test(
    "names that lead elsewhere, or that appear twice, are errors",
    arguments: ["../x", "/etc/passwd", "a/b", ".x", "", "x\u{0}", "é", "a\\b", String(repeating: "x", count: 65)])
  func names(name: String) throws {
    #expect(throws: StoreError(.invalid, "")) {
      _ = try ZipArchive([.init(name: name, bytes: [])]).encoded()
    }
    // A file that has it all the same, put in the place of a name of that length.
    let plain = String(repeating: "q", count: name.utf8.count)
    guard (1...64).contains(plain.utf8.count) else { return }
    let bytes = try ZipArchive([.init(name: plain, bytes: [7])]).encoded()
    var text = bytes
    for place in bytes.indices.dropLast(plain.utf8.count - 1)
    where bytes[place..<place + plain.utf8.count].elementsEqual(plain.utf8) {
      text.replaceSubrange(place..<place + plain.utf8.count, with: name.utf8)
    }
    #expect(throws: StoreError(.malformed, "")) { _ = try ZipArchive(text) }
  }

  @Test("a member twice, compressed data and sizes that are not there are errors")
  func crafted() throws {
    var twice = try ZipArchive([.init(name: "aa", bytes: [1]), .init(name: "ab", bytes: [1])]).encoded()
    for place in twice.indices.dropLast() where twice[place] == 0x61 && twice[place + 1] == 0x62 {
      twice[place + 1] = 0x61
    }
    #expect(throws: StoreError(.malformed, "")) { _ = try ZipArchive(twice) }
    let bytes = try Self.archive.encoded()
    for (offset, value) in [(8, UInt8(8)), (22, 0xFF), (25, 0xFF), (27, 0xFF)] {
      var crafted = bytes
      crafted[offset] = value
      #expect(throws: StoreError(.malformed, "")) { _ = try ZipArchive(crafted) }
    }
  }
}
