// Introspection, revocation, userinfo, discovery, keys (oidc.md §2, §7, §8.2).

import Foundation
import SimulatedOrg
import Testing

@Suite struct OAuthEndpointTests {
  @Test func `introspection says what a token is good for, and nothing of one that is not`() async throws {
    try await withApp { app in
      let tokens = try await app.tokens()
      let access = try tokens.text("access_token")
      func look(_ token: String) async throws -> WireReply {
        try await app.post("introspection_endpoint", ["token": token, "client_id": "app"])
      }
      let found = try await look(access)
      #expect(try found.text("username") == People.ann.login && found.text("client_id") == "app")
      #expect(found.number("exp") == Int(app.org.now.timeIntervalSince1970) + 3600)
      #expect(try await look(try tokens.text("refresh_token")).value("active") as? Bool == true)
      #expect(try await look(try tokens.text("id_token")).value("active") as? Bool == true)
      #expect(try await look("unknown").bodyText == #"{"active":false}"#)
      let other = try await OAuthApp(app.org, app.wire, issuer: "/oauth2/other")
      #expect(try await !app.isActive(access, at: other))
      app.org.advanceClock(by: 3600)
      #expect(try await look(access).bodyText == #"{"active":false}"#)
      #expect(try await app.post("introspection_endpoint", ["token": access]).status == 401)
      #expect(try await app.post("introspection_endpoint", ["client_id": "app"]).text("error") == "invalid_request")
    }
  }

  @Test func `revoking an access token leaves the refresh token, and not the other way round`() async throws {
    try await withApp { app in
      let first = try await app.tokens()
      func revoke(_ token: String) async throws -> WireReply {
        try await app.post("revocation_endpoint", ["token": token, "client_id": "app"])
      }
      let done = try await revoke(try first.text("access_token"))
      #expect(done.status == 200 && done.body.isEmpty)
      #expect(try await !app.isActive(try first.text("access_token")))
      #expect(try await app.isActive(try first.text("refresh_token")))
      let second = try await app.refresh(try first.text("refresh_token"))
      #expect(try await revoke(try second.text("refresh_token")).status == 200)
      #expect(try await !app.isActive(try second.text("access_token")))
      #expect(try await !app.isActive(try second.text("refresh_token")))
      #expect(try await revoke("unknown").status == 200)
      let hinted = ["token": try first.text("id_token"), "client_id": "app", "token_type_hint": "id_token"]
      #expect(try await app.post("revocation_endpoint", hinted).text("error") == "unsupported_token_type")
    }
  }

  @Test func `userinfo gives what the scopes name, and says what is wrong in a header`() async throws {
    try await withApp { app in
      let tokens = try await app.tokens()
      let access = try tokens.text("access_token")
      let subject = try TestToken.read(try tokens.text("id_token")).claims["sub"] as? String
      for method in ["GET", "POST"] {
        let reply = try await app.bearer(method, "userinfo_endpoint", access)
        #expect(reply.status == 200 && reply.value("sub") as? String == subject)
        #expect(try reply.text("email") == "ann@acme.example" && reply.value("phone_number") == nil)
      }
      let none = try await app.bearer("GET", "userinfo_endpoint", nil)
      #expect(none.status == 401 && none.body.isEmpty && none.header("WWW-Authenticate")?.contains("error") == false)
      let bad = try await app.bearer("GET", "userinfo_endpoint", "other")
      #expect(bad.status == 401 && bad.body.isEmpty)
      #expect(bad.header("WWW-Authenticate")?.contains(#"error="invalid_token""#) == true)
      let narrow = try await app.tokens(["scope": "profile"])
      #expect(narrow.value("id_token") == nil && narrow.value("refresh_token") == nil)
      let refused = try await app.bearer("GET", "userinfo_endpoint", try narrow.text("access_token"))
      #expect(refused.status == 403)
      #expect(refused.header("WWW-Authenticate")?.contains(#"error="insufficient_scope""#) == true)
    }
  }

  @Test func `both discovery documents of a server say the same, in either place`() async throws {
    try await withApp { app in
      for address in [
        "/oauth2/default/.well-known/oauth-authorization-server",
        "/.well-known/oauth-authorization-server/oauth2/default",
      ] {
        let reply = try await app.wire.get(address)
        #expect(reply.body == app.discovery.body, "\(address)")
      }
      #expect(try await app.wire.get("/oauth2/default/.well-known/other").errorCode == "E0000008")
    }
  }

  @Test func `a rotated key stays in the set as long as it should, and its tokens keep its id`() async throws {
    try await withApp { app in
      let before = try await app.tokens().text("id_token")
      app.org.rotateKeys(.authorizationServer("default"))
      let after = try await app.tokens().text("id_token")
      let both = try await app.keys()
      #expect(try TestToken.isSigned(before, by: both) && TestToken.isSigned(after, by: both))
      app.org.rotateKeys(.authorizationServer("default"), keepingPrevious: false)
      let last = try await app.keys()
      #expect(try !TestToken.isSigned(before, by: last) && !TestToken.isSigned(after, by: last))
    }
  }

  @Test func `a device waits until a person has answered at its page`() async throws {
    try await withApp { app in
      func begin() async throws -> WireReply {
        try await app.post("device_authorization_endpoint", ["client_id": "app", "scope": "openid offline_access"])
      }
      func ask(_ device: WireReply) async throws -> WireReply {
        try await app.token([
          "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": try device.text("device_code"),
        ])
      }
      let device = try await begin()
      #expect(device.number("interval") == 5 && device.number("expires_in") == 600)
      #expect(try await ask(device).text("error") == "authorization_pending")
      let page = try await app.open(try device.text("verification_uri_complete"))
      let person = ["username": People.ann.login, "password": People.password, "decision": "allow"]
      let code = ["user_code": try device.text("user_code").lowercased()]
      #expect(try await app.submit(page, person.merging(["user_code": "BBBB-BBBB"]) { $1 }).status == 400)
      #expect(try await app.submit(page, person.merging(code) { $1 }).status == 200)
      #expect(try await ask(device).status == 200)
      #expect(try await ask(device).text("error") == "invalid_grant")
      let refused = try await begin()
      #expect(app.org.activateDevice(as: People.ann.login, allows: false))
      #expect(try await ask(refused).text("error") == "access_denied")
      let late = try await begin()
      app.org.advanceClock(by: 601)
      #expect(try await ask(late).text("error") == "expired_token")
    }
  }

  @Test func `a device that asks too soon is slowed down`() async throws {
    try await withApp(.init(enforcesDeviceInterval: true)) { app in
      let device = try await app.post("device_authorization_endpoint", ["client_id": "app", "scope": "openid"])
      func ask() async throws -> String {
        try await app.token([
          "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": try device.text("device_code"),
        ]).text("error")
      }
      let first = try await ask()
      #expect(first == "authorization_pending")
      app.org.advanceClock(by: 4)
      #expect(try await ask() == "slow_down")
      app.org.advanceClock(by: 9)
      #expect(try await ask() == "slow_down")
      app.org.advanceClock(by: 15)
      #expect(try await ask() == "authorization_pending")
    }
  }
}
