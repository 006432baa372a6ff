import AuditReports
import EventStore
import FlowRecording
import Foundation
import ReadModel
import SimulatedCompany
import Testing

/// The index by day says the same as the stores, whatever became of it and of them.
@Suite struct DayIndexTests {
  private let folder = IndexTests.Folder()
  private var days: String { folder.path + "/days" }

  /// What a pass over the stores says of a user.
  private func expected(_ logs: [LogReader], _ filter: FlowFilter) throws -> [FlowFacts] {
    try LogFacts.reading(logs).flows.filter(filter.passes)
  }

  private func users(of logs: [LogReader], most: Int) throws -> [String] {
    var users: [String] = []
    for flow in try LogFacts.reading(logs).flows {
      for name in [flow.signIn.typed, flow.signIn.login].compactMap({ $0 }) where !users.contains(name) {
        users.append(name)
      }
    }
    return Array(users.prefix(most))
  }

  @Test("the flows of each user are as the stores have them, in any span of time, in one store and in several")
  func equal() throws {
    let (paris, oslo) = (try CompanyFolder(seed: 3, flows: 300), try CompanyFolder(seed: 4, flows: 300))
    for paths in [[paris.path], [paris.path, oslo.path]] {
      let logs = try paths.map { try LogReader(directory: $0) }
      let index = try #require(try DayIndex.open(logs, in: days, mode: .make))
      let facts = try LogFacts.reading(logs)
      let (since, until) = (Timestamp("2026-01-12T10:00:00Z"), Timestamp("2026-01-20T12:00:00Z"))
      for user in try users(of: logs, most: 7) {
        for filter in [
          FlowFilter(user: user), FlowFilter(user: user.uppercased(), since: since),
          FlowFilter(user: user, until: until), FlowFilter(user: user, since: since, until: until),
          FlowFilter(user: user, status: "failed", kind: "idx"),
        ] {
          #expect(try index.flows(filter) == facts.flows.filter(filter.passes), "\(filter)")
        }
      }
      #expect(try index.flows(FlowFilter(user: "nobody@acme.example")) == [])
    }
    // A store fewer is no reason to begin again, and its flows are no answer any more.
    let alone = try LogReader(directory: oslo.path)
    let index = try #require(try DayIndex.open([alone], in: days, mode: .existing))
    let filter = FlowFilter(user: try users(of: [alone], most: 1).first)
    #expect(try index.flows(filter) == expected([alone], filter) && index.flows(filter).isEmpty == false)
    for file in ["stores.sqlite", "2026-01-12"] {
      let mode = try FileManager.default.attributesOfItem(atPath: days + "/" + file)[.posixPermissions] as? Int
      #expect(mode == (file.hasSuffix("sqlite") ? 0o600 : 0o700))
    }
  }

  @Test("a flow that goes on after it was taken up, late logins, and records of others between are read again")
  func growing() throws {
    let store = folder.path + "/store"
    let log = try EventLog.open(at: store, options: EventLog.Options(durability: .os))
    func add(_ stream: String, _ type: String, _ data: JSON) throws {
      let at = try #require(Timestamp("2026-01-05T23:59:59.999999Z"))
      _ = try log.append([NewRecord(at: at, stream: stream, type: type, data: data.bytes)])
      try log.flush()
    }
    func call(_ login: String) -> JSON { ["call": "authenticate", "arguments": ["username": .string(login)]] }
    let started: JSON = ["kind": "authn", "sdk": "s", "settings": [:]]
    func reader() throws -> LogReader { try LogReader(directory: store) }
    func check(_ users: [String]) throws {
      let logs = [try reader()]
      let index = try #require(try DayIndex.open(logs, in: days, mode: .make))
      for user in users {
        let filter = FlowFilter(user: user)
        #expect(try index.flows(filter) == expected(logs, filter), "\(user)")
      }
    }
    try check(["ann"])
    for number in 0..<30 { try add("authn/\(number)", "flow.started", started) }
    try check(["ann"])
    try add("authn/3", "call.made", call("Ann"))
    try check(["ann", "Ann", "bob"])
    // Its end is far behind its beginning.
    for number in 0..<5_000 { try add("app/\(number % 7)", "note", ["n": .int(number)]) }
    try add("authn/3", "flow.ended", ["outcome": "failed"])
    try add("authn/4", "call.made", call("ann"))
    try check(["ann", "bob"])
    #expect(try expected([reader()], FlowFilter(user: "ann")).count == 2)
    // A login again, as another user: both have it.
    try add("authn/3", "call.made", call("bob"))
    try check(["ann", "bob"])
    try log.close()
  }

  @Test("a store of the same id that is another log, a damaged file and another version are read again")
  func replaced() throws {
    let store = folder.path + "/store"
    func write(_ login: String, count: Int) throws {
      let log = try EventLog.open(at: store, options: EventLog.Options(durability: .os))
      for number in 0..<count {
        let started: JSON = ["kind": "authn", "sdk": "s", "settings": [:]]
        let call: JSON = ["call": "authenticate", "arguments": ["username": .string(login)]]
        for (type, data) in [("flow.started", started), ("call.made", call)] {
          _ = try log.append([
            NewRecord(at: .now(), stream: "authn/\(login)\(number)", type: type, data: data.bytes)
          ])
        }
      }
      try log.close()
    }
    func found(_ login: String) throws -> Int {
      let index = try #require(try DayIndex.open([LogReader(directory: store)], in: days, mode: .make))
      return try index.flows(FlowFilter(user: login)).count
    }
    try write("ann", count: 4)
    #expect(try found("ann") == 4)
    let identity = try Data(contentsOf: URL(fileURLWithPath: store + "/store.json"))
    try FileManager.default.removeItem(atPath: store)
    try write("bob", count: 9)
    try identity.write(to: URL(fileURLWithPath: store + "/store.json"))
    #expect(try found("ann") == 0 && found("bob") == 9)

    let day = try #require(
      try FileManager.default.contentsOfDirectory(atPath: days).first { $0.hasPrefix("2") })
    for name in try FileManager.default.contentsOfDirectory(atPath: days + "/" + day) {
      try Data(repeating: 7, count: 5_000).write(to: URL(fileURLWithPath: "\(days)/\(day)/\(name)"))
    }
    #expect { try found("bob") } throws: { ($0 as? ReadModelError)?.code == .damaged }
    let index = try #require(try DayIndex.open([LogReader(directory: store)], in: days, mode: .rebuild))
    #expect(try index.flows(FlowFilter(user: "bob")).count == 9)
    // What is no index stays.
    try Data("mine".utf8).write(to: URL(fileURLWithPath: days + "/stores.sqlite"))
    #expect { try found("bob") } throws: { ($0 as? ReadModelError)?.code == .cannotWrite }
    let none = try DayIndex.open([], in: folder.path + "/none", mode: .existing)
    #expect(none?.folder == nil)
  }
}
