import Foundation
import Testing

@testable import EventStore

/// The file of a signing key: who may use it, and where it may lie.
@Suite struct SigningKeyFileTests {
  private let folder: TemporaryStore
  private let file: String

  init() throws {
    folder = try TemporaryStore()
    file = folder.folder + "/it's a key"
    _ = try SigningKey.create(path: file, name: "play")
  }

  private func setMode(_ mode: Int, of path: String? = nil) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path ?? file)
  }

  @Test func `a key is made with mode 0600, and the folders above it with 0700`() throws {
    let key = folder.folder + "/deep/key"
    _ = try SigningKey.create(path: key, name: "play")
    for (path, mode) in [(key, 0o600), (folder.folder + "/deep", 0o700)] {
      let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(found as? Int == mode, "\(path)")
    }
  }

  @Test(arguments: [0o040, 0o020, 0o010, 0o004, 0o002, 0o001])
  func `a key that others than its owner can use is refused, and the error says what to do`(_ bit: Int) throws {
    try setMode(0o600 | bit)
    let error = #expect(throws: StoreError(.keyExposed, "")) { try SigningKey.load(path: file) }
    let text = error?.description ?? ""
    #expect(text.contains("chmod 600 '\(folder.folder)/it'\\''s a key'"), "as a shell takes it: \(text)")
    #expect(text.contains(file) && text.contains(String(0o600 | bit, radix: 8)), "\(text)")
    let secret = try String(contentsOfFile: file, encoding: .utf8).split(separator: "+").last ?? ""
    #expect(!secret.isEmpty && !text.contains(secret))
  }

  @Test(arguments: [0o600, 0o400, 0o700]) func `a key that its owner alone can use is read`(_ mode: Int) throws {
    try setMode(mode)
    #expect(try SigningKey.load(path: file).verifier.name == "play")
  }

  @Test func `a store that has no key refuses that of another log, by name; one with a key asks for its own`() throws {
    try EventLog.open(at: folder.path, options: LogOptions(origin: "work")).close()
    var identity = try LogReader(directory: folder.path).identity
    #expect(identity.publicKey == nil)
    func refusal() -> String? {
      let error = #expect(throws: StoreError(.keyMismatch, "")) {
        try SigningKey.obtain(for: identity, store: folder.path, path: file)
      }
      return error?.description
    }
    #expect(refusal()?.hasPrefix("the signing key is that of another log, play (\(file)); give a file ") == true)
    identity.publicKey = try SigningKey(name: "work").verifier.description
    #expect(refusal()?.contains("give the store's own key") == true)
  }

  @Test func `the mode that counts is that of the file, not of a link to it`() throws {
    let link = folder.folder + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    #expect(try SigningKey.load(path: link).verifier.name == "play")
    try setMode(0o644)
    #expect(throws: StoreError(.keyExposed, "")) { try SigningKey.load(path: link) }
  }

  @Test func `a store does not sign with an exposed key, makes no other, and opens again after chmod`() throws {
    let options = LogOptions(origin: "play", checkpoints: CheckpointSchedule(keyFile: file, every: nil))
    try EventLog.open(at: folder.path, options: options).close()
    let identity = try LogReader(directory: folder.path).identity
    try setMode(0o640)
    #expect(throws: StoreError(.keyExposed, "")) { try EventLog.open(at: folder.path, options: options) }
    var unnamed = identity
    unnamed.publicKey = nil
    for named in [identity, unnamed] {
      #expect(throws: StoreError(.keyExposed, "")) {
        try SigningKey.obtain(for: named, store: folder.path, path: file)
      }
    }
    try setMode(0o600)
    let log = try EventLog.open(at: folder.path, options: options)
    #expect(log.identity.publicKey == identity.publicKey)
    try log.close()
  }

  @Test func `a key lies outside of the store, whatever links lead there`() throws {
    try EventLog.open(at: folder.path, options: LogOptions(origin: "play")).close()
    let identity = try LogReader(directory: folder.path).identity
    let link = folder.folder + "/way"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
    let inside = folder.path + "/key"
    for (store, key) in [
      (folder.path, link + "/key"), (folder.path, link + "/new/key"), (link, inside), (link, link + "/segments/key"),
      (folder.path + "/", folder.folder + "/x/../audit/key"),
    ] {
      #expect(throws: StoreError(.invalid, ""), "\(store) \(key)") {
        try SigningKey.obtain(for: identity, store: store, path: key)
      }
    }
    #expect(!FileManager.default.fileExists(atPath: inside))
    // A link that leads nowhere is not followed to make a key there.
    let nowhere = folder.folder + "/nowhere"
    try FileManager.default.createSymbolicLink(atPath: nowhere, withDestinationPath: inside)
    #expect(throws: StoreError(.cannotCreate, "")) {
      try SigningKey.obtain(for: identity, store: folder.path, path: nowhere)
    }
    #expect(!FileManager.default.fileExists(atPath: inside))
    // A neighbour whose name begins like the store's is not inside of it.
    _ = try SigningKey.obtain(for: identity, store: folder.path, path: folder.path + "-keys/key")
  }

  @Test func `what is no file is no key`() throws {
    for path in [folder.folder, "/dev/null"] {
      #expect(throws: StoreError(.malformed, ""), "\(path)") { try SigningKey.load(path: path) }
    }
    #expect(throws: StoreError(.keyMissing, "")) { try SigningKey.load(path: file + "/under") }
    try write([UInt8](repeating: 0x41, count: 5_000), to: folder.folder + "/long")
    try setMode(0o600, of: folder.folder + "/long")
    #expect(throws: StoreError(.tooLarge, "")) { try SigningKey.load(path: folder.folder + "/long") }
  }

  @Test func `two origins never have one default key`() {
    let paths = ["é", "ü", "_", "a/b", "a_b", "a%2Fb"].map { SigningKey.defaultPath(origin: $0) }
    #expect(Set(paths).count == paths.count)
    #expect(paths.allSatisfy { $0.split(separator: "/").dropLast().last == "flowrecorder" })
  }
}
