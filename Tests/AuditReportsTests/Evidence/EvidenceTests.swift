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
    // The old key signs on, and keys.txt leaves out the one that it handed over to.
    var archive = try ZipArchive(EvidenceBundle(of: ["a/1"], in: reader, checkpoint: handover).encoded())
    let later = try SignedNote(text: String(decoding: try #require(archive[EvidenceFile.latest]), as: UTF8.self))
    let forged = try SignedNote(origin: later.origin, size: later.size, root: later.root, signedBy: old)
    archive[EvidenceFile.latest] = Array(forged.text.utf8)
    archive[EvidenceFile.keys] = Array("\(old.verifier)\n".utf8)
    let about = try JSON(parsing: try #require(archive[EvidenceFile.manifest])).object?.members ?? []
    archive[EvidenceFile.manifest] = EvidenceBundle.manifest(
      of: archive, about.filter { $0.key != "files" }.map { ($0.key, $0.value) })
    let bundle = try archive.encoded()
    let check = try EvidenceCheck(bundle, pinned: old.verifier)
    #expect(check.verdict == .unanchored, "\(check.verdict): \(check.reason)")
    let run = try store.checked(bundle, pinned: "\(old.verifier)\n")
    #expect(run.code == 10, "\(run.output)")
  }

  /// The bundle of a log of one record, which lists the first of the keys that signed it.
  private func bundle(
    of line: String, in flow: String, as origin: String, signedBy keys: [SigningKey]
  ) throws -> [UInt8] {
    let bytes = Array(line.utf8)
    let leaf = MerkleTree.leaf(bytes)
    let listed = try #require(keys.first).verifier
    let note = try SignedNote(text: try SignedText(body: "\(origin)\n1\n\(leaf)\n", signedBy: keys).text)
    let proof = InclusionProof(leafIndex: 0, treeSize: 1, leafHash: leaf, root: leaf, hashes: [])
    let records = (try? StoredRecord(line: bytes)).map { [$0] } ?? []
    var archive = ZipArchive([ZipArchive.Member]())
    archive[EvidenceFile.howTo] = Array(HowToCheck.text.utf8)
    archive[EvidenceFile.program] = Array(CheckProgram.text.utf8)
    archive[EvidenceFile.checkpoint] = Array(note.text.utf8)
    archive[EvidenceFile.keys] = Array("\(listed)\n".utf8)
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
    let made = try bundle(of: line.text, in: line.flow, as: key.verifier.name, signedBy: [key])
    let store = try EvidenceStore.once()
    #expect(try store.verdict(made, pinned: key.verifier) == line.code)
    let run = try store.checked(made, pinned: "\(key.verifier)\n")
    #expect(run.code == line.code, "\(run.output)")
  }

  @Test("a key proves nothing of a log that has another name than the key, to both checkers")
  func otherLog() throws {
    let line = try #require(RecordLine.all.first)
    let store = try EvidenceStore.once()
    let (own, other) = (try SigningKey(name: "bank-b"), try SigningKey(name: "bank-a"))
    // One name as two sequences of bytes that Unicode treats as equivalent.
    let (composed, decomposed) = (try SigningKey(name: "caf\u{E9}"), "cafe\u{301}")
    let cases: [(origin: String, signers: [SigningKey], pinned: SigningKey, code: Int32)] = [
      ("bank-b", [own], own, 0), ("bank-b", [other], other, 23), ("bank-b", [own, other], own, 0),
      ("bank-b", [own, other], other, 23), (decomposed, [composed], composed, 23),
    ]
    for (origin, signers, pinned, code) in cases {
      let made = try bundle(of: line.text, in: line.flow, as: origin, signedBy: signers)
      let check = try EvidenceCheck(made, pinned: pinned.verifier)
      #expect(check.verdict.exitCode == code && (code != 0 || check.reason.contains(origin)), "\(check.reason)")
      let run = try store.checked(made, pinned: "\(pinned.verifier)\n")
      #expect(run.code == code && (code != 0 || run.output.contains(origin)), "\(run.output)")
    }
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

  @Test(
    "files of valid texts that are more or longer than those of its records are refused before they are read",
    arguments: [
      (EvidenceFile.proofs, "aaaaaa", 1_300, "more values"), (EvidenceFile.consistency, "aaaaaa", 1_300, "more values"),
      (EvidenceFile.proofs, String(repeating: "a", count: 43) + "=", 700, "longer"),
    ])
  func oversized(file: String, hash: String, count: Int, reason: String) throws {
    var archive = try ZipArchive(EvidenceStore.once().bundle)
    let hashes = [String](repeating: "\"\(hash)\"", count: count).joined(separator: ",")
    let proof = "{\"position\":0,\"hashes\":[\(hashes)]}"
    archive[file] = Array((file == EvidenceFile.proofs ? "{\"proofs\":[\(proof)]}" : proof).utf8)
    let bundle = try archive.encoded()
    let error = #expect(throws: StoreError.self) { _ = try EvidenceCheck(bundle, pinned: nil) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }
}
