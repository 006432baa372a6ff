import EventStore
import Foundation
import Testing

/// A suite of hosts, a stick and a fleet, which are `stick` and `fleet` in its folder, each host named as its store.
protocol FleetSuite: CommandSuite {}

extension FleetSuite {
  /// A host with flows of two users, shipped to the stick.
  func makeHostOfFlows(_ store: String, flows: Int = 4, sourceLocation: SourceLocation = #_sourceLocation) throws {
    var lines: [String] = []
    for number in 0..<flows {
      let stream = "authn/\(store)\(number)"
      lines += [
        #"{"stream":"\#(stream)","type":"flow.started","data":{"kind":"authn","sdk":"s","settings":{}}}"#,
        #"{"stream":"\#(stream)","type":"call.made","data":{"call":"authenticate","arguments":{"username":"u\#(number % 2)"}}}"#,
      ]
    }
    try ship(store, lines, sourceLocation: sourceLocation)
  }

  /// Appends lines to a host's store, signs it and ships it to the stick.
  func ship(_ store: String, _ lines: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
    _ = try run(
      "append", "--store", folder(store), input: lines.joined(separator: "\n"), sourceLocation: sourceLocation)
    _ = try run(
      "checkpoint", "--store", folder(store), "--signing-key", folder("\(store).key"), sourceLocation: sourceLocation)
    _ = try run("ship", "--store", folder(store), "--to", folder("stick"), "--once", sourceLocation: sourceLocation)
  }

  /// Takes a host into the fleet, by the name of its store or by another one.
  func enroll(_ store: String, name: String? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
    _ = try run(
      "fleet", "enroll", "--fleet", folder("fleet"), "--public-key", folder("\(store).pub"), "--name", name ?? store,
      "--signing-key", folder("fleet.key"), sourceLocation: sourceLocation)
  }

  /// Collects what is on the stick, once.
  func collect(_ more: [String] = [], code: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation) throws -> Run
  {
    let arguments =
      [
        "collect", "--fleet", folder("fleet"), "--from", folder("stick"), "--once", "--signing-key",
        folder("fleet.key"), "--witness-key", folder("w.key"),
      ] + more
    let run = try Program.run(arguments, in: folder)
    #expect(run.code == code, "\(run)", sourceLocation: sourceLocation)
    return run
  }

  /// The report of `fleet verify`, with the fleet's key pinned.
  func verify(code: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation) throws -> JSON {
    try json(
      run(
        "fleet", "verify", "--fleet", folder("fleet"), "--public-key", folder("fleet.pub"), "--json", code: code,
        sourceLocation: sourceLocation))
  }

  /// The id of a host's store.
  func id(_ store: String) throws -> String {
    let text = try String(contentsOfFile: folder(store) + "/store.json", encoding: .utf8)
    return try JSON(parsing: Array(text.utf8))["id"]?.string ?? ""
  }

  /// Hosts with flows, shipped, enrolled and collected.
  func makeFleet(_ stores: [String] = ["one", "two"], sourceLocation: SourceLocation = #_sourceLocation) throws {
    for store in stores {
      try makeHostOfFlows(store, sourceLocation: sourceLocation)
      try enroll(store, sourceLocation: sourceLocation)
    }
    _ = try collect(sourceLocation: sourceLocation)
  }
}
