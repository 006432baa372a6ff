import Foundation
import Testing

@testable import EventStore

/// What `store.json` and the log say of the store's making and of where it came from: one of them lies.
@Suite struct OwnRecordTests {
  private let store: TemporaryStore
  private let key: SigningKey

  init() throws {
    store = try TemporaryStore()
    key = try SigningKey(name: "seal")
    try makeSegments(in: store, records: 120, signedBy: key)
  }

  private func report(_ path: String? = nil) throws -> VerifyReport {
    try Verifier(directory: path ?? store.path, pinnedKey: key.verifier).run()
  }

  private func identity(_ path: String) throws -> StoreIdentity {
    try StoreIdentity(of: StoreLayout(path), on: SystemDisk())
  }

  /// Appends records that only the store may append, and signs.
  private func append(_ type: String, _ data: String, in path: String, by key: SigningKey? = nil) throws {
    let log = try EventLog.open(at: path, options: smallSegments())
    let record = NewRecord(at: noon, stream: "log", type: type, data: Array(data.utf8))
    _ = try log.engine.append([record], expecting: .any)
    if let key { _ = try log.checkpoint(with: key) }
    try log.close()
  }

  @Test func `another format in store json than the log was opened with is found`() throws {
    #expect(try report().findings.isEmpty)
    var other = try identity(store.path)
    other.format = 1
    try other.save(to: StoreLayout(store.path), on: SystemDisk())
    let found = try report()
    #expect(found.verdict == .altered && found.findings.first?.position == 0, "\(found.findings)")
    #expect(found.records == 121, "all of the log is checked all the same")
  }

  @Test func `a record of the store's making that is not so is found, signed or not`() throws {
    let own = try identity(store.path)
    let honest = "{\"store\":\"\(own.id)\",\"origin\":\"\(own.origin)\",\"format\":2}"
    try append("log.opened", honest, in: store.path, by: key)
    #expect(try report().findings.isEmpty)
    let good = try store.copy("good")
    for lie in [
      honest.replacing(own.id, with: String(own.id.reversed())), honest.replacing("\"seal\"", with: "\"other\""),
      honest.replacing("2}", with: "1}"), "{}", "{\"store\":1,\"origin\":null,\"format\":\"2\"}",
    ] {
      let path = try TemporaryStore()
      try FileManager.default.copyItem(atPath: good, toPath: path.path)
      try append("log.opened", lie, in: path.path, by: key)
      let found = try report(path.path)
      #expect(found.verdict == .altered && found.findings.count == 1, "\(lie): \(found.findings)")
    }
  }

  @Test func `what a restored store was restored from is compared with its first record`() throws {
    let target = store.folder + "/new"
    _ = try Restore(from: store.path).write(to: target, origin: "new", at: noon)
    _ = try EventLog.open(at: target).close()
    #expect(try report(target).verdict == .ok)
    let honest = try identity(target)
    let before = try #require(honest.restoredFrom.first)
    let forged = "{\"store\":\"\(before.store)\",\"origin\":\"seal\",\"size\":3,\"root\":\"\",\"lost\":0}"
    let copy = store.folder + "/forged"
    try FileManager.default.copyItem(atPath: target, toPath: copy)
    try append("log.restored", forged, in: copy)
    #expect(try report(copy).verdict == .altered)
  }

  @Test func `a record of a restoring with sizes that no log has is a finding, and no trap`() throws {
    let target = store.folder + "/new"
    _ = try Restore(from: store.path).write(to: target, origin: "new", at: noon)
    let identity = try identity(target)
    let before = try #require(identity.restoredFrom.first)
    let names = "\"store\":\"\(before.store)\",\"origin\":\"\(before.origin)\",\"root\":\"\(before.root)\""
    func fault(_ sizes: String) throws -> String? {
      let line =
        "{\"n\":\(before.size),\"at\":\"2026-11-21T12:00:00.000000Z\",\"stream\":\"log\",\"rev\":0,"
        + "\"type\":\"log.restored\",\"v\":1,\"data\":{\(names),\(sizes)}}"
      return OwnRecordCheck(identity: identity).fault(of: try StoredRecord(line: Array(line.utf8)), at: before.size)
    }
    #expect(try fault("\"size\":\(before.size),\"lost\":\(before.lost)") == nil)
    for lie in [
      "\"size\":-1,\"lost\":0", "\"size\":\(before.size),\"lost\":-1", "\"size\":1e99,\"lost\":0.5",
    ] {
      #expect(try fault(lie)?.contains("restored from") == true, "\(lie)")
    }
  }

  @Test func `a loss that store json hides is said by the log`() throws {
    let size = try #require(try StoreLayout(store.path).latestCheckpoint(on: SystemDisk())?.size)
    // The last segment goes, and with it records that a checkpoint covers.
    try FileManager.default.removeItem(atPath: try #require(store.segments().last))
    let target = store.folder + "/new"
    let report = try Restore(from: store.path).write(to: target, origin: "new", acceptsLoss: true, at: noon)
    #expect(report.lost > 0 && report.lost < size)
    var hiding = try identity(target)
    hiding.restoredFrom[0].checkpoint = nil
    try hiding.save(to: StoreLayout(target), on: SystemDisk())
    for name in try FileManager.default.contentsOfDirectory(atPath: target + "/checkpoints") {
      try FileManager.default.removeItem(atPath: target + "/checkpoints/" + name)
    }
    let found = try Verifier(directory: target).run()
    #expect(found.verdict == .altered && found.findings.contains { $0.message.contains("restored from") }, "\(found)")
  }

  @Test func `store json with a byte order mark or in another encoding is none; retired keys may be missing`() throws {
    let path = store.path + "/store.json"
    let good = try bytes(of: path)
    let text = String(decoding: good, as: UTF8.self)
    let utf16 = Array(try #require(text.data(using: .utf16LittleEndian)))
    for bad in [[0xEF, 0xBB, 0xBF] + good, [0xFF, 0xFE] + utf16, utf16, good + [0x2C]] {
      try write(bad, to: path)
      #expect(throws: StoreError(.malformed, "")) { try report() }
      #expect(throws: StoreError(.malformed, "")) { try LogReader(directory: store.path) }
      #expect(throws: StoreError(.malformed, "")) { try EventLog.open(at: store.path) }
    }
    let json = try #require(try JSON(parsing: good).object)
    let kept = JSON.object(JSONObject(json.members.filter { $0.key != "retiredKeys" }))
    try write(Array(kept.text.utf8), to: path)
    #expect(try identity(store.path).retiredKeys.isEmpty && report().findings.isEmpty)
  }
}
