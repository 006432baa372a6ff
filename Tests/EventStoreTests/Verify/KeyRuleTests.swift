import Foundation
import Testing

@testable import EventStore

/// Rules of FORMAT.md §6 about who may have signed what, each broken by itself.
@Suite struct KeyRuleTests {
  typealias Verdict = VerifyReport.Verdict

  private func kinds(_ report: VerifyReport) -> Set<Verdict> {
    Set(report.findings.map(\.kind)).subtracting([.ok, .unanchored])
  }

  /// A checkpoint of a store's log, true but for who signs it.
  private func note(
    of store: WalkStore, size: UInt64, as origin: String? = nil, by key: SigningKey, root: UInt64? = nil
  ) throws -> SignedNote {
    try SignedNote(
      origin: origin ?? key.verifier.name, size: size, root: LogReader(directory: store.path).root(at: root ?? size),
      signedBy: key)
  }

  @Test func `a key that was handed over signs no later checkpoint, wherever that was kept`() throws {
    let store = try WalkStore(.rekeyed)
    let identity = try StoreIdentity(of: StoreLayout(store.path), on: SystemDisk())
    let until = try #require(identity.retiredKeys.first).until
    let size = try LogReader(directory: store.path).statistics().records
    #expect(size > until)
    for (kept, isGood) in [(until, true), (size, false)] {
      let report = try Verifier(
        directory: store.path, pinnedKey: store.key.verifier,
        pinnedCheckpoint: try note(of: store, size: kept, by: store.key)
      ).run(threads: 1)
      #expect(kinds(report) == (isGood ? [] : [.badSignature]), "\(kept): \(report.findings)")
      #expect(report.anchoredSize ?? 0 >= until)
    }
  }

  @Test func `a handover that the caller has kept counts although the store lost it`() throws {
    let store = try WalkStore(.rekeyed)
    let layout = StoreLayout(store.path)
    let identity = try StoreIdentity(of: layout, on: SystemDisk())
    let until = try #require(identity.retiredKeys.first).until
    let handover = try #require(try layout.note(at: layout.checkpoint(until), on: SystemDisk()))
    let old = store.key.verifier
    var robbed = StoreIdentity(id: identity.id, origin: identity.origin)
    robbed.publicKey = old.description
    let forged = try SignedNote(
      origin: identity.origin, size: until + 1, root: MerkleTree.empty, signedBy: store.key)
    for (kept, isTrusted) in [([], true), ([handover], false)] as [([SignedNote], Bool)] {
      let check = NoteCheck(identity: robbed, pinned: old, published: [forged], kept: kept)
      #expect(check.isTrusted(forged) == isTrusted && (check.fault(of: forged) == nil) == isTrusted)
    }
  }

  @Test func `a kept checkpoint of another log is a fork, and nothing more is said of it`() throws {
    let store = try WalkStore(.closed)
    for size in [UInt64(2), 99] {
      let other = try note(of: store, size: size, by: try SigningKey(name: "other"), root: 2)
      for key in [nil, store.key.verifier] {
        let report = try Verifier(directory: store.path, pinnedKey: key, pinnedCheckpoint: other).run(threads: 1)
        #expect(kinds(report) == [.forked], "\(report.findings)")
      }
    }
  }

  @Test func `a kept checkpoint of the restored log counts if its key has signed it`() throws {
    let store = try WalkStore(.restored)
    let before = try #require(StoreIdentity(of: StoreLayout(store.path), on: SystemDisk()).restoredFrom.first)
    for (key, kind) in [(store.key, Verdict.truncated), (try SigningKey(name: before.origin), .badSignature)] {
      let kept = try note(of: store, size: before.size + 40, as: before.origin, by: key, root: before.size)
      let report = try Verifier(directory: store.path, pinnedCheckpoint: kept).run(threads: 1)
      #expect(kinds(report).contains(kind), "\(report.findings)")
      #expect(kind == .truncated || report.verdict == .badSignature)
    }
  }

  @Test func `the checkpoint in restoredFrom is of the log that was restored`() throws {
    let store = try WalkStore(.restored)
    var files = try HeldStore(of: store)
    var identity = try #require(StoreIdentity(bytes: files.files["store.json"] ?? []))
    let other = try note(of: store, size: 3, as: "other", by: store.key)
    identity.restoredFrom[0].checkpoint = other.text
    try identity.save(to: StoreLayout(store.path), on: SystemDisk())
    files = try HeldStore(of: store)
    let report = try #require(store.verdict(on: files))
    #expect(kinds(report) == [.badSignature], "\(report.findings)")
  }

  @Test(arguments: [" %", "% ", "%\t", "%\n"]) func `a key in the store has no white space around it`(
    _ form: String
  ) throws {
    let store = try WalkStore(.closed)
    var identity = try StoreIdentity(of: StoreLayout(store.path), on: SystemDisk())
    identity.publicKey = form.replacing("%", with: store.key.verifier.description)
    try identity.save(to: StoreLayout(store.path), on: SystemDisk())
    let report = try #require(store.verdict())
    #expect(kinds(report).contains(.badSignature), "\(report.findings)")
    let text = try note(of: store, size: 3, by: store.key).text
    let next = text.replacing("\n\n", with: "\nnext-key \(form.replacing("%", with: "x+1"))\n\n")
    #expect((try? SignedNote(text: next))?.nextKey == nil)
  }
}
