// From a session token to tokens, without a browser (oidc.md §5, §6).

import Crypto
import Foundation
import SimulatedOrg
import Testing

@Suite struct OAuthSessionTokenTests {
  @Test(arguments: ["", "/oauth2/default", "/oauth2/aus1custom", "/realms/acme"])
  func `a session token of the classic API becomes a code, and the code becomes tokens`(issuer: String) async throws {
    try await withApp(issuer: issuer) { app in
      #expect(try app.discovery.text("issuer") == app.org.url.absoluteString + issuer)
      app.wire.headers = [("Accept", "application/json"), ("Content-Type", "application/json")]
      let session = try await app.wire.signIn(People.ann).text("sessionToken")
      let reply = try await app.authorize(["sessionToken": session])
      #expect(reply.status == 302)
      #expect(try #require(reply.header("Location")).hasPrefix(OAuthApp.redirect + "?"))
      let answer = try app.answer(reply)
      #expect(answer["state"] == "st-1")
      let tokens = try await app.redeem(try #require(answer["code"]))
      #expect(tokens.status == 200, "\(tokens.bodyText)")
      #expect(tokens.header("Cache-Control") == "no-store")
      #expect(try tokens.text("token_type") == "Bearer" && tokens.number("expires_in") == 3600)
      #expect(try tokens.text("scope") == "openid profile email offline_access")
      let text = try tokens.text("id_token")
      let claims = try TestToken.read(text).claims
      #expect(claims["iss"] as? String == app.org.url.absoluteString + issuer)
      #expect(claims["aud"] as? String == OAuthApp.client.id)
      #expect(claims["nonce"] as? String == "n-1")
      #expect(claims["amr"] as? [String] == ["pwd"])
      #expect(claims["iat"] as? Int == Int(app.org.now.timeIntervalSince1970))
      let half = Array(SHA256.hash(data: Data(try tokens.text("access_token").utf8))).prefix(16)
      #expect(claims["at_hash"] as? String == TestToken.base64url(half))
      #expect(try TestToken.isSigned(text, by: try await app.keys()))
    }
  }

  @Test func `a session token is good once, and for five minutes`() async throws {
    try await withApp { app in
      let once = try #require(app.org.sessionToken(for: People.ann.login))
      #expect(try await app.authorize(["sessionToken": once]).status == 302)
      app.cookie = nil
      let again = try await app.authorize(["sessionToken": once])
      #expect(again.status == 200 && again.header("Content-Type")?.hasPrefix("text/html") == true)
      let silent = try await app.authorize(["sessionToken": once, "prompt": "none"])
      #expect(try app.answer(silent)["error"] == "login_required")
      #expect(try app.answer(silent)["state"] == "st-1")
      let late = try #require(app.org.sessionToken(for: People.ann.login))
      app.org.advanceClock(by: 301)
      #expect(try await app.authorize(["sessionToken": late]).status == 200)
    }
  }

  @Test func `a user without an assignment is denied`() async throws {
    try await withApp(.init(unassigned: ["Ann@acme.example"])) { app in
      let session = try #require(app.org.sessionToken(for: People.ann.login))
      let answer = try app.answer(try await app.authorize(["sessionToken": session]))
      #expect(answer["error"] == "access_denied" && answer["state"] == "st-1" && answer["code"] == nil)
    }
  }

  @Test(
    arguments: [
      ("client_id", "nobody", "client_id"), ("redirect_uri", "http://127.0.0.1:8401/callback", "redirect_uri"),
      ("redirect_uri", "http://127.0.0.1:8400/callback/", "redirect_uri"), ("redirect_uri", nil, "redirect_uri"),
    ] as [(String, String?, String)])
  func `what cannot be trusted with an answer gets none`(name: String, value: String?, named: String) async throws {
    try await withApp { app in
      let session = try #require(app.org.sessionToken(for: People.ann.login))
      let reply = try await app.authorize(["sessionToken": session, name: value])
      #expect(reply.status == 400 && reply.header("Location") == nil)
      #expect(reply.bodyText.contains(named))
    }
  }

  @Test(
    arguments: [
      ("response_type", nil, "invalid_request"), ("response_type", "token", "unsupported_response_type"),
      ("scope", nil, "invalid_scope"), ("scope", "openid nonsense", "invalid_scope"),
      ("code_challenge", nil, "invalid_request"), ("code_challenge_method", "plain", "invalid_request"),
      ("code_challenge", "short", "invalid_request"), ("prompt", "none login", "invalid_request"),
      ("response_mode", "okta_post_message", "unsupported_response_mode"),
      ("request", "x.y.z", "request_not_supported"),
      ("max_age", "soon", "invalid_request"),
    ] as [(String, String?, String)])
  func `a request that is wrong in one place is refused by redirect`(
    name: String, value: String?, error: String
  ) async throws {
    try await withApp { app in
      let answer = try app.answer(try await app.authorize([name: value]))
      #expect(answer["error"] == error && answer["state"] == "st-1" && answer["error_description"] != nil)
    }
  }

  @Test func `any loopback port fits if the org follows RFC 8252, and nothing else does`() async throws {
    try await withApp(.init(allowsAnyLoopbackPort: true)) { app in
      for (uri, fits) in [
        ("http://127.0.0.1:50123/callback", true), ("http://127.0.0.1/callback", true),
        ("http://127.0.0.1:50123/other", false), ("http://127.0.0.1:50123@evil.example/callback", false),
        ("http://127.0.0.1.evil.example/callback", false), ("https://127.0.0.1:8400/callback", false),
      ] {
        let reply = try await app.authorize(["redirect_uri": uri])
        #expect(reply.status == (fits ? 200 : 400), "\(uri)")
      }
    }
  }
}
