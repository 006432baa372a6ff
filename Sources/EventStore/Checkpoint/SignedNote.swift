// Checkpoints: C2SP tlog-checkpoint in a C2SP signed note.
//
//     flowrecorder-6f1c…            the origin
//     1842                          how many records
//     x1s3…=                        the Merkle root over them, base64
//                                   an empty line
//     — flowrecorder-6f1c… aBcD…=   em dash, key name, base64 of the key's hash (4 bytes) and the signature

/// A signed statement «this log has N records and this Merkle root».
public struct SignedNote: Sendable, Hashable, CustomStringConvertible {
  /// One signature line.
  public struct Signature: Sendable, Hashable {
    /// The name of the key that signed.
    public let name: String
    /// The hash of that key; see `VerifierKey.hash`.
    public let keyHash: UInt32
    /// The signature itself.
    public let bytes: [UInt8]
  }

  /// What a key has to say about a note.
  public enum Standing: Sendable, Hashable {
    /// The note has a valid signature of the key.
    case valid
    /// The note has a signature that claims to be the key's, and is not.
    case invalid
    /// The note has no signature of the key.
    case absent
  }

  /// The log's name.
  public let origin: String
  /// How many records the statement covers.
  public let size: UInt64
  /// The Merkle root over them.
  public let root: TreeHash
  /// Who signed it.
  public let signatures: [Signature]
  /// The whole note, as it is published.
  public let text: String

  /// The note that says this, signed by `key`.
  init(origin: String, size: UInt64, root: TreeHash, signedBy key: SigningKey) throws(StoreError) {
    let body = "\(origin)\n\(size)\n\(root)\n"
    let signature = try key.signature(of: Array(body.utf8))
    var hashed: [UInt8] = []
    for shift in [24, 16, 8, 0] as [UInt32] { hashed.append(UInt8(truncatingIfNeeded: key.verifier.hash >> shift)) }
    try self.init(text: "\(body)\n\u{2014} \(key.verifier.name) \(Base64.encode(hashed + signature))\n")
  }

  /// Reads a note strictly. It says nothing of whether the signatures hold. Throws `malformed` with the line.
  public init(text: String) throws(StoreError) {
    func fail(_ what: String) -> StoreError { StoreError(.malformed, "the checkpoint \(what)") }
    guard text.utf8.count <= Self.longest else { throw fail("is over \(Self.longest) bytes") }
    guard let gap = text.range(ofFirst: "\n\n") else { throw fail("has no empty line before its signatures") }
    let body = text[..<gap].split(separator: "\n", omittingEmptySubsequences: false)
    guard body.count >= 3 else { throw fail("has not three lines: origin, size, root") }
    guard VerifierKey.isName(String(body[0])) else { throw fail("has no origin in line 1") }
    guard let size = UInt64(body[1]), String(size) == body[1] else { throw fail("has no size in line 2") }
    guard let root = TreeHash(base64: body[2]) else { throw fail("has no root in line 3") }
    let tail = text[text.index(gap, offsetBy: 2)...]
    guard tail.hasSuffix("\n") else { throw fail("does not end with a line end") }
    var signatures: [Signature] = []
    for line in tail.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0] == "\u{2014}", VerifierKey.isName(String(parts[1])),
        let bytes = Base64.decode(parts[2]), bytes.count > 4
      else { throw fail("has a line that is no signature") }
      let keyHash = bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      signatures.append(Signature(name: String(parts[1]), keyHash: keyHash, bytes: Array(bytes.dropFirst(4))))
    }
    guard !signatures.isEmpty else { throw fail("has no signature") }
    self.origin = String(body[0])
    self.size = size
    self.root = root
    self.signatures = signatures
    self.text = text
  }

  /// What `key` has to say about this note. Signatures of other keys are ignored.
  public func standing(with key: VerifierKey) -> Standing {
    let claimed = signatures.filter { $0.name == key.name && $0.keyHash == key.hash }
    guard !claimed.isEmpty else { return .absent }
    return claimed.allSatisfy { key.isSignature($0.bytes, of: signedBytes) } ? .valid : .invalid
  }

  /// The note as it is published.
  public var description: String { text }

  /// The bytes that are signed: everything before the empty line, its last line end included.
  private var signedBytes: [UInt8] {
    guard let gap = text.range(ofFirst: "\n\n") else { return [] }
    return Array(text[...gap].utf8)
  }

  /// Far over any real note; keeps hostile input small.
  private static let longest = 65_536
}

extension String {
  /// Where `pattern`, of one-byte characters, first begins.
  fileprivate func range(ofFirst pattern: String) -> String.Index? {
    var from = startIndex
    while from < endIndex {
      if self[from...].hasPrefix(pattern) { return from }
      from = index(after: from)
    }
    return nil
  }
}
