import EventStore
import FlowKinds
import FlowRecording
import Foundation
import Replay
import Testing

/// Flows as HTTP archives, and back.
@Suite struct HARTests {
  @Test(
    "an archive of every golden recording has what HAR 1.2 requires, and no more than the recording",
    arguments: GoldenRecordings.names)
  func export(name: String) throws {
    let recording = try GoldenRecordings.read(name)
    let document = HARExport.document(recording)
    #expect(ArchiveRules.problems(of: document) == [])
    let requests = recording.flows.flatMap(\.records).count { $0.event.type == "request.sent" }
    #expect(document["log"]?["entries"]?.array?.count == requests)
    // Foundation, which knows nothing of our parser, reads it.
    _ = try JSONSerialization.jsonObject(with: Data(document.bytes))
  }

  @Test("an archive comes back as a recording with the same requests and answers")
  func again() throws {
    for name in ["push-approved", "idx-password"] {
      let recording = try GoldenRecordings.read(name)
      let result = try HARImport.recording(name: "x.har", bytes: HARExport.document(recording).bytes)
      func answers(_ recording: Recording) -> [Int] {
        recording.flows.flatMap(\.records).compactMap {
          $0.event.type == "response.received" ? $0.event.data["status"]?.int : nil
        }
      }
      #expect(answers(result.recording) == answers(recording))
      let records = try result.recording.records()
      #expect(try Recording(name: "again", records: records).flows == result.recording.flows)
      for flow in result.recording.flows {
        let kind = try #require(KindRegistry.standard.kind(of: flow.records))
        // It folds, at any length, whatever it says.
        for count in 1...flow.records.count { _ = kind.state(folding: flow.records.prefix(count)) }
      }
    }
  }

  @Test("an imported flow has no call of the SDK, and what its kind does not declare is not counted as covered")
  func coverage() throws {
    let document = HARExport.document(try GoldenRecordings.read("idx-password"))
    var coverage = RecordingCoverage()
    let declared = coverage.parts(of: "idx")
    coverage.add(try HARImport.recording(name: "x.har", bytes: document.bytes).recording)
    let parts = coverage.parts(of: "idx")
    #expect(parts.first { $0.name == "calls" }?.reached == [:])
    for part in declared {
      let now = try #require(parts.first { $0.name == part.name })
      #expect(now.reached.count + now.missing.count == part.missing.count, "\(part.name): \(now.reached)")
    }
  }

  @Test("who signed in and the statuses come back, by the classic API and by the Identity Engine")
  func person() throws {
    let expected: [(String, String, [String])] = [
      ("push-approved", "SUCCESS", ["MFA_REQUIRED", "MFA_CHALLENGE", "SUCCESS"]), ("idx-password", "success", []),
    ]
    for (name, status, statuses) in expected {
      let recording = try GoldenRecordings.read(name)
      let result = try HARImport.recording(name: "x.har", bytes: HARExport.document(recording).bytes)
      let flow = try #require(result.recording.flows.first)
      let kind = try #require(KindRegistry.standard.kind(of: flow.records))
      var facts = SignInFacts()
      for record in flow.records { kind.note(record.event.type, { record.event.data }, in: &facts) }
      #expect(facts.typed == "ann@acme.example" && facts.login == "ann@acme.example", "\(name)")
      #expect(facts.status == status, "\(name)")
      // A poll that is answered as before brings no status.
      let changes = flow.records.filter { $0.event.type == "status.changed" }
      #expect(changes.compactMap { $0.event.data["status"]?.string } == statuses, "\(name)")
    }
  }

  @Test("what the SDK adds to a request of the Identity Engine stays readable, and its secrets keep their names")
  func added() throws {
    let recording = try GoldenRecordings.read("idx-password")
    let result = try HARImport.recording(name: "x.har", bytes: HARExport.document(recording).bytes)
    func bodies(_ recording: Recording) -> [[String: JSON]] {
      recording.flows.flatMap(\.records).filter { $0.event.type == "request.sent" }
        .compactMap { $0.event.data["body"]?.object?.members }
        .map { Dictionary($0.map { ($0.key, $0.value) }) { $1 } }
    }
    let (before, after) = (bodies(recording), bodies(result.recording))
    #expect(before.count > 3)
    #expect(after.map { $0.keys.sorted() } == before.map { $0.keys.sorted() }, "\(after)")
    for (one, other) in zip(before, after) {
      for (name, value) in one where !value.text.contains("$secret.") { #expect(value == other[name], "\(name)") }
    }
  }

  @Test(
    "a flow says where its org or its authorization server is, as a recording does",
    arguments: ["push-approved", "idx-password", "oidc-browser", "oidc-pushed"])
  func addresses(name: String) throws {
    let recording = try GoldenRecordings.read(name)
    let result = try HARImport.recording(name: "x.har", bytes: HARExport.document(recording).bytes)
    func settings(_ recording: Recording) -> JSON? { recording.flows.first?.records.first?.event.data["settings"] }
    let members = try #require(settings(result.recording)?.object?.members)
    #expect(members.count == 1 && ["org", "issuer"].contains(members.first?.key), "\(members)")
    for member in members { #expect(settings(recording)?[member.key] == member.value, "\(member)") }
  }

  @Test("the options of a sign-in are read, and what else stands among them is masked")
  func options() throws {
    let recording = try GoldenRecordings.read("push-approved")
    func options(_ recording: Recording) -> JSON? {
      recording.flows.first?.records.first(where: { $0.event.type == "request.sent" })?.event.data["body"]?["options"]
    }
    let result = try HARImport.recording(name: "x.har", bytes: HARExport.document(recording).bytes)
    #expect(options(recording) != nil && options(result.recording) == options(recording))
    let changed = HARExport.document(recording).text.replacing(
      #"\"warnBeforePasswordExpired\":true"#, with: #"\"C4nary-name\":\"C4nary-value\""#)
    let masked = options(try HARImport.recording(name: "x.har", bytes: Array(changed.utf8)).recording)
    #expect(masked?["multiOptionalFactorEnroll"] == true && masked?.object?.members.count == 2, "\(masked?.text ?? "")")
    #expect(masked?.text.contains("C4nary") == false, "\(masked?.text ?? "")")
  }

  @Test("what a browser captured is masked: passwords, tokens, cookies, headers")
  func masked() throws {
    let result = try HARImport.recording(name: "x.har", bytes: Array(Self.captured.utf8))
    #expect(result.requests == 2 && result.skipped == 2 && result.recording.flows.count == 2)
    let text = result.recording.flows.flatMap(\.records).map(\.event.data.text).joined(separator: "\n")
    for secret in ["C4nary-pass", "C4nary-token", "C4nary-cookie", "C4nary-header", "C4nary-code", "C4nary-query"] {
      #expect(!text.contains(secret), "\(secret)")
    }
    #expect(text.contains("MFA_REQUIRED") && text.contains("ann@acme.example"))
  }

  @Test(
    "cookies that a tool joined into one header are masked, each of them",
    arguments: [#"\n"#, #"\r\n"#, ", ", ","])
  func joinedCookies(separator: String) throws {
    let cookies = ["sid=C4nary-one; Expires=Thu, 15 Jan 2026 10:00:00 GMT; Path=/", "DT=C4nary-two; Path=/"]
    let archive = #"""
      {"log":{"entries":[{"startedDateTime":"2026-01-15T09:00:01.000Z","time":1,"request":{"method":"POST",
      "url":"https://acme.example/api/v1/authn","headers":[]},"response":{"status":200,"headers":[
      {"name":"Set-Cookie","value":"\#(cookies.joined(separator: separator))"}],
      "content":{"text":"{}"}}}]}}
      """#
    let result = try HARImport.recording(name: "x.har", bytes: Array(archive.utf8))
    let text = result.recording.flows.flatMap(\.records).map(\.event.data.text).joined(separator: "\n")
    #expect(!text.contains("C4nary"), "\(text)")
    #expect(text.contains("DT=$secret.") && text.contains("Expires=Thu, 15 Jan 2026 10:00:00 GMT"), "\(text)")
  }

  @Test("credentials and cookies that a request carries are found where its answer quotes them")
  func headersOfRequests() throws {
    let archive = #"""
      {"log":{"entries":[{"startedDateTime":"2026-01-15T09:00:01.000Z","time":1,"request":{"method":"POST",
      "url":"https://acme.example/api/v1/authn","headers":[{"name":"Authorization","value":"SSWS C4nary-ssws"},
      {"name":"proxy-authorization","value":"Basic YW5uOkM0bmFyeS1wYXNz"},{"name":"DPoP","value":"C4nary-proof"},
      {"name":"Cookie","value":"ln=en; sid=C4nary-cookie; idx=\"C4nary%2Bidx\""}]},
      "response":{"status":401,"headers":[],"content":{"text":"{\"errorCode\":\"E0000011\",\"errorSummary\":
      \"no en C4nary-ssws C4nary-pass YW5uOkM0bmFyeS1wYXNz C4nary-proof C4nary-cookie C4nary+idx\"}"}}}]}}
      """#
    let bytes = Array(archive.utf8).filter { $0 != 0x0A }
    let result = try HARImport.recording(name: "x.har", bytes: bytes)
    let text = result.recording.flows.flatMap(\.records).map(\.event.data.text).joined(separator: "\n")
    #expect(text.contains("E0000011") && text.contains("no en $secret."), "\(text)")
    #expect(!text.contains("C4nary") && !text.contains("YW5uOk"), "\(text)")
  }

  @Test("the name of a flow says nothing of a secret in an address, nor does a malformed method")
  func names() throws {
    func archive(_ query: String, method: String = "POST") -> [UInt8] {
      Array(
        #"""
        {"log":{"entries":[{"startedDateTime":"2026-01-15T09:00:01.000Z","time":1,"request":{"method":"\#(method)",
        "url":"https://acme.example/idp/idx/challenge/answer?otp=\#(query)","headers":[]}}]}}
        """#.utf8)
    }
    let streams = try ["735519", "111111"].map { otp in
      try HARImport.recording(name: "x", bytes: archive(otp)).recording.flows.map(\.stream)
    }
    #expect(streams[0] == streams[1] && streams[0].count == 1)
    #expect(throws: HARError.self) { _ = try HARImport.recording(name: "x", bytes: archive("1", method: "HUNTER")) }
    let dense = "{\"log\":{\"entries\":[" + String(repeating: "{},", count: 400_000) + "{}]}}"
    #expect(throws: HARError.self) { _ = try HARImport.recording(name: "x", bytes: Array(dense.utf8)) }
  }

  @Test(
    "what is no archive, or none of a sign-in, is refused in one sentence",
    arguments: [
      "", "[]", "{}", #"{"log":{}}"#, #"{"log":{"entries":[]}}"#,
      #"{"log":{"entries":[1,{},{"request":{"url":"x"}}]}}"#,
    ])
  func refused(text: String) throws {
    let error = try #require(throws: HARError.self) { try HARImport.recording(name: "x.har", bytes: Array(text.utf8)) }
    #expect(!error.description.contains("\n"))
  }

  @Test("a byte order mark is passed by, and bytes that are no JSON are named")
  func bytes() throws {
    let whole = Array(Self.captured.utf8)
    #expect(try HARImport.recording(name: "x", bytes: [0xEF, 0xBB, 0xBF] + whole).requests == 2)
    let head = Array(whole.prefix(300))
    let cut = try #require(throws: HARError.self) { try HARImport.recording(name: "x", bytes: head) }
    #expect(cut.description.contains("at byte 300"), "\(cut)")
  }

  @Test("base64 with line breaks and a status in quotes are read; what is no base64 is named")
  func encodings() throws {
    func archive(_ content: String) -> [UInt8] {
      Array(
        #"""
        {"log":{"entries":[{"startedDateTime":"2026-01-15T09:00:01.000Z","time":1,"request":{"method":"POST",
        "url":"https://acme.example/api/v1/authn","headers":[]},"response":{"status":"200","headers":[],
        "content":{"mimeType":"application/json","encoding":"base64","text":"\#(content)"}}}]}}
        """#.utf8)
    }
    let text = Data(#"{"status":"LOCKED_OUT"}"#.utf8).base64EncodedString()
    let broken = "\(text.prefix(8))\\r\\n\(text.dropFirst(8))"
    let result = try HARImport.recording(name: "x", bytes: archive(broken))
    let answer = result.recording.flows.flatMap(\.records).first { $0.event.type == "response.received" }
    #expect(answer?.event.data["status"]?.int == 200 && answer?.event.data.text.contains("LOCKED_OUT") == true)
    let error = try #require(throws: HARError.self) { try HARImport.recording(name: "x", bytes: archive("*nothing*")) }
    #expect(error.description.contains("log.entries[0]"), "\(error)")
  }

  @Test("times without a zone are UTC, offsets need no colon; a request without a time is named")
  func times() throws {
    func archive(_ times: [String]) -> [UInt8] {
      let entries = times.map { time in
        #"""
        {"startedDateTime":"\#(time)","time":1,"request":{"method":"POST","url":"https://acme.example/api/v1/authn",
        "headers":[]},"response":{"status":200,"headers":[],"content":{"text":"{}"}}}
        """#
      }
      let list = entries.joined(separator: ",")
      return Array(#"{"log":{"entries":[\#(list)]}}"#.utf8)
    }
    let texts = [
      "2026-01-15T09:00:03", "2026-01-15T11:00:01+0200", "2026-01-15T09:00:04,5", "2026-01-15T08:00:02-01",
    ]
    let result = try HARImport.recording(name: "x.har", bytes: archive(texts))
    let sent = result.recording.flows.flatMap(\.records).filter { $0.event.type == "request.sent" }.map(\.at)
    let expected = ["09:00:01", "09:00:02", "09:00:03", "09:00:04.5"].map { Timestamp("2026-01-15T\($0)Z") }
    #expect(sent.map(Optional.some) == expected)
    for time in ["yesterday", "", "2026-01-15"] {
      let error = try #require(throws: HARError.self) {
        try HARImport.recording(name: "x.har", bytes: archive(["2026-01-15T09:00:03Z", time]))
      }
      #expect(error.description.contains("log.entries[1]") && error.description.contains("startedDateTime"), "\(error)")
    }
  }

  @Test("requests to two orgs become a flow for each, however their origins are written")
  func orgs() throws {
    func entry(_ second: Int, _ origin: String) -> String {
      #"""
      {"startedDateTime":"2026-01-15T09:00:0\#(second).000Z","time":1,"request":{"method":"POST",
      "url":"\#(origin)/api/v1/authn","headers":[]},"response":{"status":200,"headers":[],
      "content":{"text":"{\"status\":\"LOCKED_OUT\"}"}}}
      """#
    }
    let origins = [
      "https://one.example", "https://two.example", "https://ONE.example:443", "https://one.example:8443",
    ]
    let entries = origins.enumerated().map { entry($0.offset, $0.element) }.joined(separator: ",")
    let result = try HARImport.recording(name: "x.har", bytes: Array(#"{"log":{"entries":[\#(entries)]}}"#.utf8))
    #expect(result.orgs == ["https://one.example", "https://two.example", "https://one.example:8443"])
    let flows = result.recording.flows
    #expect(flows.count == 3 && Set(flows.map(\.stream)).count == 3)
    #expect(flows.map { $0.records.count { $0.event.type == "request.sent" } } == [2, 1, 1])
    #expect(flows[1].records[0].event.data["settings"]?["org"] == "https://two.example")
    #expect(!flows.contains { $0.stream.contains("example") })
    #expect(try Recording(name: "again", records: result.recording.records()).flows == flows)
  }

  /// An archive with a request a second, of which method, path and form are given, without answers.
  private static func archive(_ requests: [(String, String, String)]) -> [UInt8] {
    let entries = requests.enumerated().map { second, request in
      #"""
      {"startedDateTime":"2026-01-15T09:00:0\#(second)Z","time":1,"request":{"method":"\#(request.0)",
      "url":"https://acme.example\#(request.1)","headers":[
      {"name":"Content-Type","value":"application/x-www-form-urlencoded"}],"postData":{"text":"\#(request.2)"}}}
      """#
    }
    return Array(#"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#.utf8)
  }

  @Test(
    "each endpoint of an authorization server is one of a sign-in, of the org's own and of others",
    arguments: [
      "authorize", "token", "par", "keys", "userinfo", "introspect", "revoke", "logout", "device/authorize",
    ])
  func endpoints(name: String) throws {
    for server in ["/oauth2", "/oauth2/default", "/oauth2/aus1"] {
      let bytes = Self.archive([("POST", "\(server)/v1/\(name)", "client_id=0oa1")])
      let result = try HARImport.recording(name: "x.har", bytes: bytes)
      let flow = try #require(result.recording.flows.first)
      #expect(result.requests == 1 && flow.stream.hasPrefix("oidc/"), "\(server): \(flow.stream)")
      let issuer = "https://acme.example" + (server == "/oauth2" ? "" : server)
      #expect(flow.records[0].event.data["settings"]?["issuer"] == .string(issuer), "\(server)")
    }
  }

  @Test(
    "endpoints that are elsewhere are known by the metadata that name them, and what was captured of them can be played",
    arguments: [
      ("oidc-pushed", ["/op/par", "/op/token"]), ("oidc-device", ["/op/device"]), ("oidc-life", ["/op/token"]),
    ])
  func namedEndpoints(name: String, asked: [String]) throws {
    let recording = try GoldenRecordings.read(name)
    let result = try HARImport.recording(name: "x.har", bytes: HARExport.document(recording).bytes)
    let requests = recording.flows.flatMap(\.records).count { $0.event.type == "request.sent" }
    #expect(result.requests == requests && result.skipped == 0 && result.orgs == ["https://id.example"], "\(result)")
    #expect(result.recording.flows.count == 1)
    var org = RecordedOrg(result.recording, at: "http://127.0.0.1:1234")
    for path in asked {
      let answer = org.answer("POST", path)
      #expect(answer != nil, "\(path)")
    }
  }

  @Test("what an application or an administrator asks for at a similar place is not of a sign-in")
  func similarPlaces() throws {
    for place in ["/api/v1/keys", "/oauth2/v1/clients", "/oauth2/authorization/okta"] {
      let error = try #require(throws: HARError.self) {
        try HARImport.recording(name: "x.har", bytes: Self.archive([("GET", place, "")]))
      }
      #expect(error.description.contains("endpoint of /oauth2"), "\(place): \(error)")
    }
  }

  @Test("the tokens of a sign-in of the Identity Engine are in its flow, those of another one have a flow of their own")
  func tokens() throws {
    let engine = [
      ("POST", "/oauth2/default/v1/interact", "client_id=0oa1"), ("POST", "/idp/idx/identify", ""),
      ("GET", "/oauth2/default/.well-known/openid-configuration", ""),
      ("POST", "/oauth2/default/v1/token", "grant_type=interaction_code&interaction_code=C4nary"),
      ("GET", "/oauth2/default/v1/keys", ""),
    ]
    let one = try HARImport.recording(name: "x.har", bytes: Self.archive(engine)).recording.flows
    #expect(one.map { String($0.stream.prefix { $0 != "/" }) } == ["idx"])
    #expect(one[0].records.count { $0.event.type == "request.sent" } == 5)
    let others = [
      ("POST", "/oauth2/other/v1/token", "grant_type=authorization_code&code=C4nary"),
      ("GET", "/oauth2/other/v1/keys", ""),
    ]
    let two = try HARImport.recording(name: "x.har", bytes: Self.archive(engine + others)).recording.flows
    #expect(two.map { String($0.stream.prefix { $0 != "/" }) } == ["idx", "oidc"])
    #expect(two.map { $0.records.count { $0.event.type == "request.sent" } } == [5, 2])
    // What a list shows of a name, and what a person types, means one of them.
    let ids = two.map { String($0.stream.drop { $0 != "/" }) }
    #expect(!ids[0].hasPrefix(ids[1]) && !ids[1].hasPrefix(ids[0]), "\(ids)")
  }

  private static let captured = #"""
    {"log":{"version":"1.2","creator":{"name":"b","version":"1"},"entries":[
     {"startedDateTime":"2026-01-15T09:00:01.000Z","time":12.5,"request":{"method":"POST",
      "url":"https://acme.example/api/v1/authn?secret=C4nary-query","httpVersion":"h2",
      "headers":[{"name":"Content-Type","value":"application/json"},{"name":"Cookie","value":"sid=C4nary-cookie"},
       {"name":"X-Own","value":"C4nary-header"}],
      "postData":{"mimeType":"application/json","text":"{\"username\":\"ann@acme.example\",\"password\":\"C4nary-pass\"}"}},
      "response":{"status":200,"headers":[{"name":"set-cookie","value":"JSESSIONID=C4nary-cookie; Path=/"}],
       "content":{"size":1,"mimeType":"application/json",
       "text":"{\"stateToken\":\"C4nary-token\",\"status\":\"MFA_REQUIRED\",\"echo\":\"C4nary-pass\"}"}}},
     {"startedDateTime":"2026-01-15T09:00:03.000Z","time":-1,"request":{"method":"POST",
      "url":"https://acme.example/oauth2/default/v1/token",
      "headers":[{"name":"content-type","value":"application/x-www-form-urlencoded"}],
      "postData":{"params":[{"name":"code","value":"C4nary-code"},{"name":"grant_type","value":"authorization_code"}]}},
      "response":{"status":0}},
     {"startedDateTime":"2026-01-15T09:00:02.000Z","request":{"method":"GET","url":"https://acme.example/logo.png"}},
     {"request":{"method":"OPTIONS","url":"https://acme.example/api/v1/authn"}}]}}
    """#
}

/// What HAR 1.2 requires of an archive (http://www.softwareishard.com/blog/har-12-spec/), read apart from the code that writes it.
enum ArchiveRules {
  static func problems(of document: JSON) -> [String] {
    var problems: [String] = []
    func need(_ json: JSON?, _ name: String, _ fits: (JSON) -> Bool) {
      guard let json else { return problems.append("\(name) is missing") }
      if !fits(json) { problems.append("\(name) is \(json.text.prefix(60))") }
    }
    func text(_ json: JSON) -> Bool { json.string != nil }
    func number(_ json: JSON) -> Bool { json.double != nil }
    func whole(_ json: JSON) -> Bool { json.int.map { $0 >= -1 } ?? false }
    func list(_ json: JSON) -> Bool { json.array != nil }
    func time(_ json: JSON) -> Bool {
      json.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/) != nil
    }
    func pairs(_ json: JSON?, _ name: String) {
      need(json, name, list)
      for pair in json?.array ?? [] {
        need(pair["name"], "\(name).name", text)
        need(pair["value"], "\(name).value", text)
      }
    }
    let log = document["log"]
    need(log?["version"], "version") { $0 == "1.2" }
    need(log?["creator"]?["name"], "creator.name", text)
    need(log?["creator"]?["version"], "creator.version", text)
    let pages = (log?["pages"]?.array ?? []).compactMap { $0["id"]?.string }
    for page in log?["pages"]?.array ?? [] {
      need(page["startedDateTime"], "page.startedDateTime", time)
      need(page["title"], "page.title", text)
      need(page["pageTimings"], "page.pageTimings") { $0.object != nil }
    }
    for entry in log?["entries"]?.array ?? [] {
      need(entry["pageref"], "pageref") { $0.string.map(pages.contains) ?? false }
      need(entry["startedDateTime"], "startedDateTime", time)
      need(entry["time"], "time") { ($0.double ?? -1) >= 0 }
      need(entry["cache"], "cache") { $0.object != nil }
      for part in ["send", "wait", "receive"] {
        need(entry["timings"]?[part], "timings.\(part)") { ($0.double ?? -1) >= 0 }
      }
      let (request, response) = (entry["request"], entry["response"])
      for part in ["method", "url", "httpVersion"] { need(request?[part], "request.\(part)", text) }
      for part in ["headers", "queryString", "cookies"] { pairs(request?[part], "request.\(part)") }
      for part in ["headersSize", "bodySize"] {
        need(request?[part], "request.\(part)", whole)
        need(response?[part], "response.\(part)", whole)
      }
      if let post = request?["postData"] {
        need(post["mimeType"], "postData.mimeType", text)
        if post["params"] != nil {
          pairs(post["params"], "postData.params")
          if post["text"] != nil { problems.append("postData has params and text, which exclude each other") }
        } else {
          need(post["text"], "postData.text") { $0.string?.utf8.count == request?["bodySize"]?.int }
        }
      }
      need(response?["status"], "status", number)
      for part in ["statusText", "httpVersion", "redirectURL"] { need(response?[part], "response.\(part)", text) }
      for part in ["headers", "cookies"] { pairs(response?[part], "response.\(part)") }
      need(response?["content"]?["mimeType"], "content.mimeType", text)
      need(response?["content"]?["size"], "content.size", whole)
      if let body = response?["content"]?["text"]?.string, body.utf8.count != response?["content"]?["size"]?.int {
        problems.append("content.size is not the length of its text")
      }
    }
    return problems
  }
}
