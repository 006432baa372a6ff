import Foundation
import Testing

@testable import EventStore

@Suite struct HandoverTests {
  /// A store that was handed over from one key to another, with checkpoints of each.
  private struct Handed {
    let store: TemporaryStore
    let old: SigningKey
    let new: SigningKey
    let before: SignedNote
    let handover: SignedNote
    let after: SignedNote

    init() throws {
      store = try TemporaryStore()
      let log = try EventLog.open(at: store.path)
      old = try SigningKey(name: log.identity.origin)
      new = try SigningKey(name: log.identity.origin)
      pass(log, try log.append([record("s", "one")]))
      before = try log.checkpoint(with: old)
      pass(log, try log.append([record("s", "two")]))
      handover = try log.handOver(from: old, to: new, at: noon)
      pass(log, try log.append([record("s", "three")]))
      after = try log.checkpoint(with: new)
      try log.close()
    }

    func verify(_ key: SigningKey?, _ note: SignedNote? = nil) throws -> VerifyReport {
      try Verifier(directory: store.path, pinnedKey: key?.verifier, pinnedCheckpoint: note).run()
    }

    func edit(_ change: (inout StoreIdentity) -> Void) throws {
      var identity = try StoreIdentity(of: StoreLayout(store.path), on: SystemDisk())
      change(&identity)
      try identity.save(to: StoreLayout(store.path), on: SystemDisk())
    }

    func put(_ note: SignedNote) throws {
      for name in ["latest", String(note.size)] {
        try write(Array(note.text.utf8), to: store.path + "/checkpoints/" + name)
      }
    }
  }

  @Test func `the checkpoint of a handover names the new key and is signed by both`() throws {
    let handed = try Handed()
    #expect(handed.handover.nextKey == handed.new.verifier && handed.handover.size == 4)
    #expect(handed.handover.standing(with: handed.old.verifier) == .valid)
    #expect(handed.handover.standing(with: handed.new.verifier) == .valid)
    #expect(handed.after.standing(with: handed.old.verifier) == .absent && handed.after.nextKey == nil)
    let identity = try LogReader(directory: handed.store.path).identity
    #expect(identity.publicKey == handed.new.verifier.description)
    #expect(identity.retiredKeys == [RetiredKey(key: handed.old.verifier.description, until: 4)])
    let told = try #require(try records(in: handed.store.path).first { $0.type == "log.rekeyed" })
    #expect(told.position == 3 && told.stream == EventLog.ownStream)
    #expect(String(decoding: told.data, as: UTF8.self).contains(handed.new.verifier.description))
  }

  @Test func `who pinned either key verifies all of the log`() throws {
    let handed = try Handed()
    for key in [handed.old, handed.new] {
      let report = try handed.verify(key)
      #expect(report.verdict == .ok && report.anchoredSize == handed.after.size, "\(report)")
      for note in [handed.before, handed.handover, handed.after] {
        #expect(
          try handed.verify(key, note).verdict
            == (key.verifier == handed.new.verifier && note == handed.before
              ? .badSignature : .ok))
      }
    }
    #expect(try handed.verify(nil).verdict == .unanchored)
  }

  @Test func `two handovers after each other are followed`() throws {
    let handed = try Handed()
    let log = try EventLog.open(at: handed.store.path)
    let third = try SigningKey(name: log.identity.origin)
    #expect(throws: StoreError(.keyMismatch, "")) { try log.handOver(from: handed.old, to: third) }
    #expect(throws: StoreError(.keyMismatch, "")) { try log.handOver(from: handed.new, to: handed.old) }
    #expect(throws: StoreError(.keyMismatch, "")) { try log.handOver(from: handed.new, to: SigningKey(name: "other")) }
    let note = try log.handOver(from: handed.new, to: third)
    #expect(try log.checkpoint(with: third) == note)
    #expect(throws: StoreError(.keyMismatch, "")) { try log.checkpoint(with: handed.new) }
    try log.close()
    for key in [handed.old, handed.new, third] {
      #expect(try handed.verify(key).anchoredSize == note.size)
    }
  }

  @Test(arguments: 0..<8) func `of handovers at a time by one key, all but one are refused and leave nothing`(
    _ round: Int
  ) throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    let old = try SigningKey(name: log.identity.origin)
    let next = try (0..<4).map { _ in try SigningKey(name: old.verifier.name) }
    pass(log, try log.append([record("s", "one")]))
    _ = try log.checkpoint(with: old)
    let before = log.size
    DispatchQueue.concurrentPerform(iterations: next.count) { index in
      _ = try? log.handOver(from: old, to: next[index])
    }
    #expect(log.size == before + 1)
    let key = try #require(next.first { $0.verifier.description == log.identity.publicKey })
    pass(log, try log.append([record("s", "two")]))
    _ = try log.checkpoint(with: key)
    try log.close()
    #expect(try records(in: store.path).filter { $0.type == "log.rekeyed" }.count == 1)
    for pinned in [old, key] {
      let report = try Verifier(directory: store.path, pinnedKey: pinned.verifier).run()
      #expect(report.verdict == .ok && report.anchoredSize == before + 2, "\(report)")
    }
  }

  @Test func `a store without a key has none to hand over`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    let key = try SigningKey(name: log.identity.origin)
    #expect(throws: StoreError(.keyMismatch, "")) {
      try log.handOver(from: key, to: SigningKey(name: key.verifier.name))
    }
    try log.close()
  }

  @Test func `a signature added to a checkpoint makes no key trusted`() throws {
    let handed = try Handed()
    let attacker = try SigningKey(name: handed.old.verifier.name)
    // The old key's last note, signed once more by the attacker, who names himself in store.json.
    let added = try SignedText(
      body: "\(handed.before.origin)\n\(handed.before.size)\n\(handed.before.root)\n", signedBy: [attacker])
    let line = try #require(added.text.split(separator: "\n").last)
    try handed.put(try SignedNote(text: handed.before.text + line + "\n"))
    try handed.edit {
      $0.publicKey = attacker.verifier.description
      $0.retiredKeys = [RetiredKey(key: handed.old.verifier.description, until: handed.before.size)]
    }
    #expect(try handed.verify(handed.old).verdict == .badSignature)
    #expect(try handed.verify(handed.new).verdict == .badSignature)
  }

  @Test func `a handover that the old key has not signed makes no key trusted`() throws {
    let handed = try Handed()
    let attacker = try SigningKey(name: handed.old.verifier.name)
    let forged = try SignedNote(
      origin: handed.after.origin, size: handed.after.size, root: handed.after.root, from: attacker, to: attacker)
    try handed.put(forged)
    try handed.edit { $0.publicKey = attacker.verifier.description }
    for key in [handed.old, handed.new] { #expect(try handed.verify(key).verdict == .badSignature) }
  }

  @Test func `a retired key signs no more, and hands over only once`() throws {
    let handed = try Handed()
    let late = try SignedNote(
      origin: handed.after.origin, size: handed.after.size, root: handed.after.root, signedBy: handed.old)
    try handed.put(late)
    for key in [handed.old, handed.new, nil] {
      let report = try handed.verify(key)
      #expect(report.verdict == .badSignature)
      #expect(report.findings.contains { $0.message.contains("retired at 4") })
    }
    let thief = try SigningKey(name: handed.old.verifier.name)
    try handed.put(
      try SignedNote(
        origin: handed.after.origin, size: handed.after.size, root: handed.after.root, from: handed.old, to: thief))
    try handed.edit { $0.publicKey = thief.verifier.description }
    for key in [handed.old, handed.new] { #expect(try handed.verify(key).verdict == .badSignature) }
  }

  @Test func `a key replaced in store json is found against a pinned one, old or new`() throws {
    let handed = try Handed()
    let attacker = try SigningKey(name: handed.old.verifier.name)
    try handed.edit { $0.publicKey = attacker.verifier.description }
    for key in [handed.old, handed.new] { #expect(try handed.verify(key).verdict == .badSignature) }
    #expect(try handed.verify(nil).verdict == .badSignature)
  }

  @Test func `a retired key that store json no longer names is found`() throws {
    let handed = try Handed()
    try handed.edit { $0.retiredKeys = [] }
    func expectAltered() throws {
      // Without its key, the note before has no signature that counts for the new key or for store.json.
      for (key, verdict) in [(handed.old, .altered), (handed.new, .badSignature), (nil, .badSignature)]
        as [(SigningKey?, VerifyReport.Verdict)]
      {
        let report = try handed.verify(key)
        #expect(report.verdict == verdict, "\(report.findings)")
        #expect(report.findings.count { $0.message.contains("no key that was retired at 4") } == 1)
      }
    }
    try expectAltered()
    // The handover is the newest note, and store.json names the new key: no crash leaves that.
    try write(Array(handed.handover.text.utf8), to: handed.store.path + "/checkpoints/latest")
    try FileManager.default.removeItem(atPath: handed.store.path + "/checkpoints/\(handed.after.size)")
    try expectAltered()
  }

  @Test func `a handover that was cut off is completed by the next opening, or has not been`() throws {
    let handed = try Handed()
    let copy = try handed.store.copy()
    // As it stands after `latest` was replaced: no file of its own, store.json names the old key.
    var cut = try StoreIdentity(of: StoreLayout(copy), on: SystemDisk())
    cut.publicKey = handed.old.verifier.description
    cut.retiredKeys = []
    try cut.save(to: StoreLayout(copy), on: SystemDisk())
    try write(Array(handed.handover.text.utf8), to: copy + "/checkpoints/latest")
    for note in [handed.handover, handed.after] {
      try FileManager.default.removeItem(atPath: copy + "/checkpoints/\(note.size)")
    }
    #expect(try Verifier(directory: copy, pinnedKey: handed.old.verifier).run().verdict == .ok)
    let log = try EventLog.open(at: copy)
    #expect(log.identity.publicKey == handed.new.verifier.description)
    #expect(log.identity.retiredKeys == [RetiredKey(key: handed.old.verifier.description, until: 4)])
    #expect(throws: StoreError(.keyMismatch, "")) { try log.checkpoint(with: handed.old) }
    let note = try log.checkpoint(with: handed.new)
    try log.close()
    for key in [handed.old, handed.new] {
      let report = try Verifier(directory: copy, pinnedKey: key.verifier).run()
      #expect(report.verdict == .ok && report.anchoredSize == note.size)
    }
  }
}
