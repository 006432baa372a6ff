// The public half of a signing key, in the text form of C2SP signed-note: `<name>+<hash>+<base64>`.
import Crypto
import Foundation

/// A public key that checkpoints are checked with. Two are equal if name, algorithm and key are, byte by byte. Its text
/// form is what to pin: give it to the auditor of the log.
public struct VerifierKey: Sendable, Hashable, CustomStringConvertible {
  /// What a key signs, by its number in C2SP signed-note.
  public enum Algorithm: UInt8, Sendable, Hashable {
    /// Ed25519 over the text of a note: the key of a log.
    case ed25519 = 1
    /// Ed25519 over a time and the text of a note (C2SP tlog-cosignature, `cosignature/v1`): the key of a witness.
    case cosignature = 4
  }

  /// The key's name: the log's origin, or that of the witness.
  public let name: String
  /// What the key signs.
  public let algorithm: Algorithm
  /// The first four bytes of SHA-256(name || `\n` || number of the algorithm || public key), big endian.
  public let hash: UInt32
  /// The 32 bytes of the Ed25519 public key.
  public let publicKey: [UInt8]

  /// The key of that name and those 32 bytes.
  ///
  /// - Throws: `malformed` if the name is empty, or has a space, a control character or a `+`, or if the bytes are not
  ///   a key.
  public init(name: String, publicKey: [UInt8], as algorithm: Algorithm = .ed25519) throws(StoreError) {
    guard Self.isName(name) else {
      throw StoreError(.malformed, "a key's name must not be empty or hold spaces or a plus sign")
    }
    guard publicKey.count == 32, (try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey)) != nil else {
      throw StoreError(.malformed, "an Ed25519 public key has 32 bytes, this has \(publicKey.count)")
    }
    self.name = name
    self.publicKey = publicKey
    self.algorithm = algorithm
    hash = Self.hash(name: name, publicKey: publicKey, algorithm)
  }

  /// Reads `<name>+<8 hex digits>+<base64 of the algorithm's number and the key>`, white space around it ignored.
  ///
  /// - Throws: `malformed`, also for a key of another algorithm.
  public init(text: String, as algorithm: Algorithm = .ed25519) throws(StoreError) {
    let parts = text.trimmingPrefix(while: \.isWhitespace).split(separator: "+", maxSplits: 2)
    guard parts.count == 3 else {
      throw StoreError(
        .malformed, "this is not a public key", advice: "give the text that store.json has as publicKey")
    }
    var encoded = parts[2]
    while encoded.last?.isWhitespace == true { encoded.removeLast() }
    guard let bytes = Base64.decode(encoded), let kind = bytes.first else {
      throw StoreError(.malformed, "the public key is not base64 of an Ed25519 key")
    }
    guard kind == algorithm.rawValue else {
      let known = Algorithm(rawValue: kind).map { $0 == .ed25519 ? "that of a log" : "that of a witness" }
      throw StoreError(
        .malformed, "the public key is \(known ?? "of unknown kind \(kind)")",
        advice: algorithm == .ed25519 ? "give that of the log" : "give that of the witness")
    }
    try self.init(name: String(parts[0]), publicKey: Array(bytes.dropFirst()), as: algorithm)
    guard parts[1] == hashText else {
      throw StoreError(.malformed, "the public key's hash is \(parts[1]), its bytes give \(hashText)")
    }
  }

  /// Reads the text form and nothing around it, as a store or a note must have it; nil for anything else.
  init?(exactly text: String) {
    guard let key = try? VerifierKey(text: text), key.description.utf8.elementsEqual(text.utf8) else { return nil }
    self = key
  }

  /// True if both have the same bytes: names that Unicode treats as equivalent are those of two keys.
  public static func == (one: VerifierKey, other: VerifierKey) -> Bool {
    one.algorithm == other.algorithm && one.publicKey == other.publicKey && one.name.isSame(as: other.name)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(algorithm)
    hasher.combine(publicKey)
    ByteName.combine(name, into: &hasher)
  }

  /// The text form, on one line.
  public var description: String { "\(name)+\(hashText)+\(Base64.encode([algorithm.rawValue] + publicKey))" }

  /// True if `signature` is this key's signature of the body of a note.
  func isSignature(_ signature: [UInt8], of body: [UInt8]) -> Bool {
    guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey),
      let (time, rest) = parts(of: signature)
    else { return false }
    return key.isValidSignature(rest, for: message(of: body, at: time))
  }

  /// The time, in seconds since 1970, that a cosignature states; 0 for the signature of a log; nil if it is neither. A
  /// witness states when it looked (C2SP tlog-witness), so that 0 is never its time.
  func time(of signature: [UInt8]) -> UInt64? { parts(of: signature)?.time }

  private func parts(of signature: [UInt8]) -> (time: UInt64, signature: ArraySlice<UInt8>)? {
    guard algorithm == .cosignature else { return (0, signature[...]) }
    guard signature.count == 72 else { return nil }
    let time = signature.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return (1...UInt64(Int64.max)).contains(time) ? (time, signature.dropFirst(8)) : nil
  }

  /// The bytes to sign for the body of a note.
  func message(of body: [UInt8], at time: UInt64) -> [UInt8] {
    algorithm == .cosignature ? Array("cosignature/v1\ntime \(time)\n".utf8) + body : body
  }

  /// The bytes before the signature itself in a signature line.
  func timeBytes(_ time: UInt64) -> [UInt8] {
    guard algorithm == .cosignature else { return [] }
    return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: time >> UInt64($0)) }
  }

  static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.unicodeScalars.allSatisfy {
        $0 != "+" && !$0.properties.isWhitespace && $0.value >= 0x20 && $0.value != 0x7F
      }
  }

  private static func hash(name: String, publicKey: [UInt8], _ algorithm: Algorithm) -> UInt32 {
    let digest = SHA256.hash(data: Array(name.utf8) + [0x0A, algorithm.rawValue] + publicKey)
    return digest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The hash in eight hexadecimal digits.
  var hashText: String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
