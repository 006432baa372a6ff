// The public half of a signing key, in the text form of C2SP signed-note: `<name>+<hash>+<base64>`.
import Crypto
import Foundation

/// A public key that checkpoints are checked with. Its text form is what to pin: give it to whoever audits the log.
public struct VerifierKey: Sendable, Hashable, CustomStringConvertible {
  /// The key's name: the log's origin.
  public let name: String
  /// The first four bytes of SHA-256(name || `\n` || 0x01 || public key), big endian.
  public let hash: UInt32
  /// The 32 bytes of the Ed25519 public key.
  public let publicKey: [UInt8]

  /// The key of that name and those 32 bytes. Throws `malformed` where the name is empty, or has a space, a control
  /// character or a `+`, or where the bytes are not a key.
  public init(name: String, publicKey: [UInt8]) throws(StoreError) {
    guard Self.isName(name) else {
      throw StoreError(.malformed, "a key's name must not be empty or hold spaces or a plus sign")
    }
    guard publicKey.count == 32, (try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey)) != nil else {
      throw StoreError(.malformed, "an Ed25519 public key has 32 bytes, this has \(publicKey.count)")
    }
    self.name = name
    self.publicKey = publicKey
    hash = Self.hash(name: name, publicKey: publicKey)
  }

  /// Reads `<name>+<8 hex digits>+<base64 of 0x01 and the key>`, white space around it ignored. Throws `malformed`.
  public init(text: String) throws(StoreError) {
    let parts = text.trimmingPrefix(while: \.isWhitespace).split(separator: "+", maxSplits: 2)
    guard parts.count == 3 else {
      throw StoreError(
        .malformed, "this is not a public key", advice: "give the text that store.json has as publicKey")
    }
    var encoded = parts[2]
    while encoded.last?.isWhitespace == true { encoded.removeLast() }
    guard let bytes = Base64.decode(encoded), bytes.first == Self.ed25519 else {
      throw StoreError(.malformed, "the public key is not base64 of an Ed25519 key")
    }
    try self.init(name: String(parts[0]), publicKey: Array(bytes.dropFirst()))
    guard parts[1] == hashText else {
      throw StoreError(.malformed, "the public key's hash is \(parts[1]), its bytes give \(hashText)")
    }
  }

  /// The text form, on one line.
  public var description: String { "\(name)+\(hashText)+\(Base64.encode([Self.ed25519] + publicKey))" }

  /// True where `signature` is this key's Ed25519 signature of `message`.
  func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else { return false }
    return key.isValidSignature(signature, for: message)
  }

  /// The signature type of Ed25519 (C2SP signed-note).
  static let ed25519: UInt8 = 1

  static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.unicodeScalars.allSatisfy {
        $0 != "+" && !$0.properties.isWhitespace && $0.value >= 0x20 && $0.value != 0x7F
      }
  }

  private static func hash(name: String, publicKey: [UInt8]) -> UInt32 {
    let digest = SHA256.hash(data: Array(name.utf8) + [0x0A, ed25519] + publicKey)
    return digest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The hash in eight hexadecimal digits.
  var hashText: String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
