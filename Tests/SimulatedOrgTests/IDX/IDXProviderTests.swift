// Identity providers and the way back from them (idx.md §11.1, §14 Social).

import Foundation
import Testing

@testable import SimulatedOrg

@Suite struct IDXProviderTests {
  /// Opens the provider's page as a browser does; where it leads.
  private func visit(_ walk: IDXWalker, _ index: Int) async throws -> URLComponents {
    let forms = (walk.reply.value("remediation.value") as? [[String: Any]] ?? []).filter {
      $0["name"] as? String == "redirect-idp"
    }
    #expect(forms.count == 3)
    let href = try #require(forms[index]["href"] as? String)
    #expect((forms[index]["idp"] as? [String: Any])?["name"] is String)
    #expect(forms[index]["value"] == nil)
    walk.wire.headers = [("Accept", "text/html")]
    let reply = try await walk.wire.get(href)
    #expect(reply.status == 302)
    return try #require(URLComponents(string: reply.header("Location") ?? ""))
  }

  private func item(_ name: String, _ address: URLComponents) -> String? {
    address.queryItems?.first { $0.name == name }?.value
  }

  @Test("a user of an identity provider comes back with an interaction code")
  func code() async throws {
    try await withWalk(policy("social")) { walk in
      let back = try await visit(walk, 0)
      #expect(back.scheme == "com.example.app" && back.path == "/callback")
      #expect(item("state", back) == "st-1")
      let form = [
        "grant_type": "interaction_code", "interaction_code": try #require(item("interaction_code", back)),
        "client_id": OrgClient.sample.id, "code_verifier": walk.verifier,
      ]
      let tokens = try await IDXWalker.post(walk.wire, "/oauth2/default/v1/token", form)
      #expect(tokens.status == 200)
    }
  }

  @Test("where more is asked, the way back says so, and the sign-in goes on")
  func interactionRequired() async throws {
    let bob = OrgUser(
      login: "bob@acme.example", password: People.password, factors: [.question(key: "favorite_toy", answer: "Teddy")])
    try await withWalk(policy("social-two-factors"), [bob]) { walk in
      let back = try await visit(walk, 1)
      #expect(item("error", back) == "interaction_required")
      #expect(item("interaction_code", back) == nil)
      try await walk.introspect()
      try await walk.choose("Security Question")
      try await walk.send("challenge-authenticator", ["credentials": ["answer": "teddy"]])
      #expect(walk.isDone)
    }
  }

  @Test("a provider that refuses")
  func refused() async throws {
    try await withWalk(policy("social")) { walk in
      let back = try await visit(walk, 2)
      #expect(item("error", back) == "access_denied")
      #expect(item("error_description", back)?.contains("+") == true)
    }
  }

  @Test("the same without a browser, for tests")
  func shortcut() async throws {
    try await withWalk(policy("social")) { walk in
      let href = try #require(URL(string: try walk.form("redirect-idp")["href"] as? String ?? ""))
      let back = try #require(walk.org.visitProvider(href))
      #expect(back.absoluteString.hasPrefix("com.example.app:/callback?interaction_code="))
      #expect(walk.org.visitProvider(walk.org.url) == nil)
    }
  }

  @Test("an address of no provider, or of a session that is over, leads to a page that says so")
  func nowhere() async throws {
    try await withWalk(policy("social")) { walk in
      walk.wire.headers = [("Accept", "text/html")]
      let unknown = try await walk.wire.get("/sso/idps/none?stateToken=x")
      #expect(unknown.status == 404)
      let late = try await walk.wire.get("/sso/idps/0oa1google0000000001?stateToken=x")
      #expect(late.status == 400)
    }
  }
}
