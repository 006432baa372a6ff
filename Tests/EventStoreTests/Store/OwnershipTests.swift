import Foundation
import Testing

@testable import EventStore

@Suite struct OwnershipTests {
  @Test(arguments: ["", "/segments", "/checkpoints", "/quarantine", "/index"], [0o770, 0o702, 0o777])
  func `a store that others can write to takes nothing, and can be read`(_ folder: String, _ mode: Int) throws {
    let store = try TemporaryStore()
    try EventLog.open(at: store.path).close()
    #expect(chmod(store.path + folder, mode_t(mode)) == 0)
    let error = #expect(throws: StoreError.self) { try EventLog.open(at: store.path) }
    #expect(error?.code == .permission && error?.advice?.contains("chmod go-w") == true)
    #expect(error?.file == store.path + folder)
    #expect(try records(in: store.path).count == 1)
    #expect(try Verifier(directory: store.path).run().verdict == .unanchored)
    #expect(chmod(store.path + folder, 0o755) == 0)
    try EventLog.open(at: store.path).close()
  }

  @Test func `nothing is made in a directory that others can write to`() throws {
    let store = try TemporaryStore()
    try FileManager.default.createDirectory(
      atPath: store.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
    #expect(chmod(store.path, 0o777) == 0)
    #expect(throws: StoreError(.permission, "")) { try EventLog.open(at: store.path) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.path).isEmpty)
    // The one above may be anyone's, as /tmp is.
    #expect(chmod(store.path, 0o1777) == 0)
    try EventLog.open(at: store.path + "/audit").close()
  }

  @Test(.enabled(if: geteuid() == 0, "needs root"), arguments: ["", "/segments"])
  func `a store of another user takes nothing, from root neither, and can be read`(_ folder: String) throws {
    let store = try TemporaryStore()
    try EventLog.open(at: store.path).close()
    #expect(chown(store.path + folder, 4_711, 4_711) == 0)
    let error = #expect(throws: StoreError.self) { try EventLog.open(at: store.path) }
    #expect(error?.code == .permission && error?.message.contains("4711") == true)
    #expect(try records(in: store.path).count == 1)
  }

  @Test func `a LOCK that is a link cuts nothing`() throws {
    let store = try TemporaryStore()
    try EventLog.open(at: store.path).close()
    let victim = store.folder + "/victim"
    try write(Array("precious, and longer than a process's number".utf8), to: victim)
    try FileManager.default.removeItem(atPath: store.path + "/LOCK")
    #expect(symlink(victim, store.path + "/LOCK") == 0)
    #expect(throws: StoreError(.malformed, "")) { try EventLog.open(at: store.path) }
    #expect(try bytes(of: victim).count == 44)
  }
}
