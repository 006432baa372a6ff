// The file that describes how a key store is sealed (docs/DEVICE.md, "Keys").

import Crypto
import EventStore
import FlowRecording

/// The file `store.json`: the kind of seal, the parameters for deriving a key from a passphrase, and a box that only
/// the right key opens.
struct KeyStoreHead {
  static let name = "store.json"
  static let limit = 4_096
  private static let format = "flowrecorder-keys"
  private static let proof = Array("flowrecorder keys".utf8)
  private static let saltLength = 32

  /// The key that seals the store's files; `nil` if they are not sealed.
  var key: SymmetricKey?
  /// The text of the file.
  var text: [UInt8]

  /// Creates the head of a new store.
  init(making seal: KeySeal) throws(KeyStoreError) {
    var header: [(String, JSON)] = [
      ("format", .string(Self.format)), ("v", .int(1)), ("seal", .string(seal.name)),
    ]
    switch seal.kind {
    case .none: key = nil
    case .key(let bytes): key = try Self.key(bytes)
    case .passphrase(let passphrase, let cost):
      let salt = RandomBytes.make(count: Self.saltLength)
      key = try Self.key(passphrase, salt: salt, cost: cost)
      header += [
        ("salt", .base64(salt)), ("rounds", .int(cost.rounds)), ("blockSize", .int(cost.blockSize)),
        ("parallelism", .int(cost.parallelism)),
      ]
    }
    guard let text = AuthenticatedBox(header: header, content: Self.proof).sealed(under: key) else {
      throw .unavailable(reason: "the key store could not be sealed")
    }
    self.text = text
  }

  /// Unlocks a store.
  ///
  /// - Parameters:
  ///   - text: the contents of `store.json`.
  ///   - path: the path of the file, for error messages.
  init(_ text: [UInt8], seal: KeySeal, path: String) throws(KeyStoreError) {
    self.text = text
    guard let object = try? JSON(parsing: text).object, object["format"]?.string == Self.format else {
      throw .unavailable(reason: "\(path) is damaged, or no file of ours; restore it from a backup")
    }
    guard object["v"]?.int == 1 else {
      throw .unavailable(reason: "\(path) was made by a newer version; use that, or another directory")
    }
    let found = object["seal"]?.string ?? "nothing known"
    guard found == seal.name else {
      throw .unavailable(reason: "the keys at \(path) are sealed under \(found), and \(seal.name) was given")
    }
    switch seal.kind {
    case .none: key = nil
    case .key(let bytes): key = try Self.key(bytes)
    case .passphrase(let passphrase, _):
      guard let salt = object["salt"]?.string.flatMap(AuthenticatedBox.bytes), salt.count == Self.saltLength,
        let rounds = object["rounds"]?.int, let blockSize = object["blockSize"]?.int,
        let parallelism = object["parallelism"]?.int,
        let cost = KeyDerivationCost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
      else { throw .unavailable(reason: "\(path) is damaged; restore it from a backup") }
      key = try Self.key(passphrase, salt: salt, cost: cost)
    }
    guard AuthenticatedBox(text, under: key)?.content == Self.proof else {
      let what =
        switch seal.kind {
        case .none: "is damaged; restore it from a backup"
        case .key: "was made under another key, or is damaged"
        case .passphrase: "was made under another passphrase, or is damaged"
        }
      throw .unavailable(reason: "\(path) \(what)")
    }
  }

  private static func key(_ bytes: [UInt8]) throws(KeyStoreError) -> SymmetricKey {
    guard bytes.count == 32 else {
      throw .unavailable(reason: "a key store's key has 32 bytes; \(bytes.count) were given")
    }
    return SymmetricKey(data: bytes)
  }

  private static func key(_ passphrase: String, salt: [UInt8], cost: KeyDerivationCost)
    throws(KeyStoreError) -> SymmetricKey
  {
    guard !passphrase.isEmpty else { throw .unavailable(reason: "the passphrase of the key store is empty") }
    guard let bytes = SlowKey.derive(passphrase, salt: salt, cost: cost) else {
      throw .unavailable(reason: "there is not enough memory to derive the key of the key store")
    }
    return SymmetricKey(data: bytes)
  }
}
