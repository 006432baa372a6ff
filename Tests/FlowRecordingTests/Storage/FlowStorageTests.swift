import Foundation
import Testing

@testable import FlowRecording

/// What a flow leaves for flows after it: in memory and in files, by the same rules.
@Suite struct FlowStorageTests {
  private let folder = NSTemporaryDirectory() + "storage-" + UUID().uuidString

  private func storages() -> [any FlowStorage] { [MemoryStorage(), FileStorage(folder: folder + "/kept")] }

  private func name(_ text: String) throws -> StorageName { try #require(StorageName(text)) }

  @Test func `a value is there until it is replaced or removed`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for storage in storages() {
      #expect(try storage.read(name("token")) == nil && storage.names().isEmpty)
      try storage.write([1, 2, 3], as: name("token"))
      try storage.write([], as: name("empty"))
      #expect(try storage.read(name("token")) == [1, 2, 3] && storage.read(name("empty")) == [])
      try storage.write(Array(repeating: 7, count: 100_000), as: name("token"))
      #expect(try storage.read(name("token"))?.count == 100_000)
      #expect(try storage.names().map(\.text) == ["empty", "token"])
      #expect(try storage.remove(name("token")) && !storage.remove(name("token")))
      #expect(try storage.read(name("token")) == nil)
    }
  }

  @Test(arguments: ["", ".", "..", ".hidden", "a/b", "a\0b", "ä", "a b", String(repeating: "x", count: 101)])
  func `text that is no name is none`(text: String) {
    #expect(StorageName(text) == nil)
  }

  @Test func `files and their folder are for their owner alone`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileStorage(folder: folder).write([1], as: name("a"))
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(folder) == 0o700 && mode(folder + "/a") == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a"])
  }

  @Test func `what others had a hand in is not read`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let storage = FileStorage(folder: folder)
    try storage.write([1], as: name("a"))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder + "/a")
    #expect(throws: FlowStorageError.unsafe(path: folder + "/a", reason: "others may read or write it")) {
      try storage.read(name("a"))
    }
    try FileManager.default.createSymbolicLink(atPath: folder + "/b", withDestinationPath: folder + "/a")
    #expect(throws: FlowStorageError.unsafe(path: folder + "/b", reason: "it is a symbolic link")) {
      try storage.read(name("b"))
    }
    try FileManager.default.createDirectory(atPath: folder + "/c", withIntermediateDirectories: false)
    #expect(throws: FlowStorageError.unsafe(path: folder + "/c", reason: "it is no plain file")) {
      try storage.read(name("c"))
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    #expect(throws: FlowStorageError.unsafe(path: folder, reason: "others may read or write in it")) {
      try storage.write([2], as: name("d"))
    }
  }

  @Test func `a value that is too long is refused, before and after it is on disk`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let storage = FileStorage(folder: folder)
    #expect(throws: FlowStorageError.self) {
      try storage.write(Array(repeating: 0, count: FileStorage.limit + 1), as: name("a"))
    }
    try storage.write(Array(repeating: 0, count: FileStorage.limit), as: name("a"))
    #expect(try storage.read(name("a"))?.count == FileStorage.limit)
    let file = try #require(FileHandle(forWritingAtPath: folder + "/a"))
    try file.seekToEnd()
    try file.write(contentsOf: Data(repeating: 0, count: 1))
    #expect(throws: FlowStorageError.self) { try storage.read(name("a")) }
  }

  @Test func `what a crash left behind is no value`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let storage = FileStorage(folder: folder)
    try storage.write([1], as: name("a"))
    try Data([9]).write(to: URL(fileURLWithPath: folder + "/.a.1.1"))
    #expect(try storage.names().map(\.text) == ["a"] && storage.read(name("a")) == [1])
    // A process of the same number that died at any of its first values.
    for serial in 1...2_000 {
      try Data([9]).write(to: URL(fileURLWithPath: folder + "/.a.\(getpid()).\(serial)"))
    }
    try storage.write([2], as: name("a"))
    #expect(try storage.names().map(\.text) == ["a"] && storage.read(name("a")) == [2])
  }
}
