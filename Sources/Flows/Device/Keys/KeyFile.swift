// The file of one key (docs/DEVICE.md, "Keys").

import Crypto
import EventStore
import FlowRecording

/// The contents of a key file: a header and the private key, which may be bound.
struct KeyFile {
  /// The maximum size of a key file, in bytes.
  static let limit = 4_096
  private static let format = "flowrecorder-key"
  private static let suffix = ".key"
  private static let longestName = 200

  var tag: String
  var role: KeyRole
  var publicKey: PublicKey
  var secret: Secret

  enum Secret {
    case open(P256.Signing.PrivateKey)
    case bound(BoundSeal)
  }

  /// Whether the key is valid under the given enrolled set.
  func counts(under epoch: [UInt8]) -> Bool {
    switch secret {
    case .open: true
    case .bound(let seal): seal.isBound(under: epoch)
    }
  }

  /// Creates the contents for a new key.
  init(making key: P256.Signing.PrivateKey, tag: String, role: KeyRole, binding: KeyBinding?) throws(KeyStoreError) {
    try role.check(binding, tag: tag)
    self.tag = tag
    self.role = role
    publicKey = PublicKey(key.publicKey)
    if let binding {
      secret = .bound(try BoundSeal(key, tag: tag, role: role, binding: binding))
    } else {
      secret = .open(key)
    }
  }

  /// Returns the text of the file, or `nil` if it could not be sealed.
  func text(under key: SymmetricKey?) -> [UInt8]? {
    var header: [(String, JSON)] = [
      ("format", .string(Self.format)), ("v", .int(1)), ("tag", .string(tag)), ("role", .string(role.rawValue)),
      ("public", .base64(publicKey.x + publicKey.y)),
    ]
    switch secret {
    case .open(let secret):
      return AuthenticatedBox(header: header, content: Array(secret.rawRepresentation)).sealed(under: key)
    case .bound(let seal):
      header.append(("salt", .base64(seal.salt)))
      header.append(("epoch", .base64(seal.epochHash)))
      return AuthenticatedBox(header: header, content: seal.box).sealed(under: key)
    }
  }

  /// Reads the text of a file.
  ///
  /// - Returns: `nil` if the file is damaged, altered, for a different tag, or sealed under a different key.
  init?(_ text: [UInt8], tag: String, under key: SymmetricKey?) {
    guard let box = AuthenticatedBox(text, under: key), box["format"]?.string == Self.format, box["v"]?.int == 1,
      box["tag"]?.string == tag, let role = box["role"]?.string.flatMap(KeyRole.init(rawValue:)),
      let point = box.bytes("public"), point.count == 64
    else { return nil }
    self.tag = tag
    self.role = role
    publicKey = PublicKey(x: Array(point.prefix(32)), y: Array(point.dropFirst(32)))
    if let salt = box.bytes("salt"), let epoch = box.bytes("epoch") {
      guard salt.count == BoundSeal.saltLength, epoch.count == BoundSeal.hashLength else { return nil }
      secret = .bound(BoundSeal(salt: salt, epochHash: epoch, box: box.content))
    } else {
      guard (try? role.check(nil, tag: tag)) != nil,
        let key = try? P256.Signing.PrivateKey(rawRepresentation: box.content),
        PublicKey(key.publicKey) == publicKey
      else { return nil }
      secret = .open(key)
    }
  }

  /// Returns the private key; a bound key needs a matching receipt.
  func open(_ receipt: VerificationReceipt?) throws(KeyStoreError) -> P256.Signing.PrivateKey {
    switch secret {
    case .open(let key): return key
    case .bound(let seal): return try seal.open(tag: tag, role: role, receipt: receipt)
    }
  }

  // MARK: Names

  /// Returns the file name for a tag: letters, digits, `-`, and `_` are unchanged, and any other byte becomes `%` and
  /// two hex digits.
  ///
  /// - Returns: `nil` for an empty tag, and for one whose name would be longer than 200 bytes.
  static func name(of tag: String) -> String? {
    var name = ""
    for byte in tag.utf8 {
      if isPlain(byte) {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        name += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
      }
    }
    return name.isEmpty || name.utf8.count > longestName ? nil : name + suffix
  }

  /// Returns the tag in a file name, or `nil` if the file does not belong to a key store.
  static func tag(of name: String) -> String? {
    guard name.hasSuffix(suffix) else { return nil }
    var bytes: [UInt8] = []
    var rest = name.dropLast(suffix.count).utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let decoded = UInt8(String(Substring(rest.prefix(2))), radix: 16) else { return nil }
      bytes.append(decoded)
      rest = rest.dropFirst(2)
    }
    let tag = String(decoding: bytes, as: UTF8.self)
    return Self.name(of: tag) == name ? tag : nil
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
