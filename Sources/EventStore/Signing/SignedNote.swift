// Checkpoints: C2SP tlog-checkpoint in a C2SP signed note.
//
//     flowrecorder-6f1c…            the origin
//     1842                          how many records
//     x1s3…=                        the Merkle root over them, base64
//                                   an empty line
//     — flowrecorder-6f1c… aBcD…=   em dash, key name, base64 of the key's hash (4 bytes) and the signature
//
// Between the root and the empty line there may be extension lines. This store writes one, if a key follows another:
//
//     next-key flowrecorder-6f1c…+c74f20a3+ARpc…

/// A signed statement «this log has N records and this Merkle root».
public struct SignedNote: Sendable, Hashable, CustomStringConvertible {
  /// One signature line.
  public typealias Signature = SignedText.Signature
  /// Whether a key has signed a note.
  public typealias Standing = SignedText.Standing

  /// The log's name.
  public let origin: String
  /// How many records the statement covers.
  public let size: UInt64
  /// The Merkle root over them.
  public let root: TreeHash
  /// The lines after these three; those that are not known are ignored.
  public let extensions: [String]
  private let signed: SignedText

  /// The note that says this, signed by `key`.
  init(origin: String, size: UInt64, root: TreeHash, signedBy key: SigningKey) throws(StoreError) {
    try self.init(text: SignedText(body: "\(origin)\n\(size)\n\(root)\n", signedBy: [key]).text)
  }

  /// The note with which `old` hands the log over to `new`: both sign it, and what `old` signs names `new`.
  init(origin: String, size: UInt64, root: TreeHash, from old: SigningKey, to new: SigningKey) throws(StoreError) {
    let body = "\(origin)\n\(size)\n\(root)\n\(Self.nextKeyMark)\(new.verifier)\n"
    try self.init(text: SignedText(body: body, signedBy: [old, new]).text)
  }

  /// Reads a note strictly. Does not verify the signatures.
  ///
  /// - Throws: `malformed` with the line.
  public init(text: String) throws(StoreError) {
    func fail(_ what: String) -> StoreError { StoreError(.malformed, "the checkpoint \(what)") }
    signed = try SignedText(text: text)
    let body = signed.body.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
    guard body.count >= 3 else { throw fail("has not three lines: origin, size, root") }
    guard body.allSatisfy({ !$0.isEmpty }) else { throw fail("has an empty line before its root") }
    guard let size = UInt64(body[1]), String(size) == body[1], size <= FrameFormat.largestNumber else {
      throw fail("has no size in line 2")
    }
    guard let root = TreeHash(base64: body[2]) else { throw fail("has no root in line 3") }
    origin = String(body[0])
    self.size = size
    self.root = root
    extensions = body.dropFirst(3).map(String.init)
  }

  /// Reads the note that a file holds.
  ///
  /// - Throws: `malformed`, naming the file.
  init(bytes: [UInt8], of file: String) throws(StoreError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw StoreError(.malformed, "the checkpoint is not text", file: file, advice: "run auditctl verify")
    }
    do {
      try self.init(text: text)
    } catch {
      var error = error.inFile(file)
      error.advice = error.advice ?? "run auditctl verify"
      throw error
    }
  }

  /// Its signatures, which name the signers.
  public var signatures: [Signature] { signed.signatures }

  /// The whole note, as it is published.
  public var text: String { signed.text }

  /// The key that this note hands the log over to, or nil. Trust it only if a trusted key and this key have both signed
  /// the note: see `NoteCheck`.
  public var nextKey: VerifierKey? {
    let named = extensions.filter { $0.hasPrefix(Self.nextKeyMark) }
    guard named.count == 1, let line = named.first else { return nil }
    return VerifierKey(exactly: String(line.dropFirst(Self.nextKeyMark.count)))
  }

  /// Whether `key` has signed this note. Signatures of other keys are ignored. The key of a log signs only for the
  /// origin that is its name, byte by byte (docs/FORMAT.md §6): its signature of another log's note is ignored too.
  public func standing(with key: VerifierKey) -> Standing {
    guard key.algorithm == .cosignature || key.name.isSame(as: origin) else { return .absent }
    return signed.standing(with: key)
  }

  /// When `key` states that it signed, in seconds since 1970, the latest time if it states several; nil without a
  /// signature by it. 0 for the key of a log, which states no time.
  public func time(of key: VerifierKey) -> UInt64? { signed.time(of: key) }

  /// The same note with the signature lines of `key` from a witness's answer, replacing earlier ones of that key; lines
  /// of other keys in the answer are left out.
  ///
  /// - Throws: `malformed` if a line is not a signature line, `keyMismatch` if none of them is by `key`, or if one that
  ///   claims to be is not a signature of this note.
  public func cosigned(_ lines: String, by key: VerifierKey) throws(StoreError) -> SignedNote {
    let answer = try SignedNote(text: signed.body + "\n" + lines)
    guard answer.standing(with: key) == .valid else {
      throw StoreError(
        .keyMismatch, "the answer is not a cosignature of this checkpoint by \(key.name)",
        advice: "check the key of the witness")
    }
    let kept = signatures.filter { !$0.isOf(key) } + answer.signatures.filter { $0.isOf(key) }
    return try SignedNote(text: signed.body + "\n" + kept.map(\.line).joined())
  }

  /// The same note with the signature lines of `keys` alone; nil unless all of them have signed it.
  func limited(toSignaturesOf keys: [VerifierKey]) -> SignedNote? {
    guard keys.allSatisfy({ standing(with: $0) == .valid }) else { return nil }
    let kept = signatures.filter { line in keys.contains { line.isOf($0) } }
    return try? SignedNote(text: signed.body + "\n" + kept.map(\.line).joined())
  }

  /// The signature lines of `key` over this note, as a witness answers them; `time` in seconds since 1970.
  func cosignature(by key: SigningKey, at time: UInt64) throws(StoreError) -> String {
    try SignedText.line(of: key, over: signed.body, at: time)
  }

  /// The note as it is published.
  public var description: String { text }

  private static let nextKeyMark = "next-key "
}
