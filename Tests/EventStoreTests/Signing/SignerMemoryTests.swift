import Foundation
import Testing

@testable import EventStore

/// A key remembers what it signed, whatever becomes of the store.
@Suite struct SignerMemoryTests {
  private let folder: TemporaryStore
  private let file: String
  private var layout: StoreLayout { StoreLayout(folder.path) }

  init() throws {
    folder = try TemporaryStore()
    file = folder.folder + "/keys/play.key"
  }

  private func key(of store: String? = nil) throws -> SigningKey {
    let store = store ?? folder.path
    return try SigningKey.obtain(for: try LogReader(directory: store).identity, store: store, path: file)
  }

  /// Appends to the store, and signs it.
  @discardableResult
  private func sign(_ texts: String..., store: String? = nil) throws -> SignedNote {
    let store = store ?? folder.path
    let log = try EventLog.open(at: store, options: LogOptions(origin: "play", clock: { noon }))
    for text in texts { pass(log, try log.append([record("s", text)])) }
    defer { try? log.close() }
    return try log.checkpoint(with: key(of: store))
  }

  /// What is left if the store's own word of its checkpoints is taken away.
  private func forget(_ store: String) throws {
    let files = FileManager.default
    for name in try files.contentsOfDirectory(atPath: store + "/checkpoints") {
      try files.removeItem(atPath: store + "/checkpoints/" + name)
    }
    var identity = try LogReader(directory: store).identity
    identity.publicKey = nil
    identity.retiredKeys = []
    try identity.save(to: StoreLayout(store), on: SystemDisk())
  }

  private func remembered() throws -> SignerMemory.Entry? { try SignerMemory(path: file + ".state").read() }

  @Test func `what is signed is remembered beside the key, with the store's id, for its owner alone`() throws {
    let first = try sign("a")
    #expect(try remembered() == .init(store: LogReader(directory: folder.path).identity.id, note: first))
    let second = try sign("b")
    #expect(try remembered()?.note == second && second.size > first.size)
    let mode = try FileManager.default.attributesOfItem(atPath: file + ".state")[.posixPermissions]
    #expect(mode as? Int == 0o600)
    // Asked again at the same size, the note is the same, and remembered if it was not.
    try FileManager.default.removeItem(atPath: file + ".state")
    #expect(try sign() == second)
    #expect(try remembered()?.note == second)
  }

  @Test func `a log that lost its end and its checkpoints is truncated, not signed`() throws {
    try sign("a")
    let older = try folder.copy("older")
    let last = try sign("b", "c")
    try FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.moveItem(atPath: older, toPath: folder.path)
    // The store's own checkpoints are as old as it is.
    let error = #expect(throws: StoreError(.truncated, "")) { try sign() }
    #expect(error?.description.contains("truncated") == true && error?.description.contains("\(last.size)") == true)
    #expect(error?.file == file + ".state")
    let scheduled = LogOptions(checkpoints: CheckpointSchedule(keyFile: file, every: nil))
    #expect(throws: StoreError(.truncated, "")) { try EventLog.open(at: folder.path, options: scheduled) }
    #expect(try remembered()?.note == last)
    // Grown again by other records, it is forked.
    #expect(throws: StoreError(.forked, "")) { try sign("x", "y", "z") }
    #expect(try remembered()?.note == last)
  }

  /// Puts other subtree hashes into the last directory of the log.
  private func forgeTree() throws {
    let path = try #require(folder.segments().last)
    var file = try bytes(of: path)
    var end = UInt64(file.count)
    while let (frame, start) = try DirectoryChain.frame(endingAt: end, of: MemoryFile(file, path: path)) {
      end = start
      guard frame.kind == .directory else { continue }
      var directory = try FrameDirectory(body: frame.body)
      let hashes = directory.frontier.hashes.map { TreeHash(sha256Of: Array($0.description.utf8)) }
      directory.frontier = try #require(MerkleFrontier(size: directory.frontier.size, hashes: hashes))
      let forged = SkippableFrame(kind: .directory, body: directory.encoded).encoded
      #expect(forged.count == Int(frame.length))
      file.replaceSubrange(Int(start)..<Int(start) + forged.count, with: forged)
      return try write(file, to: path)
    }
    Issue.record("the log has no directory")
  }

  @Test func `a tree that the records do not lead to is not signed, whether there is a signature before it or not`()
    throws
  {
    func append(_ text: String) throws {
      let log = try EventLog.open(at: folder.path, options: LogOptions(origin: "play", clock: { noon }))
      pass(log, try log.append([record("s", text)]))
      try log.close()
    }
    try append("a")
    let untouched = try folder.copy("untouched")
    try forgeTree()
    #expect(throws: StoreError(.altered, "")) { try sign("b") }
    #expect(throws: StoreError(.altered, "")) { try sign() }
    try FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.moveItem(atPath: untouched, toPath: folder.path)
    let note = try sign("b")
    try append("c")
    try forgeTree()
    #expect(throws: StoreError(.altered, "")) { try sign("d") }
    // Nor if the store has no checkpoint of its own.
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/checkpoints") {
      try FileManager.default.removeItem(atPath: folder.path + "/checkpoints/" + name)
    }
    #expect(throws: StoreError(.altered, "")) { try sign("e") }
    #expect(try remembered()?.note == note)
  }

  @Test func `another log under a directory that has the tree that was signed is not signed`() throws {
    let note = try sign("a", "b")
    let identity = try LogReader(directory: folder.path).identity
    let genuine = try LogReader(directory: folder.path).frontier(at: note.size)
    // The same store with other records, whose first directory of that size states the signed tree.
    try FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    for name in ["segments", "checkpoints"] {
      try FileManager.default.createDirectory(atPath: folder.path + "/" + name, withIntermediateDirectories: true)
    }
    try identity.save(to: layout, on: SystemDisk())
    let log = try EventLog.open(at: folder.path, options: LogOptions(frameBytes: 1, origin: "play", clock: { noon }))
    while log.size < note.size + 3 { pass(log, try log.append([record("s", "other \(log.size)")])) }
    try log.close()
    let path = try #require(folder.segments().last)
    var file = try bytes(of: path)
    let walker = try SegmentWalker(
      MemoryFile(file, path: path), from: try FileHead(of: MemoryFile(file, path: path)).end)
    walk: while true {
      switch try walker.next() {
      case .skippable(let frame, let offset) where frame.kind == .directory:
        var directory = try FrameDirectory(body: frame.body)
        guard directory.end == note.size else { continue }
        directory.frontier = genuine
        let forged = SkippableFrame(kind: .directory, body: directory.encoded).encoded
        file.replaceSubrange(Int(offset)..<Int(offset) + forged.count, with: forged)
      case .end: break walk
      default: continue
      }
    }
    try write(file, to: path)
    #expect(try LogReader(directory: folder.path).root(at: note.size) == note.root)
    #expect(throws: StoreError(.forked, "")) { try sign("x") }
    #expect(try remembered()?.note == note)
  }

  @Test func `a store that names no key any more is not keyed again`() throws {
    let note = try sign("a")
    try forget(folder.path)
    #expect(throws: StoreError(.keyMismatch, "")) { try sign("b") }
    let loaded = try SigningKey.load(path: file)
    let log = try EventLog.open(at: folder.path, options: LogOptions(clock: { noon }))
    #expect(throws: StoreError(.keyMismatch, "")) { try log.checkpoint(with: loaded) }
    try log.close()
    // Nor if the key is hidden for a moment, or what it remembers.
    try FileManager.default.moveItem(atPath: file, toPath: file + ".away")
    #expect(throws: StoreError(.keyMismatch, "")) { try key() }
    try FileManager.default.moveItem(atPath: file + ".away", toPath: file)
    try FileManager.default.removeItem(atPath: file + ".state")
    #expect(throws: StoreError(.keyMismatch, "")) { try key() }
    #expect(try LogReader(directory: folder.path).identity.publicKey == nil && note.size == 2)
  }

  @Test func `a store of another id under the same origin is not signed`() throws {
    try sign("a")
    let other = folder.folder + "/other"
    #expect(throws: StoreError(.keyMismatch, "")) { try sign("b", store: other) }
    let loaded = try SigningKey.load(path: file)
    let log = try EventLog.open(at: other, options: LogOptions(clock: { noon }))
    #expect(throws: StoreError(.keyMismatch, "")) { try log.checkpoint(with: loaded) }
    try log.close()
    #expect(try LogReader(directory: other).identity.publicKey == nil)
    // A name that was put in by hand changes nothing.
    var identity = try LogReader(directory: other).identity
    identity.publicKey = loaded.verifier.description
    try identity.save(to: StoreLayout(other), on: SystemDisk())
    #expect(throws: StoreError(.keyMismatch, "")) { try sign("b", store: other) }
  }

  @Test func `two copies of a store that go on apart are not both signed`() throws {
    try sign("a")
    let twin = try folder.copy("twin")
    try sign("b")
    #expect(throws: StoreError(.forked, "")) { try sign("c", store: twin) }
    #expect(throws: StoreError(.forked, "")) { try sign("c", "d", store: twin) }
    try sign("e")
  }

  @Test func `a key that is made ahead signs the first store that it is given, and no other`() throws {
    _ = try SigningKey.create(path: file, name: "play")
    #expect(try remembered() == .init())
    try sign("a")
    #expect(throws: StoreError(.keyMismatch, "")) { try sign("a", store: folder.folder + "/other") }
    #expect(throws: StoreError(.cannotCreate, "")) { try SigningKey.create(path: file, name: "play") }
    try FileManager.default.removeItem(atPath: file)
    #expect(throws: StoreError(.cannotCreate, "")) { try SigningKey.create(path: file, name: "play") }
    #expect(throws: StoreError(.keyMissing, "")) { try sign("b") }
  }

  @Test func `a signing that was cut off between memory and publication is taken up again`() throws {
    try sign("a")
    let log = try EventLog.open(at: folder.path, options: LogOptions(clock: { noon }))
    pass(log, try log.append([record("s", "b")]))
    try log.sync()
    let key = try key()
    let root = try #require(TreeHash(bytes: log.rootHash))
    let unpublished = try SignedNote(origin: "play", size: log.size, root: root, signedBy: key)
    try log.close()
    let memory = SignerMemory(path: file + ".state")
    try memory.put(
      .init(store: log.identity.id, note: unpublished), under: try memory.claim())
    #expect(try sign().text == unpublished.text)
    #expect(try layout.latestCheckpoint(on: SystemDisk())?.text == unpublished.text)
    // Or later, over what came since.
    let after = try sign("c", "d")
    #expect(after.size == unpublished.size + 2)
    #expect(try remembered()?.note?.text == after.text)
    #expect(try Verifier(directory: folder.path, pinnedKey: key.verifier).run().verdict == .ok)
  }

  @Test func `the process ends at every call of a signing, and the log is signed afterwards`() throws {
    for calls in 1..<200 {
      let disk = MemoryDisk(seed: 7)
      var key = try SigningKey(name: "play")
      _ = try disk.makeDirectory("/keys")
      try disk.syncDirectory("/")
      key = key.remembering(in: SignerMemory(path: "/keys/state", disk: disk))
      var options = LogOptions(durability: .os, origin: "play", clock: { noon }, idleClose: .seconds(3600))
      options.disk = disk
      let log = try EventLog.open(at: Play.store, options: options)
      pass(log, try log.append([record("s", "a")]))
      _ = try log.checkpoint(with: key)
      pass(log, try log.append([record("s", "b")]))
      disk.cutPower(afterCalls: calls)
      let isSigned = (try? log.checkpoint(with: key)) != nil
      try? log.close()
      let after = disk.afterCut()
      options.disk = after
      let again = try EventLog.open(at: Play.store, options: options)
      let note = try again.checkpoint(
        with: key.remembering(in: SignerMemory(path: "/keys/state", disk: after)))
      try again.close()
      let report = try Verifier(directory: Play.store, pinnedKey: key.verifier, disk: after).run()
      #expect(report.verdict == .ok && report.anchoredSize == note.size, "after \(calls) calls: \(report)")
      if isSigned { break }
      #expect(calls < 199)
    }
  }

  @Test(arguments: ["", "{", "{\"format\":2}", "{\"format\":1,\"note\":\"x\"}", "\0\0\0\0"])
  func `what cannot be read is no reason to forget`(_ torn: String) throws {
    try sign("a")
    try write(Array(torn.utf8), to: file + ".state")
    let error = #expect(throws: StoreError(.malformed, "")) { try sign("b") }
    #expect(error?.file == file + ".state")
    #expect(try String(contentsOfFile: file + ".state", encoding: .utf8) == torn)
  }

  @Test func `a memory that another process holds, or that cannot be written, signs nothing`() throws {
    try sign("a")
    let log = try EventLog.open(at: folder.path, options: LogOptions(clock: { noon }))
    pass(log, try log.append([record("s", "b")]))
    let key = try key()
    do {
      let other = try SignerMemory(path: file + ".state").claim()
      #expect(throws: StoreError(.locked, "")) { try log.checkpoint(with: key) }
      _ = other
    }
    let elsewhere = key.remembering(in: folder.folder + "/nowhere/state")
    #expect(throws: StoreError(.notFound, "")) { try log.checkpoint(with: elsewhere) }
    #expect(try layout.latestCheckpoint(on: SystemDisk())?.size == 2)
    #expect(try log.checkpoint(with: key).size == 3)
    try log.close()
  }

  @Test func `a handover is remembered by both keys, and a new key in the old one's place goes on`() throws {
    try sign("a")
    let log = try EventLog.open(at: folder.path, options: LogOptions(clock: { noon }))
    let next = folder.folder + "/keys/next.key"
    let (old, new) = (try key(), try SigningKey.obtainNext(for: log.identity, store: folder.path, path: next))
    let handover = try log.handOver(from: old, to: new)
    try log.close()
    #expect(try remembered()?.note == handover)
    #expect(try SignerMemory(path: next + ".state").read()?.note == handover)
    // The old key's memory with the new key: what it knows is signed by both.
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.moveItem(atPath: next, toPath: file)
    let note = try sign("b")
    #expect(note.standing(with: new.verifier) == .valid && note.size == handover.size + 1)
    #expect(try Verifier(directory: folder.path, pinnedKey: old.verifier).run().verdict == .ok)
    // And what a retired key has signed is still held against the log.
    try SignerMemory(path: file + ".state").put(
      .init(
        store: log.identity.id, note: try SignedNote(origin: "play", size: 1, root: MerkleTree.leaf([1]), signedBy: old)
      ),
      under: try SignerMemory(path: file + ".state").claim())
    #expect(throws: StoreError(.forked, "")) { try sign("c") }
  }

  @Test func `backup and restore are signed as before`() throws {
    try sign("a")
    let backup = folder.folder + "/backup"
    _ = try Backup(of: folder.path).write(to: backup)
    _ = try Restore(from: backup).write(to: folder.folder + "/restored", origin: "second")
    let restored = folder.folder + "/restored"
    #expect(throws: StoreError(.keyMismatch, "")) { try sign("b", store: restored) }
    file(of: "second", signs: restored)
    try sign("b")
  }

  private func file(of origin: String, signs store: String) {
    #expect(throws: Never.self) {
      let log = try EventLog.open(at: store, options: LogOptions(clock: { noon }))
      let path = folder.folder + "/keys/\(origin).key"
      _ = try log.checkpoint(with: SigningKey.obtain(for: log.identity, store: store, path: path))
      try log.close()
    }
  }
}
