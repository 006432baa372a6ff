// An archive of a fleet, and stores that are made of it again.

import EventStore
import Foundation
import Testing

@Suite struct FleetArchiveTests: CommandSuite {
  let folder: Folder

  init() throws { folder = try Folder() }

  /// Appends, signs, ships and collects.
  private func collect(_ store: String) throws {
    let lines = (0..<5).map { #"{"stream":"app/\#($0 % 3)","type":"t","data":{"n":\#($0)}}"# }
    _ = try run("append", "--store", folder(store), input: lines.joined(separator: "\n"))
    _ = try run("checkpoint", "--store", folder(store), "--signing-key", folder("\(store).key"))
    _ = try run(
      "fleet", "enroll", "--fleet", folder("fleet"), "--public-key", folder("\(store).pub"), "--name", store,
      "--signing-key", folder("fleet.key"))
    _ = try run("ship", "--store", folder(store), "--to", folder("stick"), "--once")
    _ = try run(
      "collect", "--fleet", folder("fleet"), "--from", folder("stick"), "--once", "--signing-key", folder("fleet.key"),
      "--witness-key", folder("w.key"))
  }

  private func archive(code: Int32 = 0) throws -> JSON {
    try json(run("fleet", "archive", folder("archive"), "--fleet", folder("fleet"), "--json", code: code))
  }

  private func restore(_ host: String, into target: String, code: Int32 = 0) throws -> Run {
    try run(
      "fleet", "restore", host, "--from", folder("archive"), "--into", folder(target), "--public-key",
      folder("one.pub"), "--json", code: code)
  }

  private func files(_ directory: String) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in ["store.json"] + (try FileManager.default.contentsOfDirectory(atPath: directory + "/segments")) {
      let path = name == "store.json" ? "/" + name : "/segments/" + name
      found[name] = try Data(contentsOf: URL(fileURLWithPath: directory + path))
    }
    return found
  }

  @Test func `a host's store is made of the archive again, and the host goes on with it`() throws {
    try collect("one")
    try collect("two")
    let archived = try archive()
    #expect(archived["schema"]?.int == 1 && archived["hosts"]?.array?.count == 2)
    #expect(archived["hosts"]?.array?.allSatisfy { $0["verdict"]?.string == "ok" } == true)
    #expect(archived["hosts"]?.array?.first?["tiles"]?.int == 6)
    let again = try archive()
    #expect(again["hosts"]?.array?.allSatisfy { $0["written"]?.int == 0 } == true)
    let restored = try json(restore("one", into: "back"))
    #expect(restored["schema"]?.int == 1 && restored["verdict"]?.string == "ok" && restored["records"]?.int == 6)
    #expect(try files(folder("back")) == files(folder("one")))
    _ = try run("verify", "--store", folder("back"), "--public-key", folder("one.pub"))
    // The host's disk died; it goes on from here.
    try FileManager.default.removeItem(atPath: folder("one"))
    try FileManager.default.moveItem(atPath: folder("back"), toPath: folder("one"))
    try collect("one")
    #expect(try archive()["hosts"]?.array?.first?["records"]?.int == 11)
  }

  @Test func `what cannot be restored leaves nothing`() throws {
    try collect("one")
    try collect("two")
    _ = try archive()
    #expect(try restore("three", into: "back", code: 66).errors.contains("no host three"))
    // The other host's key.
    #expect(try restore("two", into: "back", code: 65).errors.contains("auditctl verify"))
    _ = try run("fleet", "restore", "one", "--from", folder("stick"), "--into", folder("back"), code: 66)
    let id = try #require(try archive()["hosts"]?.array?.first?["store"]?.string)
    let segments = folder("archive") + "/\(id)/store/segments"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: segments).first)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: segments + "/" + name))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(fileURLWithPath: segments + "/" + name))
    _ = try restore("one", into: "back", code: 65)
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: segments + "/" + name))
    _ = try restore("one", into: "back", code: 65)
    #expect(!FileManager.default.fileExists(atPath: folder("back")))
    #expect(!FileManager.default.fileExists(atPath: folder("back.incomplete")))
    // The copy mends the archive.
    #expect(try archive()["hosts"]?.array?.first?["written"]?.int == 1)
    _ = try restore("one", into: "back")
    #expect(try restore("one", into: "back", code: 73).errors.contains("not empty"))
  }

  @Test func `a directory that holds something else is no archive`() throws {
    try collect("one")
    try FileManager.default.createDirectory(atPath: folder("archive"), withIntermediateDirectories: false)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder("archive") + "/notes.txt"))
    _ = try run("fleet", "archive", folder("archive"), "--fleet", folder("fleet"), code: 73)
    _ = try run("fleet", "archive", folder("nowhere/archive"), "--fleet", folder("fleet"), code: 66)
    _ = try run("fleet", "archive", folder("archive"), "--fleet", folder("one"), code: 66)
  }

  @Test func `a place in a bucket needs credentials, TLS, and a name that is one`() throws {
    try collect("one")
    let keys = ["AWS_ACCESS_KEY_ID": "AKIDKEY", "AWS_SECRET_ACCESS_KEY": "very/secret"]
    func refused(_ place: String, _ more: String..., environment: [String: String]) throws -> String {
      let arguments = ["fleet", "archive", place, "--fleet", folder("fleet")] + more
      let run = try Program.run(arguments, environment: environment, in: folder)
      #expect(run.code == 64 && run.output.isEmpty, "\(run)")
      #expect(!run.errors.contains("very/secret") && !run.errors.contains("AKIDKEY"))
      return run.errors
    }
    #expect(try refused("s3://archive/eu", environment: [:]).contains("AWS_ACCESS_KEY_ID"))
    #expect(try refused("s3://archive", "--endpoint", "http://192.0.2.1", environment: keys).contains("clear text"))
    #expect(try refused("s3://No_Bucket", environment: keys).contains("names no bucket"))
    #expect(try refused("gs://archive/eu", environment: keys).contains("s3://BUCKET/PREFIX"))
    #expect(try refused(folder("archive"), "--endpoint", "https://a.example", environment: keys).contains("--endpoint"))
    #expect(!FileManager.default.fileExists(atPath: folder("archive")))
  }
}
