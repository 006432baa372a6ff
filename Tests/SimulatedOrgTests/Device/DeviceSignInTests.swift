// A push that a sign-in starts reaches the user's devices, and their answer ends it (device.md §1).

import Foundation
import SimulatedOrg
import Testing

@Suite struct DeviceSignInTests {
  private static let cat = People.user(factors: [.push(device: "Cat's phone"), .sms(phone: "+1 415-555-0111")])

  private func withCat(
    _ change: (inout OrgConfiguration) -> Void = { _ in },
    _ body: (SimulatedOrg, WireClient, Handset) async throws -> Void
  ) async throws {
    var configuration = OrgConfiguration(users: [Self.cat, People.ann])
    change(&configuration)
    try await withOrg(configuration) { org, wire in
      try await body(org, wire, try await Handset.enrolled(org, Self.cat.login))
    }
  }

  @Test(
    arguments: [
      ("APPROVED_CONSENT_PROMPT", nil, "SUCCESS"), ("DENIED_CONSENT_PROMPT", nil, "REJECTED"),
      ("APPROVED_CONSENT_PROMPT", .required, "REJECTED"),
    ] as [(String, OrgUserVerification?, String)])
  func `the answer of the device ends a push of the classic API`(
    consent: String, requirement: OrgUserVerification?, result: String
  ) async throws {
    try await withCat({ $0.devices.signInVerification = requirement }) { org, wire, handset in
      org.answerPush(for: handset.login, .approve)
      let challenge = try await wire.challenge(Self.cat)
      let asked = try #require(org.challenges.first)
      #expect(org.challenges.count == 1 && asked.enrollmentID == handset.enrollmentID)
      // The script is not asked while there is a device.
      #expect(try await wire.follow(challenge, "_links.next").text("factorResult") == "WAITING")
      #expect([200, 204].contains(try await handset.answer(asked, consent: consent).status))
      let end = try await wire.follow(challenge, "_links.next")
      #expect((end.value("factorResult") as? String ?? end.statusText) == result)
    }
  }

  @Test func `a push that no device answers times out, and can be sent again`() async throws {
    try await withCat({ $0.stateTokenLifetime = 1000 }) { org, wire, handset in
      let challenge = try await wire.challenge(Self.cat)
      org.advanceClock(by: 301)
      let late = try await wire.follow(challenge, "_links.next")
      #expect(try late.text("factorResult") == "TIMEOUT")
      let again = try await wire.follow(late, "_links.next")
      #expect(try again.text("factorResult") == "WAITING")
      #expect(org.challenges.map(\.status) == [.expired, .pending])
      #expect(try await handset.answer(try #require(org.challenges.last)).status == 200)
      #expect(try await wire.follow(again, "_links.next").statusText == "SUCCESS")
    }
  }

  @Test func `of several devices the first answer counts, and ends it for the others`() async throws {
    try await withCat { org, wire, first in
      let second = try await Handset.enrolled(org, Self.cat.login)
      let challenge = try await wire.challenge(Self.cat)
      #expect(org.challenges.map(\.enrollmentID) == [first.enrollmentID, second.enrollmentID])
      #expect(try await second.answer(org.challenges[1]).status == 200)
      #expect(org.challenges.map(\.status) == [.superseded, .approved])
      #expect(try await first.answer(org.challenges[0]).status == 400)
      #expect(try await wire.follow(challenge, "_links.next").statusText == "SUCCESS")
    }
  }

  @Test func `a push that is sent again, left or cancelled asks no more`() async throws {
    try await withCat { org, wire, _ in
      let challenge = try await wire.challenge(Self.cat)
      let again = try await wire.follow(challenge, "_links.resend.0")
      #expect(org.challenges.map(\.status) == [.superseded, .pending])
      let back = try await wire.follow(again, "_links.prev")
      #expect(org.challenges.map(\.status) == [.superseded, .superseded])
      let third = try await wire.follow(back, "_embedded.factors.0._links.verify")
      _ = try await wire.follow(third, "_links.cancel")
      #expect(org.challenges.map(\.status) == [.superseded, .superseded, .superseded])
    }
  }

  @Test func `the number that the page shows is in the challenge`() async throws {
    try await withCat({ $0.numberChallenge = true }) { org, wire, _ in
      let challenge = try await wire.challenge(Self.cat)
      let poll = try await wire.follow(challenge, "_links.next")
      let number = try #require(poll.number("_embedded.factor._embedded.challenge.correctAnswer"))
      let token = try #require(org.challenges.first?.token)
      let context = try #require(TestToken.read(token).claims["challengeContext"] as? Body)
      #expect(context["challengeTextItems"] as? [String] == [String(number)])
    }
  }

  @Test(arguments: [OrgDevices.PushSource.script, .devices])
  func `the script answers if it is to, or if there is no device`(source: OrgDevices.PushSource) async throws {
    try await withCat({ $0.devices.pushSource = source }) { org, wire, handset in
      if source == .devices { org.setDevice(handset.deviceID, .suspended) }
      org.answerPush(for: handset.login, .approve)
      let challenge = try await wire.challenge(Self.cat)
      #expect(org.challenges.isEmpty)
      #expect(try await wire.follow(challenge, "_links.next").statusText == "SUCCESS")
    }
  }

  @Test(arguments: [("APPROVED_CONSENT_PROMPT", true), ("DENIED_CONSENT_PROMPT", false)])
  func `the answer of the device ends a push of the Identity Engine`(consent: String, passes: Bool) async throws {
    try await withOrg(.init(users: [Self.cat], policy: policy("two-factors"))) { org, wire in
      let handset = try await Handset.enrolled(org, Self.cat.login)
      let walk = try await IDXWalker(org, wire)
      try await walk.password(Self.cat)
      try await walk.choose("Okta Verify")
      let asked = try #require(org.challenges.first)
      let claims = try TestToken.read(try #require(asked.token)).claims
      #expect(claims["appInstanceName"] as? String == OrgClient.sample.label)
      try await walk.send("challenge-poll")
      #expect(!walk.isDone && walk.messages.isEmpty)
      #expect([200, 204].contains(try await handset.answer(asked, consent: consent).status))
      try await walk.send("challenge-poll")
      #expect(walk.isDone == passes)
      if !passes { #expect(walk.messages.contains("api.authn.poll.error.push_rejected")) }
    }
  }

  @Test func `a spoiled challenge is spoiled for a sign-in as well`() async throws {
    try await withCat { org, wire, _ in
      org.spoilChallenges(.unsigned)
      _ = try await wire.challenge(Self.cat)
      let token = try #require(org.challenges.first?.token)
      #expect(try TestToken.read(token).header["alg"] as? String == "none")
    }
  }
}
