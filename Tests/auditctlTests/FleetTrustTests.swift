// Whom `fleet verify` believes, and what one bad copy does to the others.

import EventStore
import Foundation
import Testing

@Suite struct FleetTrustTests: CommandSuite {
  let folder: Folder

  init() throws { folder = try Folder() }

  /// A host whose store is shipped to the stick.
  private func makeHost(_ store: String) throws {
    let lines = (0..<5).map { #"{"stream":"\#(store)/\#($0)","type":"t","data":{"n":\#($0)}}"# }
    _ = try run("append", "--store", folder(store), input: lines.joined(separator: "\n"))
    _ = try run("checkpoint", "--store", folder(store), "--signing-key", folder("\(store).key"))
    _ = try run("ship", "--store", folder(store), "--to", folder("stick"), "--once")
  }

  private func enroll(_ store: String) throws {
    _ = try run(
      "fleet", "enroll", "--fleet", folder("fleet"), "--public-key", folder("\(store).pub"), "--name", store,
      "--signing-key", folder("fleet.key"))
  }

  private func collect(_ more: String..., code: Int32 = 0) throws -> Run {
    let arguments =
      [
        "collect", "--fleet", folder("fleet"), "--from", folder("stick"), "--once", "--signing-key",
        folder("fleet.key"), "--witness-key", folder("w.key"),
      ] + more
    let run = try Program.run(arguments, in: folder)
    #expect(run.code == code, "\(run)")
    return run
  }

  private func verify(code: Int32) throws -> JSON {
    try json(
      run("fleet", "verify", "--fleet", folder("fleet"), "--public-key", folder("fleet.pub"), "--json", code: code))
  }

  private func id(_ store: String) throws -> String {
    let text = try String(contentsOfFile: folder(store) + "/store.json", encoding: .utf8)
    return try JSON(parsing: Array(text.utf8))["id"]?.string ?? ""
  }

  /// Appends to the fleet's own store without its key, as anyone can who can write there.
  private func enrollUnsigned(_ store: String, as name: String, keyOf other: String) throws {
    let key = try String(contentsOfFile: folder("\(other).pub"), encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let line: JSON = [
      "stream": .string("host/\(try id(store))"), "type": "host.enrolled",
      "data": ["name": .string(name), "publicKey": .string(key)],
    ]
    _ = try run("append", "--store", folder("fleet/store"), input: line.text)
  }

  @Test func `a record that the fleet's key has not signed names no host and gives none another key`() throws {
    for store in ["one", "two", "three"] { try makeHost(store) }
    for store in ["one", "two"] { try enroll(store) }
    _ = try collect()
    #expect(try verify(code: 0)["verdict"] == "ok")
    let report = try json(run("fleet", "report", "integrity", "--fleet", folder("fleet"), "--json"))
    #expect(report["tables"]?["stores"]?.array?.count == 2)
    _ = try run("fleet", "report", "user", "--fleet", folder("fleet"), code: 64)
    // Another log in the place of a copy is found by the key that the host was enrolled with.
    let (copy, files) = (folder("fleet/hosts/\(try id("one"))"), FileManager.default)
    try files.moveItem(atPath: copy, toPath: folder("kept"))
    try files.copyItem(atPath: folder("three"), toPath: copy)
    func verdict(_ document: JSON, of name: String) -> String? {
      document["hosts"]?.array?.first { $0["name"]?.string == name }?["verdict"]?.string
    }
    let before = try run(
      "fleet", "verify", "--fleet", folder("fleet"), "--public-key", folder("fleet.pub"), "--json", code: 23)
    #expect(verdict(try json(before), of: "one") == "badSignature")
    try enrollUnsigned("one", as: "one", keyOf: "three")
    #expect(verdict(try verify(code: 23), of: "one") == "badSignature")
    // With the copy as it was, the record is a finding, and is not believed.
    try files.removeItem(atPath: copy)
    try files.moveItem(atPath: folder("kept"), toPath: copy)
    let after = try verify(code: 10)
    #expect(verdict(after, of: "one") == "unanchored" && verdict(after, of: "two") == "ok")
    let host = try #require(after["hosts"]?.array?.first { $0["name"] == "one" })
    #expect(host["records"] == 6 && host["anchored"] == 6)
    #expect(host["findings"]?.array?.first?["message"]?.string?.contains("not signed") == true)
    try enrollUnsigned("three", as: "web-3", keyOf: "three")
    #expect(verdict(try verify(code: 10), of: "web-3") == "unanchored")
    let text = try run("fleet", "verify", "--fleet", folder("fleet"), "--public-key", folder("fleet.pub"), code: 10)
    #expect(text.output.contains("of them anchored\n") && text.output.contains("no signed record"))
  }

  @Test func `a host that is enrolled anew must still have what was collected of it`() throws {
    try makeHost("one")
    try enroll("one")
    _ = try collect()
    #expect(try verify(code: 0)["hosts"]?.array?.first?["records"] == 6)
    try enroll("one")
    try FileManager.default.removeItem(atPath: folder("fleet/hosts/\(try id("one"))"))
    #expect(try verify(code: 21)["hosts"]?.array?.first?["verdict"] == "truncated")
  }

  @Test func `one copy that cannot be read hides no other`() throws {
    for store in ["one", "two"] {
      try makeHost(store)
      try enroll(store)
    }
    _ = try collect()
    let file = folder("fleet/hosts/\(try id("one"))/store.json")
    try "{".write(toFile: file, atomically: false, encoding: .utf8)
    let hosts = try verify(code: 20)["hosts"]?.array ?? []
    #expect(hosts.map { $0["verdict"]?.string } == ["altered", "ok"])
    #expect(hosts.first?["findings"]?.array?.count == 1)
    let shown = try run("fleet", "show", "two/1", "--fleet", folder("fleet"))
    #expect(shown.errors.contains("one is left out") && shown.output.contains("two/1"))
    let report = try run("fleet", "report", "integrity", "--fleet", folder("fleet"), "--json", code: 65)
    #expect(try json(report)["tables"]?["stores"]?.array?.count == 1 && report.errors.contains("one is left out"))
    // It may be a flow of the host that cannot be asked.
    _ = try run("fleet", "show", "one/1", "--fleet", folder("fleet"), code: 65)
    let index = try run(
      "fleet", "index", "--fleet", folder("fleet"), "--index", folder("fleet.sqlite"), "--json", code: 65)
    #expect(try json(index)["stores"]?.array?.count == 1)
    // A copy that is damaged further in hides no other either.
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.copyItem(atPath: folder("one/store.json"), toPath: file)
    let segments = folder("fleet/hosts/\(try id("one"))/segments/")
    let segment = segments + (try #require(try FileManager.default.contentsOfDirectory(atPath: segments).first))
    var bytes = try Data(contentsOf: URL(fileURLWithPath: segment))
    bytes[bytes.count / 2] ^= 0xFF
    try bytes.write(to: URL(fileURLWithPath: segment))
    #expect(try run("fleet", "show", "two/1", "--fleet", folder("fleet")).output.contains("two/1"))
    _ = try run("fleet", "show", "two/9", "--fleet", folder("fleet"), code: 65)
  }

  @Test func `a command of the user's is run when a host's state changes, and once for each change`() throws {
    try makeHost("one")
    try enroll("one")
    let files = FileManager.default
    try files.copyItem(atPath: folder("one"), toPath: folder("older"))
    try makeHost("one")
    let alarm = ["--on-alarm", #"echo "$FLEET_HOST $FLEET_STATE $FLEET_STORE" >> alarms"#]
    _ = try collect(alarm[0], alarm[1])
    #expect(!files.fileExists(atPath: folder("alarms")))
    try files.removeItem(atPath: folder("one"))
    try files.moveItem(atPath: folder("older"), toPath: folder("one"))
    _ = try run("ship", "--store", folder("one"), "--to", folder("stick"), "--once", code: 65)
    _ = try collect(alarm[0], alarm[1], code: 1)
    _ = try collect(alarm[0], alarm[1], code: 1)
    let expected = "one rolledBack \(try id("one"))\n"
    #expect(try String(contentsOfFile: folder("alarms"), encoding: .utf8) == expected)
    // A copy that is gone is an alarm, too, though nothing else was wrong with the host.
    try makeHost("two")
    try enroll("two")
    _ = try collect(code: 1)
    try files.removeItem(atPath: folder("fleet/hosts/\(try id("two"))/segments"))
    _ = try collect(alarm[0], alarm[1], code: 1)
    #expect(try String(contentsOfFile: folder("alarms"), encoding: .utf8).hasSuffix("two damaged \(try id("two"))\n"))
  }

  @Test func `a store that is made later under a shipped directory is shipped, too`() throws {
    try FileManager.default.createDirectory(atPath: folder("stores"), withIntermediateDirectories: false)
    try makeHost("stores/one")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.binary)
    process.arguments = ["ship", "--store", folder("stores"), "--to", folder("shared"), "--linger", "0"]
    process.environment = Program.environment(home: folder.path)
    let errors = folder("ship.err")
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    process.standardError = FileHandle(forWritingAtPath: errors)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    defer { process.terminate() }
    func isShipped(_ store: String) throws -> Bool {
      let place = folder("shared") + "/" + (try id(store))
      return try FileManager.default.fileExists(atPath: place)
        && !FileManager.default.contentsOfDirectory(atPath: place).isEmpty
    }
    func wait(for store: String) throws {
      for _ in 0..<600 where try !isShipped(store) { usleep(50_000) }
      #expect(try isShipped(store), "\((try? String(contentsOfFile: errors, encoding: .utf8)) ?? "")")
    }
    try wait(for: "stores/one")
    try makeHost("stores/two")
    try wait(for: "stores/two")
    #expect(try String(contentsOfFile: errors, encoding: .utf8).contains("stores/two is new and is shipped"))
  }
}
