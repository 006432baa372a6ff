// Where signing keys lie: outside of every store, mode 0600, with the public half beside them to give away.

import Crypto
import EventStore
import Foundation

/// The file of a signing key.
struct SigningKeyFile {
  /// The file of the secret half.
  let path: String

  /// The file of the public half, `<origin>.pub` beside `<origin>.key`.
  var publicPath: String { path.hasSuffix(".key") ? String(path.dropLast(4)) + ".pub" : path + ".pub" }

  /// The key file of a store.
  ///
  /// - Parameters:
  ///   - given: what `--signing-key` says; nil for `$XDG_STATE_HOME/flowrecorder/<origin>.key`.
  ///   - identity: the store that signs.
  ///   - directory: where the store lies; its key must not lie there too.
  init(given: String?, for identity: StoreIdentity, in directory: String) throws {
    path =
      try given ?? SigningKeyFile.defaultPath(origin: identity.origin, environment: ProcessInfo.processInfo.environment)
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().resolvingSymlinksInPath().path
    let store = URL(fileURLWithPath: directory).resolvingSymlinksInPath().path
    guard parent != store, !parent.hasPrefix(store + "/") else {
      throw Failure(.usage, "the signing key \(path) would lie inside the store that it signs; choose another place")
    }
  }

  /// `$XDG_STATE_HOME/flowrecorder/<origin>.key`, or under `~/.local/state`.
  static func defaultPath(origin: String, environment: [String: String]) throws -> String {
    let name = origin.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "%2F") + ".key"
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return "\(state)/flowrecorder/\(name)" }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw Failure(
        .permission, "neither XDG_STATE_HOME nor HOME says where the signing key lies; give --signing-key FILE")
    }
    return "\(home)/.local/state/flowrecorder/\(name)"
  }

  /// The key of a store: read from the file, or made there on first use.
  ///
  /// - Throws: exit 77 where the store names a key and the file is not there.
  func key(for identity: StoreIdentity) throws -> SigningKey {
    if let key = try read() { return key }
    guard identity.publicKey == nil else {
      throw Failure(
        .permission,
        "the signing key \(path) is not there, and the store is signed with it already; "
          + "bring it back, or give it with --signing-key FILE")
    }
    return try make(name: identity.origin)
  }

  private func read() throws -> SigningKey? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw Failure(.permission, "the signing key \(path) cannot be read; it belongs to another user")
    }
    do throws(StoreError) {
      return try SigningKey(text: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw Failure(.malformed, "\(path) is not a signing key; give the right file with --signing-key FILE")
    }
  }

  private func make(name: String) throws -> SigningKey {
    let secret = Curve25519.Signing.PrivateKey()
    let text = try SigningKeyFile.text(of: secret, name: name)
    let key = try SigningKey(text: text)
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    do {
      try FileManager.default.createDirectory(
        atPath: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(.cannotCreate, "the directory \(parent) for signing keys cannot be made; give --signing-key FILE")
    }
    try SigningKeyFile.write(text, to: path, mode: 0o600)
    try SigningKeyFile.write(key.verifier.description + "\n", to: publicPath, mode: 0o644)
    return key
  }

  /// The text that `SigningKey(text:)` reads: `PRIVATE+KEY+<name>+<hash>+<base64 of 0x01 and the key>`.
  ///
  /// The store's library keeps its own writer of this form to itself; the reader checks what is made here.
  private static func text(of secret: Curve25519.Signing.PrivateKey, name: String) throws -> String {
    let verifier = try VerifierKey(name: name, publicKey: Array(secret.publicKey.rawRepresentation))
    let hash = String(verifier.hash, radix: 16)
    let padded = String(repeating: "0", count: max(0, 8 - hash.count)) + hash
    return "PRIVATE+KEY+\(name)+\(padded)+\((Data([1]) + secret.rawRepresentation).base64EncodedString())\n"
  }

  private static func write(_ text: String, to path: String, mode: mode_t) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else {
      throw Failure(
        .cannotCreate, "\(path) cannot be made: \(String(cString: strerror(errno))); give --signing-key FILE")
    }
    defer { close(descriptor) }
    let output = Output(descriptor: descriptor)
    try output.text(text)
    try output.flush()
    guard fsync(descriptor) == 0 else { throw Failure(.inputOutput, "\(path) cannot be synced") }
  }
}
