// Push challenges (authn.md §7, §11, §14): what each poll answers.

import Foundation
import SimulatedOrg
import Testing

@Suite struct PushTests {
  private let user = People.user(factors: [.push(device: "Cat's phone")])

  @Test(arguments: [1, 2, 4])
  func `an approved push ends at the poll that was said`(polls: Int) async throws {
    try await withOrg(.init(users: [user])) { org, client in
      org.answerPush(for: user.login, .approve, afterPolls: polls)
      var reply = try await client.challenge(user)
      var waiting = 0
      while reply.value("factorResult") as? String == "WAITING" {
        waiting += 1
        #expect(reply.statusText == "MFA_CHALLENGE")
        #expect(try reply.text("_links.next.name") == "poll")
        #expect(try reply.text("_links.resend.0.name") == "push")
        reply = try await client.follow(reply, "_links.next")
      }
      #expect(waiting == polls)
      #expect(reply.statusText == "SUCCESS")
    }
  }

  @Test func `an answer given while the push waits counts at the next poll`() async throws {
    try await withOrg(.init(users: [user])) { org, client in
      let challenge = try await client.challenge(user)
      for _ in 1...3 { #expect(try await client.follow(challenge, "_links.next").statusText == "MFA_CHALLENGE") }
      org.answerPush(for: user.login, .approve)
      #expect(try await client.follow(challenge, "_links.next").statusText == "SUCCESS")
    }
  }

  @Test(arguments: [(PushAnswer.reject, "REJECTED"), (.timeOut, "TIMEOUT"), (.cancel, "CANCELLED")])
  func `a refused push can be sent again`(answer: PushAnswer, result: String) async throws {
    try await withOrg(.init(users: [user])) { org, client in
      org.answerPush(for: user.login, answer)
      org.answerPush(for: user.login, .approve)
      let challenge = try await client.challenge(user)
      let refused = try await client.follow(challenge, "_links.next")
      #expect(refused.statusText == "MFA_CHALLENGE")
      #expect(try refused.text("factorResult") == result)
      #expect(try refused.text("_links.next.name") == "verify")
      #expect(refused.value("_links.resend") == nil)
      let state = try await client.post("/api/v1/authn", ["stateToken": refused.text("stateToken")])
      #expect(try state.text("factorResult") == result)
      let again = try await client.follow(refused, "_links.next")
      #expect(try again.text("factorResult") == "WAITING")
      #expect(try await client.follow(again, "_links.next").statusText == "SUCCESS")
    }
  }

  @Test func `an unanswered push times out on the org's clock`() async throws {
    try await withOrg(.init(users: [user], stateTokenLifetime: 200)) { org, client in
      let challenge = try await client.challenge(user)
      org.advanceClock(by: 150)
      #expect(try await client.follow(challenge, "_links.next").text("factorResult") == "WAITING")
      org.advanceClock(by: 150)
      #expect(try await client.follow(challenge, "_links.next").text("factorResult") == "TIMEOUT")
    }
  }

  @Test func `resend sends a new push that lives its full time`() async throws {
    try await withOrg(.init(users: [user])) { org, client in
      let challenge = try await client.challenge(user)
      org.advanceClock(by: 200)
      #expect(try await client.follow(challenge, "_links.resend.0").text("factorResult") == "WAITING")
      org.advanceClock(by: 200)
      #expect(try await client.follow(challenge, "_links.next").text("factorResult") == "WAITING")
    }
  }

  @Test func `the number to tap is shown in polls only`() async throws {
    try await withOrg(.init(users: [user], numberChallenge: true)) { org, client in
      let number = "_embedded.factor._embedded.challenge.correctAnswer"
      let challenge = try await client.challenge(user)
      #expect(challenge.number(number) == nil)
      let poll = try await client.follow(challenge, "_links.next")
      let shown = try #require(poll.number(number))
      #expect((0...99).contains(shown))
      #expect(try await client.follow(challenge, "_links.next").number(number) == shown)
      let state = try await client.post("/api/v1/authn", ["stateToken": challenge.text("stateToken")])
      #expect(state.number(number) == nil)
      org.answerPush(for: user.login, .reject)
      #expect(try await client.follow(challenge, "_links.next").number(number) == nil)
    }
  }

  @Test func `autoPush is a preference that comes back`() async throws {
    try await withOrg(.init(users: [user])) { _, client in
      let list = try await client.signIn(user)
      let id = try list.text("_embedded.factors.0.id")
      let flag = "_embedded.policy.factorsPolicyInfo.\(id).autoPushEnabled"
      #expect(list.value(flag) as? Bool == false)
      let verify = "_embedded.factors.0._links.verify"
      let challenge = try await client.follow(list, verify, query: "?autoPush=true&rememberDevice=false")
      #expect(challenge.value(flag) as? Bool == true)
      #expect(try await client.signIn(user).value(flag) as? Bool == true)
    }
  }

  @Test func `asking for the state is no poll`() async throws {
    try await withOrg(.init(users: [user])) { org, client in
      org.answerPush(for: user.login, .approve)
      let challenge = try await client.challenge(user)
      let state = try await client.post("/api/v1/authn", ["stateToken": challenge.text("stateToken")])
      #expect(try state.text("factorResult") == "WAITING")
      #expect(try await client.follow(state, "_links.next").statusText == "SUCCESS")
    }
  }
}
