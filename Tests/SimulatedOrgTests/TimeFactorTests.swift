// TOTP on the org's clock: drift, replay, lateness (authn.md §11.1).

import Foundation
import Testing

@testable import SimulatedOrg

@Suite struct TimeFactorTests {
  private let user = People.user(factors: [.totp(secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", provider: "GOOGLE")])
  private let secret = Array("12345678901234567890".utf8)
  private let start = Timestamp(OrgConfiguration().startTime)

  /// The code that is so many steps away from the start.
  private func code(_ steps: Int64) -> String {
    TimePasscode.code(secret: secret, step: TimePasscode.step(at: start) + steps)
  }

  @Test(arguments: [
    (0, nil), (-1, nil), (1, nil), (-2, "E0000083"), (2, "E0000083"), (10, "E0000083"), (-11, "E0000068"),
  ])
  func `codes of the neighbouring steps are accepted`(steps: Int64, error: String?) async throws {
    try await withOrg(.init(users: [user])) { _, client in
      let list = try await client.signIn(user)
      #expect(try list.text("_embedded.factors.0.id").hasPrefix("uft"))
      let reply = try await client.follow(list, "_embedded.factors.0._links.verify", ["passCode": code(steps)])
      #expect(reply.errorCode == error)
      #expect(reply.status == (error == nil ? 200 : 403))
    }
  }

  @Test func `a code works once, and none before it works after it`() async throws {
    try await withOrg(.init(users: [user])) { org, client in
      let verify = "_embedded.factors.0._links.verify"
      let first = try await client.follow(try await client.signIn(user), verify, ["passCode": code(0)])
      #expect(first.statusText == "SUCCESS")
      let list = try await client.signIn(user)
      for step: Int64 in [0, -1] {
        let reply = try await client.follow(list, verify, ["passCode": code(step)])
        #expect(reply.errorCode == "E0000082")
      }
      org.advanceClock(by: 30)
      #expect(try await client.follow(list, verify, ["passCode": code(1)]).statusText == "SUCCESS")
    }
  }

  @Test func `the org gives what an authenticator app would show`() async throws {
    try await withOrg(.init(users: [user])) { org, client in
      org.advanceClock(by: 59)
      #expect(org.now == OrgConfiguration().startTime.addingTimeInterval(59))
      let code = try #require(org.timeCode(secret: "gezd gnbv gy3t qojq gezd gnbv gy3t qojq"))
      #expect(code == self.code(1))
      #expect(org.timeCode(secret: "not base32!") == nil)
      let list = try await client.signIn(user)
      #expect(try await client.follow(list, "_embedded.factors.0._links.verify", ["passCode": code]).status == 200)
    }
  }

  @Test func `a select without a code waits for one`() async throws {
    try await withOrg(.init(users: [user])) { org, client in
      let challenge = try await client.challenge(user)
      #expect(challenge.statusText == "MFA_CHALLENGE")
      #expect(try challenge.text("_links.next.name") == "verify")
      #expect(challenge.value("_links.resend") == nil)
      #expect(try await client.follow(challenge, "_links.next").statusText == "MFA_CHALLENGE")
      #expect(try await client.follow(challenge, "_links.next", ["passCode": code(0)]).statusText == "SUCCESS")
      #expect(org.outbox.isEmpty)
    }
  }
}
