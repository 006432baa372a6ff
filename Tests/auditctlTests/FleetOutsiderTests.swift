// What people found who ran a fleet, and attacked one, from outside.

import EventStore
import Foundation
import Testing

@Suite struct FleetOutsiderTests: CommandSuite {
  let folder: Folder

  init() throws { folder = try Folder() }

  /// A host with flows of some users, shipped to the stick.
  private func makeHost(_ store: String, flows: Int = 4) throws {
    var lines: [String] = []
    for number in 0..<flows {
      let stream = "authn/\(store)\(number)"
      lines += [
        #"{"stream":"\#(stream)","type":"flow.started","data":{"kind":"authn","sdk":"s","settings":{}}}"#,
        #"{"stream":"\#(stream)","type":"call.made","data":{"call":"authenticate","arguments":{"username":"u\#(number % 2)"}}}"#,
      ]
    }
    _ = try run("append", "--store", folder(store), input: lines.joined(separator: "\n"))
    _ = try run("checkpoint", "--store", folder(store), "--signing-key", folder("\(store).key"))
    _ = try run("ship", "--store", folder(store), "--to", folder("stick"), "--once")
  }

  private func enroll(_ store: String) throws {
    _ = try run(
      "fleet", "enroll", "--fleet", folder("fleet"), "--public-key", folder("\(store).pub"), "--name", store,
      "--signing-key", folder("fleet.key"))
  }

  private func collect(code: Int32 = 0) throws -> Run {
    try run(
      "collect", "--fleet", folder("fleet"), "--from", folder("stick"), "--once", "--signing-key", folder("fleet.key"),
      "--witness-key", folder("w.key"), code: code)
  }

  private func id(_ store: String) throws -> String {
    let text = try String(contentsOfFile: folder(store) + "/store.json", encoding: .utf8)
    return try JSON(parsing: Array(text.utf8))["id"]?.string ?? ""
  }

  private func makeFleet(_ stores: [String] = ["one", "two"]) throws {
    for store in stores {
      try makeHost(store)
      try enroll(store)
    }
    _ = try collect()
  }

  @Test func `search, evidence and the index by day answer over all hosts`() throws {
    try makeFleet()
    let fleet = folder("fleet")
    #expect(try run("fleet", "search", "u1", "--fleet", fleet, "--json").lines.count == 4)
    _ = try run("fleet", "search", "nothing", "--fleet", fleet, code: 1)

    _ = try run("fleet", "evidence", "authn/one1", "--fleet", fleet, "-o", folder("one.zip"))
    let checked = try run("evidence", "verify", folder("one.zip"), "--public-key", folder("one.pub"), "--json")
    #expect(try json(checked)["verdict"] == "ok")
    _ = try run("fleet", "evidence", "authn/one1", "authn/two1", "--fleet", fleet, "-o", folder("x.zip"), code: 64)
    _ = try run("fleet", "evidence", "authn/nine", "--fleet", fleet, "-o", folder("x.zip"), code: 66)
    #expect(try run("fleet", "evidence", "--user", "u0", "--fleet", fleet, "-o", folder("all")).lines.count == 2)
    for store in ["one", "two"] {
      _ = try run("evidence", "verify", folder("all") + "/\(store).zip", "--public-key", folder("\(store).pub"))
    }
    _ = try run("fleet", "evidence", "--user", "nobody", "--fleet", fleet, "-o", folder("none"), code: 1)
    _ = try run("fleet", "evidence", "--user", "u0", "--fleet", fleet, "-o", folder("one.zip"), code: 73)

    func list(_ more: String...) throws -> String {
      try Program.run(["fleet", "flows", "--fleet", fleet, "--user", "U1", "--json"] + more, in: folder).output
    }
    let plain = try list("--no-index")
    let made = try json(run("fleet", "index", "--by-day", "--fleet", fleet, "--json"))
    #expect(made["stores"]?.array?.count == 2 && (made["files"]?.int ?? 0) > 0)
    #expect(try list() == plain && plain.split(separator: "\n").count == 4)
    // A host more is no reason to build it again.
    try makeHost("three")
    try enroll("three")
    _ = try collect()
    #expect(try list() == list("--no-index") && list().split(separator: "\n").count == 6)
    try FileManager.default.removeItem(atPath: fleet + "/index/stores.sqlite")
    try Data("none".utf8).write(to: URL(fileURLWithPath: fleet + "/index/stores.sqlite"))
    let without = try run("fleet", "flows", "--fleet", fleet, "--user", "u1", "--json")
    #expect(without.lines.count == 6 && without.errors.contains("The index is not used"))
    _ = try run("fleet", "index", "--by-day", "--index", "x", "--fleet", fleet, code: 64)
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

  @Test func `an id that no store has is refused as what it is`() throws {
    try makeHost("one")
    let run = try run(
      "fleet", "enroll", "--fleet", folder("fleet"), "--public-key", folder("one.pub"), "--name", "one", "--id", "zz",
      "--signing-key", folder("fleet.key"), code: 64)
    #expect(run.errors.contains("'zz' is no store's id"))
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

  @Test func `a directory that is made for a group is used by several of its users`() throws {
    let stick = folder("stick")
    _ = try Program.shell("mkdir -m 2770 stick", in: folder)
    try makeFleet(["one"])
    let store = try id("one")
    let files = FileManager.default
    func mode(_ path: String) throws -> Int {
      try #require(files.attributesOfItem(atPath: path)[.posixPermissions] as? Int) & 0o777
    }
    #expect(try mode("\(stick)/\(store)") == 0o770 && mode("\(stick)/where") == 0o770)
    for name in try files.contentsOfDirectory(atPath: "\(stick)/\(store)") {
      #expect(try mode("\(stick)/\(store)/\(name)") == 0o660, "\(name)")
    }
    // Elsewhere all is its owner's.
    _ = try run("ship", "--store", folder("one"), "--to", folder("own"), "--once")
    #expect(try mode(folder("own")) == 0o700 && mode(folder("own") + "/\(store)") == 0o700)
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
