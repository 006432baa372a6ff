// The same seed, the same requests: the same bytes.

import Foundation
import SimulatedOrg
import Testing

@Suite struct DeterminismTests {
  /// All bytes of a sign-in with a wrong code, a push and an error.
  private func bytes(seed: UInt64) async throws -> [String] {
    let configuration = OrgConfiguration(
      users: [People.ann, People.bob], seed: seed, publicBaseURL: "https://acme.example", numberChallenge: true)
    return try await withOrg(configuration) { org, client in
      var replies = [try await client.signIn(People.ann), try await client.signIn(People.bob)]
      let token = try replies[1].text("stateToken")
      let verify = try "/api/v1/authn/factors/" + replies[1].text("_embedded.factors.1.id") + "/verify"
      org.answerPush(for: People.bob.login, .approve, afterPolls: 2)
      for _ in 1...4 { replies.append(try await client.post(verify, ["stateToken": token])) }
      return replies.map { "\($0.headers) \($0.bodyText)" }
    }
  }

  @Test func `two orgs with one seed answer the same bytes`() async throws {
    let first = try await bytes(seed: 7)
    #expect(try await bytes(seed: 7) == first)
    #expect(try await bytes(seed: 8) != first)
  }

  @Test func `what one user does leaves another's tokens alone`() async throws {
    func token(disturbed: Bool) async throws -> String {
      try await withOrg { _, client in
        if disturbed { _ = try await client.challenge(People.bob) }
        return try await client.signIn(People.ann).text("sessionToken")
      }
    }
    let alone = try await token(disturbed: false)
    #expect(try await token(disturbed: true) == alone)
  }
}
