// C2SP tlog-witness: what a log asks a witness.
//
//     old 20852014
//     PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=      a consistency proof, a hash a line
//                                                       an empty line
//     example.com/log                                   the checkpoint
//     …

/// The body of `add-checkpoint` (https://c2sp.org/tlog-witness): a checkpoint, and the proof that it goes on from the
/// one that the witness cosigned last.
public struct WitnessRequest: Sendable, Hashable {
  /// The size that the witness cosigned last; 0 if it has cosigned none.
  public let oldSize: UInt64
  /// The proof from that size to the checkpoint's (RFC 6962 §2.1.2).
  public let proof: [TreeHash]
  /// The checkpoint.
  public let note: SignedNote

  /// The request with those parts, taken as they are.
  public init(oldSize: UInt64, proof: [TreeHash], note: SignedNote) {
    self.oldSize = oldSize
    self.proof = proof
    self.note = note
  }

  /// Reads a request strictly. Does not verify signatures and proof.
  ///
  /// - Throws: `malformed`.
  public init(text: String) throws(StoreError) {
    func fail(_ what: String) -> StoreError { StoreError(.malformed, "the request to a witness \(what)") }
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.longest else { throw fail("is over \(Self.longest) bytes") }
    guard let gap = bytes.indices.dropLast().first(where: { bytes[$0] == 0x0A && bytes[$0 + 1] == 0x0A }) else {
      throw fail("has no empty line before its checkpoint")
    }
    var lines = String(decoding: bytes[..<gap], as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let first = lines.removeFirst()
    guard first.hasPrefix("old "), let size = UInt64(first.dropFirst(4)), "old \(size)" == first else {
      throw fail("does not begin with the old size")
    }
    guard lines.count <= Self.longestProof else { throw fail("has a proof of over \(Self.longestProof) hashes") }
    var hashes: [TreeHash] = []
    for line in lines {
      guard let hash = TreeHash(base64: line) else { throw fail("has a line in its proof that is no hash") }
      hashes.append(hash)
    }
    oldSize = size
    proof = hashes
    note = try SignedNote(text: String(decoding: bytes[(gap + 2)...], as: UTF8.self))
  }

  /// The request as it is sent.
  public var text: String {
    "old \(oldSize)\n" + proof.map { "\($0)\n" }.joined() + "\n" + note.text
  }

  /// The most hashes of a proof: a tree has at most 2^64 leaves, and the protocol limits it to 63.
  private static let longestProof = 63
  /// The size of the longest note, and a proof.
  private static let longest = 1 << 17
}
