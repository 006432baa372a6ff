// What can be made to go wrong between a device and the org (device.md §20.5).

import Foundation
import SimulatedOrg
import Testing

@Suite struct DeviceFaultTests {
  /// The endpoints, as a part of their path.
  static let endpoints = [
    "okta-organization", "app-authenticator-configuration", "push/notifications", "/verify", "v1/keys",
  ]

  private func ask(_ endpoint: String, _ handset: Handset, _ org: SimulatedOrg) async throws -> WireReply {
    switch endpoint {
    case "okta-organization": try await handset.send("GET", "/.well-known/okta-organization")
    case "app-authenticator-configuration":
      try await handset.send(
        "GET", "/.well-known/app-authenticator-configuration?oauthClientId=" + OrgClient.sample.id)
    case "push/notifications":
      try await handset.send("GET", handset.pendingPath, authorization: "Bearer " + handset.token("manage"))
    case "/verify": try await handset.answer(try handset.challenged())
    default: try await handset.send("GET", "/oauth2/v1/keys")
    }
  }

  @Test(arguments: endpoints)
  func `each endpoint fails as ordered, as often as ordered`(endpoint: String) async throws {
    try await withHandset { org, handset in
      org.inject(Fault(.refused(423, "E0000155"), path: endpoint, times: 2))
      for _ in 1...2 {
        let reply = try await ask(endpoint, handset, org)
        #expect(reply.status == 423 && reply.errorCode == "E0000155")
      }
      org.inject(Fault(.emptyBody, path: endpoint))
      let empty = try await ask(endpoint, handset, org)
      #expect(empty.status == 200 && empty.body.isEmpty)
      org.inject(Fault(.rateLimited(resetIn: 60), path: endpoint))
      let limited = try await ask(endpoint, handset, org)
      #expect(limited.status == 429 && limited.errorCode == "E0000047")
      #expect(limited.header("X-Rate-Limit-Reset") == String(handset.now + 60))
      org.inject(Fault(.contentType("text/html"), path: endpoint))
      let typed = try await ask(endpoint, handset, org)
      #expect(typed.status == 200 && typed.header("Content-Type") == "text/html")
      if endpoint != "/verify" {
        org.inject(Fault(.malformedJSON, path: endpoint))
        let cut = try await ask(endpoint, handset, org)
        #expect(cut.status == 200 && cut.value("") == nil)
      }
      #expect(try await ask(endpoint, handset, org).status == 200)
    }
  }

  @Test(arguments: [true, false])
  func `a connection ends before or after the org took the answer`(reaches: Bool) async throws {
    try await withHandset { org, handset in
      let challenge = try handset.challenged()
      let token = try #require(challenge.token)
      let response = try handset.sign(try handset.answer(to: token, consent: "APPROVED_CONSENT_PROMPT"))
      org.inject(Fault(.connectionClosed, path: "/verify", reachesOrg: reaches))
      await #expect(throws: Broken.self) { try await handset.post(response, to: token) }
      #expect(org.challenge(id: challenge.id)?.status == (reaches ? .approved : .pending))
      try await handset.wire.reconnect()
      #expect(try await handset.post(response, to: token).status == 200)
      #expect(org.challenge(id: challenge.id)?.status == .approved)
    }
  }

  @Test func `a list of challenges has a bad element among good ones`() async throws {
    try await withHandset { org, handset in
      let good = try [handset.challenged(), handset.challenged()].map(\.token)
      org.inject(Fault(.strayElement(["payloadVersion": "IDXv1", "challenge": 7]), path: "push/notifications"))
      let list = try await ask("push/notifications", handset, org)
      #expect(list.count("") == 3)
      #expect(list.value("0.challenge") as? String == good[0] && list.value("2.challenge") as? String == good[1])
      #expect(list.number("1.challenge") == 7)
      org.inject(Fault(.strayElement(1), path: "okta-organization"))
      #expect(try await ask("okta-organization", handset, org).text("id") == "00o1simulatedorg0000")
    }
  }
}
