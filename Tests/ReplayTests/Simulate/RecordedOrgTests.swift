import Dispatch
import EventStore
import FlowRecording
import Foundation
import IDX
import OIDC
import Replay
import Scenarios
import SimulatedOrg
import Testing

/// An org that answers as recorded.
@Suite struct RecordedOrgTests {
  @Test("answers come by method, path and order, the last again, and links lead back")
  func order() throws {
    var org = RecordedOrg(try GoldenRecordings.read("push-approved"), at: "http://127.0.0.1:1234")
    let unknown = [org.answer("GET", "/api/v1/authn"), org.answer("POST", "/nothing")]
    #expect(unknown == [nil, nil])
    let signIn = org.answer("POST", "/api/v1/authn?x=1")
    let first = try #require(signIn)
    let body = try JSON(parsing: first.body)
    #expect(first.status == 200 && body["status"] == "MFA_REQUIRED")
    #expect(body["stateToken"]?.string?.hasPrefix("$secret") == false)
    #expect(!body.text.contains("https://acme.example") && body.text.contains("http://127.0.0.1:1234/api/v1/authn/"))
    let factor = try #require(body["_embedded"]?["factors"]?.array?.first { $0["factorType"] == "push" })
    let link = try #require(factor["_links"]?["verify"]?["href"]?.string).dropFirst("http://127.0.0.1:1234".count)
    var statuses: [String] = []
    for _ in 0..<8 {
      let answer = org.answer("POST", String(link))
      statuses.append(try JSON(parsing: answer?.body ?? [])["status"]?.string ?? "")
    }
    #expect(statuses.first == "MFA_CHALLENGE" && statuses.last == "SUCCESS", "\(statuses)")
    #expect(
      statuses.firstIndex(of: "SUCCESS").map { index in statuses[index...].allSatisfy { $0 == "SUCCESS" } } == true)
  }

  @Test("times move to now: of a body, of headers, of cookies, and each answer as it is given")
  func times() throws {
    let now = try #require(Timestamp("2031-03-01T23:59:58.750000Z"))
    var org = RecordedOrg(try GoldenRecordings.read("push-approved"), at: "http://127.0.0.1:1234")
    let given = org.answer("POST", "/api/v1/authn", at: now)
    let answer = try #require(given)
    // Recorded at 09:00:00.000000, good until 09:10.
    #expect(try JSON(parsing: answer.body)["expiresAt"] == "2031-03-02T00:09:58.000Z")
    func header(_ name: String, _ answer: RecordedOrg.Answer) -> String? {
      answer.headers.first { $0.name == name }?.value
    }
    #expect(header("Date", answer) == "Sat, 01 Mar 2031 23:59:58 GMT")
    #expect(header("X-Rate-Limit-Reset", answer) == String(now.microseconds / 1_000_000 + 60))
    let later = org.answer(
      "POST", "/api/v1/authn/factors/opf8wjpxJGBKiBPuaOyT/verify",
      at: Timestamp(microseconds: now.microseconds + 3_600_000_000))
    #expect(try JSON(parsing: #require(later).body)["expiresAt"] == "2031-03-02T01:09:58.000Z")
    // A cookie that was over when it came is over now.
    let recording = try GoldenRecordings.read("cookies")
    var cookies = RecordedOrg(recording, at: "http://127.0.0.1:1234")
    var values: [String] = []
    for record in recording.flows.flatMap(\.records) {
      guard case .requestSent(let request) = record.event, let parts = URLParts(request.url) else { continue }
      let answer = cookies.answer(request.method, parts.path, at: now)
      values += answer?.headers.filter { $0.name == "Set-Cookie" }.map(\.value) ?? []
    }
    #expect(values.contains { $0.contains("Expires=Sat, 01 Mar 2031 22:59:58 GMT; Max-Age=600") }, "\(values)")
    #expect(values.contains { $0.hasSuffix("Max-Age=0") })
  }

  @Test("a Retry-After that is a date moves, one in seconds stays")
  func retryAfter() throws {
    let now = try #require(Timestamp("2031-03-01T10:00:00Z"))
    var values: Set<String> = []
    for name in ["poll-troubles", "rate-limited"] {
      let recording = try GoldenRecordings.read(name)
      var org = RecordedOrg(recording, at: "http://127.0.0.1:1")
      for record in recording.flows.flatMap(\.records) {
        guard case .requestSent(let request) = record.event, let parts = URLParts(request.url) else { continue }
        let answer = org.answer(request.method, parts.path, at: now)
        values.formUnion(answer?.headers.filter { $0.name == "Retry-After" }.map(\.value) ?? [])
      }
    }
    #expect(values.contains { $0.hasPrefix("Sat, 01 Mar 2031 10:0") && $0.hasSuffix(" GMT") }, "\(values)")
    #expect(values.contains { Int($0) != nil }, "\(values)")
  }

  @Test("a client that begins anew gets the first answers again; a rejection stays until then")
  func anew() throws {
    var org = RecordedOrg(try GoldenRecordings.read("push-rejected"), at: "http://127.0.0.1:1234")
    func ask(_ path: String) throws -> String? {
      let answer = org.answer("POST", path)
      let body = try JSON(parsing: #require(answer).body)
      return body["factorResult"]?.string ?? body["status"]?.string
    }
    let verify = "/api/v1/authn/factors/opf8wjpxJGBKiBPuaOyT/verify"
    for _ in 0..<2 {
      #expect(try ask("/api/v1/authn") == "MFA_REQUIRED")
      for result in ["WAITING", "WAITING", "REJECTED", "REJECTED", "REJECTED"] { #expect(try ask(verify) == result) }
    }
  }

  /// The recorded org as a client reaches it, without a socket.
  private final class PlayedOrg: Transport {
    private struct Nothing: TransportTask { func cancel() {} }
    private let org: Locked<RecordedOrg>
    private let url: String
    private let now: @Sendable () -> Timestamp

    init(_ recording: Recording, at url: String, now: @escaping @Sendable () -> Timestamp) {
      org = Locked(RecordedOrg(recording, at: url))
      (self.url, self.now) = (url, now)
    }

    func send(
      _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
    ) -> any TransportTask {
      let target = String(request.url.dropFirst(url.count))
      let time = now()
      let given = org.withLock { $0.answer(request.method, target, body: request.body ?? [], at: time) }
      let response = HTTPResponse(
        status: given?.status ?? 404, headers: (given?.headers ?? []).map { HTTPField($0.name, $0.value) },
        body: given?.body ?? [])
      DispatchQueue.global().async { completion(.success(response)) }
      return Nothing()
    }
  }

  /// The claims of a JWT, nothing verified.
  private func payload(of token: String?) throws -> JSON {
    let parts = try #require(token).split(separator: ".")
    return try JSON(parsing: #require(parts.count == 3 ? Base64URL.decode(parts[1]) : nil))
  }

  @Test(
    "a sign-in by the Identity Engine ends with tokens whose ID token our client checks, also if the recorded one did not",
    arguments: ["idx-id-token", "idx-password"])
  func identityToken(name: String) async throws {
    let (url, clientID) = ("https://played.example", "0oa1another")
    var stage = try await IDXStage(
      OrgConfiguration(users: [OrgUser(login: Scenario.login, password: Scenario.password)]))
    let time = stage.time
    stage.environment.transport = PlayedOrg(try GoldenRecordings.read(name), at: url) { time.now() }
    // Hours after the recording.
    time.advance(milliseconds: 40_000_000)
    let now = Int(time.now().microseconds / 1_000_000)
    let flow = InteractionCodeFlow(
      issuer: try #require(URL(string: url + "/oauth2/default")), clientId: clientID, scopes: "openid profile",
      redirectUri: try #require(URL(string: OrgClient.sample.redirectURIs[0])), environment: stage.environment)
    var response = try await flow.start(options: [.nonce: "nonce-of-this-client", .maxAge: 3_600])
    while !response.isLoginSuccessful {
      let remediation = try #require(response.remediations.first)
      response = try await IDXScenario.step(remediation, of: response, on: stage)
    }
    let token = try await response.exchangeCode()
    let claims = try payload(of: token.idToken)
    #expect(claims["iss"]?.string == url + "/oauth2/default" && claims["aud"]?.string == clientID)
    #expect(claims["nonce"] == "nonce-of-this-client" && claims["sub"]?.string?.isEmpty == false)
    #expect(claims["iat"]?.int == now && claims["exp"]?.int == now + 3_600, "\(claims.text)")
    await stage.org.stop()
  }

  @Test("an ID token that the recorded client refused is refused again, and keys are served only if there is a token")
  func refusedToken() throws {
    var refused = RecordedOrg(try GoldenRecordings.read("idx-id-token-refused"), at: "http://127.0.0.1:1234")
    let given = refused.answer("POST", "/oauth2/default/v1/token")
    let token = try JSON(parsing: #require(given).body)["id_token"]?.string
    #expect(token?.isEmpty == false && token?.contains(".") == false)
    var classic = RecordedOrg(try GoldenRecordings.read("push-approved"), at: "http://127.0.0.1:1234")
    let nothing = classic.answer("GET", "/oauth2/default/v1/keys")
    #expect(nothing == nil)
    var signing = RecordedOrg(try GoldenRecordings.read("idx-password"), at: "http://127.0.0.1:1234")
    let answers = ["keys", "keys"].map { signing.answer("GET", "/oauth2/default/v1/\($0)") }
    #expect(answers[0] != nil && answers[0] == answers[1])
    let metadata = signing.answer("GET", "/oauth2/default/.well-known/openid-configuration")
    let document = try JSON(parsing: #require(metadata).body)
    #expect(document["issuer"] == "http://127.0.0.1:1234/oauth2/default")
    #expect(document["jwks_uri"] == "http://127.0.0.1:1234/oauth2/default/v1/keys")
  }

  @Test("every golden recording can be played", arguments: GoldenRecordings.names)
  func all(name: String) throws {
    let recording = try GoldenRecordings.read(name)
    var org = RecordedOrg(recording, at: "http://127.0.0.1:1")
    for record in recording.flows.flatMap(\.records) {
      guard case .requestSent(let request) = record.event, let parts = URLParts(request.url) else { continue }
      let isAnswered = recording.flows.flatMap(\.records).contains {
        $0.cause == record.revision && ["response.received", "request.failed"].contains($0.event.type)
      }
      let answer = org.answer(request.method, parts.path)
      #expect(!isAnswered || answer != nil, "\(request.method) \(parts.path)")
    }
  }
}
