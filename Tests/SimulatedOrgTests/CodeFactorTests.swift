// Factors with a code or an answer (authn.md §7): sent ones, read ones, known ones.

import Foundation
import SimulatedOrg
import Testing

@Suite struct CodeFactorTests {
  @Test(arguments: [
    (OrgFactor.sms(phone: "+1 415-555-0199"), OutboxMessage.Channel.sms, "E0000109", 30.0),
    (.call(phone: "+1 415-555-0199"), .call, "E0000133", 30.0),
    (.email(address: "cat@acme.example"), .mail, "E0000118", 5.0),
  ])
  func `a sent code is selected, resent after a pause, and accepted`(
    factor: OrgFactor, channel: OutboxMessage.Channel, throttle: String, pause: Double
  ) async throws {
    let user = People.user(factors: [factor])
    try await withOrg(.init(users: [user])) { org, client in
      let challenge = try await client.challenge(user)
      #expect(challenge.statusText == "MFA_CHALLENGE")
      #expect(challenge.value("factorResult") == nil)
      #expect(try challenge.text("_links.next.name") == "verify")
      #expect(try challenge.text("_links.resend.0.name") == challenge.text("_embedded.factor.factorType"))
      let first = try #require(org.outbox.last)
      #expect(first.channel == channel)
      #expect(first.userLogin == user.login)
      #expect(first.code.count == 6)

      let early = try await client.follow(challenge, "_links.resend.0")
      #expect(early.status == 429)
      #expect(early.errorCode == throttle)
      org.advanceClock(by: pause)
      #expect(try await client.follow(challenge, "_links.resend.0").statusText == "MFA_CHALLENGE")
      let second = try #require(org.outbox.last)
      #expect(org.outbox.count == 2)

      let stale = try await client.follow(challenge, "_links.next", ["passCode": first.code])
      #expect(stale.status == 403)
      #expect(stale.errorCode == "E0000068")
      let done = try await client.follow(challenge, "_links.next", ["passCode": second.code])
      #expect(done.statusText == "SUCCESS")
      #expect(try await client.follow(challenge, "_links.next", ["passCode": second.code]).errorCode == "E0000011")
    }
  }

  @Test func `verifying without a code sends another one`() async throws {
    try await withOrg { org, client in
      let challenge = try await client.challenge(People.bob)
      org.advanceClock(by: 30)
      #expect(try await client.follow(challenge, "_links.next").statusText == "MFA_CHALLENGE")
      #expect(org.outbox.map(\.to) == ["+1 415-555-0199", "+1 415-555-0199"])
    }
  }

  @Test func `too many wrong codes end the transaction and lock the account`() async throws {
    try await withOrg(.init(users: [People.bob], wrongCodeLimit: 3)) { org, client in
      let challenge = try await client.challenge(People.bob)
      for code in ["E0000068", "E0000068", "E0000069", "E0000011"] {
        let reply = try await client.follow(challenge, "_links.next", ["passCode": "wrong"])
        #expect(reply.errorCode == code)
        #expect(reply.status == (code == "E0000011" ? 401 : 403))
      }
      #expect(try await client.signIn(People.bob).errorCode == "E0000004")
    }
  }

  @Test func `a code is old after five minutes`() async throws {
    try await withOrg(.init(users: [People.bob], stateTokenLifetime: 1000)) { org, client in
      let challenge = try await client.challenge(People.bob)
      org.advanceClock(by: 300)
      let reply = try await client.follow(challenge, "_links.next", ["passCode": org.outbox[0].code])
      #expect(reply.errorCode == "E0000068")
    }
  }

  @Test func `previous leads back to the list`() async throws {
    try await withOrg { _, client in
      let challenge = try await client.challenge(People.bob)
      let back = try await client.follow(challenge, "_links.prev")
      #expect(back.statusText == "MFA_REQUIRED")
      #expect(back.count("_embedded.factors") == 2)
      let other = try await client.follow(back, "_embedded.factors.1._links.verify")
      #expect(other.value("factorResult") as? String == "WAITING")
    }
  }

  @Test func `a code that was sent stays good on the way back`() async throws {
    try await withOrg { org, client in
      let list = try await client.follow(try await client.challenge(People.bob), "_links.prev")
      let verify = "_embedded.factors.0._links.verify"
      #expect(try await client.follow(list, verify).errorCode == "E0000109")
      #expect(try await client.follow(list, verify, ["passCode": org.outbox[0].code]).statusText == "SUCCESS")
    }
  }

  @Test func `the link of a factor that was not selected is refused`() async throws {
    try await withOrg { _, client in
      let list = try await client.signIn(People.bob)
      _ = try await client.follow(list, "_embedded.factors.0._links.verify")
      #expect(try await client.follow(list, "_embedded.factors.1._links.verify").errorCode == "E0000079")
    }
  }

  @Test func `a factor can be named by its type`() async throws {
    try await withOrg { _, client in
      let token = try await client.signIn(People.bob).text("stateToken")
      let reply = try await client.post("/api/v1/authn/factors/sms/verify", ["stateToken": token])
      #expect(reply.statusText == "MFA_CHALLENGE")
      let none = try await client.signIn(People.bob).text("stateToken")
      #expect(try await client.post("/api/v1/authn/factors/u2f/verify", ["stateToken": none]).errorCode == "E0000007")
    }
  }

  @Test func `a security question is answered in one step, or after a select`() async throws {
    let user = People.user(factors: [.question(key: "first_award", answer: "Spelling Bee")])
    try await withOrg(.init(users: [user])) { _, client in
      let list = try await client.signIn(user)
      #expect(try list.text("_embedded.factors.0.profile.questionText").hasPrefix("What did you earn"))
      let wrong = try await client.follow(list, "_embedded.factors.0._links.verify", ["answer": "none"])
      #expect(wrong.errorCode == "E0000068")
      let challenge = try await client.follow(list, "_embedded.factors.0._links.verify")
      #expect(challenge.statusText == "MFA_CHALLENGE")
      #expect(challenge.value("_links.resend") == nil)
      #expect(try await client.follow(challenge, "_links.next", ["answer": " spelling  bee"]).statusText == "SUCCESS")
    }
  }

  @Test(arguments: [("RSA", "token"), ("SYMANTEC", "token"), ("YUBICO", "token:hardware"), ("CUSTOM", "token:hotp")])
  func `a token's pass code is checked`(provider: String, type: String) async throws {
    let user = People.user(factors: [.token(provider: provider, credentialId: "c1", passCode: "314159")])
    try await withOrg(.init(users: [user])) { _, client in
      let list = try await client.signIn(user)
      #expect(try list.text("_embedded.factors.0.factorType") == type)
      #expect(try list.text("_embedded.factors.0.provider") == provider)
      let link = "_embedded.factors.0._links.verify"
      #expect(try await client.follow(list, link, ["passCode": "000000"]).errorCode == "E0000068")
      #expect(try await client.follow(list, link, ["passCode": "314159"]).statusText == "SUCCESS")
    }
  }

  @Test func `a remembered device needs no second factor until its time is over`() async throws {
    let user = People.user(factors: [.token(provider: "RSA", credentialId: "c1", passCode: "314159")])
    try await withOrg(.init(users: [user])) { org, client in
      let list = try await client.signIn(user)
      let cookie = try #require(list.header("Set-Cookie")?.prefix { $0 != ";" })
      client.headers.append(("Cookie", "a=b; " + cookie))
      let link = "_embedded.factors.0._links.verify"
      let done = try await client.follow(list, link, query: "?rememberDevice=true", ["passCode": "314159"])
      #expect(done.statusText == "SUCCESS")
      #expect(done.header("Set-Cookie") == nil)
      #expect(try await client.signIn(user).statusText == "SUCCESS")
      org.advanceClock(by: 15 * 60)
      #expect(try await client.signIn(user).statusText == "MFA_REQUIRED")
      client.headers.removeLast()
      #expect(try await client.signIn(user).statusText == "MFA_REQUIRED")
    }
  }

  @Test func `factor sequencing has names of its own`() async throws {
    var user = People.bob
    user.factorSequencing = true
    try await withOrg(.init(users: [user])) { org, client in
      let challenge = try await client.challenge(user)
      #expect(challenge.statusText == "FACTOR_CHALLENGE")
      #expect(try await client.follow(challenge, "_links.prev").statusText == "FACTOR_REQUIRED")
    }
  }
}
