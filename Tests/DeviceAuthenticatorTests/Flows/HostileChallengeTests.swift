// Challenges from whoever can send a notification: not signed, and not what any org would send (spec/device.md §8).

import DeviceAuthenticator
import EventStore
import FlowRecording
import SimulatedOrg
import Testing

@Suite struct HostileChallengeTests {
  /// The notification of a challenge with one claim changed. Nothing of it is signed.
  private static func forged(_ challenge: OrgChallenge, _ claim: String, _ value: JSON) throws -> PushNotification {
    let original = try #require(challenge.token)
    let jws = try #require(CompactJWS(original))
    var claims = try #require(jws.claims.object)
    claims[claim] = value
    let token = CompactJWS.signingInput(header: jws.header, claims: .object(claims)) + ".AAAA"
    return PushNotification(userInfo: ["payloadVersion": "IDXv1", "challenge": token])
  }

  @Test(arguments: ["iat", "exp"], [Int.min, .max, -1, 253_402_300_800])
  func `a time that no calendar has is no time, and never traps`(claim: String, seconds: Int) async throws {
    try await withRig { rig in
      let challenge = try rig.challenge(try await rig.enroll())
      let values: [JSON] = [.int(seconds), .string(String(seconds))]
      for value in values {
        #expect(throws: DeviceAuthenticatorError.securityError(.jwtError(""))) {
          try rig.authenticator.parsePushNotification(Self.forged(challenge, claim, value))
        }
        #expect(Rig.data("challenge.rejected", in: rig.lastFlow)?["check"] == "P4")
      }
    }
  }

  @Test func `a clock before all calendars and the greatest skew do not trap`() async throws {
    try await withRig { rig in
      let challenge = try rig.challenge(try await rig.enroll()) { $0.requirement = nil }
      var environment = rig.environment
      let time = VirtualTime(start: Timestamp(microseconds: -60_000_000_000_000_000))
      (environment.clock, environment.timers) = (time, time)
      let early = try DeviceAuthenticatorBuilder(
        applicationConfig: ApplicationConfig(applicationName: "a", applicationVersion: "1", applicationGroupId: "g")
      ).environment(environment).keyStore(rig.keys).enrollmentStorage(rig.storage).userVerifier(rig.verifier).create()
      let push = try early.parsePushNotification(rig.notification(challenge), allowedClockSkewInSeconds: .max)
      await #expect(throws: DeviceAuthenticatorError.self) { try await push.resolve(onRemediation: Answers().handle) }
      #expect(Rig.data("challenge.rejected", in: rig.lastFlow)?["check"] == "V3")
    }
  }

  @Test(arguments: ["..", ".", "../../files/a", "a/../../../files", "a?b=", "a#", "%2e%2e", "a\\..", "a\nb"])
  func `a challenge chooses no path of the org to fetch keys from`(server: String) async throws {
    try await withRig { rig in
      let challenge = try rig.challenge(try await rig.enroll())
      let push = try rig.authenticator.parsePushNotification(
        Self.forged(challenge, "authorizationServerId", .string(server)))
      await #expect(throws: DeviceAuthenticatorError.self) { try await push.resolve(onRemediation: Answers().handle) }
      #expect(Rig.data("challenge.rejected", in: rig.lastFlow)?["check"] == "V5")
      #expect(!rig.lastFlow.contains { if case .requestSent = $0.event { true } else { false } })
    }
  }

  @Test(arguments: ["APPROVE_BUTTON", "DENY_BUTTON"])
  func `a button that comes after the notification itself answers too, and only once`(action: String) async throws {
    try await withRig { rig in
      let challenge = try rig.challenge(try await rig.enroll()) { $0.requirement = nil }
      let push = try rig.parse(challenge)
      #expect(push.userResponse == .userNotResponded)
      let other = action == "DENY_BUTTON" ? "APPROVE_BUTTON" : "DENY_BUTTON"
      for action in [action, other] {
        _ = try rig.authenticator.parsePushNotificationResponse(
          PushNotificationResponse(notification: rig.notification(challenge), actionIdentifier: action))
      }
      #expect(push.userResponse == (action == "DENY_BUTTON" ? .userDenied : .userApproved))
      let answers = Answers()
      try await push.resolve(onRemediation: answers.handle)
      #expect(answers.steps == [])
      #expect(rig.org.challenge(id: challenge.id)?.status == (action == "DENY_BUTTON" ? .denied : .approved))
    }
  }
}
