// The private half, in the text form that golang.org/x/mod/sumdb/note uses: `PRIVATE+KEY+<name>+<hash>+<base64>`.
// It lives outside the store, in a file of mode 0600, so that an attacker who can change the log cannot sign for it.
import Crypto

/// A key that signs checkpoints. Its description is only the public half.
public struct SigningKey: Sendable, CustomStringConvertible {
  /// The public half.
  public let verifier: VerifierKey
  private let key: Curve25519.Signing.PrivateKey
  /// Where the key remembers what it signs; nil if it does not.
  private(set) var memory: SignerMemory?

  /// A new key of that name: the log's origin. It remembers nothing.
  ///
  /// - Throws: `malformed` if a key cannot have that name.
  public init(name: String, as algorithm: VerifierKey.Algorithm = .ed25519) throws(StoreError) {
    try self.init(name: name, key: Curve25519.Signing.PrivateKey(), algorithm)
  }

  /// Reads the text form of a key for that algorithm. It remembers nothing.
  ///
  /// - Throws: `malformed`; the message quotes nothing of it.
  public init(text: String, as algorithm: VerifierKey.Algorithm = .ed25519) throws(StoreError) {
    let malformed = StoreError(.malformed, "this is not a signing key")
    let parts = text.filter { !$0.isWhitespace }.split(separator: "+", maxSplits: 4)
    guard parts.count == 5, parts[0] == "PRIVATE", parts[1] == "KEY", let bytes = Base64.decode(parts[4]),
      bytes.count == 33, bytes[0] == algorithm.rawValue,
      let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes.dropFirst())
    else { throw malformed }
    try self.init(name: String(parts[2]), key: key, algorithm)
    guard parts[3] == verifier.hashText else { throw malformed }
  }

  private init(
    name: String, key: Curve25519.Signing.PrivateKey, _ algorithm: VerifierKey.Algorithm
  ) throws(StoreError) {
    self.key = key
    verifier = try VerifierKey(name: name, publicKey: Array(key.publicKey.rawRepresentation), as: algorithm)
  }

  /// The same key, which remembers in the file at `path` what it signs. It does not sign a log that is smaller than
  /// what it has signed, or a different one. The file is made with the first signature.
  public func remembering(in path: String) -> SigningKey { remembering(in: SignerMemory(path: path)) }

  func remembering(in memory: SignerMemory?) -> SigningKey {
    var key = self
    key.memory = memory
    return key
  }

  /// The public half, as text; never the secret.
  public var description: String { verifier.description }

  /// The text form, secret, with a line end.
  var secretText: String {
    "PRIVATE+KEY+\(verifier.name)+\(verifier.hashText)+"
      + Base64.encode([verifier.algorithm.rawValue] + Array(key.rawRepresentation)) + "\n"
  }

  /// The signature of the body of a note, as it stands in a signature line behind the key's hash: 64 bytes, or 72 with
  /// the time of a cosignature before them.
  func signature(of body: [UInt8], at time: UInt64 = 0) throws(StoreError) -> [UInt8] {
    let message = verifier.message(of: body, at: time)
    do {
      return verifier.timeBytes(time) + Array(try key.signature(for: message))
    } catch {
      throw StoreError(.keyMismatch, "the key could not sign")
    }
  }
}
