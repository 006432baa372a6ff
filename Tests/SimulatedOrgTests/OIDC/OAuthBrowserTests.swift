// The pages of the authorization endpoint, filled in as a browser does (oidc.md §3, §7.2).

import Foundation
import SimulatedOrg
import Testing

@Suite struct OAuthBrowserTests {
  private let ann = ["username": People.ann.login, "password": People.password, "decision": "sign-in"]

  @Test func `the sign-in page takes name and password, and remembers the browser`() async throws {
    try await withApp { app in
      let page = try await app.authorize()
      #expect(page.status == 200 && page.header("Cache-Control") == "no-store")
      let wrong = try await app.submit(page, ["username": People.ann.login, "password": "other"])
      #expect(wrong.status == 401 && wrong.bodyText.contains("Unable to sign in"))
      #expect(app.cookie == nil)
      let answer = try app.answer(try await app.submit(wrong, ann))
      #expect(answer["state"] == "st-1")
      #expect(try await app.redeem(try #require(answer["code"])).status == 200)
      #expect(app.cookie != nil)
      let again = try app.answer(try await app.authorize(["prompt": "none"]))
      #expect(again["code"] != nil && again["code"] != answer["code"])
    }
  }

  @Test func `a session is not enough for prompt=login, an old password, or another person's hint`() async throws {
    try await withApp { app in
      let first = try app.answer(try await app.submit(try await app.authorize(), ann))
      let hint = try await app.redeem(try #require(first["code"])).text("id_token")
      #expect(try await app.authorize(["prompt": "login"]).status == 200)
      #expect(try await app.authorize(["max_age": "60"]).status == 302)
      #expect(try await app.authorize(["id_token_hint": hint]).status == 302)
      let silent: [String: String?] = ["prompt": "none", "id_token_hint": "x.y.z"]
      #expect(try app.answer(try await app.authorize(silent))["error"] == "login_required")
      app.org.advanceClock(by: 61)
      #expect(try await app.authorize(["max_age": "60"]).status == 200)
      app.org.advanceClock(by: 7200)
      #expect(try await app.authorize().status == 200)
    }
  }

  @Test func `a person who cancels is an answer`() async throws {
    try await withApp { app in
      let answer = try app.answer(try await app.submit(try await app.authorize(), ["decision": "cancel"]))
      #expect(answer["error"] == "access_denied" && answer["state"] == "st-1")
    }
  }

  @Test func `consent is asked once for each scope, and can be refused`() async throws {
    try await withApp(.init(asksConsent: true)) { app in
      let page = try await app.submit(try await app.authorize(), ann)
      #expect(page.status == 200 && page.bodyText.contains("<li>offline_access</li>"))
      let silent = try app.answer(try await app.authorize(["prompt": "none"]))
      #expect(silent["error"] == "consent_required")
      #expect(try app.answer(try await app.submit(page, ["decision": "deny"]))["error"] == "access_denied")
      #expect(try app.answer(try await app.submit(page, ["decision": "allow"]))["code"] != nil)
      #expect(try await app.authorize().status == 302)
      #expect(try await app.authorize(["scope": "openid phone"]).status == 200)
      #expect(try await app.authorize(["prompt": "consent"]).status == 200)
    }
  }

  @Test func `what stands in a request is text on its page`() async throws {
    try await withApp { app in
      let page = try await app.authorize(["login_hint": "\"><script>alert(1)</script>"])
      #expect(!page.bodyText.contains("<script>"))
      #expect(page.bodyText.contains("&quot;&gt;&lt;script&gt;"))
    }
  }

  @Test func `an answer can come as a fragment or as a form that sends itself`() async throws {
    try await withApp { app in
      _ = try await app.submit(try await app.authorize(), ann)
      let fragment = try await app.authorize(["response_mode": "fragment"])
      #expect(try #require(fragment.header("Location")).hasPrefix(OAuthApp.redirect + "#code="))
      let form = try await app.authorize(["response_mode": "form_post"])
      #expect(form.status == 200 && form.bodyText.contains("action=\"\(OAuthApp.redirect)\""))
      #expect(form.bodyText.contains("name=\"code\""))
    }
  }

  @Test func `a request that was sent ahead stands for itself, once`() async throws {
    try await withApp { app in
      _ = try await app.submit(try await app.authorize(), ann)
      let pushed = try await app.post("pushed_authorization_request_endpoint", app.request())
      #expect(pushed.status == 201 && pushed.number("expires_in") == 60)
      let address = try app.discovery.text("authorization_endpoint")
      let query = ["client_id": OAuthApp.client.id, "request_uri": try pushed.text("request_uri")]
      let answer = try app.answer(try await app.open(address + "?" + OAuthApp.encoded(query)))
      #expect(try await app.redeem(try #require(answer["code"])).status == 200)
      #expect(try await app.open(address + "?" + OAuthApp.encoded(query)).status == 400)
      let wrong = try await app.post(
        "pushed_authorization_request_endpoint", app.request(["redirect_uri": "http://other.example/"]))
      #expect(try wrong.text("error") == "invalid_request")
    }
  }

  @Test func `a sign-out ends the session and comes back with its state`() async throws {
    try await withApp { app in
      let first = try app.answer(try await app.submit(try await app.authorize(), ann))
      let hint = try await app.redeem(try #require(first["code"])).text("id_token")
      let end = try app.discovery.text("end_session_endpoint") + "?"
      let good = [
        "id_token_hint": hint, "post_logout_redirect_uri": OAuthApp.client.postLogoutRedirectURIs[0], "state": "s 2",
      ]
      for (name, value) in [("post_logout_redirect_uri", "http://evil.example/"), ("id_token_hint", "x.y.z")] {
        var bad = good
        bad[name] = value
        #expect(try await app.open(end + OAuthApp.encoded(bad)).status == 400)
      }
      // The hint of a session that was long ago is fine.
      app.org.advanceClock(by: 4000)
      let reply = try await app.open(end + OAuthApp.encoded(good))
      #expect(reply.status == 302)
      #expect(try app.answer(reply) == ["state": "s 2"])
      #expect(try await app.authorize().status == 200)
      #expect(try await app.open(end).bodyText.contains("signed out"))
    }
  }
}
