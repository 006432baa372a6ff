import Foundation
import Testing

@testable import EventStore

/// What `verify` is asked beyond the log's being whole.
@Suite struct VerifyDemandsTests {
  private let store: TemporaryStore
  private let key: SigningKey
  private let witness: SigningKey

  init() throws {
    store = try TemporaryStore()
    key = try SigningKey(name: "play")
    witness = try SigningKey(name: "w", as: .cosignature)
    let log = try EventLog.open(at: store.path, options: LogOptions(origin: "play", clock: { noon }))
    pass(log, try log.append([record("s", "a")]))
    _ = try log.checkpoint(with: key)
    for text in ["b", "c", "d"] { pass(log, try log.append([record("s", text)])) }
    try log.close()
  }

  private func report(_ demands: VerifyDemands, remembered: SignedNote? = nil, in path: String? = nil) throws
    -> VerifyReport
  {
    demands.applied(
      to: try Verifier(directory: path ?? store.path, pinnedKey: key.verifier, remembered: remembered).run())
  }

  private func latest() throws -> SignedNote {
    try #require(try StoreLayout(store.path).latestCheckpoint(on: SystemDisk()))
  }

  @Test func `a tail over the limit is unanchored, a log under its size truncated`() throws {
    #expect(try report(.init()).verdict == .ok)
    #expect(try report(.init(maxTail: 3, minSize: 5)).verdict == .ok)
    let long = try report(.init(maxTail: 2))
    #expect(long.verdict == .unanchored && long.findings.map(\.kind) == [.unanchored] && long.anchoredSize == 2)
    #expect(try report(.init(maxTail: 0)).verdict == .unanchored)
    let small = try report(.init(maxTail: 0, minSize: 6))
    #expect(small.verdict == .truncated && small.findings.map(\.kind) == [.truncated, .unanchored])
    // Without a pinned key nothing is anchored, whatever is demanded.
    let bare = try VerifyDemands(maxTail: 9).applied(to: Verifier(directory: store.path).run())
    #expect(bare.verdict == .unanchored)
  }

  @Test func `the newest anchoring checkpoint must be cosigned, by each witness`() throws {
    let demands = VerifyDemands(witnesses: [witness.verifier])
    let without = try report(demands)
    #expect(without.verdict == .unanchored && without.cosigned.map(\.size) == [nil])
    let cosigning = Cosigning(store: store.path)
    _ = try cosigning.add(latest().cosignature(by: witness, at: 77), from: witness.verifier)
    let with = try report(demands)
    #expect(with.verdict == .ok && with.cosigned == [.init(witness: witness.verifier, size: 2, time: 77)])
    let other = try SigningKey(name: "w", as: .cosignature)
    #expect(try report(.init(witnesses: [witness.verifier, other.verifier])).verdict == .unanchored)
    // Its key vouches for no log by itself: it cosigns any.
    let pinned = try Verifier(directory: store.path, pinnedKey: witness.verifier).run()
    #expect(pinned.verdict != .ok && pinned.anchoredSize == nil)
    // A newer one that the witness has not seen.
    let log = try EventLog.open(at: store.path, options: LogOptions(clock: { noon }))
    _ = try log.checkpoint(with: key)
    try log.close()
    let newer = try report(demands)
    #expect(newer.verdict == .unanchored && newer.cosigned.map(\.size) == [2])
    #expect(newer.findings.first?.message.contains("the newest that is has 2") == true)
  }

  @Test func `a cosignature that does not hold is a bad signature`() throws {
    let note = try latest()
    let line = try note.cosignature(by: witness, at: 77)
    let encoded = try #require(line.dropLast().split(separator: " ").last)
    var bytes = try #require(Base64.decode(encoded))
    bytes[bytes.count - 1] ^= 1
    let forged = note.text + line.replacing(encoded, with: Base64.encode(bytes))
    try write(Array(forged.utf8), to: store.path + "/checkpoints/latest")
    #expect(try report(.init()).verdict == .ok)
    #expect(try report(.init(witnesses: [witness.verifier])).verdict == .badSignature)
  }

  @Test func `a state remembers the newest checkpoint, and shows a roll-back and a fork without a pinned one`() throws {
    let state = VerifiedState(path: store.folder + "/seen")
    #expect(try state.note() == nil)
    let older = try store.copy("older")
    let log = try EventLog.open(at: store.path, options: LogOptions(clock: { noon }))
    let note = try log.checkpoint(with: key)
    try log.close()
    try state.advance(to: note)
    try state.advance(to: try #require(try report(.init(), in: older).anchors.first))
    #expect(try state.note() == note)
    #expect(try report(.init(), remembered: note).verdict == .ok)
    // The older copy lost the records that were not signed then.
    let file = older + "/segments/" + SegmentName.name(first: 0)
    let length = try bytes(of: file).count
    #expect(length > 0)
    let small = try TemporaryStore()
    let fresh = try EventLog.open(at: small.path, options: LogOptions(origin: "play", clock: { noon }))
    _ = try fresh.checkpoint(with: key)
    try fresh.close()
    let rolled = try report(.init(), remembered: note, in: small.path)
    #expect(rolled.verdict == .truncated && rolled.findings.first?.message.contains("Remembered: ") == true)
    let grown = try EventLog.open(at: small.path, options: LogOptions(clock: { noon }))
    for index in 0..<9 { pass(grown, try grown.append([record("s", "x\(index)")])) }
    _ = try grown.checkpoint(with: key)
    try grown.close()
    #expect(try report(.init(), in: small.path).verdict == .ok)
    #expect(try report(.init(), remembered: note, in: small.path).verdict == .forked)
  }

  @Test func `a state goes on over a handover to a key that is pinned next`() throws {
    let log = try EventLog.open(at: store.path, options: LogOptions(clock: { noon }))
    let note = try log.checkpoint(with: key)
    let next = try SigningKey(name: "play")
    _ = try log.handOver(from: key, to: next)
    try log.close()
    let report = try Verifier(directory: store.path, pinnedKey: next.verifier, remembered: note).run()
    #expect(report.verdict == .ok && report.anchoredSize == 6)
  }

  @Test func `a state that is no checkpoint is not replaced`() throws {
    let path = store.folder + "/seen"
    try write(Array("torn".utf8), to: path)
    #expect(throws: StoreError(.malformed, "")) { try VerifiedState(path: path).note() }
    #expect(throws: StoreError(.malformed, "")) { try VerifiedState(path: path).advance(to: try latest()) }
    #expect(try bytes(of: path) == Array("torn".utf8))
  }
}
