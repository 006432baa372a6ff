import Foundation
import Glibc
import OIDC
import Testing

/// Tokens on disk: who may read them, and what becomes of damage (oidc §9.4).
@Suite struct EncryptedFileStoreTests {
  let folder: OwnFolder
  private let key = TokenStoreKey.bytes(Array(0..<32))
  private let tokens = StoredTokens.sample()

  init() throws { folder = try OwnFolder() }

  private func open(_ key: TokenStoreKey? = nil) throws(TokenStoreError) -> EncryptedFileStore {
    try EncryptedFileStore(directory: folder.file("tokens"), key: key ?? self.key)
  }

  private func entries() throws -> [String] { try folder.names(in: "tokens").filter { $0.hasPrefix("t-") } }

  /// Stores tokens and returns the name of their file.
  private func stored(_ key: TokenStoreKey? = nil) throws -> String {
    try open(key).write(tokens, for: tokens.key)
    return "tokens/" + (try #require(try entries().first))
  }

  /// What reading says: the tokens' id, `none`, or the case of the error.
  private func reading(_ key: TokenStoreKey? = nil) -> String {
    do throws(TokenStoreError) {
      return try open(key).read(tokens.key)?.id ?? "none"
    } catch {
      #expect(error.errorDescription?.contains("canary") == false)
      switch error {
      case .wrongKey: return "wrongKey"
      case .damaged: return "damaged"
      case .unknownVersion: return "unknownVersion"
      case .unsafe: return "unsafe"
      case .system: return "system"
      case .unavailable: return "unavailable"
      case .cancelled: return "cancelled"
      }
    }
  }

  @Test func `directory and files are their owner's alone, and hold no readable token`() throws {
    let name = try stored()
    #expect(try folder.mode(of: "tokens") == "700" && folder.mode(of: name) == "600")
    let text = String(decoding: try folder.read(name), as: UTF8.self)
    #expect(!text.contains("canary") && !text.contains(Data("canary".utf8).base64EncodedString()))
    #expect(try folder.names(in: "tokens").allSatisfy { !$0.contains("0oa1") })
    #expect(reading() == "1")
  }

  @Test func `another key is an error, and never no tokens`() throws {
    _ = try stored()
    #expect(reading(.bytes(Array(1..<33))) == "wrongKey")
    #expect(reading(.file) == "wrongKey")
    #expect(throws: TokenStoreError.self) { try open(.bytes(Array(1..<33))).keys() }
    #expect(reading() == "1")
    #expect(reading(.bytes([1, 2, 3])) == "unavailable" && reading(.bytes([])) == "unavailable")
  }

  @Test func `all entries can be removed, damaged ones and those of another key too`() throws {
    _ = try stored(.bytes(Array(1..<33)))
    let other = StoredTokens.sample("2", client: "0oa2")
    try open().write(other, for: other.key)
    try folder.write("{", to: "tokens/t-damaged")
    #expect(throws: TokenStoreError.self) { try open().keys() }
    let store = try open()
    #expect(try store.removeAll() == 3)
    #expect(try entries() == [])
    #expect(try store.removeAll() == 0)
  }

  @Test(.timeLimit(.minutes(1)))
  func `who gives up the wait for another process ends at once, and the next ones get the lock`() async throws {
    let (store, key) = (try open(), tokens.key)
    try await store.lock(key).release()
    let name = try #require(try folder.names(in: "tokens").first { $0.hasPrefix("l-") })
    // As another process has the lock: by a descriptor of its own.
    let other = Glibc.open(folder.file("tokens/\(name)"), O_RDWR)
    defer { _ = Glibc.close(other) }
    #expect(flock(other, LOCK_EX) == 0)
    let waiting = (0..<100).map { _ in Task { try await store.lock(key).release() } }
    for task in waiting.prefix(50) { task.cancel() }
    for task in waiting.prefix(50) { await #expect(throws: TokenStoreError.cancelled) { try await task.value } }
    #expect(flock(other, LOCK_UN) == 0)
    for task in waiting.dropFirst(50) { try await task.value }
    try await store.lock(key).release()
  }

  @Test func `entries that change places are found out`() throws {
    let other = StoredTokens.sample("2", client: "0oa2")
    let first = try stored()
    try open().write(other, for: other.key)
    let second = "tokens/" + (try #require(try entries().first { "tokens/" + $0 != first }))
    let (one, two) = (try folder.read(first), try folder.read(second))
    try folder.write(two, to: first)
    try folder.write(one, to: second)
    #expect(reading() == "damaged")
    #expect(throws: TokenStoreError.self) { try open().keys() }
    // A header of the one before the box of the other.
    let boxes = [one, two].map { String(decoding: $0, as: UTF8.self).components(separatedBy: "\"box\":") }
    try folder.write(Array((boxes[0][0] + "\"box\":" + boxes[1][1]).utf8), to: first)
    #expect(reading() == "damaged")
  }

  @Test func `no bit of an entry can be changed unseen`() throws {
    let name = try stored()
    let good = try folder.read(name)
    let store = try open()
    for index in good.indices {
      for bit in [0, 3, 6] {
        var bytes = good
        bytes[index] ^= 1 << UInt8(bit)
        try folder.write(bytes, to: name)
        // Of bits that say nothing, as the last ones of base64, what is read is what was stored.
        if case .success(let found) = Result(catching: { try store.read(tokens.key) }) {
          #expect(found == tokens, "byte \(index), bit \(bit)")
        }
      }
    }
  }

  @Test func `an entry that is cut at any byte is an error`() throws {
    let name = try stored()
    let good = try folder.read(name)
    let store = try open()
    for end in 0..<(good.count - 1) {
      try folder.write(Array(good[..<end]), to: name)
      #expect(throws: TokenStoreError.self, "cut at \(end)") { try store.read(tokens.key) }
    }
    try folder.write(good + good, to: name)
    #expect(reading() == "damaged")
  }

  @Test func `a newer version and another file have errors of their own`() throws {
    let name = try stored()
    try folder.write(#"{"format":"flowrecorder-tokens","v":2,"keyID":"x","key":"y","box":""}"#, to: name)
    #expect(reading() == "unknownVersion")
    try folder.write(#"{"format":"another","v":1}"#, to: name)
    #expect(reading() == "damaged")
    try folder.write("", to: name)
    #expect(reading() == "damaged")
    try folder.write(Array(repeating: 0x20, count: 1 << 21), to: name)
    #expect(reading() == "unsafe")
    // Removing it is the way out, and needs no key.
    #expect(try open().remove(tokens.key))
    #expect(reading() == "none")
  }

  @Test func `what others may read, and what is a link, is refused`() throws {
    let name = try stored()
    for mode in [0o640, 0o604, 0o660] {
      try folder.setMode(mode, of: name)
      #expect(reading() == "unsafe")
    }
    try folder.setMode(0o600, of: name)
    for mode in [0o750, 0o701, 0o777] {
      try folder.setMode(mode, of: "tokens")
      #expect(reading() == "unsafe")
    }
    try folder.setMode(0o700, of: "tokens")
    let bytes = try folder.read(name)
    try folder.write(bytes, to: "elsewhere")
    try FileManager.default.removeItem(atPath: folder.file(name))
    try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: folder.file("elsewhere"))
    #expect(reading() == "unsafe")
    // A write puts a file in the place of the link, and leaves where it led.
    try open().write(tokens, for: tokens.key)
    #expect(reading() == "1")
    #expect(try folder.read("elsewhere") == bytes)
    try FileManager.default.moveItem(atPath: folder.file("tokens"), toPath: folder.file("moved"))
    try FileManager.default.createSymbolicLink(atPath: folder.file("tokens"), withDestinationPath: folder.file("moved"))
    #expect(reading() == "unsafe")
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
  func `what belongs to another user is refused`() throws {
    let name = try stored()
    #expect(chown(folder.file(name), 65_534, 65_534) == 0)
    #expect(reading() == "unsafe")
    #expect(chown(folder.file(name), 0, 0) == 0)
    #expect(chown(folder.file("tokens"), 65_534, 65_534) == 0)
    #expect(reading() == "unsafe")
  }

  @Test func `a key file is made once, and its damage is no new key`() throws {
    let name = try stored(.file)
    #expect(try folder.mode(of: "tokens/KEY") == "600")
    #expect(reading(.file) == "1" && reading(.standard) == "1")
    #expect(reading(.secretService) == "wrongKey")
    let good = try folder.read("tokens/KEY")
    for end in 0..<(good.count - 1) {
      try folder.write(Array(good[..<end]), to: "tokens/KEY")
      #expect(reading(.file) == "damaged", "cut at \(end)")
    }
    let newer = String(decoding: good, as: UTF8.self).replacingOccurrences(of: "\"v\":1", with: "\"v\":2")
    try folder.write(newer, to: "tokens/KEY")
    #expect(reading(.file) == "unknownVersion")
    try FileManager.default.removeItem(atPath: folder.file("tokens/KEY"))
    #expect(reading(.file) == "wrongKey")
    try folder.write(good, to: "tokens/KEY")
    #expect(reading(.file) == "1")
    #expect(try folder.read(name).isEmpty == false)
  }

  @Test func `a provider gives the key, and its failure is that no key is there`() throws {
    struct Refused: Error {}
    _ = try stored(.provider { Array(0..<32) })
    #expect(reading() == "1")
    #expect(reading(.provider { throw Refused() }) == "unavailable")
    #expect(reading(.provider { [1] }) == "unavailable")
    #expect("\(key) \(String(reflecting: key))" == "bytes bytes")
  }
}
