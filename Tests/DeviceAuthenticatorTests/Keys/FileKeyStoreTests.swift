import DeviceAuthenticator
import Foundation
import Testing

/// What stands in the folder of a key store, and who may open it.
@Suite struct FileKeyStoreTests {
  let folder: OwnFolder
  let seal = KeySeal.passphrase("correct horse", cost: .weakForTests)

  init() throws { folder = try OwnFolder() }

  private func store(_ seal: KeySeal) throws -> FileKeyStore {
    try FileKeyStore(directory: folder.file("a/keys"), seal: seal)
  }

  @Test func `the folder is 0700 and its files 0600, whatever the umask lets`() throws {
    let store = try store(seal)
    _ = try store.generate(tag: "2078892D-BC96", role: .proofOfPossession, binding: nil)
    #expect(try folder.mode(of: "a") == "700" && folder.mode(of: "a/keys") == "700")
    let names = try folder.names(in: "a/keys")
    #expect(names == ["2078892D-BC96.key", "LOCK", "store.json"])
    for name in names { #expect(try folder.mode(of: "a/keys/\(name)") == "600") }
  }

  @Test func `a key survives its store, and says software`() throws {
    let key = try store(seal).generate(tag: "a", role: .proofOfPossession, binding: nil)
    let again = try store(seal)
    #expect(try again.publicKey(tag: "a") == key && again.protection == .software)
    #expect(try key.verifies(again.sign([1], tag: "a", receipt: nil), of: [1]))
  }

  @Test(arguments: ["passphrase", "key", "none"])
  func `another passphrase, another key and another kind of seal are errors and never an empty store`(
    made: String
  ) throws {
    let seals: [String: KeySeal] = [
      "passphrase": seal, "key": .key(Array(repeating: 5, count: 32)), "none": .none,
    ]
    let wrong: [KeySeal] = [
      .passphrase("wrong horse", cost: .weakForTests), .key(Array(repeating: 6, count: 32)), .passphrase(""),
      .key([1, 2, 3]),
    ]
    let own = try #require(seals[made])
    _ = try store(own).generate(tag: "a", role: .proofOfPossession, binding: nil)
    for other in wrong + seals.filter({ $0.key != made }).values {
      let error = #expect(throws: KeyStoreError.self) { try store(other) }
      guard case .unavailable(let reason)? = error else { throw Unexpected("\(String(describing: error))") }
      #expect(!reason.contains("horse"))
    }
    #expect(try store(own).tags() == ["a"])
  }

  @Test func `keys whose store.json was lost are an error and never an empty store`() throws {
    _ = try store(seal).generate(tag: "a", role: .proofOfPossession, binding: nil)
    try FileManager.default.removeItem(atPath: folder.file("a/keys/store.json"))
    #expect(throws: KeyStoreError.self) { try store(seal) }
    #expect(try folder.names(in: "a/keys").contains("a.key"))
  }

  @Test func `what is sealed is not in the files, and neither is what seals it`() throws {
    let secret: [UInt8] = Array("0123456789abcdef0123456789ABCDEF".utf8)
    let receipt = VerificationReceipt(method: .pin, secret: secret, epoch: Array("epoch-canary".utf8))
    let store = try store(.passphrase("passphrase-canary", cost: .weakForTests))
    _ = try store.generate(tag: "uv", role: .userVerification, binding: KeyBinding(receipt))
    for name in try folder.names(in: "a/keys") {
      let bytes = try folder.read("a/keys/\(name)")
      for canary in [secret, Array("epoch-canary".utf8), Array("passphrase-canary".utf8)] {
        #expect(!contains(bytes, canary), "\(name)")
        #expect(!contains(bytes, Array(Data(canary).base64EncodedString().utf8.dropLast(4))), "\(name)")
      }
    }
  }

  @Test func `a plain store gives a bound key to no one without the receipt either`() throws {
    let receipt = VerificationReceipt(method: .pin, secret: Array(repeating: 9, count: 32))
    let store = try store(.none)
    let key = try store.generate(tag: "uv", role: .userVerification, binding: KeyBinding(receipt))
    #expect(try key.verifies(store.sign([], tag: "uv", receipt: receipt), of: []))
    let text = String(decoding: try folder.read("a/keys/uv.key"), as: UTF8.self)
    let box = try #require(text.firstMatch(of: /"box":"([^"]*)"/)).output.1
    #expect(Data(base64Encoded: String(box))?.count == 12 + 32 + 16)
  }

  @Test func `tags of any characters have files of their own and come back as they were`() throws {
    let store = try store(.none)
    let tags = ["a", "A", "a/b", "..", "a.key", "%61", "ä", "a b", "\u{0}", "日本"]
    for tag in tags { _ = try store.generate(tag: tag, role: .clientInstance, binding: nil) }
    #expect(try Set(store.tags()) == Set(tags))
    #expect(Set(try tags.compactMap { try store.publicKey(tag: $0) }).count == tags.count)
    #expect(try folder.names(in: "a/keys").allSatisfy { !$0.contains("/") && $0 != ".." })
    for tag in tags { #expect(try store.delete(tag: tag)) }
    #expect(try store.tags().isEmpty)
  }

  @Test(arguments: ["", String(repeating: "x", count: 201), String(repeating: "ä", count: 34)])
  func `a tag that no file name can hold makes no key and is no key`(tag: String) throws {
    let store = try store(.none)
    #expect(throws: KeyStoreError.self) { try store.generate(tag: tag, role: .clientInstance, binding: nil) }
    #expect(try store.publicKey(tag: tag) == nil && !store.delete(tag: tag) && store.state(tag: tag) == .lost)
  }

  @Test func `a draft that a dead process left is removed by the next write`() throws {
    let store = try store(.none)
    try folder.write("half a key", to: "a/keys/.draft-old.key")
    #expect(try store.tags().isEmpty)
    _ = try store.generate(tag: "a", role: .clientInstance, binding: nil)
    #expect(try folder.names(in: "a/keys") == ["LOCK", "a.key", "store.json"])
  }

  @Test func `a seal prints its kind alone`() {
    for (seal, kind) in [(KeySeal.passphrase("canary-1"), "passphrase"), (.key(Array("canary-1".utf8)), "key")] {
      var dumped = ""
      dump(seal, to: &dumped)
      for text in ["\(seal)", String(reflecting: seal), dumped] {
        #expect(text.contains(kind) && !text.contains("canary") && !text.contains("99"), "\(text)")
      }
    }
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool { Data(bytes).range(of: Data(part)) != nil }
}
