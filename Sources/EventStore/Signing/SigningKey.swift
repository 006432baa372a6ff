// The private half, in the text form that golang.org/x/mod/sumdb/note uses: `PRIVATE+KEY+<name>+<hash>+<base64>`.
// It lives outside the store, in a file of mode 0600, so that whoever can change the log cannot sign for it.
import Crypto

/// A key that signs checkpoints. Its description says the public half alone.
public struct SigningKey: Sendable, CustomStringConvertible {
  /// The public half.
  public let verifier: VerifierKey
  private let key: Curve25519.Signing.PrivateKey

  /// A new key of that name: the log's origin. Throws `malformed` where a key cannot have that name.
  public init(name: String) throws(StoreError) {
    try self.init(name: name, key: Curve25519.Signing.PrivateKey())
  }

  /// Reads the text form. Throws `malformed`; the message quotes nothing of it.
  public init(text: String) throws(StoreError) {
    let malformed = StoreError(.malformed, "this is not a signing key")
    let parts = text.filter { !$0.isWhitespace }.split(separator: "+", maxSplits: 4)
    guard parts.count == 5, parts[0] == "PRIVATE", parts[1] == "KEY", let bytes = Base64.decode(parts[4]),
      bytes.count == 33, bytes[0] == VerifierKey.ed25519,
      let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes.dropFirst())
    else { throw malformed }
    try self.init(name: String(parts[2]), key: key)
    guard parts[3] == verifier.hashText else { throw malformed }
  }

  private init(name: String, key: Curve25519.Signing.PrivateKey) throws(StoreError) {
    self.key = key
    verifier = try VerifierKey(name: name, publicKey: Array(key.publicKey.rawRepresentation))
  }

  /// The public half, as text; never the secret.
  public var description: String { verifier.description }

  /// The text form, secret, with a line end.
  var secretText: String {
    "PRIVATE+KEY+\(verifier.name)+\(verifier.hashText)+"
      + Base64.encode([VerifierKey.ed25519] + Array(key.rawRepresentation)) + "\n"
  }

  /// The Ed25519 signature of `message`: 64 bytes.
  func signature(of message: [UInt8]) throws(StoreError) -> [UInt8] {
    do {
      return Array(try key.signature(for: message))
    } catch {
      throw StoreError(.keyMismatch, "the key could not sign")
    }
  }
}
