import Foundation
import Testing

@testable import EventStore

/// Names that Unicode treats as equivalent are those of two logs: Swift's `==` would take one for the other.
@Suite struct EquivalentNameTests {
  private typealias Pair = (one: String, other: String)
  /// K and the Kelvin sign; é as one scalar and as two.
  private static let pairs: [Pair] = [("ACME-K", "ACME-\u{212A}"), ("caf\u{E9}-log", "cafe\u{301}-log")]

  /// The same key under another name.
  private func renamed(_ key: SigningKey, _ name: String) throws -> SigningKey {
    let hash = try VerifierKey(name: name, publicKey: key.verifier.publicKey).hashText
    let secret = try #require(key.secretText.split(separator: "+", maxSplits: 4).last)
    return try SigningKey(text: "PRIVATE+KEY+\(name)+\(hash)+\(secret)")
  }

  @Test func `keys of two such names are two keys, and each signs for its own log alone`() throws {
    for (one, other) in Self.pairs {
      #expect(one == other)
      let key = try SigningKey(name: one)
      let twin = try renamed(key, other)
      #expect(key.verifier != twin.verifier)
      #expect(Set([key.verifier, twin.verifier]).count == 2)
      for (origin, signer, isGood) in [(one, key, true), (other, key, false), (one, twin, false), (other, twin, true)] {
        let note = try SignedNote(origin: origin, size: 1, root: MerkleTree.leaf([1]), signedBy: signer)
        #expect(note.standing(with: signer.verifier) == (isGood ? .valid : .absent))
      }
    }
  }

  @Test func `a witness cosigns no second log of a key, and one log cannot take the other's place`() throws {
    let folder = try TemporaryStore()
    let state = folder.folder + "/w1"
    let witnessKey = try SigningKey(name: "example.com/w1", as: .cosignature)
    try Witness.begin(state, key: witnessKey)
    let (one, other) = Self.pairs[0]
    let key = try SigningKey(name: one)
    let stranger = try SigningKey(name: other)
    func refusal(_ note: SignedNote, _ logs: [SigningKey]) throws -> WitnessRefusal.Reason? {
      let witness = try Witness(key: witnessKey, logs: logs.map(\.verifier), directory: state, clock: { noon })
      let answer = try witness.answer(WitnessRequest(oldSize: 0, proof: [], note: note))
      if case .failure(let refusal) = answer { return refusal.reason } else { return nil }
    }
    func note(_ origin: String, _ size: UInt64, by key: SigningKey) throws -> SignedNote {
      try SignedNote(origin: origin, size: size, root: MerkleTree.leaf([UInt8(size)]), signedBy: key)
    }
    // A fork under the other name.
    #expect(try refusal(note(other, 2, by: key), [key]) == .unknownLog)
    // The other log's key, for a size that the log does not have.
    #expect(try refusal(note(one, 99, by: stranger), [key, stranger]) == .unsigned)
    #expect(try refusal(note(one, 3, by: key), [key, stranger]) == nil)
    #expect(try refusal(note(other, 2, by: stranger), [key, stranger]) == nil)
  }

  @Test func `a store whose key has the other name is refused by verify, and the log does not sign with such a key`()
    throws
  {
    for (one, other) in Self.pairs {
      let store = try TemporaryStore()
      let key = try SigningKey(name: one)
      let log = try EventLog.open(at: store.path, options: LogOptions(origin: other, clock: { noon }))
      pass(log, try log.append([record("s", "one")]))
      #expect(throws: StoreError(.keyMismatch, "")) { try log.checkpoint(with: key) }
      try log.close()
      // As a forger with the key makes it.
      let layout = StoreLayout(store.path)
      var identity = try StoreIdentity(of: layout, on: SystemDisk())
      identity.publicKey = key.verifier.description
      try identity.save(to: layout, on: SystemDisk())
      let reader = try LogReader(directory: store.path)
      let size = try reader.statistics().records
      let note = try SignedNote(origin: other, size: size, root: reader.root(at: size), signedBy: key)
      for name in ["latest", String(size)] {
        try write(Array(note.text.utf8), to: store.path + "/checkpoints/" + name)
      }
      for pinned in [key.verifier, nil] {
        let report = try Verifier(directory: store.path, pinnedKey: pinned).run(threads: 1)
        #expect(report.verdict == .badSignature, "\(report.findings)")
      }
    }
  }
}
