// Setting factors up during a sign-in (authn.md §7, §11).

import Foundation
import Testing

@testable import SimulatedOrg

@Suite struct EnrolmentTests {
  private func user(_ offers: OrgFactorOffer..., mfaRequired: Bool = true) -> OrgUser {
    OrgUser(login: "gus@acme.example", password: People.password, mfaRequired: mfaRequired, offers: offers)
  }

  /// Asks for one of the factors of an MFA_ENROLL.
  private func enroll(_ client: WireClient, _ list: WireReply, _ index: Int, _ more: [String: Any] = [:]) async throws
    -> WireReply
  {
    var body = more
    body["factorType"] = try list.text("_embedded.factors.\(index).factorType")
    body["provider"] = try list.text("_embedded.factors.\(index).provider")
    return try await client.follow(list, "_embedded.factors.\(index)._links.enroll", body)
  }

  @Test func `a user who needs a factor and has none is shown what can be set up`() async throws {
    let user = user()
    try await withOrg(.init(users: [user])) { _, client in
      let list = try await client.signIn(user)
      #expect(list.statusText == "MFA_ENROLL")
      #expect(list.count("_embedded.factors") == 5)
      #expect(try list.text("_embedded.factors.0.status") == "NOT_SETUP")
      #expect(list.value("_links.skip") == nil)
      #expect(try await client.post("/api/v1/authn/skip", ["stateToken": list.text("stateToken")]).status == 403)
      let questions = try await client.get(list.text("_embedded.factors.0._links.questions.href"))
      #expect(try questions.text("0.question") == "disliked_food")
      let short: [String: Any] = ["profile": ["question": "disliked_food", "answer": "eel"]]
      #expect(try await enroll(client, list, 0, short).errorCode == "E0000001")
      let done = try await enroll(client, list, 0, ["profile": ["question": "disliked_food", "answer": "eels"]])
      #expect(done.statusText == "SUCCESS")
      let next = try await client.signIn(user)
      #expect(next.statusText == "MFA_REQUIRED")
      #expect(try next.text("_embedded.factors.0.profile.question") == "disliked_food")
    }
  }

  @Test(arguments: [
    (OrgFactorOffer.Kind.sms, OutboxMessage.Channel.sms, 30.0), (.call, .call, 30), (.email, .mail, 5),
  ])
  func `a factor with a code is activated by the code`(
    kind: OrgFactorOffer.Kind, channel: OutboxMessage.Channel, pause: Double
  ) async throws {
    let user = user(.init(kind))
    try await withOrg(.init(users: [user])) { org, client in
      let list = try await client.signIn(user)
      let profile: [String: Any] = kind == .email ? [:] : ["profile": ["phoneNumber": "+1 415-555-0177"]]
      let activate = try await enroll(client, list, 0, profile)
      #expect(activate.statusText == "MFA_ENROLL_ACTIVATE")
      #expect(activate.value("factorResult") == nil)
      #expect(try activate.text("_links.next.name") == "activate")
      #expect(org.outbox.map(\.channel) == [channel])
      #expect(try await client.follow(activate, "_links.resend.0").status == 429)
      org.advanceClock(by: pause)
      #expect(try await client.follow(activate, "_links.resend.0").statusText == "MFA_ENROLL_ACTIVATE")
      #expect(try await client.follow(activate, "_links.next", ["passCode": "nope"]).errorCode == "E0000068")
      let code = try #require(org.outbox.last?.code)
      #expect(try await client.follow(activate, "_links.next", ["passCode": code]).statusText == "SUCCESS")
      let id = try activate.text("_embedded.factor.id")
      #expect(try await client.signIn(user).text("_embedded.factors.0.id") == id)
    }
  }

  @Test(arguments: ["", "12", "call me", "+1 415 555 01 99 12345"])
  func `a number that cannot be is refused`(number: String) async throws {
    let user = user(.init(.sms))
    try await withOrg(.init(users: [user])) { org, client in
      let reply = try await enroll(client, try await client.signIn(user), 0, ["profile": ["phoneNumber": number]])
      #expect(reply.status == 400)
      #expect(reply.errorCode == (number.isEmpty ? "E0000001" : "E0000098"))
      #expect(org.outbox.isEmpty)
    }
  }

  @Test func `another number than the verified one must be asked for`() async throws {
    var user = user(.init(.sms))
    user.recoveryPhone = "+1 415-555-0100"
    try await withOrg(.init(users: [user])) { org, client in
      let list = try await client.signIn(user)
      #expect(try list.text("_embedded.factors.0._embedded.phones.0.profile.phoneNumber") == "+1 XXX-XXX-0100")
      let profile: [String: Any] = ["profile": ["phoneNumber": "+1 415-555-0177"]]
      let refused = try await enroll(client, list, 0, profile)
      #expect(refused.errorCode == "E0000001")
      var body = profile
      (body["factorType"], body["provider"]) = ("sms", "OKTA")
      let enroll = "_embedded.factors.0._links.enroll"
      let activate = try await client.follow(list, enroll, query: "?updatePhone=true", body)
      #expect(activate.statusText == "MFA_ENROLL_ACTIVATE")
      #expect(org.outbox.map(\.to) == ["+1 415-555-0177"])
    }
  }

  @Test(arguments: ["OKTA", "GOOGLE"])
  func `TOTP is activated with a code of the shared secret`(provider: String) async throws {
    let user = user(.init(.totp(provider: provider)))
    try await withOrg(.init(users: [user])) { org, client in
      let activate = try await enroll(client, try await client.signIn(user), 0)
      let activation = "_embedded.factor._embedded.activation"
      #expect(activate.number(activation + ".timeStep") == 30)
      #expect(activate.number(activation + ".keyLength") == 6)
      #expect(
        try await client.get(activate.text(activation + "._links.qrcode.href")).header("Content-Type") == "image/png")
      let secret = try #require(Base32.bytes(try activate.text(activation + ".sharedSecret")))
      let step = TimePasscode.step(at: Timestamp(OrgConfiguration().startTime))
      #expect(try await client.follow(activate, "_links.next", ["passCode": "nope"]).errorCode == "E0000068")
      let code = TimePasscode.code(secret: secret, step: step)
      #expect(try await client.follow(activate, "_links.next", ["passCode": code]).statusText == "SUCCESS")
      org.advanceClock(by: 30)
      let list = try await client.signIn(user)
      let next = TimePasscode.code(secret: secret, step: step + 1)
      let done = try await client.follow(list, "_embedded.factors.0._links.verify", ["passCode": next])
      #expect(done.statusText == "SUCCESS")
    }
  }

  @Test func `push is activated by scanning, and a new code is given after a time-out`() async throws {
    let user = user(.init(.push))
    try await withOrg(.init(users: [user])) { org, client in
      org.answerPush(for: user.login, .timeOut, afterPolls: 2)
      let activate = try await enroll(client, try await client.signIn(user), 0)
      let qr = "_embedded.factor._embedded.activation._links.qrcode.href"
      #expect(try activate.text("factorResult") == "WAITING")
      #expect(try activate.text("_links.next.name") == "poll")
      #expect(try activate.text("_embedded.factor._embedded.activation._links.send.1.name") == "sms")
      #expect(try await client.follow(activate, "_links.next").text("factorResult") == "WAITING")
      let late = try await client.follow(activate, "_links.next")
      #expect(late.statusText == "MFA_ENROLL_ACTIVATE")
      #expect(try late.text("factorResult") == "TIMEOUT")
      #expect(late.value(qr) == nil)
      #expect(try late.text("_links.next.name") == "activate")
      let again = try await client.follow(late, "_links.next")
      #expect(try again.text("factorResult") == "WAITING")
      #expect(try again.text(qr) != activate.text(qr))
      org.answerPush(for: user.login, .approve)
      #expect(try await client.follow(again, "_links.next").statusText == "SUCCESS")
      #expect(try await client.signIn(user).text("_embedded.factors.0.factorType") == "push")
    }
  }

  @Test func `the activation link of a push can be sent`() async throws {
    let user = user(.init(.push))
    try await withOrg(.init(users: [user])) { org, client in
      let activate = try await enroll(client, try await client.signIn(user), 0)
      let send = "_embedded.factor._embedded.activation._links.send."
      #expect(try await client.follow(activate, send + "0", ["profile": [:]]).statusText == "MFA_ENROLL_ACTIVATE")
      let sms = try await client.follow(activate, send + "1", ["profile": ["phoneNumber": "+1 415-555-0177"]])
      #expect(sms.statusText == "MFA_ENROLL_ACTIVATE")
      #expect(org.outbox.map(\.to) == [user.login, "+1 415-555-0177"])
      #expect(org.outbox.allSatisfy { $0.code.hasPrefix("\(org.url)/activate/") })
    }
  }

  @Test func `previous leads back to the list`() async throws {
    let user = user(.init(.totp(provider: "OKTA")), .init(.push))
    try await withOrg(.init(users: [user])) { _, client in
      let activate = try await enroll(client, try await client.signIn(user), 0)
      let list = try await client.follow(activate, "_links.prev")
      #expect(list.statusText == "MFA_ENROLL")
      #expect(try await enroll(client, list, 1).text("factorResult") == "WAITING")
    }
  }

  @Test func `required factors come one after the other, and optional ones can be skipped`() async throws {
    let user = user(
      .init(.question, required: true), .init(.token(provider: "RSA"), required: true),
      .init(.token(provider: "SYMANTEC")))
    try await withOrg(.init(users: [user])) { _, client in
      let first = try await client.signIn(user, options: ["multiOptionalFactorEnroll": true])
      #expect(try first.text("_embedded.factors.0.enrollment") == "REQUIRED")
      let second = try await enroll(client, first, 0, ["profile": ["question": "first_award", "answer": "none"]])
      #expect(second.statusText == "MFA_ENROLL")
      #expect(try second.text("_embedded.factors.0.status") == "ACTIVE")
      #expect(second.value("_links.skip") == nil)
      #expect(second.value("_embedded.factors.0._links") == nil)
      let rsa: [String: Any] = ["passCode": "314159", "profile": ["credentialId": "gus"]]
      let third = try await enroll(client, second, 1, rsa)
      #expect(third.statusText == "MFA_ENROLL")
      #expect(try third.text("_links.skip.name") == "skip")
      #expect(try await enroll(client, third, 2, rsa).errorCode == "E0000068")
      #expect(try await client.follow(third, "_links.skip").statusText == "SUCCESS")
      #expect(try await client.signIn(user).count("_embedded.factors") == 2)
    }
  }

  @Test func `without the option the sign-in ends after the first optional factor`() async throws {
    let user = user(.init(.token(provider: "RSA")), .init(.token(provider: "SYMANTEC")))
    try await withOrg(.init(users: [user])) { _, client in
      let list = try await client.signIn(user)
      #expect(try await enroll(client, list, 0, ["passCode": "314159"]).statusText == "SUCCESS")
    }
  }

  @Test func `a user who needs no factor may skip`() async throws {
    let user = user(.init(.push), mfaRequired: false)
    try await withOrg(.init(users: [user])) { _, client in
      let list = try await client.signIn(user)
      #expect(list.statusText == "MFA_ENROLL")
      #expect(try await client.follow(list, "_links.skip").statusText == "SUCCESS")
    }
  }

  @Test func `what is not offered cannot be enrolled`() async throws {
    let user = user(.init(.push))
    try await withOrg(.init(users: [user])) { _, client in
      let list = try await client.signIn(user)
      let body: [String: Any] = ["factorType": "sms", "provider": "OKTA"]
      let reply = try await client.follow(list, "_embedded.factors.0._links.enroll", body)
      #expect(reply.status == 400)
      #expect(reply.errorCode == "E0000001")
    }
  }
}
