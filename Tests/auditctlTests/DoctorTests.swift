import EventStore
import Foundation
import Glibc
import Testing

@Suite struct DoctorTests {
  private func states(_ arguments: [String], in folder: Folder) throws -> (code: Int32, states: [String: String]) {
    let run = try Program.run(["doctor", "--json"] + arguments, in: folder)
    #expect(run.errors.isEmpty && run.lines.count == 1, "\(run)")
    let json = try JSON(parsing: Array(run.output.utf8))
    #expect(json.keys == ["schema", "checks"])
    let checks = (json["checks"]?.array ?? []).map { ($0["check"]?.string ?? "", $0["state"]?.string ?? "") }
    #expect(
      (json["checks"]?.array ?? []).allSatisfy {
        $0["state"] == "ok" || $0["check"] == "clock" || $0["advice"] != nil || $0["check"] == "disk"
      })
    return (run.code, Dictionary(checks) { $1 })
  }

  @Test("a good store has no problem")
  func good() throws {
    let recorded = try Recorded.once()
    let found = try states(
      ["--store", recorded.store, "--signing-key", recorded.folder("audit.key")], in: recorded.folder)
    #expect(found.code == 0)
    for check in [
      "liblz4", "libcurl", "permissions", "writing", "writer", "quarantine", "tail", "log", "content", "signing key",
    ] {
      #expect(found.states[check] == "ok", "\(check): \(found.states)")
    }
    let text = try Program.run(["doctor", "--store", recorded.store], in: recorded.folder)
    #expect(text.output.hasPrefix("This machine\n") && text.lines.allSatisfy { $0.count <= 80 || $0.contains("/") })
  }

  @Test("a byte that was changed in the middle of the log is a problem, with the verdict of verify")
  func altered() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let store = try recorded.copy(into: folder)
    let segment = try #require(try FileManager.default.contentsOfDirectory(atPath: store + "/segments").sorted().first)
    let file = try #require(FileHandle(forUpdatingAtPath: store + "/segments/" + segment))
    try file.seek(toOffset: 3_000)
    let byte = try #require(try file.read(upToCount: 1)?.first)
    try file.seek(toOffset: 3_000)
    try file.write(contentsOf: Data([byte ^ 0x5A]))
    try file.close()
    let run = try Program.run(["doctor", "--store", store], in: folder)
    #expect(run.code == 1 && run.output.contains("verify says altered"), "\(run)")
  }

  @Test("each trouble is found where it is")
  func troubles() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let store = try recorded.copy(into: folder)
    #expect(chmod(store, 0o750) == 0)
    let exposed = try states(["--store", store], in: folder)
    #expect(exposed.states["permissions"] == "problem" && exposed.code == 1, "\(exposed)")
    #expect(chmod(store, 0o777) == 0)
    #expect(try states(["--store", store], in: folder).code == 1)
    #expect(try states(["--store", store], in: folder).states["permissions"] == "problem")
    #expect(chmod(store, 0o700) == 0)
    #expect(try states(["--store", store], in: folder).states["signing key"] == "notice")
    let key = folder("open.key")
    try FileManager.default.copyItem(atPath: recorded.folder("audit.key"), toPath: key)
    #expect(chmod(key, 0o644) == 0)
    #expect(try states(["--store", store, "--signing-key", key], in: folder).states["signing key"] == "problem")
    let segment = try #require(
      try FileManager.default.contentsOfDirectory(atPath: store + "/segments").sorted().last)
    let path = store + "/segments/" + segment
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data([4, 0x22, 0x4D, 0x18, 1, 2]))
    try file.close()
    let torn = try states(["--store", store], in: folder)
    #expect(torn.states["tail"] == "notice" && torn.code == 0, "\(torn)")
    #expect(try states(["--store", folder("none")], in: folder).code == 1)
    #expect(try states(["--store", folder("none")], in: folder).states["store"] == "problem")
  }

  @Test("a log that its key would not sign is a problem, and so is a memory of the key that cannot be read")
  func signer() throws {
    let folder = try Folder()
    let key = folder("audit.key")
    func append() throws {
      let line = #"{"stream":"app/1","type":"note","data":{}}"# + "\n"
      #expect(try Program.run(["append", "--store", "s"], input: line, in: folder).code == 0)
    }
    func found() throws -> (code: Int32, states: [String: String]) {
      try states(["--store", "s", "--signing-key", key], in: folder)
    }
    try append()
    let files = FileManager.default
    try files.copyItem(atPath: folder("s"), toPath: folder("older"))
    try append()
    #expect(try Program.run(["checkpoint", "--store", "s", "--signing-key", key], in: folder).code == 0)
    #expect(try found().states["signing key"] == "ok")
    let identity = try Data(contentsOf: URL(fileURLWithPath: folder("s/store.json")))
    try files.removeItem(atPath: folder("s"))
    try files.moveItem(atPath: folder("older"), toPath: folder("s"))
    try identity.write(to: URL(fileURLWithPath: folder("s/store.json")))
    let cut = try found()
    #expect(cut.states["signing key"] == "problem" && cut.code == 1, "\(cut)")
    let text = try Program.run(["doctor", "--store", "s", "--signing-key", key], in: folder).output
    #expect(text.contains("truncated"), "\(text)")
    try "nothing\n".write(toFile: key + ".state", atomically: false, encoding: .utf8)
    let unreadable = try found()
    #expect(unreadable.states["signing key"] == "problem" && unreadable.code == 1, "\(unreadable)")
  }

  @Test(
    "a last segment that was cut in its first bytes is a torn tail, and hides no other check",
    arguments: [0, 5, 40] as [UInt64])
  func cutHeader(length: UInt64) throws {
    let folder = try Folder()
    let line = #"{"stream":"app/1","type":"note","data":{}}"# + "\n"
    #expect(try Program.run(["append", "--store", "s"], input: line, in: folder).code == 0)
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder("s/segments")).first)
    let file = try #require(FileHandle(forWritingAtPath: folder("s/segments/" + name)))
    try file.truncate(atOffset: length)
    try file.close()
    let found = try states(["--store", folder("s")], in: folder)
    #expect(found.states["tail"] == "notice" && found.code == 0, "\(found)")
    for check in ["permissions", "writing", "writer", "quarantine"] {
      #expect(found.states[check] == "ok", "\(check): \(found)")
    }
  }

  @Test("a store without its checkpoints folder has no problem of permissions")
  func noCheckpoints() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let store = try recorded.copy(into: folder)
    try FileManager.default.removeItem(atPath: store + "/checkpoints")
    let found = try states(["--store", store], in: folder)
    for check in ["permissions", "writing", "tail"] { #expect(found.states[check] == "ok", "\(check): \(found)") }
  }

  @Test("a folder in the store that others may enter is a notice while they cannot reach it")
  func innerFolder() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let store = try recorded.copy(into: folder)
    #expect(chmod(store, 0o700) == 0 && chmod(store + "/segments", 0o755) == 0)
    let found = try states(["--store", store], in: folder)
    #expect(found.states["permissions"] == "notice" && found.code == 0, "\(found)")
  }

  @Test(
    "a store that this user cannot write to is a problem, and so is a place of keys that cannot be made",
    .enabled(if: geteuid() != 0), arguments: ["", "/segments"])
  func readOnly(part: String) throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let store = try recorded.copy(into: folder)
    #expect(chmod(store, 0o700) == 0 && chmod(store + part, 0o500) == 0)
    defer { chmod(store + part, 0o700) }
    let found = try states(["--store", store], in: folder)
    #expect(found.states["writing"] == "problem" && found.code == 1, "\(found)")
    try FileManager.default.createDirectory(atPath: folder("state"), withIntermediateDirectories: false)
    #expect(chmod(folder("state"), 0o500) == 0)
    let keys = try Program.run(["doctor", "--json"], environment: ["XDG_STATE_HOME": folder("state")], in: folder)
    #expect(keys.code == 1 && keys.output.contains("cannot be made"), "\(keys)")
  }

  @Test("an unsigned log and its writer are seen")
  func writer() throws {
    let folder = try Folder()
    let log = try EventLog.open(at: folder("s"))
    let text = try Program.run(["doctor", "--store", folder("s"), "--json"], in: folder).output
    #expect(text.contains("exit at once with 75") && !text.contains("wait until"), "\(text)")
    let found = try states(["--store", folder("s")], in: folder)
    #expect(found.states["writer"] == "notice" && found.states["checkpoint"] == "notice" && found.code == 0, "\(found)")
    try log.close()
    #expect(try states(["--store", folder("s")], in: folder).states["writer"] == "ok")
  }
}
