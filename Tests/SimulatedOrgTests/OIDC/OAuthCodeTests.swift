// Codes and refresh tokens (oidc.md §6).

import SimulatedOrg
import Testing

@Suite struct OAuthCodeTests {
  @Test func `a code is good once, and its second use ends what the first brought`() async throws {
    try await withApp { app in
      let code = try await app.code()
      let tokens = try await app.redeem(code)
      let access = try tokens.text("access_token")
      #expect(try await app.isActive(access))
      #expect(try await app.redeem(code).text("error") == "invalid_grant")
      #expect(try await !app.isActive(access))
      #expect(try await app.refresh(try tokens.text("refresh_token")).text("error") == "invalid_grant")
    }
  }

  @Test(
    arguments: [
      ("code", "other", "invalid_grant"), ("code", nil, "invalid_request"),
      ("redirect_uri", "http://127.0.0.1:8400/other", "invalid_grant"), ("redirect_uri", nil, "invalid_grant"),
      ("code_verifier", "x", "invalid_grant"), ("code_verifier", nil, "invalid_grant"),
      ("client_id", "other", "invalid_grant"), ("client_id", "nobody", "invalid_client"),
      ("grant_type", "password", "unsupported_grant_type"), ("grant_type", nil, "invalid_request"),
    ] as [(String, String?, String)])
  func `a code is bound to all that it was asked for with`(name: String, value: String?, error: String) async throws {
    let other = OrgClient(id: "other", redirectURIs: [OAuthApp.redirect])
    try await withApp(clients: [OAuthApp.client, other]) { app in
      let code = try await app.code()
      let reply = try await app.redeem(code, [name: value])
      #expect(try reply.text("error") == error)
      #expect(reply.status == (error == "invalid_client" ? 401 : 400))
      #expect(try await app.redeem(code).status == 200, "what is refused does not spend the code")
    }
  }

  @Test func `a code lives five minutes`() async throws {
    try await withApp { app in
      let code = try await app.code()
      app.org.advanceClock(by: 301)
      #expect(try await app.redeem(code).text("error") == "invalid_grant")
    }
  }

  @Test func `a parameter that comes twice is refused`() async throws {
    try await withApp { app in
      app.wire.headers = [("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded")]
      let form = OAuthApp.encoded([
        "client_id": "app", "grant_type": "authorization_code", "code": try await app.code(),
      ])
      app.wire.headers = [("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded")]
      let reply = try await app.wire.request("POST", try app.discovery.text("token_endpoint"), form + "&code=x")
      #expect(try reply.text("error") == "invalid_request")
    }
  }

  @Test func `a confidential client shows its secret and needs no challenge`() async throws {
    let web = OrgClient(id: "web app", redirectURIs: [OAuthApp.redirect], secret: "s:3 cret")
    try await withApp(clients: [web]) { app in
      let code = try await app.code(["client_id": web.id, "code_challenge": nil, "code_challenge_method": nil])
      let form: [String: String?] = [
        "grant_type": "authorization_code", "code": code, "redirect_uri": OAuthApp.redirect,
      ]
      let wrong = try await app.post("token_endpoint", form, basic: "web%20app:other")
      #expect(wrong.status == 401 && wrong.header("WWW-Authenticate")?.hasPrefix("Basic") == true)
      #expect(try await app.post("token_endpoint", form, basic: "web%20app:s%3A3%20cret").status == 200)
    }
  }

  @Test func `a used refresh token is replaced, and using it again ends the authorization`() async throws {
    try await withApp { app in
      let first = try await app.tokens().text("refresh_token")
      let answer = try await app.refresh(first)
      let second = try answer.text("refresh_token")
      #expect(second != first)
      let claims = try TestToken.read(try answer.text("id_token")).claims
      #expect(claims["nonce"] == nil && claims["sub"] != nil)
      #expect(try await app.isActive(second))
      #expect(try await app.refresh(first).text("error") == "invalid_grant")
      #expect(try await !app.isActive(second))
      #expect(try await !app.isActive(try answer.text("access_token")))
    }
  }

  @Test func `within the grace a used refresh token still works`() async throws {
    try await withApp(.init(rotation: .rotating(grace: 30))) { app in
      let first = try await app.tokens().text("refresh_token")
      let second = try await app.refresh(first).text("refresh_token")
      app.org.advanceClock(by: 29)
      let third = try await app.refresh(first).text("refresh_token")
      #expect(third != second)
      #expect(try await app.isActive(second))
      #expect(try await app.isActive(third))
      app.org.advanceClock(by: 2)
      #expect(try await app.refresh(first).text("error") == "invalid_grant")
      #expect(try await !app.isActive(third))
    }
  }

  @Test func `without rotation the refresh token stays, until it was idle too long`() async throws {
    try await withApp(.init(rotation: .none, refreshTokenLifetime: 1000)) { app in
      let token = try await app.tokens().text("refresh_token")
      app.org.advanceClock(by: 999)
      #expect(try await app.refresh(token).value("refresh_token") == nil)
      app.org.advanceClock(by: 999)
      #expect(try await app.refresh(token).status == 200)
      app.org.advanceClock(by: 1000)
      #expect(try await app.refresh(token).text("error") == "invalid_grant")
    }
  }

  @Test func `a refresh may ask for less, and not for more`() async throws {
    try await withApp { app in
      let token = try await app.tokens().text("refresh_token")
      #expect(try await app.refresh(token, ["scope": "openid phone"]).text("error") == "invalid_scope")
      let less = try await app.refresh(token, ["scope": "openid"])
      #expect(try less.text("scope") == "openid")
      let all = try await app.refresh(try less.text("refresh_token"))
      #expect(try all.text("scope") == "openid profile email offline_access")
    }
  }
}
