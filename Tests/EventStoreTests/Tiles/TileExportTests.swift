import Foundation
import Testing

@testable import EventStore

@Suite struct TileExportTests {
  @Test func `paths are those of the specification`() {
    #expect(TilePath.encoded(0) == "000" && TilePath.encoded(999) == "999" && TilePath.encoded(1_000) == "x001/000")
    #expect(TilePath.encoded(1_234_067) == "x001/x234/067")
    #expect(TilePath.encoded(.max) == "x018/x446/x744/x073/x709/x551/615")
    #expect(TilePath.path(level: 0, index: 273, count: 112) == "tile/0/273.p/112")
    #expect(TilePath.path(level: nil, index: 1_234_067, count: 256) == "tile/entries/x001/x234/067")
  }

  /// Recomputes the root from entries and from tiles, and the signature, with no code of ours.
  private func check(_ directory: String, _ key: VerifierKey, from minimum: UInt64 = 0) throws -> Outcome {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/tiles_check.py"
    return try shell("python3 '\(script)' '\(directory)' '\(key)' \(minimum)")
  }

  @Test(.enabled(if: has("python3"), "python3 is not here"), arguments: [1, 255, 256, 257, 600])
  func `an independent reader computes the signed root from the tiles`(_ size: Int) throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: .init(segmentBytes: 16 << 10, frameBytes: 4 << 10))
    let key = try SigningKey(name: log.identity.origin)
    _ = try log.append((1..<size).map { record("s/\($0 % 9)", String(repeating: "é", count: $0 % 50) + "\($0)") })
    let note = try log.checkpoint(with: key)
    pass(log, try log.append([record("s", "not covered")]))
    try log.close()
    let target = store.folder + "/tiles"
    let report = try TileExport(of: store.path).write(to: target)
    #expect(report.records == UInt64(size) && report.root == note.root)
    let outcome = try check(target, key.verifier)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(String(decoding: outcome.output, as: UTF8.self) == "\(size) \(note.root)\n")

    // The reader is no rubber stamp.
    let tile = target + "/tile/0/000" + (size < 256 ? ".p/\(size)" : "")
    var bad = try bytes(of: tile)
    bad[3] ^= 1
    try write(bad, to: tile)
    #expect(try check(target, key.verifier).status != 0)
    #expect(throws: StoreError(.cannotCreate, "")) { try TileExport(of: store.path).write(to: target) }
  }

  @Test(arguments: [MemoryDisk.Call.sync, .syncDirectory]) func `an export whose files cannot be synced gets no name`(
    _ call: MemoryDisk.Call
  ) throws {
    let disk = MemoryDisk(seed: 1)
    var options = LogOptions()
    options.disk = disk
    let log = try EventLog.open(at: "/audit", options: options)
    let key = try SigningKey(name: log.identity.origin)
    pass(log, try log.append([record("s", "one")]))
    _ = try log.checkpoint(with: key)
    try log.close()
    disk.fail(call, number: 1, with: .io)
    #expect(throws: StoreError(.io, "")) {
      try TileExport(of: "/audit", disk: disk).write(to: "/tiles of a disk in memory")
    }
    #expect(try !disk.names(in: "/").contains("tiles of a disk in memory"))
  }

  @Test(.enabled(if: has("python3"), "python3 is not here"))
  func `a large log has the tiles that the specification names for it`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    let key = try SigningKey(name: log.identity.origin)
    for part in 0..<70 { _ = try log.append((0..<1_000).map { record("s/\(part)", "\($0)") }) }
    let note = try log.checkpoint(with: key)
    try log.close()
    let target = store.folder + "/tiles"
    _ = try TileExport(of: store.path).write(to: target)
    #expect(note.size == 70_001)
    for path in ["0/272", "0/273.p/113", "1/000", "1/001.p/17", "2/000.p/1", "entries/273.p/113"] {
      #expect(FileManager.default.fileExists(atPath: target + "/tile/" + path), "\(path)")
    }
    #expect(!FileManager.default.fileExists(atPath: target + "/tile/3"))
    let outcome = try check(target, key.verifier)
    #expect(outcome.status == 0 && String(decoding: outcome.output, as: UTF8.self) == "70001 \(note.root)\n")
  }

  @Test(.enabled(if: has("python3"), "python3 is not here"))
  func `sealed segments are exported as they were, of pruned ones the hashes and no half bundle`() throws {
    let mixed = try MixedStore()
    let target = mixed.store.folder + "/tiles"
    let report = try TileExport(of: mixed.store.path).write(to: target)
    #expect(report.records == mixed.note.size && report.root == mixed.note.root)
    #expect(mixed.firstKept > 256 && report.minimumIndex == 512)
    let outcome = try check(target, mixed.key.verifier, from: 512)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(String(decoding: outcome.output, as: UTF8.self) == "\(mixed.note.size) \(mixed.note.root)\n")
    // The bundle of which some are kept is not there, and all tiles of hashes are.
    let entries = try FileManager.default.contentsOfDirectory(atPath: target + "/tile/entries").sorted()
    #expect(entries.first == "002", "\(entries)")
    #expect(FileManager.default.fileExists(atPath: target + "/tile/0/000"))
    #expect(try check(target, mixed.key.verifier, from: 256).status != 0)
  }

  @Test(.enabled(if: has("python3"), "python3 is not here"))
  func `a log whose last bundle would have pruned entries is exported once there is a later one`() throws {
    let store = try TemporaryStore()
    let key = try SigningKey(name: "seal")
    try makeSegments(in: store, records: 400, signedBy: key)
    let log = try EventLog.open(at: store.path, options: smallSegments())
    let kept = try log.prune(before: .position(390), signingWith: key).firstKept
    _ = try log.checkpoint(with: key)
    #expect(kept > 256)
    let target = store.folder + "/tiles"
    let error = #expect(throws: StoreError(.pruned, "")) { try TileExport(of: store.path).write(to: target) }
    #expect(error?.description.contains("512") == true && !FileManager.default.fileExists(atPath: target))
    try fill(log, records: 200, from: 400)
    _ = try log.checkpoint(with: key)
    try log.close()
    #expect(try TileExport(of: store.path).write(to: target).minimumIndex == 512)
    #expect(try check(target, key.verifier, from: 512).status == 0)
  }

  @Test func `what cannot be exported says why, and leaves nothing`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    #expect(throws: StoreError(.noSuchPosition, "")) { try TileExport(of: store.path).write(to: store.folder + "/t") }
    let key = try SigningKey(name: log.identity.origin)
    pass(log, try log.append([record("s")]))
    let note = try log.checkpoint(with: key)
    try log.close()
    let other = try SignedNote(origin: note.origin, size: note.size, root: MerkleTree.empty, signedBy: key)
    try write(Array(other.text.utf8), to: store.path + "/checkpoints/latest")
    #expect(throws: StoreError(.altered, "")) { try TileExport(of: store.path).write(to: store.folder + "/t") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder) == ["audit"])
  }
}
