import AuditReports
import EventStore
import FlowRecording
import Foundation
import ReadModel
import SimulatedCompany
import Testing

@Suite struct IndexTests {
  /// A folder for indexes, removed at the end.
  final class Folder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("index-\(UUID().uuidString)").path
    var file: String { path + "/cache/flows.sqlite" }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  /// Every report as JSON.
  private func reports(
    _ facts: some FactsSource, _ filter: FlowFilter = FlowFilter(), of names: [ReportName] = ReportName.allCases
  ) throws -> [String] {
    let now = try #require(Timestamp("2026-01-20T00:00:00Z"))
    return try names.map { try ReportRequest($0, filter: filter, now: now).report(on: facts).json.text }
      + [SignInSummary(facts, filter: filter).json.text]
  }

  private func flows(_ facts: some FactsSource, _ filter: FlowFilter = FlowFilter()) throws -> [FlowFacts] {
    var flows: [FlowFacts] = []
    try facts.forEachFlow(filter) { flows.append($0) }
    return flows
  }

  @Test("the flows of one person are found by their bytes: what passes a filter by a login is as of all flows")
  func mentioned() throws {
    let company = try CompanyFolder(seed: 22, flows: 400)
    let folder = Folder()
    let log = try EventLog.open(at: folder.path + "/odd", options: EventLog.Options(durability: .os))
    let logins = ["Ann", "an\\u006E", "k", "\u{212A}", "ÄNN@x", "a\\/b", "", "\\\\", "“k”", "annx"]
    for (number, login) in logins.enumerated() {
      let call = "{\"call\":\"authenticate\",\"arguments\":{\"username\":\"\(login)\"}}"
      let started: JSON = ["kind": "authn", "sdk": "s", "settings": [:]]
      for (type, data) in [("flow.started", started.bytes), ("call.made", Array(call.utf8))] {
        _ = try log.append([NewRecord(at: .now(), stream: "authn/\(number)", type: type, data: data)])
      }
    }
    try log.close()
    let readers = try [LogReader(directory: company.path), LogReader(directory: folder.path + "/odd")]
    let all = try LogFacts.reading(readers)
    let users = ["ann0@acme.example", "BOB1@acme.example", "ann", "ANN", "K", "k", "änn@X", "a/b", "\\", "nobody", "a"]
    for user in users {
      let facts = try LogFacts.reading(readers, mentioning: user)
      let filter = FlowFilter(user: user)
      #expect(try flows(facts, filter) == flows(all, filter), "\(user)")
      #expect(facts.own == all.own && facts.prunedFlows == all.prunedFlows)
      #expect(Set(facts.flows.map(\.stream) + facts.passedOver) == Set(all.flows.map(\.stream)))
      let withTokens = try LogFacts.reading(readers, mentioning: user, withTokens: true)
      let own = ReportName.allCases.filter { $0.extent != .everyone }
      #expect(try reports(withTokens, filter, of: own) == reports(all, filter, of: own), "\(user)")
      #expect(Set(withTokens.flows.map(\.stream) + withTokens.passedOver) == Set(all.flows.map(\.stream)))
    }
    #expect(try flows(all, FlowFilter(user: "k")).count == 2 && flows(all, FlowFilter(user: "ann")).count == 2)
    // Most are passed over.
    #expect(try LogFacts.reading(readers, mentioning: "ann0@acme.example").flows.count < 60)
  }

  @Test("logins that Unicode takes as equal are one person's, for filters and searches, with the index and without")
  func composedLogins() throws {
    let folder = Folder()
    let log = try EventLog.open(at: folder.path + "/store", options: EventLog.Options(durability: .os))
    let started: JSON = ["kind": "authn", "sdk": "s", "settings": [:]]
    let logins = ["Zo\u{EB}", "zoe\u{308}", "Zoe", "\u{212A}im", "kim", "\u{130}da"]
    for (number, login) in logins.enumerated() {
      let call: JSON = ["call": "authenticate", "arguments": ["username": .string(login)]]
      for (type, data) in [("flow.started", started), ("call.made", call)] {
        _ = try log.append([NewRecord(at: .now(), stream: "authn/\(number)", type: type, data: data.bytes)])
      }
    }
    try log.close()
    let reader = try LogReader(directory: folder.path + "/store")
    let all = try LogFacts.reading([reader])
    let index = try #require(try FlowIndex.open([reader], at: folder.file, mode: .make))
    let days = try #require(try DayIndex.open([reader], in: folder.path + "/days", mode: .make))
    for (user, count) in [
      ("zo\u{EB}", 2), ("ZOE\u{308}", 2), ("zoe", 1), ("Kim", 2), ("\u{130}DA", 1), ("I\u{307}da", 1), ("ida", 0),
    ] {
      let filter = FlowFilter(user: user)
      let found = try flows(all, filter)
      #expect(found.count == count, "\(user)")
      #expect(try flows(index, filter) == found && days.flows(filter) == found, "\(user)")
    }
    for (text, count) in [
      ("zo\u{EB}", 2), ("ZOE\u{308}", 2), ("zoe", 1), ("Kim", 2), ("\u{130}DA", 1), ("i\u{307}da", 1), ("ida", 0),
    ] {
      let query = try #require(SearchQuery(text))
      let found = try LogSearch.streams(query, in: reader)
      #expect(try found.count == count && index.search(query).map(\.stream) == found, "\(text)")
    }
    // Signs alone are no words, also beside words.
    #expect(SearchQuery("@") == nil && SearchQuery("\u{1F642} --") == nil)
    #expect(SearchQuery("kim @")?.terms == SearchQuery("kim")?.terms)
  }

  @Test("names that are looked up in the index, and how short ids may be, are as those of all names")
  func names() throws {
    let folder = Folder()
    let store = folder.path + "/store"
    let log = try EventLog.open(at: store, options: EventLog.Options(durability: .os))
    let started: JSON = ["kind": "authn", "sdk": "s", "settings": [:]]
    var streams: [String] = []
    let added = [
      ["authn/01KEAAAAAAAA", "idx/01KEAAAAAAZZ", "app", "App/x", "ÄPP/y"], ["idx/01KEAAAAAABB"],
      ["authn/01KEAAAAAAZ9", "device/01KEB"], ["oidc/01KEAAAAAABBCCDDEE", "oidc/01KEAAAAAABBCCDDFF", "zz"],
      (0..<40).map { "kind\($0)/01KEC" }, (0..<2_100).map { "authn/02\($0)" }, ["idx/01KEAAAAAABBCCDDEF"],
    ]
    for names in added {
      _ = try log.append(names.map { NewRecord(at: .now(), stream: $0, type: "flow.started", data: started.bytes) })
      try log.flush()
      streams += names
      let index = try #require(try FlowIndex.open([LogReader(directory: store)], at: folder.file, mode: .make))
      #expect(
        try index.shortLength() == FlowReference.shortLength(of: streams.map { FlowReference.identifier(of: $0) }))
      #expect(try index.count() == streams.count)
      for name in [
        "01ke", "01KEaaaaaabb", "authn", "authn/01KEAAAAAAAA", "AUTHN/01keaaaaaaz9", "a", "app", "äpp", "ÄPP/", "x",
        "nothing", "01KEAAAAAABBCCDDE", "zz", "%", "_", "*", "02",
      ] {
        let found = try index.streams(beginning: name).map(\.stream)
        #expect(FlowReference.match(name, in: found) == FlowReference.match(name, in: streams), "\(name)")
      }
      #expect(try index.latest().map(\.stream) == [streams.last])
    }
    try log.close()
  }

  @Test("every report, list and search is the same with the index and without")
  func equal() throws {
    let company = try CompanyFolder(seed: 21, flows: 700)
    let log = try LogReader(directory: company.path)
    let folder = Folder()
    let index = try #require(try FlowIndex.open([log], at: folder.file, mode: .make))
    let facts = try LogFacts.reading([log])
    #expect(try flows(index) == facts.flows)
    #expect(try reports(index) == reports(facts))
    let ann = FlowFilter(user: facts.flows.first { $0.kind == "authn" }?.user?.uppercased())
    let victim = FlowFilter(user: company.incidents.first { $0.kind == .theft }?.user)
    #expect(victim.user != nil)
    let day = FlowFilter(since: facts.flows[200].started, until: facts.flows[400].started)
    for filter in [
      ann, victim, day, FlowFilter(kind: "idx"), FlowFilter(status: "failed"), FlowFilter(reason: .wrongPassword),
      FlowFilter(place: "198.51.100.*"), FlowFilter(client: "portal 4.2", factor: "PUSH"),
      FlowFilter(user: ann.user, outcome: "Success", place: facts.flows.last?.place),
    ] {
      #expect(try flows(index, filter) == flows(facts, filter))
      #expect(try reports(index, filter) == reports(facts, filter))
    }
    let place = try #require(facts.flows.first { $0.place?.contains(".") == true }?.place)
    let queries = [
      "E0000004", "ann0@acme.example", "push rejected", "reqf", "nothinghasthis", "web 4.3 bob", place,
      String(place.dropLast()), place.dropLast() + "*", "acme.example", "ann0@acme", "0@acme.example",
      String(repeating: "a.", count: 40),
    ]
    #expect(try index.search(#require(SearchQuery(place))).allSatisfy { $0.place == place })
    for text in queries {
      let query = try #require(SearchQuery(text))
      #expect(try index.search(query).map(\.stream) == LogSearch.streams(query, in: log), "\(text)")
    }
    #expect(try index.streams(beginning: "").map(\.stream) == facts.flows.map(\.stream))
    let mode = try FileManager.default.attributesOfItem(atPath: folder.file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("several stores are one index, in the order of the times, each flow with its store")
  func several() throws {
    let (paris, oslo) = (try CompanyFolder(seed: 1, flows: 150), try CompanyFolder(seed: 2, flows: 150))
    let logs = try [paris.path, oslo.path].map { try LogReader(directory: $0) }
    let folder = Folder()
    let index = try #require(try FlowIndex.open(logs, at: folder.file, mode: .make))
    let facts = try LogFacts.reading(logs)
    #expect(try flows(index) == facts.flows && index.hasSeveralStores)
    #expect(try reports(index) == reports(facts))
    #expect(Set(try flows(index).compactMap(\.store)) == [paris.path, oslo.path])
  }

  @Test("what is appended later is taken up, also to flows that had begun before")
  func growing() throws {
    let company = try CompanyFolder(seed: 3, flows: 60)
    let folder = Folder()
    let log = try EventLog.open(at: company.path)
    func append(_ type: String, _ data: JSON) throws {
      let at = try #require(Timestamp("2026-02-01T00:00:00Z"))
      _ = try log.append([NewRecord(at: at, stream: "authn/late", type: type, data: data.bytes)])
      try log.sync()
    }
    try append("flow.started", ["kind": "authn", "sdk": "s", "settings": [:]])
    let reader = try LogReader(directory: company.path)
    _ = try FlowIndex.open([reader], at: folder.file, mode: .make)
    try append("call.made", ["call": "authenticate", "arguments": ["username": "zoe"]])
    try append("note.added", ["text": "Größe: straße_7"])
    try append("flow.ended", ["outcome": "abandoned"])
    let index = try #require(try FlowIndex.open([reader], at: folder.file, mode: .existing))
    #expect(try flows(index) == LogFacts.reading([reader]).flows)
    #expect(try flows(index, FlowFilter(user: "Zoe")).map(\.outcome) == ["abandoned"])
    for text in ["zoe straße", "GRÖSSE", "größe 7"] {
      let query = try #require(SearchQuery(text))
      #expect(try index.search(query).map(\.stream) == LogSearch.streams(query, in: reader), "\(text)")
    }
    try log.close()
  }

  @Test("an index of the same log with another record before the last one is rebuilt")
  func otherRecords() throws {
    let folder = Folder()
    let files = FileManager.default
    let (one, other, index) = (folder.file + "-one", folder.file + "-other", folder.file)
    defer { for path in [one, other] { try? files.removeItem(atPath: path) } }
    try EventLog.open(at: one, options: LogOptions(origin: "play")).close()
    try files.copyItem(atPath: one, toPath: other)
    let at = try #require(Timestamp("2026-02-01T00:00:00Z"))
    for (path, user) in [(one, "ann"), (other, "eve")] {
      let log = try EventLog.open(at: path)
      for (type, data) in [
        ("flow.started", #"{"kind":"authn","sdk":"s","settings":{}}"#),
        ("call.made", #"{"call":"authenticate","arguments":{"username":"\#(user)"}}"#),
        ("flow.ended", #"{"outcome":"failed"}"#),
      ] {
        _ = try log.append([NewRecord(at: at, stream: "authn/a", type: type, data: Array(data.utf8))])
      }
      try log.close()
    }
    _ = try FlowIndex.open([LogReader(directory: other)], at: index, mode: .make)
    let again = try #require(try FlowIndex.open([LogReader(directory: one)], at: index, mode: .existing))
    #expect(try flows(again).map(\.user) == ["ann"])
  }

  @Test("an index of another log, of another version or damaged is rebuilt; none is made unless asked")
  func another() throws {
    let (one, other) = (try CompanyFolder(seed: 4, flows: 40), try CompanyFolder(seed: 5, flows: 50))
    let folder = Folder()
    let (log, second) = (try LogReader(directory: one.path), try LogReader(directory: other.path))
    #expect(try FlowIndex.open([log], at: folder.file, mode: .existing) == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.file))
    _ = try FlowIndex.open([log], at: folder.file, mode: .make)
    let index = try #require(try FlowIndex.open([second], at: folder.file, mode: .existing))
    let others = try LogFacts.reading([second]).flows
    #expect(try flows(index) == others && others.count >= 50)
    let marked = try Data(contentsOf: URL(fileURLWithPath: folder.file))
    for damaged in [Data(), marked.prefix(100), marked.prefix(marked.count / 2)] {
      let broken = try place(with: damaged)
      let index = try #require(try FlowIndex.open([log], at: broken.file, mode: .existing))
      #expect(try flows(index) == LogFacts.reading([log]).flows)
    }
    #expect(throws: ReadModelError.self) { try FlowIndex.open([log], at: "/proc/none/x.sqlite", mode: .make) }
  }

  @Test(
    "a file that is no index stays as it is, whatever is asked",
    arguments: ["no database at all", "SQLite format 3\0" + String(repeating: "x", count: 200)])
  func foreign(content: String) throws {
    let company = try CompanyFolder(seed: 8, flows: 1)
    defer { withExtendedLifetime(company) {} }
    let log = try LogReader(directory: company.path)
    for mode in [FlowIndex.Mode.existing, .make, .rebuild] {
      let place = try self.place(with: Data(content.utf8))
      #expect(throws: ReadModelError.self) { try FlowIndex.open([log], at: place.file, mode: mode) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: place.file)) == Data(content.utf8))
    }
  }

  private func place(with content: Data) throws -> Folder {
    let folder = Folder()
    try FileManager.default.createDirectory(atPath: folder.path + "/cache", withIntermediateDirectories: true)
    #expect(
      FileManager.default.createFile(
        atPath: folder.file, contents: content, attributes: [.posixPermissions: 0o600]))
    return folder
  }

  @Test("the place of an index depends on the stores and their order, and is not in any of them")
  func place() throws {
    let (one, other) = (try CompanyFolder(seed: 6, flows: 1), try CompanyFolder(seed: 7, flows: 1))
    let logs = try [one.path, other.path].map { try LogReader(directory: $0) }
    let environment = ["HOME": "/home/ann", "XDG_CACHE_HOME": "/var/cache"]
    let first = IndexPlace.file(for: [logs[0]], environment: environment)
    #expect(first.hasPrefix("/var/cache/flowrecorder/") && first.hasSuffix(".sqlite"))
    #expect(
      IndexPlace.file(for: logs, environment: environment)
        != IndexPlace.file(for: logs.reversed(), environment: environment))
    #expect(IndexPlace.file(for: logs, environment: ["HOME": "/home/ann"]).hasPrefix("/home/ann/.cache/flowrecorder/"))
  }
}
