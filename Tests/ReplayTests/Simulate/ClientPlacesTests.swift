import EventStore
import FlowRecording
import Foundation
import Replay
import Testing

/// Several clients at one org that answers as recorded.
@Suite struct ClientPlacesTests {
  /// A client that repeats the requests of a recording's first flow, with the secrets that it gets itself.
  private struct Repeater {
    private let exchanges: [(request: RequestSent, response: ResponseReceived)]
    private var secrets: [String: String] = [:]
    private var next = 0

    init(_ recording: Recording) throws {
      let records = try #require(recording.flows.first).records
      exchanges = records.compactMap { record -> (request: RequestSent, response: ResponseReceived)? in
        guard case .responseReceived(let response) = record.event, let cause = record.cause,
          let sent = records.first(where: { $0.revision == cause }), case .requestSent(let request) = sent.event
        else { return nil }
        return (request: request, response: response)
      }
    }

    var isDone: Bool { next == exchanges.count }
    /// What was recorded.
    var expected: [String] { exchanges.map { Self.summary($0.response.status, Self.body(of: $0.response)) } }

    /// Sends the next request.
    mutating func step(at org: inout RecordedOrg) throws -> String {
      let (request, response) = exchanges[next]
      next += 1
      let parts = try #require(URLParts(request.url))
      let given = org.answer(request.method, parts.path, body: Array(revealed(request).utf8))
      let answer = try #require(given)
      let body = answer.body.isEmpty ? JSON.null : try JSON(parsing: answer.body)
      learn(Self.body(of: response), body)
      return Self.summary(answer.status, body)
    }

    private func revealed(_ request: RequestSent) -> String {
      var text = request.body?.text ?? ""
      if request.encoding == .form, let members = request.body?.object?.members {
        text = members.map { "\($0.key)=\($0.value.string ?? "")" }.joined(separator: "&")
      }
      for (placeholder, secret) in secrets { text = text.replacing(placeholder, with: secret) }
      return text
    }

    private mutating func learn(_ recorded: JSON, _ given: JSON) {
      switch (recorded, given) {
      case (.string(let placeholder), .string(let secret)):
        if placeholder.hasPrefix("$secret."), placeholder.hasSuffix("$") { secrets[placeholder] = secret }
      case (.array(let recorded), .array(let given)):
        for (one, other) in zip(recorded, given) { learn(one, other) }
      case (.object(let recorded), .object(let given)):
        for (one, other) in zip(recorded.members, given.members) { learn(one.value, other.value) }
      default: break
      }
    }

    private static func body(of response: ResponseReceived) -> JSON {
      if case .json(let json) = response.body { json } else { .null }
    }

    /// What a client does next depends on this.
    private static func summary(_ status: Int, _ body: JSON) -> String {
      let words = ["status", "factorResult", "error"].compactMap { body[$0]?.string }
      let forms = (body["remediation"]?["value"]?.array ?? []).compactMap { $0["name"]?.string }
      let members = (body.object?.members ?? []).map(\.key)
      return "\(status) \(words) \(forms) \(members)"
    }
  }

  @Test(
    "two clients that sign in at once, request by request, get what was recorded, and so does one after them",
    arguments: ["push-approved", "idx-password", "idx-policy-two-factors", "oidc-device"])
  func interleaved(name: String) throws {
    let recording = try GoldenRecordings.read(name)
    var org = RecordedOrg(recording, at: "http://127.0.0.1:1234")
    var (one, other) = (try Repeater(recording), try Repeater(recording))
    let expected = one.expected
    #expect(Set(expected).count > 1)
    var (ones, others): ([String], [String]) = ([], [])
    while !one.isDone {
      ones.append(try one.step(at: &org))
      others.append(try other.step(at: &org))
    }
    #expect(ones == expected)
    #expect(others == expected)
    var third = try Repeater(recording)
    var thirds: [String] = []
    while !third.isDone { thirds.append(try third.step(at: &org)) }
    #expect(thirds == expected)
  }

  private static let verify = "/api/v1/authn/factors/opf8wjpxJGBKiBPuaOyT/verify"

  private func pushOrg() throws -> RecordedOrg {
    RecordedOrg(try GoldenRecordings.read("push-approved"), at: "http://127.0.0.1:1234")
  }

  /// Begins a sign-in.
  private func token(at org: inout RecordedOrg) throws -> String {
    let given = org.answer("POST", "/api/v1/authn")
    let body = try JSON(parsing: #require(given).body)
    return try #require(body["stateToken"]?.string)
  }

  private func poll(_ org: inout RecordedOrg, token: String? = nil, cookie: String? = nil) throws -> String {
    let body = token.map { Array("{\"stateToken\":\"\($0)\"}".utf8) } ?? []
    let given = org.answer("POST", Self.verify, body: body, cookie: cookie)
    return try JSON(parsing: #require(given).body)["status"]?.string ?? ""
  }

  @Test("made-up secrets of two clients differ, and have one length")
  func secrets() throws {
    var org = try pushOrg()
    let (one, other) = (try token(at: &org), try token(at: &org))
    #expect(one != other && one.utf8.count == other.utf8.count && one.hasPrefix("sur") && other.hasPrefix("sur"))
  }

  @Test("a client that sends nothing but its cookie is at its own place")
  func cookies() throws {
    var org = try pushOrg()
    var cookies: [String] = []
    for _ in 0..<2 {
      let given = org.answer("POST", "/api/v1/authn")
      let headers = try #require(given).headers
      let header = try #require(headers.first { $0.name == "Set-Cookie" }?.value)
      cookies.append(String(header.prefix { $0 != ";" }))
    }
    var statuses: [String] = []
    for cookie in [1, 1, 1, 0, 1, 0] { statuses.append(try poll(&org, cookie: cookies[cookie])) }
    let wait = "MFA_CHALLENGE"
    #expect(statuses == [wait, wait, wait, wait, "SUCCESS", wait])
  }

  @Test(
    "a client goes on after many others have begun, and starts again if there were too many to keep its place",
    arguments: [(others: 200, polls: 2), (others: 300, polls: 4)])
  func many(others: Int, polls: Int) throws {
    var org = try pushOrg()
    let first = try token(at: &org)
    for _ in 0..<2 {
      let status = try poll(&org, token: first)
      #expect(status == "MFA_CHALLENGE")
    }
    var latest = ""
    for _ in 0..<others { latest = try token(at: &org) }
    for (token, count) in [(latest, 4), (first, polls)] {
      var statuses: [String] = []
      for _ in 0..<count { statuses.append(try poll(&org, token: token)) }
      let expected = Array(repeating: "MFA_CHALLENGE", count: count - 1) + ["SUCCESS"]
      #expect(statuses == expected)
    }
  }

  @Test("a client that goes on asking keeps its place, however many others begin")
  func kept() throws {
    var org = try pushOrg()
    let first = try token(at: &org)
    var statuses: [String] = []
    for others in [150, 150, 150, 0] {
      for _ in 0..<others { _ = try token(at: &org) }
      statuses.append(try poll(&org, token: first))
    }
    let wait = "MFA_CHALLENGE"
    #expect(statuses == [wait, wait, wait, "SUCCESS"])
  }

  @Test("a client that starts again with its cookie gets another place, and its first sign-in goes on")
  func begunAnew() throws {
    var org = try pushOrg()
    let given = org.answer("POST", "/api/v1/authn")
    let answer = try #require(given)
    let header = try #require(answer.headers.first { $0.name == "Set-Cookie" }?.value)
    let first = try #require(try JSON(parsing: answer.body)["stateToken"]?.string)
    var statuses: [String] = []
    for _ in 0..<3 { statuses.append(try poll(&org, token: first)) }
    let again = org.answer("POST", "/api/v1/authn", cookie: String(header.prefix { $0 != ";" }))
    let body = try JSON(parsing: #require(again).body)
    let second = try #require(body["stateToken"]?.string)
    #expect(first != second)
    for token in [second, first] { statuses.append(try poll(&org, token: token)) }
    let wait = "MFA_CHALLENGE"
    #expect(statuses == [wait, wait, wait, wait, "SUCCESS"])
  }

  @Test("two sign-ins in the browser with one client id come back each with its own state and code")
  func pushed() throws {
    var org = RecordedOrg(try GoldenRecordings.read("oidc-pushed"), at: "http://127.0.0.1:1234")
    let states = ["mine", "yours"]
    var pages: [String] = []
    for state in states {
      let form = "client_id=a&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fback&state=\(state)"
      let given = org.answer("POST", "/op/par", body: Array(form.utf8))
      let body = try JSON(parsing: #require(given).body)
      let uri = try #require(body["request_uri"]?.string)
      pages.append("/op/authorize?client_id=a&request_uri=\(uri)")
    }
    var codes: Set<String> = []
    for (page, state) in zip(pages, states) {
      let given = org.answer("GET", page)
      let headers = try #require(given).headers
      let place = try #require(headers.first { $0.name == "Location" }?.value)
      #expect(place.hasPrefix("http://127.0.0.1:9/back?code=") && place.hasSuffix("&state=\(state)"), "\(place)")
      codes.insert(String(place.dropFirst("http://127.0.0.1:9/back?code=".count).prefix { $0 != "&" }))
    }
    #expect(codes.count == 2)
    for code in codes {
      let given = org.answer("POST", "/op/token", body: Array("client_id=a&code=\(code)".utf8))
      #expect(given?.status == 200)
    }
  }
}
