// Access tokens for a device's key: the JWT bearer grant (device.md §4.8, §6.4).

import Foundation
import SimulatedOrg
import Testing

@Suite struct DeviceTokenTests {
  static let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  static let scope = "okta.myAccount.appAuthenticator.maintenance."

  private func assertion(_ handset: Handset, by key: TestKey? = nil, _ change: (inout Body) -> Void = { _ in }) throws
    -> String
  {
    var claims = handset.times([
      "iss": "urn:okta:devices:app:authenticator", "aud": handset.org.url.absoluteString, "sub": handset.userID,
      "methodEnrollmentId": handset.methodID,
    ])
    change(&claims)
    let key = key ?? handset.possession
    return try key.sign(["alg": "ES256", "typ": "JWT", "kid": key.id], claims)
  }

  private func ask(
    _ handset: Handset, _ change: (inout [String: String]) throws -> Void = { _ in }, server: String = "/oauth2"
  )
    async throws -> WireReply
  {
    var form = [
      "grant_type": Self.grant, "client_id": OrgClient.sample.id, "scope": Self.scope + "manage",
      "assertion": try assertion(handset),
    ]
    try change(&form)
    return try await IDXWalker.post(handset.wire, server + "/v1/token", form)
  }

  @Test func `an assertion brings a token that pulls and maintains, and does no more`() async throws {
    try await withHandset { _, handset in
      let reply = try await ask(handset)
      #expect(reply.status == 200, "\(reply.bodyText)")
      #expect(try reply.text("token_type") == "Bearer" && reply.number("expires_in") == 3600)
      #expect(try reply.text("scope") == Self.scope + "manage")
      let token = "Bearer " + (try reply.text("access_token"))
      let path = "/idp/myaccount/app-authenticators/" + handset.enrollmentID
      #expect(try await handset.send("GET", handset.pendingPath, authorization: token).status == 200)
      let change: Body = ["methods": ["push": ["pushToken": "02"]]]
      #expect(try await handset.send("PATCH", path, change, authorization: token).status == 200)
      let keys: Body = ["methods": ["push": ["keys": ["userVerification": NSNull()]]]]
      #expect(try await handset.send("PATCH", path, keys, authorization: token).errorCode == "E0000006")
      #expect(try await handset.send("DELETE", path, authorization: token).errorCode == "E0000006")
      let enroll = try handset.enrollment()
      let reached = try await handset.send(
        "POST", "/idp/myaccount/app-authenticators", enroll, authorization: token)
      #expect(reached.errorCode == "E0000006")
    }
  }

  @Test(arguments: [
    ("iss", "other"), ("aud", "https://other"), ("sub", "00u0"), ("methodEnrollmentId", "opf0"), ("exp", "0"),
    ("jti", ""),
  ])
  func `an assertion that is wrong in one place is an invalid grant`(name: String, value: String) async throws {
    try await withHandset { _, handset in
      let reply = try await ask(handset) { form in
        form["assertion"] = try assertion(handset) { $0[name] = name == "exp" ? 0 : value }
      }
      #expect(reply.status == 400)
      #expect(try reply.text("error") == "invalid_grant")
    }
  }

  @Test func `only the proof of possession key asserts, and an assertion is used once`() async throws {
    try await withHandset { org, handset in
      let verification = try #require(handset.verification)
      let wrongKey = try await ask(handset) { $0["assertion"] = try assertion(handset, by: verification) }
      #expect(try wrongKey.text("error") == "invalid_grant")
      let once = try assertion(handset)
      #expect(try await ask(handset) { $0["assertion"] = once }.status == 200)
      let again = try await ask(handset) { $0["assertion"] = once }
      #expect(try again.text("error") == "invalid_grant")
      org.setEnrollment(handset.enrollmentID, .deleted)
      #expect(try await ask(handset).text("error") == "invalid_grant")
    }
  }

  @Test(arguments: [
    ("scope", "", "invalid_scope"), ("scope", "okta.myAccount.appAuthenticator.manage", "invalid_scope"),
    ("assertion", "x", "invalid_request"), ("client_id", "nobody", "invalid_client"),
    ("client_id", "barred", "unauthorized_client"), ("client_id", "narrow", "invalid_scope"),
  ])
  func `a request that is wrong in one place is refused for it`(name: String, value: String, error: String) async throws
  {
    let clients = [
      .sample, OrgClient(id: "barred", redirectURIs: [], grants: [.ciba]),
      OrgClient(id: "narrow", redirectURIs: [], scopes: [Self.scope + "read"]),
    ]
    try await withHandset(.init(users: [People.ann], clients: clients)) { _, handset in
      let reply = try await ask(handset) { $0[name] = value }
      #expect(try reply.text("error") == error)
      #expect(reply.errorCode == nil)
    }
  }

  @Test func `a custom authorization server does not know the grant`() async throws {
    try await withHandset { _, handset in
      let reply = try await ask(handset, server: "/oauth2/default")
      #expect(try reply.text("error") == "unsupported_grant_type")
    }
  }
}
