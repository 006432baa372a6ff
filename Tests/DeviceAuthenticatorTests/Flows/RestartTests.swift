// What a process that died has left, and what the org says of an enrollment (spec/device.md §12, §13.7, §17.1).

import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg
import Testing

@Suite struct RestartTests {
  private func restarted(_ rig: Rig) throws -> Rig {
    try Rig(
      rig.org, recorder: rig.recorder, keys: rig.keys, storage: rig.storage, verifier: rig.verifier, seed: 8)
  }

  @Test func `a process that dies while the person is asked may ask again in another one`() async throws {
    try await withRig { rig in
      let challenge = try rig.challenge(try await rig.enroll()) { $0.requirement = nil }
      let push = try rig.parse(challenge)
      let (asked, continuation) = AsyncStream<Void>.makeStream()
      push.resolve(onRemediation: { _ in continuation.yield() }, onCompletion: { _ in })
      for await _ in asked { break }
      let answers = Answers()
      let other = try restarted(rig)
      try await other.parse(challenge).resolve(onRemediation: answers.handle)
      #expect(answers.steps == ["consent"] && rig.org.challenge(id: challenge.id)?.status == .approved)
    }
  }

  @Test func `once the person has answered, no other process asks again, signed or not`() async throws {
    let verifier = ScriptedVerifier(answers: [.verified, .waits])
    try await withRig(verifier: verifier) { rig in
      let challenge = try rig.challenge(try await rig.enroll(verification: true))
      let push = try rig.parse(challenge)
      let (ended, continuation) = AsyncStream<DeviceAuthenticatorError?>.makeStream()
      push.resolve(onRemediation: Answers().handle, onCompletion: { continuation.yield($0) })
      while verifier.waiting == 0 { await Task.yield() }
      let answers = Answers()
      let again = try restarted(rig).parse(challenge)
      await #expect(throws: DeviceAuthenticatorError.duplicateChallenge(transactionId: "")) {
        try await again.resolve(onRemediation: answers.handle)
      }
      #expect(answers.steps == [])
      // The first one goes on, and is the only one that answers.
      verifier.answer(.verified)
      for await error in ended {
        #expect(error == nil)
        break
      }
      #expect(rig.org.challenge(id: challenge.id)?.answer?.consent == "APPROVED_USER_VERIFICATION")
    }
  }

  @Test func `what the org says to an answer is the state of the enrollment`() async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll()
      let challenge = try rig.challenge(enrollment) { $0.requirement = nil }
      rig.org.setDevice(try #require(rig.org.enrollment(id: enrollment.enrollmentId)).deviceID, .suspended)
      let push = try rig.parse(challenge)
      do {
        try await push.resolve(onRemediation: Answers().handle)
        Issue.record("the org took it")
      } catch DeviceAuthenticatorError.serverAPIError(let result, let model) {
        #expect(result.statusCode == 403 && model?.errorCode == .deviceSuspended)
      }
      #expect(enrollment.state == .suspended)
      #expect(Rig.events(rig.lastFlow).contains("enrollment.stateChanged"))
    }
  }

  @Test(arguments: ["null", "7", "\"\"", "[\"E0000007\"]"])
  func `an answer of the org whose code is none leaves the state of the enrollment as it was`(
    code: String
  ) async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll()
      try rig.storage.update(enrollment: enrollment.enrollmentId) { $0.serverErrorCode = "E0000152" }
      let challenge = try rig.challenge(enrollment) { $0.requirement = nil }
      rig.org.inject(
        Fault(.reply(status: 400, body: #"{"status":"REJECT","errorCode":\#(code)}"#), path: "/verify"))
      let push = try rig.parse(challenge)
      await #expect(throws: DeviceAuthenticatorError.self) { try await push.resolve(onRemediation: Answers().handle) }
      #expect(Rig.data("challenge.failed", in: rig.lastFlow)?["error"] == "serverAPIError")
      #expect(enrollment.state == .suspended)
      #expect(!Rig.events(rig.lastFlow).contains("enrollment.stateChanged"))
    }
  }

  @Test(arguments: [UserConsentResponse.approved, .denied, .none])
  func `an answer that another process sends again is what the person said, in the log and to the application`(
    consent: UserConsentResponse
  ) async throws {
    try await withRig { rig in
      let challenge = try rig.challenge(try await rig.enroll()) { $0.requirement = nil }
      rig.org.inject(Fault(.connectionClosed, path: "/verify", reachesOrg: true))
      let push = try rig.parse(challenge)
      await #expect(throws: DeviceAuthenticatorError.networkError(CancellationError())) {
        try await push.resolve(onRemediation: Answers(consent).handle)
      }
      let answer = try #require(rig.org.challenge(id: challenge.id)?.answer)
      let isYes = consent == .approved
      let again = try restarted(rig).parse(challenge)
      #expect(again.userResponse == (isYes ? .userApproved : .userDenied))
      try await again.retrySubmission()
      let records = rig.lastFlow
      let resolved = try #require(Rig.data("challenge.resolved", in: records))
      #expect(resolved["outcome"]?.string == (isYes ? "approved" : "denied"))
      #expect(resolved["keyType"] == "proofOfPossession" && resolved["consent"]?.string == answer.consent)
      #expect(Rig.data("submission.retried", in: records)?["jti"]?.string == answer.jti)
      #expect(Rig.data("flow.ended", in: records)?["outcome"]?.string == (isYes ? "approved" : "denied"))
      let sighting = try #require(DeviceKind.pushes(in: records).last)
      #expect(sighting.outcome == (isYes ? .approved : .rejected))
      #expect(sighting.facts["keyType"] == "proofOfPossession" && sighting.facts["consent"] == answer.consent)
      #expect(again.userResponse == (isYes ? .userApproved : .userDenied))
    }
  }

  @Test func `an answer that is too old to be sent again is over for another process, and its transaction closed`()
    async throws
  {
    try await withRig { rig in
      let challenge = try rig.challenge(try await rig.enroll()) { $0.requirement = nil }
      rig.org.inject(Fault(.connectionClosed, path: "/verify", reachesOrg: false))
      let push = try rig.parse(challenge)
      await #expect(throws: DeviceAuthenticatorError.networkError(CancellationError())) {
        try await push.resolve(onRemediation: Answers().handle)
      }
      let other = try restarted(rig)
      other.time.advance(milliseconds: 301_000)
      let again = try other.parse(challenge)
      await #expect(throws: DeviceAuthenticatorError.duplicateChallenge(transactionId: "")) {
        try await again.retrySubmission()
      }
      while !rig.lastFlow.contains(where: { $0.event.type == "flow.ended" }) { await Task.yield() }
      #expect(Rig.data("challenge.failed", in: rig.lastFlow)?["stage"] == "submissionUnknown")
      let kept = try rig.storage.transaction(id: challenge.id)
      #expect(kept?.stage == .ended && kept?.response == nil)
      let enrollment = try #require(other.authenticator.allEnrollments().first)
      #expect(try await enrollment.retrievePushChallenges(authenticationToken: try rig.token()).isEmpty)
    }
  }

  @Test func `the org's keys are fetched once, and again for a key that is new`() async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll()
      func resolve() async throws -> JSON? {
        let challenge = try rig.challenge(enrollment) { $0.requirement = nil }
        try await rig.parse(challenge).resolve(onRemediation: Answers().handle)
        return Rig.data("key.fetched", in: rig.lastFlow)?["cached"]
      }
      #expect(try await resolve() == false)
      #expect(try await resolve() == true)
      rig.org.rotateKeys()
      #expect(try await resolve() == false)
      #expect(try await resolve() == true)
    }
  }

  @Test func `another challenge of the same transaction is an attack and no second delivery`() async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll()
      let challenge = try rig.challenge(enrollment) { $0.requirement = nil }
      let push = try rig.parse(challenge)
      let token = try #require(challenge.token)
      let jws = try #require(CompactJWS(token))
      var claims = try #require(jws.claims.object)
      claims["nonce"] = "another"
      let forged = CompactJWS.signingInput(header: jws.header, claims: .object(claims)) + ".AAAA"
      #expect(throws: DeviceAuthenticatorError.securityError(.jwtError(""))) {
        try rig.authenticator.parsePushNotification(["payloadVersion": "IDXv1", "challenge": forged])
      }
      #expect(Rig.data("challenge.rejected", in: rig.lastFlow)?["check"] == "H7")
      try await push.resolve(onRemediation: Answers().handle)
      #expect(rig.org.challenge(id: challenge.id)?.status == .approved)
    }
  }

  private static var config: ApplicationConfig {
    ApplicationConfig(
      applicationName: "com.acme.app", applicationVersion: "1", applicationGroupId: "group.com.acme.app")
  }

  /// An org with one person, and a clock that shows its time.
  private func startOrg() async throws -> (org: SimulatedOrg, time: VirtualTime) {
    let org = try await SimulatedOrg.start(
      OrgConfiguration(users: [OrgUser(login: Rig.login, password: "Correct-horse-1")]))
    let time = VirtualTime(start: Timestamp(microseconds: Int64(org.now.timeIntervalSince1970) * 1_000_000))
    return (org, time)
  }

  @Test func `an authenticator without stores of its own keeps keys, enrollments and its installation in a directory`()
    async throws
  {
    let folder = NSTemporaryDirectory() + "device-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (org, time) = try await startOrg()
    func make() throws -> any DeviceAuthenticatorProtocol {
      try DeviceAuthenticatorBuilder(applicationConfig: Self.config)
        .environment(FlowEnvironment(clock: time, timers: time, device: nil)).directory(folder).create()
    }
    let token = AuthToken.bearer(try #require(org.accessToken(for: Rig.login)))
    let enrollment = try await make().enroll(
      authenticationToken: token,
      authenticatorConfig: DeviceAuthenticatorConfig(orgURL: org.url, oidcClientId: OrgClient.sample.id),
      enrollmentParameters: EnrollmentParameters(deviceToken: .empty))
    let installation = try String(contentsOfFile: folder + "/installation-id", encoding: .utf8)
    // Another process.
    let second = try make()
    let found = try #require(second.allEnrollments().first)
    #expect(found.enrollmentId == enrollment.enrollmentId)
    #expect(try String(contentsOfFile: folder + "/installation-id", encoding: .utf8) == installation)
    let challenge = try #require(
      org.challenge(OrgChallengeRequest(.enrollment(found.enrollmentId), requirement: nil)).first)
    let pulled = try await found.retrievePushChallenges(authenticationToken: token)
    try await pulled.first?.resolve(onRemediation: Answers().handle)
    #expect(org.challenge(id: challenge.id)?.status == .approved)
    try found.deleteFromDevice()
    #expect(second.allEnrollments().isEmpty)
  }

  @Test func `a store that is given takes the place of its half of the directory, and no more`() async throws {
    let folder = NSTemporaryDirectory() + "device-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (org, time) = try await startOrg()
    let keys = MemoryKeyStore()
    var environment = FlowEnvironment(clock: time, timers: time, device: nil)
    environment[KeyStoreSeam.self] = keys
    func make() throws -> any DeviceAuthenticatorProtocol {
      try DeviceAuthenticatorBuilder(applicationConfig: Self.config).environment(environment).directory(folder).create()
    }
    _ = try await make().enroll(
      authenticationToken: .bearer(try #require(org.accessToken(for: Rig.login))),
      authenticatorConfig: DeviceAuthenticatorConfig(orgURL: org.url, oidcClientId: OrgClient.sample.id),
      enrollmentParameters: EnrollmentParameters(deviceToken: .empty))
    // The keys are where they were wanted, and the enrollment outlives the authenticator.
    #expect(try keys.tags().count == 2)
    #expect(try make().allEnrollments().count == 1)
    await org.stop()
  }
}
