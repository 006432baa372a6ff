// Directories of files that hold secrets.

import FlowRecording
import Foundation
import Testing

@Suite struct SecretDirectoryTests {
  private let path = NSTemporaryDirectory() + "/secrets-\(UUID().uuidString)"

  @Test("the names are those of its files, without the lock and without drafts that a dead process left")
  func names() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let directory = try SecretDirectory(path: path)
    try directory.write(Array("one".utf8), to: "a")
    #expect(FileManager.default.createFile(atPath: path + "/.draft-left", contents: Data("half".utf8)))
    #expect(FileManager.default.fileExists(atPath: path + "/LOCK"), "there is a lock to leave out")
    #expect(try directory.names() == ["a"])
    #expect(try directory.read("a", limit: 3) == Array("one".utf8))
    let mode = try FileManager.default.attributesOfItem(atPath: path + "/a")[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try directory.write(Array("two".utf8), to: "b")
    #expect(!FileManager.default.fileExists(atPath: path + "/.draft-left"), "a writer removes what others left")
    #expect(try directory.names().sorted() == ["a", "b"])
    #expect(try directory.remove("a"))
    #expect(try directory.names() == ["b"])
  }
}
