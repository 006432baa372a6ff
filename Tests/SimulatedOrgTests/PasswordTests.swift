// Passwords that end: expired, warned about, changed, reset (authn.md §5.4, §11).

import Foundation
import SimulatedOrg
import Testing

@Suite struct PasswordTests {
  private static let new = "Brand-new-horse-2"

  private func user(days: Int?, factors: [OrgFactor] = [], history: [String] = []) -> OrgUser {
    OrgUser(
      login: "dan.ford@acme.example", password: People.password, factors: factors, passwordExpiresIn: days,
      passwordHistory: history)
  }

  @Test func `an expired password must be changed`() async throws {
    let user = user(days: 0)
    try await withOrg(.init(users: [user])) { _, client in
      let expired = try await client.signIn(user)
      #expect(expired.statusText == "PASSWORD_EXPIRED")
      #expect(expired.value("_links.skip") == nil)
      #expect(expired.value("_embedded.policy.expiration") == nil)
      #expect(expired.number("_embedded.policy.complexity.minLength") == 8)
      let done = try await client.follow(
        expired, "_links.next", ["oldPassword": People.password, "newPassword": Self.new])
      #expect(done.statusText == "SUCCESS")
      #expect(try await client.signIn(user).errorCode == "E0000004")
      #expect(try await client.signIn(user, password: Self.new).statusText == "SUCCESS")
    }
  }

  @Test func `the clock ends a password`() async throws {
    let user = user(days: 2)
    try await withOrg(.init(users: [user])) { org, client async throws in
      #expect(try await client.signIn(user).statusText == "SUCCESS")
      org.advanceClock(by: 2 * 86_400)
      #expect(try await client.signIn(user).statusText == "PASSWORD_EXPIRED")
    }
  }

  @Test func `a warning comes only to those who asked, and can be skipped`() async throws {
    let user = user(days: 3)
    try await withOrg(.init(users: [user])) { _, client in
      #expect(try await client.signIn(user).statusText == "SUCCESS")
      let warning = try await client.signIn(user, options: ["warnBeforePasswordExpired": true])
      #expect(warning.statusText == "PASSWORD_WARN")
      #expect(warning.number("_embedded.policy.expiration.passwordExpireDays") == 3)
      #expect(try warning.text("_links.skip.name") == "skip")
      #expect(try await client.follow(warning, "_links.skip").statusText == "SUCCESS")
    }
  }

  @Test func `a warned user may change the password at once`() async throws {
    let user = user(days: 3)
    try await withOrg(.init(users: [user])) { _, client in
      let warning = try await client.signIn(user, options: ["warnBeforePasswordExpired": true])
      let done = try await client.follow(
        warning, "_links.next", ["oldPassword": People.password, "newPassword": Self.new])
      #expect(done.statusText == "SUCCESS")
      let again = try await client.signIn(user, password: Self.new, options: ["warnBeforePasswordExpired": true])
      #expect(again.statusText == "SUCCESS")
    }
  }

  @Test(arguments: [
    ("wrong", PasswordTests.new, "E0000014"), (People.password, "short1A", "E0000080"),
    (People.password, "no-upper-case-1", "E0000080"), (People.password, "NO-LOWER-CASE-1", "E0000080"),
    (People.password, "No-digit-at-all", "E0000080"), (People.password, "About-Ford-123", "E0000080"),
    (People.password, "Earlier-horse-0", "E0000014"), (People.password, People.password, "E0000014"),
    (People.password, "", "E0000001"),
  ])
  func `a change that breaks a rule is refused and can be tried again`(
    old: String, new: String, code: String
  ) async throws {
    let user = user(days: 0, history: ["Earlier-horse-0"])
    try await withOrg(.init(users: [user])) { _, client in
      let expired = try await client.signIn(user)
      let refused = try await client.follow(expired, "_links.next", ["oldPassword": old, "newPassword": new])
      #expect(refused.errorCode == code)
      #expect(refused.count("errorCauses") == 1)
      let good = try await client.follow(
        expired, "_links.next", ["oldPassword": People.password, "newPassword": Self.new])
      #expect(good.statusText == "SUCCESS")
    }
  }

  @Test func `the second factor comes before the expired password`() async throws {
    let user = user(days: -1, factors: [.question(key: "first_award", answer: "none at all")])
    try await withOrg(.init(users: [user])) { _, client in
      let list = try await client.signIn(user)
      #expect(list.statusText == "MFA_REQUIRED")
      let next = try await client.follow(list, "_embedded.factors.0._links.verify", ["answer": "none at all"])
      #expect(next.statusText == "PASSWORD_EXPIRED")
    }
  }

  @Test func `second factor, expired password, enrolment, and only then SUCCESS`() async throws {
    var user = user(days: -1, factors: [.question(key: "first_award", answer: "none at all")])
    user.offers = [.init(.question), .init(.token(provider: "RSA"), required: true)]
    try await withOrg(.init(users: [user])) { _, client in
      let list = try await client.signIn(user)
      let expired = try await client.follow(
        list, "_embedded.factors.0._links.verify", ["answer": "none at all"])
      #expect(expired.statusText == "PASSWORD_EXPIRED")
      let enroll = try await client.follow(
        expired, "_links.next", ["oldPassword": People.password, "newPassword": Self.new])
      #expect(enroll.statusText == "MFA_ENROLL")
      let done = try await client.follow(
        enroll, "_embedded.factors.1._links.enroll", ["factorType": "token", "provider": "RSA", "passCode": "314159"])
      #expect(done.statusText == "SUCCESS")
    }
  }

  @Test func `a reset password does not replace the second factor`() async throws {
    let user = user(days: nil, factors: [.sms(phone: "+1 415-555-0199")])
    try await withOrg(.init(users: [user])) { org, client in
      let challenge = try await client.post(
        "/api/v1/authn/recovery/password", ["username": user.login, "factorType": "SMS"])
      let reset = try await client.follow(challenge, "_links.next", ["passCode": org.outbox[0].code])
      #expect(try await client.follow(reset, "_links.next", ["newPassword": Self.new]).statusText == "MFA_REQUIRED")
    }
  }

  @Test func `an activation token leads to a first password`() async throws {
    let user = OrgUser(login: "new@acme.example", password: nil, activationToken: "act1vate")
    try await withOrg(.init(users: [user])) { _, client in
      #expect(try await client.post("/api/v1/authn", ["token": "other"]).errorCode == "E0000004")
      let reset = try await client.post("/api/v1/authn", ["token": "act1vate"])
      #expect(reset.statusText == "PASSWORD_RESET")
      #expect(try reset.text("_links.next.name") == "resetPassword")
      #expect(try await client.follow(reset, "_links.next", ["newPassword": "weak"]).errorCode == "E0000080")
      #expect(try await client.follow(reset, "_links.next", ["newPassword": Self.new]).statusText == "SUCCESS")
      #expect(try await client.post("/api/v1/authn", ["token": "act1vate"]).errorCode == "E0000004")
      #expect(try await client.signIn(user, password: Self.new).statusText == "SUCCESS")
    }
  }
}
