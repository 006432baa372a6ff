// C2SP signed-note: text, an empty line, and signatures. This file does not interpret the text: see `SignedNote`.

/// Text signed by one or more keys (https://c2sp.org/signed-note). Reading it does not verify the signatures.
public struct SignedText: Sendable, Hashable, CustomStringConvertible {
  /// One signature line.
  public struct Signature: Sendable, Hashable {
    /// The name of the key that signed.
    public let name: String
    /// The hash of that key; see `VerifierKey.hash`.
    public let keyHash: UInt32
    /// The signature itself.
    public let bytes: [UInt8]
  }

  /// Whether a key has signed a note.
  public enum Standing: Sendable, Hashable {
    /// The note has a valid signature of the key.
    case valid
    /// The note has a signature that claims to be the key's but is not.
    case invalid
    /// The note has no signature of the key.
    case absent
  }

  /// The signed text: the lines before the last empty one, the last line end included.
  public let body: String
  /// Its signatures, which name the signers.
  public let signatures: [Signature]
  /// The whole note, as it is published.
  public let text: String

  /// The note of these lines, each with its line end, signed by all of `keys`, in their order.
  ///
  /// - Throws: `malformed` if `body` cannot be that of a note.
  init(body: String, signedBy keys: [SigningKey]) throws(StoreError) {
    var text = body + "\n"
    for key in keys { text += try Self.line(of: key, over: body) }
    try self.init(text: text)
  }

  /// The signature line of `key` over a body; `time` is that of a cosignature, in seconds since 1970.
  static func line(of key: SigningKey, over body: String, at time: UInt64 = 0) throws(StoreError) -> String {
    Signature(
      name: key.verifier.name, keyHash: key.verifier.hash,
      bytes: try key.signature(of: Array(body.utf8), at: time)
    ).line
  }

  /// Reads a note strictly.
  ///
  /// - Throws: `malformed`, saying what is wrong.
  public init(text: String) throws(StoreError) {
    func fail(_ what: String) -> StoreError { StoreError(.malformed, "the signed note \(what)") }
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.longest else { throw fail("is over \(Self.longest) bytes") }
    guard bytes.allSatisfy({ $0 >= 0x20 || $0 == 0x0A }) else { throw fail("has control characters") }
    guard bytes.last == 0x0A else { throw fail("does not end with a line end") }
    guard let gap = bytes.indices.dropLast().last(where: { bytes[$0] == 0x0A && bytes[$0 + 1] == 0x0A }) else {
      throw fail("has no empty line before its signatures")
    }
    body = String(decoding: bytes[...gap], as: UTF8.self)
    let tail = bytes[(gap + 2)...].dropLast()
    guard !tail.isEmpty else { throw fail("has no signature") }
    var signatures: [Signature] = []
    for line in tail.split(separator: 0x0A, omittingEmptySubsequences: false) {
      guard let signature = Signature(line: String(decoding: line, as: UTF8.self)) else {
        throw fail("has a line that is no signature")
      }
      signatures.append(signature)
    }
    self.signatures = signatures
    self.text = text
  }

  /// True if both are written with the same bytes.
  public static func == (one: SignedText, other: SignedText) -> Bool { one.text.isSame(as: other.text) }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { ByteName.combine(text, into: &hasher) }

  /// Whether `key` has signed this note. Signatures of other keys are ignored, as are those of keys that share only its
  /// name or its hash.
  public func standing(with key: VerifierKey) -> Standing {
    let claimed = signatures.filter { $0.isOf(key) }
    guard !claimed.isEmpty else { return .absent }
    let signed = Array(body.utf8)
    return claimed.allSatisfy { key.isSignature($0.bytes, of: signed) } ? .valid : .invalid
  }

  /// When `key` states that it signed, the latest time if there are several; nil without a signature by it.
  func time(of key: VerifierKey) -> UInt64? {
    signatures.filter { $0.isOf(key) }.compactMap { key.time(of: $0.bytes) }.max()
  }

  /// The note as it is published.
  public var description: String { text }

  /// What a signature line begins with: an em dash.
  fileprivate static let mark = "\u{2014}"
  /// Far above the size of any real note; keeps hostile input small.
  private static let longest = 65_536
}

extension SignedText.Signature {
  /// True if it claims to be that key's.
  func isOf(_ key: VerifierKey) -> Bool { keyHash == key.hash && name.isSame(as: key.name) }

  /// The line that states it, with its line end.
  var line: String {
    let hash = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: keyHash >> UInt32($0)) }
    return "\(SignedText.mark) \(name) \(Base64.encode(hash + bytes))\n"
  }

  /// The signature that a line states, or nil if it is not a signature line.
  fileprivate init?(line: String) {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == SignedText.mark, VerifierKey.isName(String(parts[1])),
      let bytes = Base64.decode(parts[2]), bytes.count > 4
    else { return nil }
    name = String(parts[1])
    keyHash = bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    self.bytes = Array(bytes.dropFirst(4))
  }
}
