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

  @Test("links to an org at another port lead back too: one origin is the beginning of the other")
  func origins() throws {
    var recording = try GoldenRecordings.read("push-approved")
    let records = recording.flows[0].records
    let answered = try #require(records.firstIndex { $0.event.type == "response.received" })
    let asked = try #require(records.lastIndex { $0.event.type == "request.sent" })
    guard case .responseReceived(var response) = records[answered].event, case .json(let json) = response.body,
      case .object(var body) = json, case .requestSent(var request) = records[asked].event
    else {
      Issue.record("the recording has no such answer")
      return
    }
    body["other"] = "https://acme.example:8443/x"
    response.body = .json(.object(body))
    request.url = "https://acme.example:8443/api/v1/authn/poll"
    recording.flows[0].records[answered].event = .responseReceived(response)
    recording.flows[0].records[asked].event = .requestSent(request)
    var org = RecordedOrg(recording, at: "http://127.0.0.1:1234")
    let given = org.answer("POST", "/api/v1/authn")
    #expect(try JSON(parsing: #require(given).body)["other"] == "http://127.0.0.1:1234/x")
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

  @Test("a client that starts again gets the first answers again; a rejection stays until then")
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

  /// The records of a flow of tokens: requests that were answered with 200, and what the client made of the answers.
  private struct TokenFlow {
    private(set) var records: [FlowRecord] = []

    init(client: String = "0oa1recorded") {
      let settings: JSON = ["issuer": "https://acme.example", "clientId": .string(client)]
      add(.flowStarted(FlowStarted(kind: "oidc", sdk: "test", settings: settings)))
    }

    mutating func add(_ event: FlowEvent, cause: Int? = nil) {
      let at = Timestamp(microseconds: 1_700_000_000_000_000)
      records.append(FlowRecord(revision: records.count, at: at, cause: cause, event: event))
    }

    mutating func add(_ type: String, _ data: JSON) { add(.domain(DomainEvent(type: type, version: 1, data: data))) }

    mutating func ask(_ grant: String, _ answer: JSON) {
      let request = RequestSent(
        method: "POST", url: "https://acme.example/oauth2/v1/token", headers: [],
        body: ["grant_type": .string(grant)], encoding: .form)
      add(.requestSent(request))
      let response = ResponseReceived(status: 200, headers: [], body: .json(answer))
      add(.responseReceived(response), cause: records.count - 1)
    }
  }

  private func org(_ flows: TokenFlow...) -> RecordedOrg {
    RecordedOrg(
      Recording(
        name: "tokens", flows: flows.enumerated().map { RecordedFlow(stream: "oidc/\($0)", records: $1.records) }),
      at: "http://127.0.0.1:1234")
  }

  private func answer(of org: inout RecordedOrg, to form: String) throws -> JSON {
    let given = org.answer("POST", "/oauth2/v1/token", body: Array(form.utf8))
    return try JSON(parsing: #require(given).body)
  }

  @Test("a refusal belongs to the nearest answer before it, and to none if the next request brought no token")
  func nearestAnswer() throws {
    var flow = TokenFlow()
    flow.ask("authorization_code", ["id_token": "$secret.idToken.1$"])
    flow.ask("authorization_code", ["id_token": "$secret.idToken.2$"])
    flow.add("token.refused", ["operation": "signInWithBrowser", "error": "JWTValidationError", "details": [:]])
    flow.ask("authorization_code", ["id_token": "$secret.idToken.3$"])
    flow.ask("refresh_token", ["error": "invalid_grant"])
    flow.add("token.refused", ["operation": "renew", "error": "errorFetchingFreshTokens", "details": [:]])
    var org = org(flow)
    var parts: [Int] = []
    for _ in 0..<3 {
      let body = try answer(of: &org, to: "client_id=a")
      parts.append(body["id_token"]?.string?.split(separator: ".").count ?? 0)
    }
    #expect(parts == [3, 1, 3])
  }

  @Test("a long flow of tokens that were not checked is read in one pass", .timeLimit(.minutes(1)))
  func manyTokens() {
    var flow = TokenFlow()
    for _ in 0..<30_000 { flow.ask("refresh_token", ["id_token": "$secret.idToken.1$"]) }
    #expect(org(flow).count == 30_000)
  }

  @Test("a renewal names who signed in, also if the recorded client checked that token alone")
  func oneSubject() throws {
    func taken(_ type: String, _ token: Int, _ subject: String, _ flow: inout TokenFlow) {
      flow.add(
        type, ["tokens": ["id_token": .string("$secret.idToken.\(token)$")], "claims": ["sub": .string(subject)]])
    }
    func subjects(_ org: inout RecordedOrg, _ clients: [String]) throws -> [String?] {
      try clients.map { client in
        try payload(of: answer(of: &org, to: "client_id=\(client)")["id_token"]?.string)["sub"]?.string
      }
    }
    var (signIn, renewal) = (TokenFlow(), TokenFlow())
    signIn.ask("authorization_code", ["id_token": "$secret.idToken.1$"])
    renewal.ask("refresh_token", ["id_token": "$secret.idToken.1$"])
    taken("token.refreshed", 1, "ann", &renewal)
    var one = org(signIn, renewal)
    let unchecked = try subjects(&one, ["a", "a"])
    #expect(unchecked == ["surrogate-subject", "surrogate-subject"])
    // Two persons signed in: the renewal is that of the first.
    var (ann, bob) = (TokenFlow(), TokenFlow())
    ann.ask("authorization_code", ["id_token": "$secret.idToken.1$"])
    taken("token.issued", 1, "ann", &ann)
    bob.ask("authorization_code", ["id_token": "$secret.idToken.1$"])
    taken("token.issued", 1, "bob", &bob)
    var two = org(ann, bob, renewal)
    let known = try subjects(&two, ["a", "a", "a"])
    #expect(known == ["ann", "bob", "ann"])
    // What others were given does not count.
    var three = org(ann, bob, renewal)
    let others = try subjects(&three, ["b", "a", "a"])
    #expect(others == ["ann", "bob", "bob"])
  }

  @Test("whoever asks when the person signed in gets a time of now, not the distance of the recorded session")
  func signedInNow() throws {
    var flow = TokenFlow()
    flow.ask("authorization_code", ["id_token": "$secret.idToken.1$"])
    flow.add(
      "token.issued",
      [
        "tokens": ["id_token": "$secret.idToken.1$"],
        "claims": ["sub": "ann", "iat": 1_700_000_000, "exp": 1_700_003_600, "auth_time": 1_699_990_000],
      ])
    for (query, age) in [("&max_age=60", 0), ("", 10_000)] {
      var org = org(flow)
      _ = org.answer("GET", "/oauth2/v1/authorize?client_id=a" + query)
      let claims = try payload(of: answer(of: &org, to: "client_id=a")["id_token"]?.string)
      let (issued, signedIn) = (try #require(claims["iat"]?.int), try #require(claims["auth_time"]?.int))
      #expect(issued - signedIn == age)
    }
  }

  private func location(_ answer: RecordedOrg.Answer?) throws -> String {
    let headers = try #require(answer).headers
    return try #require(headers.first { $0.name == "Location" }?.value)
  }

  @Test(
    "a client is sent back to its own redirect URI, with a code and its own state, whoever asked in the recording",
    arguments: ["oidc-browser", "oidc-session-token"])
  func sentBack(name: String) throws {
    var org = RecordedOrg(try GoldenRecordings.read(name), at: "http://127.0.0.1:1234")
    let query = "client_id=a&response_type=code&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fback%3Fx&state=s%20%261"
    let given = org.answer("GET", "/op/authorize?" + query)
    let place = try location(given)
    #expect(given?.status == 302 && place.hasPrefix("http://127.0.0.1:9/back?x&code="), "\(place)")
    #expect(place.hasSuffix("&state=s%20%261") && !place.contains("secret"), "\(place)")
    let token = org.answer("POST", "/op/token", body: Array("client_id=a".utf8))
    #expect(token?.status == 200)
    // What would end the header is not taken over.
    for target in ["http://127.0.0.1:9/%0D%0ASet-Cookie:x", ""] {
      let refused = org.answer("GET", "/op/authorize?client_id=a&redirect_uri=" + target)
      #expect(refused?.headers.contains { $0.value.contains("127.0.0.1:9") } == false)
    }
  }

  @Test("what was pushed counts in the browser, and whoever signs out there gets the state and no code")
  func pushedAndSignedOut() throws {
    var pushed = RecordedOrg(try GoldenRecordings.read("oidc-pushed"), at: "http://127.0.0.1:1234")
    let form = "client_id=a&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fback&state=mine"
    let taken = pushed.answer("POST", "/op/par", body: Array(form.utf8))
    #expect(taken?.status == 201)
    let given = pushed.answer("GET", "/op/authorize?client_id=a&request_uri=urn%3Ax")
    let place = try location(given)
    #expect(place.hasPrefix("http://127.0.0.1:9/back?code=") && place.hasSuffix("&state=mine"), "\(place)")
    var browser = RecordedOrg(try GoldenRecordings.read("oidc-browser"), at: "http://127.0.0.1:1234")
    let ended = browser.answer("GET", "/op/logout?post_logout_redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fbye&state=s")
    #expect(try location(ended) == "http://127.0.0.1:9/bye?state=s")
  }

  @Test("an error in the browser is one again, and where nothing is known of the browser a code is made up")
  func refusedInBrowser() throws {
    let page = "/oauth2/v1/authorize"
    let query = "?client_id=a&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fback&state=s"
    var flow = TokenFlow()
    flow.ask("authorization_code", ["access_token": "$secret.accessToken.1$"])
    var silent = org(flow)
    let made = silent.answer("GET", page + query)
    #expect(try location(made).hasPrefix("http://127.0.0.1:9/back?code="))
    let input: JSON = ["url": .string("https://login.example" + page)]
    flow.add(.drawAsked(DrawAsked(kind: DrawKind(rawValue: "browser.redirect"), input: input)))
    let said: JSON = ["ours": true, "state": "equal", "error": "access_denied"]
    flow.add(.drawMade(DrawMade(kind: DrawKind(rawValue: "oidc.redirect"), ordinal: 0, result: .success(said))))
    var refusing = org(flow)
    let given = refusing.answer("GET", page + query)
    #expect(try location(given) == "http://127.0.0.1:9/back?error=access_denied&state=s")
    var nothing = RecordedOrg(try GoldenRecordings.read("push-approved"), at: "http://127.0.0.1:1234")
    let unknown = nothing.answer("GET", page + query)
    #expect(unknown == nil, "an org that gives no tokens has no such page")
  }

  @Test("a client with a session token signs in at what was recorded of another's browser")
  func sessionToken() async throws {
    let url = "https://played.example"
    let stage = try await Stage(
      OrgConfiguration(users: [OrgUser(login: Scenario.login, password: Scenario.password)]))
    let time = stage.time
    var environment = stage.environment
    environment.device = nil
    environment[MetadataCacheSeam.self] = MetadataCache()
    environment[KeyCacheSeam.self] = KeyCache()
    environment[TokenStoreSeam.self] = MemoryTokenStore()
    environment.transport = PlayedOrg(try GoldenRecordings.read("oidc-browser"), at: url) { time.now() }
    let configuration = try OktaAuthConfig(
      with: [
        "issuer": url + "/tenant", "clientId": "0oa1another", "redirectUri": "com.example.another:/back",
        // The recorded server issued no ID token.
        "scopes": "offline_access",
      ])
    let auth = try OktaAppAuth(configuration: configuration, environment: environment)
    let manager = try await auth.authenticate(withSessionToken: "any-session-token")
    #expect(manager.accessToken?.isEmpty == false)
    await stage.org.stop()
  }

  @Test("a request without a secret continues the sign-in of the client that it names, if that expects it")
  func ownClient() throws {
    var flow = TokenFlow()
    flow.ask("authorization_code", ["id_token": "$secret.idToken.1$"])
    var org = org(flow)
    for client in ["a", "b"] {
      _ = org.answer("GET", "/oauth2/v1/authorize?client_id=\(client)&nonce=of-\(client)")
    }
    for client in ["b", "a"] {
      let claims = try payload(of: answer(of: &org, to: "client_id=\(client)")["id_token"]?.string)
      #expect(claims["nonce"]?.string == "of-\(client)")
    }
  }

  @Test("a state that was missing or another is so again, and a client that asks for a fragment gets one")
  func states() throws {
    let query = "?client_id=a&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fback&state=s"
    for (state, mode, ending) in [
      ("missing", "", "?code=c"), ("different", "", "?code=c&state=surrogate-state"), ("equal", "", "?code=c&state=s"),
      ("equal", "&response_mode=fragment", "#code=c&state=s"),
    ] {
      var flow = TokenFlow()
      let input: JSON = ["url": "https://acme.example/oauth2/v1/authorize"]
      flow.add(.drawAsked(DrawAsked(kind: .browserRedirect, input: input)))
      let said: JSON = ["ours": true, "state": .string(state), "code": "c"]
      flow.add(.drawMade(DrawMade(kind: DrawKind(rawValue: "oidc.redirect"), ordinal: 0, result: .success(said))))
      var org = org(flow)
      let given = org.answer("GET", "/oauth2/v1/authorize" + query + mode)
      #expect(try location(given) == "http://127.0.0.1:9/back" + ending)
    }
  }

  @Test("documents are the same for all clients, and a client that knows them goes on without them")
  func documents() throws {
    var flow = TokenFlow()
    let path = "/.well-known/openid-configuration"
    flow.add(.requestSent(RequestSent(method: "GET", url: "https://acme.example" + path, headers: [], body: nil)))
    let metadata = ResponseReceived(status: 200, headers: [], body: .json(["x": "$secret.undeclared.1$"]))
    flow.add(.responseReceived(metadata), cause: flow.records.count - 1)
    flow.ask("authorization_code", ["id_token": "$secret.idToken.1$", "access_token": "$secret.accessToken.1$"])
    let recorded = org(flow)
    var asking = recorded
    var tokens: [JSON?] = []
    let first = asking.answer("GET", path)
    for _ in 0..<2 {
      let again = asking.answer("GET", path)
      let text = String(decoding: try #require(again).body, as: UTF8.self)
      #expect(first?.body == again?.body && text.contains("sur"), "\(text)")
      tokens.append(try answer(of: &asking, to: "client_id=a")["access_token"])
    }
    #expect(tokens[0] != tokens[1], "these are of two clients")
    var knowing = recorded
    _ = knowing.answer("GET", "/oauth2/v1/authorize?client_id=a&nonce=mine")
    let claims = try payload(of: answer(of: &knowing, to: "client_id=a")["id_token"]?.string)
    #expect(claims["nonce"] == "mine")
  }

  @Test("a recorded client without a name does not put the asking one in the place of empty texts")
  func namelessClient() throws {
    var flow = TokenFlow(client: "")
    flow.ask("authorization_code", ["access_token": "$secret.accessToken.1$", "scope": ""])
    var org = org(flow)
    let scope = try answer(of: &org, to: "client_id=a")["scope"]
    #expect(scope == "")
  }

  @Test("a recording in which a flow's records stand twice is refused, one with records in another order is not")
  func repeated() throws {
    let records = try GoldenRecordings.read("push-approved").records()
    #expect(throws: StoreError.self) { try Recording(name: "twice", records: records + records) }
    #expect(throws: StoreError.self) { try Recording(name: "twice", records: records + records.suffix(1)) }
    var moved = records
    moved.swapAt(records.count - 1, records.count - 2)
    #expect(try Recording(name: "moved", records: moved).flows.count == 1)
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
