// Small stores of every kind, for the walk over all of their bytes.
import Foundation
import Testing

@testable import EventStore

/// A small store, and the key that an auditor pinned.
struct WalkStore {
  /// What is special in it.
  enum Kind: String, CaseIterable, Sendable, CustomStringConvertible {
    case plain, closed, rolled, sealed, pruned, restored, superseded, secondPlace, rekeyed
    var description: String { rawValue }
  }

  let store: TemporaryStore
  let path: String
  let key: SigningKey
  /// The names of its streams, and of one that it has not.
  let streams: [String]

  init(_ kind: Kind) throws {
    store = try TemporaryStore()
    key = try repeatableKey()
    try store.identify()
    let isSmall = [.rolled, .sealed, .pruned, .superseded].contains(kind)
    var options = repeatableOptions(segmentBytes: isSmall ? 2_048 : 64 << 20, frameBytes: 400)
    if kind == .secondPlace {
      try FileManager.default.createDirectory(atPath: store.folder + "/other", withIntermediateDirectories: true)
      options.checkpoints = CheckpointSchedule(key: key, every: nil, onClose: true, also: store.folder + "/other")
    }
    var place = store.path
    if kind == .superseded {
      let disk = MemoryDisk(seed: 5)
      _ = try disk.makeDirectory("/volume")
      options.disk = disk
      let identity = try StoreIdentity(of: StoreLayout(store.path), on: SystemDisk())
      for folder in ["", "/segments"] { _ = try disk.makeDirectory("/volume/audit" + folder) }
      try identity.save(to: StoreLayout("/volume/audit"), on: disk)
      place = "/volume/audit"
    }
    let log = try EventLog.open(at: place, options: options)
    func append(_ count: Int) throws {
      for _ in 0..<count {
        let number = log.size
        pass(log, try log.append([record("s/\(number % 3)", "\(number) \(number &* 0x9E37_79B9_7F4A_7C15)")]))
      }
    }
    try append(isSmall ? 30 : 10)
    if kind == .superseded {
      try log.sync()
      try append(4)
      (options.disk as? MemoryDisk)?.fail(.sync, number: 1, with: .io)
      try log.sync()
      try append(3)
    }
    if kind != .plain { _ = try log.checkpoint(with: key) }
    if kind == .sealed || kind == .pruned { #expect(try log.seal().sealed > 0) }
    if kind == .pruned { #expect(try log.prune(before: .position(20), signingWith: key).segments > 0) }
    if kind == .rekeyed {
      try append(2)
      _ = try log.handOver(from: key, to: try SigningKey(name: "damage"), at: noon)
    }
    try append(2)
    try log.close()
    if let disk = options.disk as? MemoryDisk {
      try FileManager.default.removeItem(atPath: store.path)
      try disk.copy(place, to: store.path)
    }
    path = kind == .restored ? store.folder + "/restored" : store.path
    if kind == .restored { _ = try Restore(from: store.path).write(to: path, at: noon) }
    streams = ["s/0", "s/1", "s/2", "log", "nobody"]
  }

  /// The files of the store, relative to it.
  func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isDirectory)
        && !isDirectory.boolValue
    }.sorted()
  }

  /// What `verify` says, or nil if it says that there is no store that it can check.
  func verdict(on disk: any Disk = SystemDisk()) -> VerifyReport? {
    try? Verifier(directory: path, pinnedKey: key.verifier, disk: disk).run(threads: 1)
  }

  /// Everything that readers answer, as text: records, each stream, proofs, roots, counts and the identity.
  func answers(on disk: any Disk = SystemDisk()) -> [String] {
    var all: [String] = []
    func ask(_ what: String, _ body: () throws -> String) {
      do { all.append("\(what): \(try body())") } catch { all.append("\(what): \(error)") }
    }
    func lines(_ records: [StoredRecord]) -> String { String(decoding: text(records), as: UTF8.self) }
    guard let reader = try? LogReader(directory: path, disk: disk) else { return ["no store"] }
    ask("records") {
      var cursor = try reader.cursor()
      var found: [StoredRecord] = []
      while let record = try cursor.next() { found.append(record) }
      return lines(found)
    }
    for stream in streams { ask(stream) { lines(try reader.keptRecords(of: stream)) } }
    ask("counts") {
      var counts = try reader.statistics()
      // Signature lines of unknown keys mean nothing, and may be added by anyone.
      let note = counts.lastCheckpoint
      counts.lastCheckpoint = nil
      return "\(counts), \(note?.origin ?? "") \(note?.size ?? 0) \(note?.root ?? MerkleTree.empty)"
    }
    let size = (try? reader.statistics().records) ?? 0
    for position in stride(from: 0, to: size, by: 5) {
      ask("proof \(position)") { "\(try reader.inclusionProof(of: position, size: size))" }
      ask("root \(position)") { "\(try reader.root(at: position))" }
    }
    ask("growth") { "\(try reader.consistencyProof(first: size / 2, second: size))" }
    all.append("\(reader.identity)")
    return all
  }

  /// The revisions that a writer of a copy of the store gives, or of a store of these files, and what `verify` says afterwards; nil if
  /// it refuses the store.
  func written(_ files: HeldStore? = nil) throws -> (revisions: [String], report: VerifyReport)? {
    let copy = store.folder + "/written"
    try? FileManager.default.removeItem(atPath: copy)
    if let files { try files.write(to: copy) } else { try FileManager.default.copyItem(atPath: path, toPath: copy) }
    let options = repeatableOptions(segmentBytes: 2_048, frameBytes: 400)
    guard let log = try? EventLog.open(at: copy, options: options) else { return nil }
    var found: [String] = []
    for stream in streams where stream != "log" {
      pass(log, try log.append([record(stream, "next")]))
      let last = try LogReader(directory: copy).keptRecords(of: stream).last
      found.append("\(stream) \(last?.revision ?? -1)")
    }
    try log.close()
    return (found, try Verifier(directory: copy, pinnedKey: key.verifier).run(threads: 1))
  }
}
