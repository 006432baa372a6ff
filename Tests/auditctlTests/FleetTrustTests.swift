// Which hosts `fleet verify` believes, and what one bad copy does to the others.

import EventStore
import Foundation
import Testing

@Suite struct FleetTrustTests: FleetSuite {
  let folder: Folder

  init() throws { folder = try Folder() }

  /// A host whose store is shipped to the stick.
  private func makeHost(_ store: String) throws {
    let lines = (0..<5).map { #"{"stream":"\#(store)/\#($0)","type":"t","data":{"n":\#($0)}}"# }
    try ship(store, lines)
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
    // Without the fleet's key nothing says that the keys of the hosts are theirs.
    for more in [[], ["--json"]] {
      let bare = try Program.run(["fleet", "verify", "--fleet", folder("fleet")] + more, in: folder)
      #expect(bare.code == 10 && bare.output.contains("unanchored") && !bare.output.contains("of them"), "\(bare)")
      #expect(bare.output.range(of: #"\bok\b"#, options: [.regularExpression, .caseInsensitive]) == nil, "\(bare)")
    }
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

  @Test func `a host that is enrolled again must still have what was collected of it`() throws {
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
    _ = try collect(alarm)
    #expect(!files.fileExists(atPath: folder("alarms")))
    try files.removeItem(atPath: folder("one"))
    try files.moveItem(atPath: folder("older"), toPath: folder("one"))
    _ = try run("ship", "--store", folder("one"), "--to", folder("stick"), "--once", code: 65)
    _ = try collect(alarm, code: 1)
    _ = try collect(alarm, code: 1)
    let expected = "one rolledBack \(try id("one"))\n"
    #expect(try String(contentsOfFile: folder("alarms"), encoding: .utf8) == expected)
    // A copy that is gone is an alarm, too, though nothing else was wrong with the host.
    try makeHost("two")
    try enroll("two")
    _ = try collect(code: 1)
    try files.removeItem(atPath: folder("fleet/hosts/\(try id("two"))/segments"))
    _ = try collect(alarm, code: 1)
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
      // Two minutes at the most, which only a shipper that hangs needs.
      for _ in 0..<2_400 where try !isShipped(store) { usleep(50_000) }
      #expect(try isShipped(store), "\((try? String(contentsOfFile: errors, encoding: .utf8)) ?? "")")
    }
    try wait(for: "stores/one")
    try makeHost("stores/two")
    try wait(for: "stores/two")
    #expect(try String(contentsOfFile: errors, encoding: .utf8).contains("stores/two is new and is shipped"))
  }

  @Test func `a checkpoint that no key of the host has signed proves nothing`() throws {
    try makeFleet(["one"])
    let fleet = folder("fleet")
    let copy = fleet + "/hosts/" + (try id("one"))
    func prove(code: Int32) throws -> Run {
      try run("fleet", "show", "authn/one1", "--fleet", fleet, "--prove", "--json", code: code)
    }
    let proof = try JSON(parsing: Array((prove(code: 0).lines.last ?? "").utf8))
    #expect(proof["signers"]?.array?.count == 2)
    let latest = copy + "/checkpoints/latest"
    let text = try String(contentsOfFile: latest, encoding: .utf8)
    let lines = text.components(separatedBy: "\n")
    let signatures = lines.indices.filter { lines[$0].hasPrefix("\u{2014} ") }
    #expect(signatures.count == 2)
    for index in signatures {
      var changed = lines
      // Another byte of the signature. Not of the end, whose unused bits would make it no base64.
      let place = changed[index].index(changed[index].endIndex, offsetBy: -12)
      let other = changed[index][place] == "A" ? "B" : "A"
      changed[index].replaceSubrange(place...place, with: other)
      for file in [latest, copy + "/checkpoints/9"] where FileManager.default.fileExists(atPath: file) {
        try changed.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
      }
      // The host's own signature, then that of the collector's witness.
      #expect(try prove(code: 65).errors.contains(index == signatures[0] ? "fleet verify" : "collect again"))
    }
    var unsigned = lines
    unsigned.remove(at: signatures[0])
    try unsigned.joined(separator: "\n").write(toFile: latest, atomically: true, encoding: .utf8)
    #expect(try prove(code: 65).errors.contains("no key of one has signed"))
  }

  @Test func `an answer that no key of the log has signed stops no host`() throws {
    try makeFleet(["one"])
    let store = try id("one")
    let answers = folder("stick") + "/where"
    let collector = try #require(try FileManager.default.contentsOfDirectory(atPath: answers).first)
    let file = answers + "/\(collector)/\(store)"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let answer = try JSON(parsing: Array(text.utf8))
    let note = try #require(answer["note"]?.string)
    let lines = note.components(separatedBy: "\n")
    let forged = ([lines[0], "5000"] + lines.dropFirst(2)).joined(separator: "\n")
    try FileManager.default.createDirectory(atPath: answers + "/c-evil", withIntermediateDirectories: true)
    try text.replacingOccurrences(of: JSON.string(note).text, with: JSON.string(forged).text)
      .write(toFile: answers + "/c-evil/\(store)", atomically: true, encoding: .utf8)
    _ = try run("append", "--store", folder("one"), input: #"{"stream":"a","type":"t","data":{}}"#)
    _ = try run("ship", "--store", folder("one"), "--to", folder("stick"), "--once")
    _ = try collect()
    let status = try json(run("fleet", "status", "--fleet", folder("fleet"), "--json"))
    #expect(status["state"] == "ok")
    // Alone it is no answer.
    try FileManager.default.removeItem(atPath: answers + "/" + collector)
    try FileManager.default.removeItem(atPath: folder("stick") + "/" + store)
    _ = try run("append", "--store", folder("one"), input: #"{"stream":"a","type":"t","data":{}}"#)
    _ = try run("ship", "--store", folder("one"), "--to", folder("stick"), "--once")
    _ = try collect()
    #expect(try json(run("fleet", "status", "--fleet", folder("fleet"), "--json"))["state"] == "ok")
  }

  @Test func `a host's folder that cannot be listed, and what is no message, hold up no other host`() throws {
    try makeFleet()
    let stick = folder("stick")
    let (one, two) = (try id("one"), try id("two"))
    _ = try run("append", "--store", folder("one"), input: #"{"stream":"a","type":"t","data":{}}"#)
    _ = try run("ship", "--store", folder("one"), "--to", stick, "--once")
    try FileManager.default.removeItem(atPath: "\(stick)/\(two)")
    try FileManager.default.createSymbolicLink(atPath: "\(stick)/\(two)", withDestinationPath: two)
    let collected = try collect(code: 1)
    #expect((collected.output + collected.errors).contains("two"))
    let hosts = try json(run("fleet", "status", "--fleet", folder("fleet"), "--json"))["hosts"]?.array ?? []
    #expect(hosts.first { $0["name"] == "one" }?["lag"] != nil)
    #expect(try run("fleet", "show", "a", "--fleet", folder("fleet")).code == 0)
    // The last message is a pipe: the host goes on behind it.
    let last = try #require(
      try FileManager.default.contentsOfDirectory(atPath: "\(stick)/\(one)").filter { $0.count == 20 }.max())
    try FileManager.default.removeItem(atPath: "\(stick)/\(one)/\(last)")
    _ = try Program.shell("mkfifo stick/\(one)/\(last)", in: folder)
    _ = try run("append", "--store", folder("one"), input: #"{"stream":"b","type":"t","data":{}}"#)
    _ = try run("ship", "--store", folder("one"), "--to", stick, "--once")
    _ = try collect(code: 1)
    _ = try run("fleet", "show", "b", "--fleet", folder("fleet"))
  }

  @Test func `of several stores one that cannot be shipped holds up no other`() throws {
    for store in ["one", "two", "three"] {
      _ = try run("append", "--store", folder(store), input: #"{"stream":"\#(store)","type":"t","data":{}}"#)
    }
    try Data("{".utf8).write(to: URL(fileURLWithPath: folder("two") + "/store.json"))
    let shipped = try run(
      "ship", "--store", folder("one"), "--store", folder("two"), "--store", folder("three"), "--to", folder("stick"),
      "--once", "--json", code: 65)
    #expect(shipped.lines.count == 2 && shipped.errors.contains("two"))
    for store in ["one", "three"] {
      #expect(FileManager.default.fileExists(atPath: folder("stick") + "/" + (try id(store))))
    }
  }

  @Test func `a host that has another key by now is cosigned on`() throws {
    try makeFleet(["one"])
    _ = try run(
      "keys", "rotate", "--store", folder("one"), "--signing-key", folder("one.key"), "--new-key", folder("new.key"))
    _ = try run("append", "--store", folder("one"), input: #"{"stream":"a","type":"t","data":{}}"#)
    _ = try run("checkpoint", "--store", folder("one"), "--signing-key", folder("new.key"))
    _ = try run("ship", "--store", folder("one"), "--to", folder("stick"), "--once")
    _ = try collect()
    let host = try json(run("fleet", "status", "--fleet", folder("fleet"), "--json"))["hosts"]?.array?.first
    #expect(host?["cosigned"] == host?["records"] && host?["signed"] == host?["records"])
    let shown = try run("fleet", "show", "a", "--fleet", folder("fleet"), "--prove", "--json")
    #expect(try JSON(parsing: Array((shown.lines.last ?? "").utf8))["signers"]?.array?.count == 2)
  }
}
