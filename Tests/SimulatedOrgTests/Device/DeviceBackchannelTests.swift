// An application asks a person's device by itself: CIBA in poll mode (device.md §4.10).

import Foundation
import SimulatedOrg
import Testing

@Suite struct DeviceBackchannelTests {
  private static let shop = OrgClient(id: "shop", redirectURIs: [], secret: "s3cret", label: "Shop")
  private static let clients = [
    .sample, shop, OrgClient(id: "barred", redirectURIs: [], secret: "s3cret", grants: [.interactionCode]),
    OrgClient(id: "second", redirectURIs: [], secret: "s3cret"),
  ]

  private func post(
    _ handset: Handset, _ path: String, _ form: [String: String], client: String = "shop", secret: String = "s3cret",
    server: String = "/oauth2/default"
  ) async throws -> WireReply {
    let text = form.sorted { $0.key < $1.key }.map { name, value in
      "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
    }
    handset.wire.headers = [
      ("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded"),
      ("Authorization", "Basic " + Data("\(client):\(secret)".utf8).base64EncodedString()),
    ]
    return try await handset.wire.request("POST", server + path, text.joined(separator: "&"))
  }

  private func authorize(
    _ handset: Handset, _ change: (inout [String: String]) -> Void = { _ in }, client: String = "shop",
    secret: String = "s3cret"
  ) async throws -> WireReply {
    var form = ["scope": "openid profile", "login_hint": handset.login, "binding_message": "Pay 100% of €42?"]
    change(&form)
    return try await post(handset, "/v1/bc/authorize", form, client: client, secret: secret)
  }

  private func poll(_ handset: Handset, _ id: String, client: String = "shop", server: String = "/oauth2/default")
    async throws -> WireReply
  {
    let grant = "urn:openid:params:grant-type:ciba"
    return try await post(
      handset, "/v1/token", ["grant_type": grant, "auth_req_id": id], client: client, server: server)
  }

  private func withShop(_ body: (SimulatedOrg, Handset) async throws -> Void) async throws {
    try await withHandset(.init(users: [People.ann, People.bob], clients: Self.clients), { _ in }, body)
  }

  @Test func `an approval brings tokens, once`() async throws {
    try await withShop { org, handset in
      let started = try await authorize(handset)
      #expect(started.status == 200, "\(started.bodyText)")
      #expect(started.number("expires_in") == 300 && started.number("interval") == 5)
      let id = try started.text("auth_req_id")
      #expect(try await poll(handset, id).text("error") == "authorization_pending")
      let asked = try #require(org.challenges.first)
      let claims = try TestToken.read(try #require(asked.token)).claims
      let context = try #require(claims["challengeContext"] as? Body)
      #expect(context["transactionType"] as? String == "CIBA" && claims["appInstanceName"] as? String == "Shop")
      #expect((context["bindingMessage"] as? String)?.removingPercentEncoding == "Pay 100% of €42?")
      #expect(claims["authorizationServerId"] as? String == "default")
      #expect(try await handset.answer(asked).status == 200)
      org.advanceClock(by: 5)
      let tokens = try await poll(handset, id)
      #expect(tokens.status == 200, "\(tokens.bodyText)")
      let identity = try TestToken.read(try tokens.text("id_token")).claims
      #expect(identity["sub"] as? String == handset.userID && identity["aud"] as? String == "shop")
      #expect(try await poll(handset, id).text("error") == "invalid_grant")
      // The ID token is good as a hint.
      let hinted = try await authorize(handset) {
        $0["login_hint"] = nil
        $0["id_token_hint"] = try? tokens.text("id_token")
      }
      #expect(hinted.status == 200, "\(hinted.bodyText)")
    }
  }

  @Test func `a denial and an end without an answer differ`() async throws {
    try await withShop { org, handset in
      let denied = try await authorize(handset).text("auth_req_id")
      #expect(
        try await handset.answer(try #require(org.challenges.first), consent: "DENIED_CONSENT_PROMPT").status == 204)
      let refusal = try await poll(handset, denied)
      #expect(refusal.status == 400)
      #expect(try refusal.text("error") == "access_denied")
      let late = try await authorize(handset) { $0["request_expiry"] = "60" }.text("auth_req_id")
      org.advanceClock(by: 61)
      #expect(try await poll(handset, late).text("error") == "expired_token")
    }
  }

  @Test func `who polls too often is slowed down`() async throws {
    try await withShop { org, handset in
      let id = try await authorize(handset).text("auth_req_id")
      #expect(try await poll(handset, id).text("error") == "authorization_pending")
      org.advanceClock(by: 4)
      #expect(try await poll(handset, id).text("error") == "slow_down")
      org.advanceClock(by: 9)
      #expect(try await poll(handset, id).text("error") == "slow_down")
      org.advanceClock(by: 15)
      #expect(try await poll(handset, id).text("error") == "authorization_pending")
    }
  }

  @Test(
    arguments: [
      ("scope", "profile", 400, "invalid_scope"), ("login_hint", nil, 400, "invalid_request"),
      ("id_token_hint", "x.y.z", 400, "invalid_request"), ("login_hint", "nobody", 400, "unknown_user_id"),
      ("request_expiry", "0", 400, "invalid_request"), ("request_expiry", "301", 400, "invalid_request"),
      ("request", "x", 400, "invalid_request"),
      ("binding_message", String(repeating: "x", count: 101), 400, "invalid_binding_message"),
      ("login_hint", "bob@acme.example", 403, "access_denied"),
    ] as [(String, String?, Int, String)])
  func `a request that is wrong in one place is refused for it`(
    name: String, value: String?, status: Int, error: String
  )
    async throws
  {
    try await withShop { org, handset in
      let reply = try await authorize(handset) { $0[name] = value }
      #expect(reply.status == status)
      #expect(try reply.text("error") == error)
      #expect(org.challenges.isEmpty)
    }
  }

  @Test func `clients authenticate themselves, and have no right to the requests of others`() async throws {
    try await withShop { _, handset in
      for (client, secret, error) in [
        ("shop", "wrong", "invalid_client"), (OrgClient.sample.id, "", "invalid_client"),
        ("barred", "s3cret", "unauthorized_client"),
      ] {
        #expect(try await authorize(handset, client: client, secret: secret).text("error") == error)
      }
      let id = try await authorize(handset).text("auth_req_id")
      #expect(try await poll(handset, id, client: "second").text("error") == "invalid_grant")
      #expect(try await poll(handset, id, server: "/oauth2").text("error") == "invalid_grant")
      #expect(try await poll(handset, "ft0").text("error") == "invalid_grant")
    }
  }

  @Test func `a device that does not take such requests is not asked`() async throws {
    try await withShop { org, handset in
      _ = try await Handset.enrolled(org, People.bob.login) { $0.transactionTypes = ["LOGIN"] }
      let reply = try await authorize(handset) { $0["login_hint"] = People.bob.login }
      #expect(reply.status == 403)
      #expect(org.challenges.isEmpty)
    }
  }
}
