// A device is enrolled, challenged, and answers (spec/device.md §1).

import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg
import Testing

@Suite struct EnrollAndAnswerTests {
  @Test func `a device enrolls, is challenged, and the approval reaches the org`() async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll()
      #expect(rig.authenticator.allEnrollments().map(\.enrollmentId) == [enrollment.enrollmentId])
      let challenge = try rig.challenge(enrollment) { $0.requirement = OrgUserVerification.none }
      let push = try rig.parse(challenge)
      #expect(!push.isVerified && push.userResponse == .userNotResponded)
      let answers = Answers()
      try await push.resolve(onRemediation: answers.handle)
      #expect(push.isVerified && push.userResponse == .userApproved)
      #expect(answers.steps == ["consent"])
      let settled = try #require(rig.org.challenge(id: challenge.id))
      #expect(settled.status == .approved)
      #expect(settled.answer?.consent == "APPROVED_CONSENT_PROMPT" && settled.answer?.keyType == "proofOfPossession")
      #expect(
        Rig.events(rig.lastFlow) == [
          "challenge.received", "challenge.parsed", "key.fetched", "challenge.verified", "consent.requested",
          "consent.given", "signals.collected", "response.signed", "challenge.resolved",
        ])
    }
  }
}
