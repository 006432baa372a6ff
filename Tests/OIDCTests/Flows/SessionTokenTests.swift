import EventStore
import FlowRecording
import OIDC
import Scenarios
import Testing

@Suite struct SessionTokenTests {
  @Test func `a session token becomes tokens, and the flow replays`() async throws {
    let rig = try OIDCRig()
    let manager = try await rig.signIn()
    #expect(manager.accessToken == "access-canary-1" && manager.refreshToken == "refresh-canary-1")
    #expect(rig.provider.paths == ["/tenant/.well-known/openid-configuration", "/op/authorize", "/op/token"])
    let query = TinyProvider.query(rig.provider.requests[1].url)
    #expect(query["tenant"] == "7" && query["sessionToken"] == "session-canary" && query["response_type"] == "code")
    #expect(query["scope"] == "openid profile offline_access" && query["code_challenge_method"] == "S256")
    #expect(query["state"]?.utf8.count == 43 && query["nonce"]?.utf8.count == 43 && query["state"] != query["nonce"])
    #expect(rig.provider.requests.allSatisfy { request in !request.headers.contains { $0.name == "Cookie" } })
    let form = TinyProvider.form(rig.provider.requests[2])
    #expect(form["grant_type"] == "authorization_code" && form["code"] == "code-of-the-test")
    #expect(form["redirect_uri"] == OIDCRig.redirectURI && form["client_id"] == "client-7")
    #expect(form["code_verifier"]?.utf8.count == 43)
    try rig.expectReplay()
  }

  @Test func `discovery is asked once for a process, and again when it may be kept no longer`() async throws {
    let rig = try OIDCRig()
    _ = try await rig.signIn()
    _ = try await rig.signIn()
    #expect(rig.provider.paths.count == 5)
    let strict = try OIDCRig(
      TinyProvider { _, response in response.headers.append(HTTPField("Cache-Control", "no-store")) })
    _ = try await strict.signIn()
    _ = try await strict.signIn()
    #expect(strict.provider.paths.count == 6)
    try rig.expectReplay()
  }

  @Test func `a client with a secret shows it in the header and nowhere else`() async throws {
    let rig = try OIDCRig(secret: "secret-canary:%")
    _ = try await rig.signIn()
    let request = rig.provider.requests[2]
    #expect(request.headers.contains(HTTPField("Authorization", "Basic Y2xpZW50LTc6c2VjcmV0LWNhbmFyeSUzQSUyNQ==")))
    #expect(TinyProvider.form(request)["client_id"] == nil && TinyProvider.form(request)["client_secret"] == nil)
    try rig.expectReplay()
  }

  @Test func `parameters of the configuration go along, and cannot take the place of the protocol's`() async throws {
    let rig = try OIDCRig(values: ["login_hint": "ann+b@acme.example", "state": "mine", "code_challenge": "mine"])
    _ = try await rig.signIn()
    let query = TinyProvider.query(rig.provider.requests[1].url)
    #expect(
      query["login_hint"] == "ann+b@acme.example" && query["state"] != "mine" && query["code_challenge"] != "mine")
    #expect(rig.provider.requests[1].url.contains("login_hint=ann%2Bb%40acme.example"))
    try rig.expectReplay()
  }

  /// Rows of oidc §5.
  private static let answers: [(String, HTTPResponse, OktaError)] = [
    (
      "a page: the token is spent", HTTPResponse(status: 200, headers: [], body: Array("<html>".utf8)),
      .unexpectedAuthCodeResponse(statusCode: 200)
    ),
    ("no place", HTTPResponse(status: 302, headers: [], body: []), .noLocationHeader),
    (
      "another place",
      HTTPResponse(status: 302, headers: [HTTPField("location", "https://id.example/login?secret=canary")], body: []),
      .redirectServerError("id.example/login")
    ),
    (
      "no answer of the protocol", HTTPResponse(status: 503, headers: [], body: []),
      .unexpectedAuthCodeResponse(statusCode: 503)
    ),
  ]

  @Test(arguments: answers.indices)
  func `what is no redirect with a code is a failure by its name, and no code is sent`(row: Int) async throws {
    let (_, answer, expected) = Self.answers[row]
    let rig = try OIDCRig(TinyProvider { if $0.url.contains("/authorize") { $1 = answer } })
    #expect(await failure { try await rig.signIn() } == expected)
    #expect(!rig.provider.paths.contains("/op/token"))
    #expect(rig.tokenEvents.map(\.type) == ["token.refused"])
    try rig.expectReplay()
  }

  @Test func `a refusal by the server keeps its code, status and request`() async throws {
    let rig = try OIDCRig(
      TinyProvider { request, response in
        guard request.url.hasSuffix("/token") else { return }
        response = .json(["error": "invalid_grant", "error_description": "spent"], status: 400)
        response.headers.append(HTTPField("X-Okta-Request-Id", "req-1"))
      })
    let error = await failure { try await rig.signIn() }
    #expect(error?.oauthCode == "invalid_grant" && error?.httpStatus == 400 && error?.requestId == "req-1")
    #expect(error?.failure?.isRetryable == false)
    try rig.expectReplay()
  }

  @Test(arguments: [
    "9223372036854775807", "1099511627777", "0", "-1", "-9223372036854775808", "\"9223372036854775807\"", "\"0\"",
    "\"-1\"",
  ])
  func `tokens whose time is longer than a clock goes, or is none, replay as what they are`(seconds: String)
    async throws
  {
    let lifetime = try JSON(parsing: Array(seconds.utf8))
    let body: JSON = ["access_token": "a-canary", "token_type": "Bearer", "expires_in": lifetime]
    let rig = try OIDCRig(
      TinyProvider { request, response in if request.url.hasSuffix("/token") { response = .json(body) } })
    _ = try await rig.signIn()
    try rig.expectReplay()
  }

  @Test func `tokens of a type that this SDK cannot use are refused`() async throws {
    let rig = try OIDCRig(
      TinyProvider { request, response in
        if request.url.hasSuffix("/token") { response = .json(["access_token": "a-canary", "token_type": "DPoP"]) }
      })
    #expect(await failure { try await rig.signIn() } == .unsupportedTokenType("DPoP"))
    try rig.expectReplay()
  }
}

@Suite struct DiscoveryRuleTests {
  private static let rows: [(String, [(String, JSON?)], OktaError)] = [
    (
      "another issuer", [("issuer", "https://evil.example")],
      .issuerMismatch(expected: TinyProvider.issuer, actual: "https://evil.example")
    ),
    ("no issuer", [("issuer", nil)], .parseFailure), ("no token endpoint", [("token_endpoint", nil)], .parseFailure),
    ("no keys", [("jwks_uri", nil)], .parseFailure),
    (
      "plain proof keys", [("code_challenge_methods_supported", ["plain"])],
      .APIError("the server supports no proof key by S256")
    ),
    (
      "an endpoint without TLS", [("authorization_endpoint", "http://id.example/authorize")],
      .APIError("the server's authorization_endpoint is no https address")
    ),
  ]

  @Test(arguments: rows.indices)
  func `metadata that are not right end the sign-in before anything is sent`(row: Int) async throws {
    let rig = try OIDCRig(TinyProvider(metadata: Self.rows[row].1))
    #expect(await failure { try await rig.signIn() } == Self.rows[row].2)
    #expect(rig.provider.paths.count == 1)
    try rig.expectReplay()
  }

  /// Metadata without three endpoints, one of them `null`, of an issuer.
  private func poor(_ issuer: String) throws -> OIDCRig {
    try OIDCRig(
      TinyProvider(metadata: [
        ("issuer", .string(issuer)), ("introspection_endpoint", .null), ("revocation_endpoint", nil),
        ("userinfo_endpoint", nil),
      ]), values: ["issuer": issuer])
  }

  @Test(arguments: [
    ("https://acme.example", "https://acme.example/oauth2/v1/"),
    ("https://acme.example/oauth2/default", "https://acme.example/oauth2/default/v1/"),
  ])
  func `endpoints that Okta's metadata do not name are at their usual places`(issuer: String, place: String)
    async throws
  {
    let rig = try poor(issuer)
    let manager = try await rig.signIn()
    _ = try await manager.introspect(token: manager.accessToken)
    try await manager.revoke(manager.accessToken)
    _ = try await manager.getUser()
    #expect(rig.provider.requests.suffix(3).map(\.url) == ["introspect", "revoke", "userinfo"].map { place + $0 })
    try rig.expectReplay()
  }

  @Test func `endpoints that another server's metadata do not name are not guessed`() async throws {
    let rig = try poor(TinyProvider.issuer)
    let manager = try await rig.signIn()
    let before = rig.provider.requests.count
    #expect(await failure { try await manager.introspect(token: manager.accessToken) } == .noIntrospectionEndpoint)
    #expect(await failure { try await manager.revoke(manager.accessToken) } == .noRevocationEndpoint)
    #expect(await failure { try await manager.getUser() } == .noUserInfoEndpoint)
    #expect(rig.provider.requests.count == before)
    try rig.expectReplay()
  }
}
