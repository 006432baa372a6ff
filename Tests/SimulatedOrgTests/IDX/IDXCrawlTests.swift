// Random walks through every policy: whatever is sent, the answer is ION, an OAuth error or an API error, never a 5xx.

import Foundation
import Testing

@testable import SimulatedOrg

@Suite struct IDXCrawlTests {
  /// One person of each kind.
  private static let users = [
    People.ann, People.bob, People.user(factors: [.webauthn(name: "Cat's key"), .email(address: "cat@acme.example")]),
    OrgUser(
      login: "dan@acme.example", password: People.password,
      factors: [
        .push(device: "Dan's phone"), .totp(secret: "JBSWY3DPEHPK3PXP"),
        .totp(secret: "JBSWY3DPEHPK3PXP", provider: "GOOGLE"), .question(key: "favorite_toy", answer: "teddy"), .duo,
        .u2f, .token(provider: "RSA", credentialId: "c", passCode: "123456"),
      ]),
    OrgUser(login: "eve@acme.example", password: People.password, passwordExpiresIn: 0),
    OrgUser(login: "eva@acme.example", password: People.password, passwordExpiresIn: 3),
    OrgUser(login: "fay@acme.example", password: People.password, lockedOut: true),
    OrgUser(
      login: "gus@acme.example", password: nil, factors: [.email(address: "gus@acme.example")], mayRecover: false),
    OrgUser(
      login: "ida@acme.example", password: People.password,
      offers: [.init(.webauthn, required: true), .init(.totp(provider: "OKTA"))]),
  ]

  @Test("any policy, any choice, any input; and every kind of form is met on the way")
  func crawl() async throws {
    var met: Set<String> = []
    for policy in OrgPolicy.named {
      var finished = 0
      for seed in 1...4 as ClosedRange<UInt64> {
        try await withOrg(.init(users: Self.users, seed: seed, lockoutAfter: 50, policy: policy)) { org, wire in
          var crawl = IDXCrawl(
            seed: seed, users: Self.users + [OrgUser(login: "nobody@acme.example", password: nil)])
          let walk = try await IDXWalker(org, wire)
          for _ in 1...4 {
            if try await crawl.run(walk, steps: 25) { finished += 1 }
            try await walk.begin()
          }
          met.formUnion(crawl.trail)
        }
      }
      #expect(finished > 0, "no walk through \(policy.name) ended with tokens")
    }
    #expect(Self.forms.subtracting(met).isEmpty)
  }

  /// What the ready-made policies show, apart from providers' doors.
  private static let forms: Set<String> = [
    "identify", "identify-recovery", "select-identify", "select-enroll-profile", "enroll-profile",
    "select-authenticator-authenticate", "select-authenticator-enroll", "select-authenticator-unlock-account",
    "authenticator-verification-data", "authenticator-enrollment-data", "select-enrollment-channel",
    "enrollment-channel-data", "challenge-authenticator", "enroll-authenticator", "reenroll-authenticator",
    "reenroll-authenticator-warning", "reset-authenticator", "enroll-poll", "challenge-poll", "poll", "cancel-polling",
    "unlock-account", "skip", "cancel", "resend", "recover", "consent", "admin-consent", "granular-consent",
    "email-challenge-consent", "profile-update", "keep-me-signed-in",
    "challenge-webauthn-autofillui-authenticator",
  ]

  @Test("the names of the policies differ, and each finds its policy")
  func names() {
    #expect(Set(OrgPolicy.named.map(\.name)).count == OrgPolicy.named.count)
    #expect(OrgPolicy.named.count >= 20)
    for policy in OrgPolicy.named {
      #expect(OrgPolicy.named(policy.name)?.summary == policy.summary)
      #expect(!policy.summary.isEmpty)
    }
    #expect(OrgPolicy.named("none") == nil)
  }
}
