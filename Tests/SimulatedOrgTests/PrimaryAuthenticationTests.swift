// Primary authentication, lock-out, and what a state token is good for (authn.md §2.1, §10, §11).

import Foundation
import SimulatedOrg
import Testing

@Suite struct PrimaryAuthenticationTests {
  @Test func `the right password ends in SUCCESS with a session token`() async throws {
    try await withOrg { org, client in
      let reply = try await client.signIn(People.ann, ["relayState": "/deep/link"])
      #expect(reply.status == 200)
      #expect(reply.statusText == "SUCCESS")
      #expect(try reply.text("relayState") == "/deep/link")
      #expect(try reply.text("_embedded.user.profile.login") == "ann@acme.example")
      #expect(try reply.text("expiresAt") == "2026-01-15T09:05:00.000Z")
      #expect(reply.value("stateToken") == nil)
      let token = try reply.text("sessionToken")
      #expect(org.redeemSession(token) == "ann@acme.example")
      #expect(org.redeemSession(token) == nil)
    }
  }

  @Test func `a session token is void after five minutes`() async throws {
    try await withOrg { org, client in
      let token = try await client.signIn(People.ann).text("sessionToken")
      org.advanceClock(by: 300)
      #expect(org.redeemSession(token) == nil)
    }
  }

  @Test func `a wrong password and an unknown user get the same answer`() async throws {
    try await withOrg { _, client in
      let wrong = try await client.signIn(People.ann, password: "nope")
      let unknown = try await client.signIn(OrgUser(login: "zoe@acme.example", password: nil))
      for reply in [wrong, unknown] {
        #expect(reply.status == 401)
        #expect(reply.errorCode == "E0000004")
        #expect(try reply.text("errorSummary") == "Authentication failed")
        #expect(try reply.text("errorLink") == "E0000004")
        #expect(try reply.text("errorId").hasPrefix("oae"))
        #expect(reply.count("errorCauses") == 0)
      }
      #expect(try wrong.text("errorId") != unknown.text("errorId"))
    }
  }

  @Test func `logins are compared without regard to case`() async throws {
    try await withOrg { _, client in
      let reply = try await client.post("/api/v1/authn", ["username": "ANN@Acme.example", "password": People.password])
      #expect(reply.statusText == "SUCCESS")
    }
  }

  @Test(arguments: [true, false])
  func `too many wrong passwords lock the account, shown or hidden`(shown: Bool) async throws {
    let configuration = OrgConfiguration(users: [People.ann], lockoutAfter: 3, showsLockout: shown)
    try await withOrg(configuration) { _, client in
      for _ in 1...2 { #expect(try await client.signIn(People.ann, password: "nope").status == 401) }
      for password in ["nope", People.password] {
        let reply = try await client.signIn(People.ann, password: password)
        #expect(reply.status == (shown ? 200 : 401))
        #expect(reply.statusText == (shown ? "LOCKED_OUT" : nil))
        if shown {
          #expect(reply.value("stateToken") == nil)
          #expect(try reply.text("_links.next.name") == "unlock")
          #expect(try await client.post(reply.text("_links.cancel.href")).status == 200)
        }
      }
    }
  }

  @Test func `the right password starts the count of wrong ones again`() async throws {
    try await withOrg(.init(users: [People.ann], lockoutAfter: 2)) { _, client async throws in
      for password in ["nope", People.password, "nope", People.password] {
        #expect(try await client.signIn(People.ann, password: password).status == (password == "nope" ? 401 : 200))
      }
    }
  }

  @Test func `a user with factors gets MFA_REQUIRED with the list, masked, and the policy`() async throws {
    try await withOrg { org, client in
      let reply = try await client.signIn(People.bob)
      #expect(reply.statusText == "MFA_REQUIRED")
      #expect(reply.count("_embedded.factors") == 2)
      #expect(try reply.text("_embedded.factors.0.factorType") == "sms")
      #expect(try reply.text("_embedded.factors.0.profile.phoneNumber") == "+1 XXX-XXX-0199")
      #expect(try reply.text("_embedded.factors.1.profile.name") == "Bob's phone")
      #expect(reply.value("_embedded.policy.allowRememberDevice") as? Bool == true)
      #expect(try reply.text("_links.cancel.href") == "\(org.url)/api/v1/authn/cancel")
      #expect(reply.value("_links.next") == nil)
      let id = try reply.text("_embedded.factors.0.id")
      #expect(
        try reply.text("_embedded.factors.0._links.verify.href") == "\(org.url)/api/v1/authn/factors/\(id)/verify")
    }
  }

  @Test func `the state of a transaction can be asked for, and asking extends its life`() async throws {
    try await withOrg { org, client in
      let first = try await client.signIn(People.bob)
      for path in ["/api/v1/authn", "/api/v1/authn/introspect"] {
        org.advanceClock(by: 299)
        let again = try await client.post(path, ["stateToken": first.text("stateToken")])
        #expect(again.statusText == "MFA_REQUIRED")
        #expect(try again.text("expiresAt") > first.text("expiresAt"))
      }
    }
  }

  @Test func `an expired state token is refused, and stays refused`() async throws {
    try await withOrg { org, client in
      let token = try await client.signIn(People.bob).text("stateToken")
      org.advanceClock(by: 300)
      for _ in 1...2 {
        let reply = try await client.post("/api/v1/authn", ["stateToken": token])
        #expect(reply.status == 401)
        #expect(reply.errorCode == "E0000011")
      }
    }
  }

  @Test func `a cancelled transaction is over`() async throws {
    try await withOrg { _, client in
      let reply = try await client.signIn(People.bob, ["relayState": "back here"])
      let cancelled = try await client.follow(reply, "_links.cancel")
      #expect(cancelled.bodyText == #"{"relayState":"back here"}"#)
      #expect(try await client.follow(reply, "_links.cancel").errorCode == "E0000011")
      #expect(try await client.follow(reply, "_embedded.factors.0._links.verify").errorCode == "E0000011")
    }
  }

  @Test(arguments: [
    "previous", "skip", "credentials/change_password", "credentials/reset_password", "recovery/answer",
    "recovery/factors/SMS/verify", "factors", "factors/xyz/lifecycle/activate", "factors/xyz/verify/resend",
  ])
  func `an operation that the state does not offer is refused`(path: String) async throws {
    try await withOrg { _, client in
      let token = try await client.signIn(People.bob).text("stateToken")
      let reply = try await client.post("/api/v1/authn/" + path, ["stateToken": token])
      #expect(reply.status == 403)
      #expect(reply.errorCode == "E0000079")
      #expect(try await client.post("/api/v1/authn", ["stateToken": token]).statusText == "MFA_REQUIRED")
    }
  }

  @Test func `a step-up keeps its token and hands over to the browser`() async throws {
    try await withOrg { org, client in
      let token = org.beginStepUp()
      let state = try await client.post("/api/v1/authn", ["stateToken": token])
      #expect(state.statusText == "UNAUTHENTICATED")
      #expect(try state.text("_links.next.name") == "authenticate")
      let wrong = try await client.follow(state, "_links.next", ["username": People.ann.login, "password": "nope"])
      #expect(wrong.errorCode == "E0000004")
      let done = try await client.follow(
        state, "_links.next", ["username": People.ann.login, "password": People.password])
      #expect(done.statusText == "SUCCESS")
      #expect(done.value("sessionToken") == nil)
      #expect(try done.text("_links.next.name") == "original")
      #expect(try await client.get(done.text("_links.next.href")).status == 200)
    }
  }
}
