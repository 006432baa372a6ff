// A host, a directory and a collector, as people run them.

import EventStore
import Foundation
import Testing

@Suite struct FleetTests: FleetSuite {
  let folder: Folder

  init() throws { folder = try Folder() }

  /// Appends records and signs; the store's public key is then `<store>.pub`.
  private func sign(_ store: String, records: Int = 5) throws {
    let lines = (0..<records).map { #"{"stream":"app/\#($0 % 3)","type":"t","data":{"n":\#($0)}}"# }
    _ = try run("append", "--store", folder(store), input: lines.joined(separator: "\n"))
    _ = try run("checkpoint", "--store", folder(store), "--signing-key", folder("\(store).key"))
  }

  private func ship(_ store: String, code: Int32 = 0) throws -> Run {
    try run("ship", "--store", folder(store), "--to", folder("stick"), "--once", "--json", code: code)
  }

  private func files(_ directory: String) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory + "/segments") {
      found[name] = try Data(contentsOf: URL(fileURLWithPath: directory + "/segments/" + name))
    }
    return found
  }

  @Test func `two hosts on a stick: the copies are the stores, verified and cosigned`() throws {
    for (store, name) in [("one", "web-1"), ("two", "web-2")] {
      try sign(store)
      try enroll(store, name: name)
      let shipped = try json(ship(store))
      #expect(shipped["schema"]?.int == 1 && shipped["messages"]?.int == 2)
    }
    _ = try collect()
    for store in ["one", "two"] {
      let copy = folder("fleet") + "/hosts/" + (try id(store))
      #expect(try files(copy) == files(folder(store)))
    }
    let verdict = try verify()
    #expect(verdict["schema"]?.int == 1 && verdict["verdict"]?.string == "ok")
    #expect(verdict["hosts"]?.array?.map { $0["name"]?.string } == ["web-1", "web-2"])
    let status = try json(run("fleet", "status", "--fleet", folder("fleet"), "--json"))
    #expect(status["schema"]?.int == 1 && status["state"]?.string == "ok")
    for host in status["hosts"]?.array ?? [] {
      #expect(host["records"]?.int == 6 && host["signed"]?.int == 6 && host["cosigned"]?.int == 6)
    }
    let metrics = try run("fleet", "status", "--fleet", folder("fleet"), "--format", "prometheus")
    #expect(metrics.output.contains("flowrecorder_fleet_records{store=\"\(try id("one"))\",name=\"web-1\"} 6\n"))
    // More, the same again, and a second collection of nothing.
    try sign("one")
    _ = try ship("one")
    #expect(try json(ship("one"))["messages"]?.int == 0)
    _ = try collect()
    _ = try collect()
    #expect(try verify()["hosts"]?.array?.first?["records"]?.int == 11)
    let text = try run("fleet", "status", "--fleet", folder("fleet"))
    #expect(text.lines.count == 3)
  }

  @Test func `flows and their proofs, across hosts`() throws {
    for store in ["one", "two"] {
      try sign(store)
      try enroll(store, name: store)
      _ = try ship(store)
    }
    _ = try collect()
    let flows = try run("fleet", "flows", "--fleet", folder("fleet"), "--json")
    #expect(flows.lines.count == 6)
    _ = try run("fleet", "show", "app/1", "--fleet", folder("fleet"))
    let shown = try run("fleet", "show", "app/1", "--fleet", folder("fleet"), "--prove", "--json")
    let proof = try JSON(parsing: Array((shown.lines.last ?? "").utf8))
    #expect(proof["complete"]?.bool == true && proof["proofs"]?.array?.count == 2)
    let note = try SignedNote(text: proof["checkpoint"]?.string ?? "")
    #expect(note.signatures.count == 2)
    let missing = try run("fleet", "show", "app/9", "--fleet", folder("fleet"), code: 66)
    #expect(missing.errors.contains("auditctl fleet flows"))
    // A damaged copy hides the flows of no other host.
    let segments = folder("fleet") + "/hosts/" + (try id("one")) + "/segments/"
    let segment = segments + (try #require(try FileManager.default.contentsOfDirectory(atPath: segments).first))
    var bytes = try Data(contentsOf: URL(fileURLWithPath: segment))
    bytes[bytes.count / 2] ^= 0xFF
    try bytes.write(to: URL(fileURLWithPath: segment))
    let rest = try run("fleet", "flows", "--fleet", folder("fleet"), "--json", code: 65)
    #expect(rest.lines.count == 3 && rest.errors.contains("one is left out"), "\(rest)")
  }

  @Test func `flows of the one host name their store, as those of several do`() throws {
    try sign("one")
    try enroll("one", name: "one")
    _ = try ship("one")
    _ = try collect()
    let copy = folder("fleet") + "/hosts/" + (try id("one"))
    let flows = try run("fleet", "flows", "--fleet", folder("fleet"), "--json")
    #expect(flows.lines.count == 3)
    for line in flows.lines { #expect(try JSON(parsing: Array(line.utf8))["store"]?.string == copy, "\(line)") }
    let text = try run("fleet", "flows", "--fleet", folder("fleet"))
    #expect(text.lines.first?.contains("STORE") == true && text.output.contains(copy), "\(text)")
    // A store by itself is the one that was asked for.
    #expect(try !run("flows", "--store", copy, "--json").output.contains("\"store\""))
  }

  @Test func `an index of all copies answers as the copies do, and takes up what is new`() throws {
    for store in ["one", "two"] {
      try sign(store)
      try enroll(store, name: store)
      _ = try ship(store)
    }
    _ = try collect()
    func flows(_ more: String...) throws -> [String] {
      let arguments = ["fleet", "flows", "--fleet", folder("fleet"), "--json"] + more
      let run = try Program.run(arguments, in: folder)
      #expect(run.code == 0, "\(run)")
      return run.lines
    }
    let plain = try flows()
    let file = folder("fleet.sqlite")
    // Without an index none is made.
    #expect(try flows("--index", file) == plain && !FileManager.default.fileExists(atPath: file))
    let index = try json(run("fleet", "index", "--fleet", folder("fleet"), "--index", file, "--json"))
    #expect(index["flows"]?.int == 6 && index["stores"]?.array?.count == 2)
    #expect(try flows("--index", file) == plain)
    try sign("two", records: 3)
    _ = try ship("two")
    _ = try collect()
    // It is asked, and takes up what is new.
    let built = try Data(contentsOf: URL(fileURLWithPath: file))
    let new = try flows("--no-index", "--index", file)
    #expect(try new != plain && Data(contentsOf: URL(fileURLWithPath: file)) == built)
    #expect(try flows("--index", file) == new && Data(contentsOf: URL(fileURLWithPath: file)) != built)
    // A damaged copy hides the flows of no other host here either.
    let segments = folder("fleet") + "/hosts/" + (try id("one")) + "/segments/"
    let segment = segments + (try #require(try FileManager.default.contentsOfDirectory(atPath: segments).first))
    var bytes = try Data(contentsOf: URL(fileURLWithPath: segment))
    bytes[bytes.count / 2] ^= 0xFF
    try bytes.write(to: URL(fileURLWithPath: segment))
    let rest = try run("fleet", "flows", "--fleet", folder("fleet"), "--json", "--index", file, code: 65)
    #expect(rest.lines.count == 3 && rest.errors.contains("one is left out"), "\(rest)")
  }

  @Test func `what a host was restored with counts once, and what counts twice is said`() throws {
    func started(_ stream: String) -> String {
      #"{"stream":"\#(stream)","type":"flow.started","data":{"kind":"authn","sdk":"s","settings":{}}}"#
    }
    func flows(_ options: [String] = []) throws -> Run {
      let flows = ["fleet", "flows", "--fleet", folder("fleet"), "--json"] + options
      let found = try Program.run(flows, in: folder)
      #expect(found.code == 0, "\(found)")
      return found
    }
    try makeFleet(["one"])
    _ = try run("restore", folder("one"), "--store", folder("two"))
    try ship("two", [started("authn/two0")])
    try enroll("two")
    _ = try collect()
    #expect(try flows().lines.count == 5 && flows().errors.isEmpty)
    _ = try run("fleet", "index", "--fleet", folder("fleet"))
    #expect(try flows().lines.count == 5)
    _ = try run("fleet", "index", "--fleet", folder("fleet"), "--by-day")
    #expect(try flows(["--user", "u0"]).lines.count == 2)
    let two = try id("two")
    #expect(try flows(["--user", "u0"]).lines.allSatisfy { $0.contains(two) })
    // The old host goes on: what it records now is nowhere else.
    try ship("one", [started("authn/one9")])
    _ = try collect()
    let both = try flows()
    let words = both.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(both.lines.count == 10 && words.contains("of both count twice"), "\(both)")
  }

  @Test func `a host that names another one as what it was restored from hides nothing`() throws {
    for store in ["one", "two"] {
      try sign(store)
      try enroll(store, name: store)
      _ = try ship(store)
    }
    _ = try collect()
    let hosts = folder("fleet") + "/hosts/"
    let root = JSON.string(Data(count: 32).base64EncodedString())
    func name(_ other: String, in store: String) throws {
      let path = hosts + (try id(store)) + "/store.json"
      var identity = try #require(try JSON(parsing: Array(Data(contentsOf: URL(fileURLWithPath: path)))).object)
      let size: JSON = 1_099_511_627_776
      let stated: JSON = ["store": .string(try id(other)), "origin": "other", "size": size, "root": root]
      identity["restoredFrom"] = [stated]
      try Data(JSON.object(identity).bytes).write(to: URL(fileURLWithPath: path))
    }
    try name("one", in: "two")
    // The copy of the host itself is damaged.
    let one = try id("one")
    let flows = try Program.run(["fleet", "flows", "--fleet", folder("fleet"), "--json"], in: folder)
    #expect(flows.lines.count { $0.contains(one) } == 3, "\(flows)")
    // Each names the other, and has its records: one of them stays.
    let (first, second) = (hosts + one, hosts + (try id("two")))
    try FileManager.default.removeItem(atPath: second + "/segments")
    try FileManager.default.copyItem(atPath: first + "/segments", toPath: second + "/segments")
    try name("two", in: "one")
    let both = try Program.run(["fleet", "flows", "--fleet", folder("fleet"), "--json"], in: folder)
    #expect(both.lines.count == 3, "\(both)")
  }

  @Test func `a copy stays if the store that was restored from it has pruned records`() throws {
    try makeFleet(["one"])
    _ = try run("restore", folder("one"), "--store", folder("two"))
    let line = #"{"stream":"authn/two0","type":"flow.started","data":{"kind":"authn","sdk":"s","settings":{}}}"#
    _ = try run("append", "--store", folder("two"), input: line)
    _ = try run("checkpoint", "--store", folder("two"), "--signing-key", folder("two.key"))
    _ = try run("prune", "--before", "9", "--store", folder("two"), "--signing-key", folder("two.key"))
    try ship("two", [line.replacing("two0", with: "two1")])
    try enroll("two")
    _ = try collect()
    #expect(try run("fleet", "flows", "--fleet", folder("fleet"), "--json").lines.count == 6)
  }

  @Test func `two hosts that were restored from one are said to have records in common`() throws {
    try sign("one")
    for store in ["two", "three"] {
      _ = try run("restore", folder("one"), "--store", folder(store))
      try sign(store, records: 1)
      try enroll(store, name: store)
      _ = try ship(store)
    }
    _ = try collect()
    let flows = try run("fleet", "flows", "--fleet", folder("fleet"), "--json")
    let words = flows.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("from a third store; those of both count twice"), "\(flows)")
  }

  @Test func `a copy that lost what was collected is damaged in the status`() throws {
    try sign("one")
    try enroll("one", name: "web-1")
    _ = try ship("one")
    _ = try collect()
    func state(code: Int32) throws -> JSON {
      let status = try json(run("fleet", "status", "--fleet", folder("fleet"), "--json", code: code))
      return try #require(status["hosts"]?.array?.first)
    }
    #expect(try state(code: 0)["damage"] == .null)
    let copy = folder("fleet") + "/hosts/" + (try id("one"))
    let segment = copy + "/segments/" + (try #require(try files(copy).keys.first))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: segment))
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: segment))
    let cut = try state(code: 1)
    #expect(cut["state"]?.string == "damaged" && cut["damage"]?.string?.isEmpty == false)
    let text = try run("fleet", "status", "--fleet", folder("fleet"), code: 1)
    #expect(text.output.contains("web-1  damaged") && text.errors.contains("web-1: "))
    let metrics = try run("fleet", "status", "--fleet", folder("fleet"), "--format", "prometheus", code: 1)
    #expect(metrics.output.contains("state=\"damaged\"} 1\n") && metrics.output.contains("state=\"ok\"} 0\n"))
    try FileManager.default.removeItem(atPath: segment)
    #expect(try state(code: 1)["state"]?.string == "damaged")
    try FileManager.default.removeItem(atPath: copy + "/store.json")
    #expect(try state(code: 1)["state"]?.string == "damaged")
    try bytes.write(to: URL(fileURLWithPath: segment))
    try Data(contentsOf: URL(fileURLWithPath: folder("one") + "/store.json"))
      .write(to: URL(fileURLWithPath: copy + "/store.json"))
    #expect(try state(code: 0)["state"]?.string == "ok")
  }

  @Test func `a host that was put back to an older copy is stopped with 65, and seen`() throws {
    try sign("one")
    try enroll("one", name: "web-1")
    _ = try ship("one")
    let files = FileManager.default
    try files.copyItem(atPath: folder("one"), toPath: folder("older"))
    try sign("one")
    _ = try ship("one")
    _ = try collect()
    try files.removeItem(atPath: folder("one"))
    try files.moveItem(atPath: folder("older"), toPath: folder("one"))
    let stopped = try ship("one", code: 65)
    #expect(stopped.errors.contains("rolled back"))
    #expect(try collect(code: 1).errors.contains("web-1 is rolled back"))
    let status = try json(run("fleet", "status", "--fleet", folder("fleet"), "--json", code: 21))
    #expect(status["hosts"]?.array?.first?["state"]?.string == "rolledBack")
    // It goes on, and is another log then.
    _ = try run(
      "append", "--store", folder("one"),
      input: (0..<40).map { #"{"stream":"app/x","type":"t","data":{"other":\#($0)}}"# }.joined(separator: "\n"))
    #expect(try ship("one", code: 65).errors.contains("forked"))
    #expect(try collect(code: 1).errors.contains("web-1 is forked"))
    _ = try run("fleet", "status", "--fleet", folder("fleet"), code: 22)
    #expect(try verify()["verdict"]?.string == "ok")
  }

  @Test func `bytes on the stick that were changed are refused, kept and shipped again`() throws {
    try sign("one")
    try enroll("one", name: "web-1")
    _ = try ship("one")
    let stick = folder("stick") + "/" + (try id("one"))
    let last = try #require(try FileManager.default.contentsOfDirectory(atPath: stick).filter { $0.count == 20 }.max())
    var bytes = try Data(contentsOf: URL(fileURLWithPath: stick + "/" + last))
    bytes[bytes.count - 30] ^= 1
    try bytes.write(to: URL(fileURLWithPath: stick + "/" + last))
    // It is no message any more.
    _ = try collect()
    #expect(try verify(code: 10)["hosts"]?.array?.first?["records"]?.int == 0)
    _ = try ship("one")
    _ = try collect()
    #expect(try verify()["hosts"]?.array?.first?["records"]?.int == 6)
  }

  @Test func `what is not there, or makes no sense, is said with its code`() throws {
    _ = try run("ship", "--store", folder("none"), "--to", folder("stick"), "--once", code: 66)
    _ = try run("ship", "--to", folder("stick"), "--once", code: 64)
    try sign("one")
    _ = try run("ship", "--store", folder("one"), "--to", "ftp://127.0.0.1", "--once", code: 64)
    _ = try run("ship", "--store", folder("one"), "--to", folder("stick"), "--creds", "x", "--once", code: 64)
    _ = try run("ship", "--store", folder("one"), "--to", folder("no/such/place"), "--once", code: 73)
    _ = try run("collect", "--fleet", folder("fleet"), "--from", folder("stick"), "--once", code: 66)
    _ = try run("fleet", "status", "--fleet", folder("fleet"), code: 66)
    _ = try run("fleet", "verify", "--fleet", folder("fleet"), code: 66)
    _ = try run("fleet", "enroll", "--fleet", folder("fleet"), "--public-key", folder("no"), "--name", "x", code: 66)
    try enroll("one", name: "web-1")
    _ = try run("collect", "--fleet", folder("fleet"), "--from", folder("stick"), "--once", code: 66)
    for list in ["", "8-0", "x", "0,,1", "0-f-2", "00"] {
      _ = try run("collect", "--fleet", folder("fleet"), "--from", "nats://x", "--partitions", list, code: 64)
    }
    _ = try run("fleet", "status", "--fleet", folder("fleet"), code: 1)
    _ = try run("fleet", "retire", "web-9", "--fleet", folder("fleet"), code: 66)
    _ = try run("fleet", "retire", "web-1", "--fleet", folder("fleet"), "--signing-key", folder("fleet.key"))
    _ = try run("fleet", "status", "--fleet", folder("fleet"))
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
    try makeHostOfFlows("three")
    try enroll("three")
    _ = try collect()
    #expect(try list() == list("--no-index") && list().split(separator: "\n").count == 6)
    try FileManager.default.removeItem(atPath: fleet + "/index/stores.sqlite")
    try Data("none".utf8).write(to: URL(fileURLWithPath: fleet + "/index/stores.sqlite"))
    let without = try run("fleet", "flows", "--fleet", fleet, "--user", "u1", "--json")
    #expect(without.lines.count == 6 && without.errors.contains("The index is not used"))
    _ = try run("fleet", "index", "--by-day", "--index", "x", "--fleet", fleet, code: 64)
  }

  @Test func `an id that no store has is refused as what it is`() throws {
    try makeHostOfFlows("one")
    let run = try run(
      "fleet", "enroll", "--fleet", folder("fleet"), "--public-key", folder("one.pub"), "--name", "one", "--id", "zz",
      "--signing-key", folder("fleet.key"), code: 64)
    #expect(run.errors.contains("'zz' is no store's id"))
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

  #if !Nats
    @Test func `without its trait, NATS is neither linked nor spoken, and the way to have it is said`() throws {
      try sign("one")
      for url in ["nats://127.0.0.1:1", "tls://127.0.0.1:1"] {
        let refused = try run("ship", "--store", folder("one"), "--to", url, "--once", code: 64)
        #expect(refused.errors.contains("make install TRAITS=Nats"))
      }
      let refused = try run("fleet", "user", "--creds", folder("user.nk"), "--collector", code: 64)
      #expect(refused.errors.contains("make install TRAITS=Nats"))
      let program = try Data(contentsOf: URL(fileURLWithPath: Program.binary), options: .mappedIfSafe)
      #expect(program.range(of: Data("libnats.so".utf8)) == nil)
    }
  #endif
}
