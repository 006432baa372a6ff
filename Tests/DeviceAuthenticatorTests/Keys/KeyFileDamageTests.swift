import DeviceAuthenticator
import Foundation
import Testing

/// Files of keys that are not as the store wrote them.
@Suite struct KeyFileDamageTests {
  let folder: OwnFolder
  static let seals: [KeySeal] = [.none, .key(Array(repeating: 5, count: 32))]

  init() throws { folder = try OwnFolder() }

  private func store(_ seal: KeySeal = .none) throws -> FileKeyStore {
    try FileKeyStore(directory: folder.file("keys"), seal: seal)
  }

  /// The key is unusable, each call says why, and the state does not throw.
  private func expectUnusable(
    _ store: FileKeyStore, _ tag: String, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for call in [{ _ = try store.publicKey(tag: tag) }, { _ = try store.sign([], tag: tag, receipt: nil) }] {
      let error = #expect(throws: KeyStoreError.self, "\(what)", sourceLocation: sourceLocation) { try call() }
      guard case .unavailable(let reason)? = error else { throw Unexpected("\(what): \(String(describing: error))") }
      #expect(reason.contains("\(tag).key"), "\(reason)", sourceLocation: sourceLocation)
    }
    #expect(store.state(tag: tag) == .lost, "\(what)", sourceLocation: sourceLocation)
    #expect(try store.tags().contains(tag), "\(what)", sourceLocation: sourceLocation)
  }

  @Test(arguments: seals)
  func `a file that is cut anywhere is an error`(seal: KeySeal) throws {
    let store = try store(seal)
    _ = try store.generate(tag: "a", role: .proofOfPossession, binding: nil)
    let whole = try folder.read("keys/a.key")
    for length in 0..<whole.count - 1 {
      try folder.write(Array(whole.prefix(length)), to: "keys/a.key")
      try expectUnusable(store, "a", "cut at \(length)")
    }
    try folder.write(whole, to: "keys/a.key")
    #expect(store.state(tag: "a") == .available)
  }

  @Test(arguments: seals)
  func `a file with any byte changed is an error, or as good as it was`(seal: KeySeal) throws {
    let store = try store(seal)
    let key = try store.generate(tag: "a", role: .proofOfPossession, binding: nil)
    let whole = try folder.read("keys/a.key")
    var harmless = 0
    for index in whole.indices {
      var changed = whole
      changed[index] ^= 0x01
      try folder.write(changed, to: "keys/a.key")
      if store.state(tag: "a") == .lost {
        try expectUnusable(store, "a", "byte \(index)")
      } else {
        // Bits of base64 that stand for nothing, and the last line break.
        harmless += 1
        #expect(try key.verifies(store.sign([1], tag: "a", receipt: nil), of: [1]), "byte \(index)")
      }
    }
    #expect(harmless <= 2, "\(harmless) bytes change nothing")
  }

  @Test(arguments: seals)
  func `a file in the place of another one's is an error`(seal: KeySeal) throws {
    let store = try store(seal)
    _ = try store.generate(tag: "a", role: .proofOfPossession, binding: nil)
    _ = try store.generate(tag: "b", role: .proofOfPossession, binding: nil)
    try folder.write(try folder.read("keys/a.key"), to: "keys/b.key")
    try expectUnusable(store, "b", "swapped")
    #expect(store.state(tag: "a") == .available)
  }

  @Test func `no member of a sealed key's header can be changed`() throws {
    let store = try store(Self.seals[1])
    let receipt = VerificationReceipt(method: .pin, secret: Array(repeating: 9, count: 32))
    _ = try store.generate(tag: "a", role: .userVerification, binding: KeyBinding(receipt))
    let text = String(decoding: try folder.read("keys/a.key"), as: UTF8.self)
    let changes: [(String, String)] = [
      ("\"role\":\"userVerification\"", "\"role\":\"proofOfPossession\""), ("\"v\":1", "\"v\":2"),
      ("\"epoch\":\"", "\"epocx\":\""), ("\"salt\":\"", "\"salx\":\""), ("{\"format\"", "{\"x\":1,\"format\""),
    ]
    for (old, new) in changes {
      let changed = text.replacingOccurrences(of: old, with: new)
      #expect(changed != text)
      try folder.write(changed, to: "keys/a.key")
      try expectUnusable(store, "a", new)
    }
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o601])
  func `a file that others may use is an error that says its mode`(mode: Int) throws {
    let store = try store()
    _ = try store.generate(tag: "a", role: .proofOfPossession, binding: nil)
    try folder.setMode(mode, of: "keys/a.key")
    let error = #expect(throws: KeyStoreError.self) { try store.sign([], tag: "a", receipt: nil) }
    guard case .unavailable(let reason)? = error else { throw Unexpected("\(String(describing: error))") }
    #expect(reason.contains(String(mode, radix: 8)) && reason.contains("chmod"))
    #expect(store.state(tag: "a") == .lost)
  }

  @Test func `a symbolic link, a folder and a pipe in the place of a file are errors, at once`() throws {
    let store = try store()
    _ = try store.generate(tag: "a", role: .proofOfPossession, binding: nil)
    try folder.write(try folder.read("keys/a.key"), to: "elsewhere")
    let path = folder.file("keys/a.key")
    let makers: [(String, () throws -> Void)] = [
      (
        "a link",
        { try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.file("elsewhere")) }
      ),
      ("a folder", { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }),
      ("a pipe", { #expect(mkfifo(path, 0o600) == 0) }),
    ]
    for (what, make) in makers {
      try FileManager.default.removeItem(atPath: path)
      try make()
      try expectUnusable(store, "a", what)
    }
    try FileManager.default.removeItem(atPath: path)
    #expect(try store.publicKey(tag: "a") == nil)
  }

  @Test func `a folder that others may use, and a link in its place, are errors`() throws {
    _ = try store()
    try folder.setMode(0o750, of: "keys")
    #expect(throws: KeyStoreError.self) { try store() }
    try folder.setMode(0o700, of: "keys")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("keys"))
    #expect(throws: KeyStoreError.self) { try FileKeyStore(directory: folder.file("link"), seal: .none) }
    try folder.write("", to: "file")
    #expect(throws: KeyStoreError.self) { try FileKeyStore(directory: folder.file("file"), seal: .none) }
    #expect(throws: KeyStoreError.self) { try FileKeyStore(directory: folder.file("file/below"), seal: .none) }
  }

  @Test(arguments: ["", "{}", "[]", "{\"format\":\"flowrecorder-keys\",\"v\":2}", "\u{0}\u{1}"])
  func `a head that is not ours, or is newer, is an error`(text: String) throws {
    _ = try store()
    try folder.write(text, to: "keys/store.json")
    #expect(throws: KeyStoreError.self) { try store() }
  }

  @Test(arguments: ["1", "-1", "3", "2097152", "9223372036854775807", "1e3", "\"8\""])
  func `a head that asks for too much work, or for none, is an error`(rounds: String) throws {
    let seal = KeySeal.passphrase("correct horse", cost: .weakForTests)
    _ = try store(seal)
    let text = String(decoding: try folder.read("keys/store.json"), as: UTF8.self)
    let changed = text.replacingOccurrences(of: "\"rounds\":2", with: "\"rounds\":\(rounds)")
    #expect(changed != text)
    try folder.write(changed, to: "keys/store.json")
    #expect(throws: KeyStoreError.self) { try store(seal) }
  }

  @Test func `a key file of a megabyte is not read`() throws {
    let store = try store()
    try folder.write([UInt8](repeating: 0x20, count: 1 << 20), to: "keys/a.key")
    try expectUnusable(store, "a", "large")
  }
}
