// Challenges from their arrival to their end, against an org that checks everything (spec/device.md §8-§12).

import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg
import Testing

@Suite struct ChallengeTests {
  /// A row of §9.5 and §9.3.
  struct Row: CustomTestStringConvertible, Sendable {
    var requirement: OrgUserVerification?
    var key: Key
    var verifier: ScriptedVerifier.Answer = .verified
    var steps: [String]
    var keyType: String
    var consent: String
    var becomes: OrgChallengeStatus = .approved

    enum Key: String, Sendable { case none, good, lost, invalidated, lockedOut }

    var testDescription: String { "\(requirement?.rawValue ?? "-"), key \(key.rawValue), \(verifier): \(consent)" }
  }

  static let rows: [Row] = {
    var rows: [Row] = [nil, OrgUserVerification.none, .discouraged].map {
      Row(
        requirement: $0, key: .good, steps: ["consent"], keyType: "proofOfPossession",
        consent: "APPROVED_CONSENT_PROMPT")
    }
    for requirement in [OrgUserVerification.preferred, .required] {
      let isRequired = requirement == .required
      let becomes: OrgChallengeStatus = isRequired ? .rejected : .approved
      func row(
        _ key: Row.Key, _ answer: ScriptedVerifier.Answer, _ message: String, _ consent: String, asked: Bool = true
      ) -> Row {
        Row(
          requirement: requirement, key: key, verifier: answer,
          steps: ["consent"] + (asked ? ["verification"] : []) + ["message \(message)"],
          keyType: "proofOfPossession", consent: consent, becomes: becomes)
      }
      rows.append(
        Row(
          requirement: requirement, key: .good, steps: ["consent", "verification"], keyType: "userVerification",
          consent: "APPROVED_USER_VERIFICATION"))
      rows += [
        row(
          .none, .verified, "userVerificationKeyNotEnrolled",
          isRequired ? "UV_PERMANENTLY_UNAVAILABLE" : "APPROVED_CONSENT_PROMPT", asked: false),
        row(
          .lost, .verified, "userVerificationKeyCorruptedOrMissing", "UV_PERMANENTLY_UNAVAILABLE", asked: false),
        row(.invalidated, .verified, "userVerificationKeyCorruptedOrMissing", "UV_PERMANENTLY_UNAVAILABLE"),
        row(.good, .cancelled, "userVerificationCancelledByUser", "CANCELLED_USER_VERIFICATION"),
        row(.good, .failed, "userVerificationFailed", "UV_TEMPORARILY_UNAVAILABLE"),
        row(.good, .notSetUp, "userVerificationFailed", "UV_TEMPORARILY_UNAVAILABLE"),
        row(.good, .lockedOut, "userVerificationFailed", "UV_TEMPORARILY_UNAVAILABLE"),
        row(.good, .timedOut, "userVerificationFailed", "UV_TEMPORARILY_UNAVAILABLE"),
        row(.lockedOut, .verified, "userVerificationFailed", "UV_TEMPORARILY_UNAVAILABLE", asked: false),
      ]
    }
    return rows
  }()

  @Test(arguments: rows)
  func `which key signs, what the application receives and what the answer says is the matrix`(row: Row) async throws {
    let isEnrolled = row.key != .none
    let verifier = ScriptedVerifier(answers: isEnrolled ? [.verified, row.verifier] : [row.verifier])
    try await withRig(verifier: verifier) { rig in
      let enrollment = try await rig.enroll(verification: isEnrolled)
      let tag = try #require(try rig.storage.enrollment(id: enrollment.enrollmentId)).userVerificationTag ?? ""
      switch row.key {
      case .none, .good: break
      case .lost: try rig.keys.delete(tag: tag)
      case .invalidated: verifier.setEpoch([2])
      case .lockedOut: rig.keys.setLockedOut(true, tag: tag)
      }
      let challenge = try rig.challenge(enrollment) { $0.requirement = row.requirement }
      let answers = Answers()
      try await rig.parse(challenge).resolve(onRemediation: answers.handle)
      #expect(answers.steps == row.steps)
      let settled = try #require(rig.org.challenge(id: challenge.id))
      #expect(settled.status == row.becomes)
      #expect(settled.answer?.keyType == row.keyType && settled.answer?.consent == row.consent)
    }
  }

  @Test func `a wish for verification that is unknown is none`() async throws {
    try await withRig { rig in
      let challenge = try rig.challenge(try await rig.enroll(verification: true)) {
        ($0.requirement, $0.defect) = (.required, .claim("userVerification", "SOMETHING"))
      }
      let answers = Answers()
      try await rig.parse(challenge).resolve(onRemediation: answers.handle)
      let answer = rig.org.challenge(id: challenge.id)?.answer
      #expect(answers.steps == ["consent"] && answer?.keyType == "proofOfPossession")
      #expect(answer?.consent == "APPROVED_CONSENT_PROMPT")
    }
  }

  @Test(arguments: [OrgUserVerification.preferred, .required], [UserConsentResponse.denied, .none])
  func `a no is signed silently, whatever the org would like to have verified`(
    requirement: OrgUserVerification, consent: UserConsentResponse
  ) async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll(verification: true)
      let challenge = try rig.challenge(enrollment) { $0.requirement = requirement }
      let push = try rig.parse(challenge)
      let answers = Answers(consent)
      try await push.resolve(onRemediation: answers.handle)
      #expect(push.userResponse == .userDenied && answers.steps == ["consent"])
      // One verification: that of the enrollment.
      #expect(rig.verifier.requests.count == 1)
      let settled = try #require(rig.org.challenge(id: challenge.id))
      #expect(settled.status == .denied && settled.answer?.consent == "DENIED_CONSENT_PROMPT")
      #expect(Rig.data("consent.given", in: rig.lastFlow)?["answer"]?.string == consent.rawValue)
    }
  }

  @Test(arguments: ["APPROVE_BUTTON", "DENY_BUTTON"])
  func `a button of the notification has answered already`(action: String) async throws {
    try await withRig { rig in
      let challenge = try rig.challenge(try await rig.enroll()) { $0.requirement = nil }
      let push = try rig.authenticator.parsePushNotificationResponse(
        PushNotificationResponse(notification: rig.notification(challenge), actionIdentifier: action))
      #expect(push.userResponse == (action == "DENY_BUTTON" ? .userDenied : .userApproved))
      let answers = Answers()
      try await push.resolve(onRemediation: answers.handle)
      #expect(answers.steps == [])
      #expect(rig.org.challenge(id: challenge.id)?.status == (action == "DENY_BUTTON" ? .denied : .approved))
    }
  }

  @Test func `signals are those that were asked for, and the ids always`() async throws {
    try await withRig { rig in
      let challenge = try rig.challenge(try await rig.enroll()) {
        $0.signals = ["displayName", "osVersion", "diskEncryptionType", "authenticatorAppKey", "what"]
        $0.integrations = ["com.acme.posture"]
      }
      try await rig.parse(challenge).resolve(onRemediation: Answers().handle)
      let claims = try #require(rig.org.challenge(id: challenge.id)?.answer?.claims)
      let signals = try #require(claims["deviceSignals"])
      #expect(signals["displayName"] == "Ann's box" && signals["osVersion"] == "24.4.0")
      #expect(signals["diskEncryptionType"] == "FULL" && signals["id"] != nil && signals["clientInstanceId"] != nil)
      #expect(signals["authenticatorAppKey"] == nil && signals["model"] == nil && signals["what"] == nil)
      #expect("\(try #require(claims["integrations"]))".contains("no such provider"))
    }
  }

  /// A way to spoil a challenge, and the check that finds it.
  struct Spoiled: CustomTestStringConvertible, Sendable {
    var defect: OrgChallengeDefect
    var check: String
    var testDescription: String { "\(defect): \(check)" }
  }

  @Test(arguments: [
    Spoiled(defect: .wrongSignature, check: "V6"), Spoiled(defect: .otherKey, check: "V6"),
    Spoiled(defect: .unknownKey, check: "V5"), Spoiled(defect: .unsigned, check: "V2"),
    Spoiled(defect: .sharedSecret, check: "V2"), Spoiled(defect: .header("kid", nil), check: "V4"),
    Spoiled(defect: .early(), check: "V3"), Spoiled(defect: .claim("iss", "https://evil.example"), check: "H1"),
    Spoiled(defect: .claim("aud", "someone"), check: "H2"), Spoiled(defect: .claim("orgId", "00oOther"), check: "H3"),
    Spoiled(defect: .claim("userId", "00uOther"), check: "H4"),
    Spoiled(defect: .claim("verificationUri", "https://evil.example/verify"), check: "H5"),
    Spoiled(defect: .claim("method", "signed_nonce"), check: "H6"),
    Spoiled(
      defect: .claim("challengeContext", ["transactionType": "CIBA"]), check: "H8"),
  ])
  func `a challenge that is not what it should be is never verified, and nothing is asked or sent`(
    spoiled: Spoiled
  ) async throws {
    try await withRig { rig in
      let challenge = try rig.challenge(try await rig.enroll()) { $0.defect = spoiled.defect }
      let push = try rig.parse(challenge)
      let answers = Answers()
      await #expect(throws: DeviceAuthenticatorError.self) { try await push.resolve(onRemediation: answers.handle) }
      #expect(!push.isVerified && answers.steps == [])
      #expect(Rig.data("challenge.rejected", in: rig.lastFlow)?["check"]?.string == spoiled.check)
      #expect(rig.org.challenge(id: challenge.id)?.status == .pending)
      #expect(
        !rig.lastFlow.contains { if case .requestSent(let sent) = $0.event { sent.method == "POST" } else { false } })
    }
  }

  @Test func `a challenge that expires while the person is asked ends; a late answer changes nothing`() async throws {
    try await withRig { rig in
      let challenge = try rig.challenge(try await rig.enroll())
      let push = try rig.parse(challenge)
      let step = Locked<RemediationStepUserConsent?>(nil)
      let asked = AsyncStream<Void>.makeStream()
      async let ended = outcome(of: push) { next in
        step.withLock { $0 = next as? RemediationStepUserConsent }
        asked.continuation.yield()
      }
      for await _ in asked.stream { break }
      let end = Int((push.expiresAt.timeIntervalSince1970 + 300) * 1_000)
      let left = end - Int(rig.time.now().microseconds / 1_000)
      rig.time.advance(milliseconds: left)
      #expect(step.withLock { $0 } != nil)
      rig.time.advance(milliseconds: 1)
      #expect(await ended?.isSame(as: .securityError(.jwtError("push challenge expired"))) == true)
      step.withLock { $0 }?.provide(.approved)
      #expect(Rig.events(rig.lastFlow).suffix(2) == ["challenge.expired", "step.ignored"])
      #expect(rig.org.challenge(id: challenge.id)?.answer == nil)
    }
  }

  /// The error that resolving ends with; nil if the org took the answer.
  private func outcome(
    of push: any PushChallengeProtocol, _ handle: @escaping @Sendable (RemediationStep) -> Void
  ) async -> DeviceAuthenticatorError? {
    do throws(DeviceAuthenticatorError) {
      try await push.resolve(onRemediation: handle)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a challenge by push and by pull, resolved twice and answered twice, is one consent and one answer`()
    async throws
  {
    try await withRig { rig in
      let enrollment = try await rig.enroll()
      let challenge = try rig.challenge(enrollment) { $0.requirement = nil }
      let pushed = try rig.parse(challenge)
      let pulled = try #require(
        try await enrollment.retrievePushChallenges(authenticationToken: try rig.token()).first)
      #expect(pulled.transactionId == pushed.transactionId)
      let consents = Locked(0)
      let handle: @Sendable (RemediationStep) -> Void = { step in
        consents.withLock { $0 += 1 }
        (step as? RemediationStepUserConsent)?.provide(.approved)
        (step as? RemediationStepUserConsent)?.provide(.denied)
      }
      async let first = outcome(of: pushed, handle)
      async let second = outcome(of: pulled, handle)
      let duplicates = await [first, second].compactMap { $0 }.filter { $0.errorCode == -101 }.count
      #expect(duplicates == 1 && consents.withLock { $0 } == 1)
      #expect(rig.org.challenge(id: challenge.id)?.status == .approved)
      let posts = rig.recorder.streams.flatMap(rig.recorder.records).filter {
        if case .requestSent(let sent) = $0.event { sent.url.hasSuffix("/verify") } else { false }
      }
      #expect(posts.count == 1)
      // Another process with the same storage finds it answered.
      let restarted = try Rig(
        rig.org, recorder: rig.recorder, keys: rig.keys, storage: rig.storage, verifier: rig.verifier, seed: 8)
      let again = try restarted.parse(challenge)
      await #expect(throws: DeviceAuthenticatorError.duplicateChallenge(transactionId: "")) {
        try await again.resolve(onRemediation: Answers().handle)
      }
    }
  }

  @Test
  func `an answer whose fate is unknown is sent again, the same JWT, without asking or signing; after a restart too`()
    async throws
  {
    try await withRig { rig in
      let enrollment = try await rig.enroll(verification: true)
      let challenge = try rig.challenge(enrollment)
      rig.org.inject(Fault(.connectionClosed, path: "/verify", times: 2, reachesOrg: true))
      let push = try rig.parse(challenge)
      let answers = Answers()
      await #expect(throws: DeviceAuthenticatorError.networkError(CancellationError())) {
        try await push.resolve(onRemediation: answers.handle)
      }
      let jti = try #require(rig.org.challenge(id: challenge.id)?.answer?.jti)
      await #expect(throws: DeviceAuthenticatorError.networkError(CancellationError())) {
        try await push.retrySubmission()
      }
      // The process dies here, and another one takes up what is stored.
      let restarted = try Rig(
        rig.org, recorder: rig.recorder, keys: rig.keys, storage: rig.storage, verifier: rig.verifier, seed: 8)
      let again = try restarted.parse(challenge)
      await #expect(throws: DeviceAuthenticatorError.duplicateChallenge(transactionId: "")) {
        try await again.resolve(onRemediation: answers.handle)
      }
      try await again.retrySubmission()
      #expect(answers.steps == ["consent", "verification"])
      #expect(rig.org.challenge(id: challenge.id)?.answer?.jti == jti)
      #expect(rig.org.challenge(id: challenge.id)?.status == .approved)
      let tag = try #require(try rig.storage.enrollment(id: enrollment.enrollmentId)?.userVerificationTag)
      #expect(rig.keys.signatures(tag: tag) == 1)
    }
  }

  @Test func `an answer whose fate stays unknown ends with its own time, and the challenge is pulled no more`()
    async throws
  {
    try await withRig { rig in
      let enrollment = try await rig.enroll()
      let challenge = try rig.challenge(enrollment) { $0.requirement = nil }
      rig.org.inject(Fault(.connectionClosed, path: "/verify", reachesOrg: false))
      let push = try rig.parse(challenge)
      let stream = try #require(rig.recorder.streams.last)
      await #expect(throws: DeviceAuthenticatorError.networkError(CancellationError())) {
        try await push.resolve(onRemediation: Answers().handle)
      }
      let token = try rig.token()
      rig.time.advance(milliseconds: 300_999)
      #expect(try await enrollment.retrievePushChallenges(authenticationToken: token).count == 1)
      rig.time.advance(milliseconds: 1)
      while rig.recorder.records(of: stream).last?.event.type != "flow.ended" { await Task.yield() }
      let records = rig.recorder.records(of: stream)
      #expect(Rig.data("challenge.failed", in: records)?["stage"] == "submissionUnknown")
      #expect(Rig.data("flow.ended", in: records)?["outcome"] == "failed")
      #expect(try rig.storage.transaction(id: challenge.id)?.stage == .ended)
      #expect(try await enrollment.retrievePushChallenges(authenticationToken: token).isEmpty)
      #expect(push.userResponse == .userApproved)
    }
  }

  @Test func `where the status says all, the org has answered, however long the page is that comes with it`()
    async throws
  {
    try await withRig { rig in
      let enrollment = try await rig.enroll()
      let page = #"{"page":"\#(String(repeating: "x", count: 5 << 20))"}"#
      func isLeftOut() -> Bool {
        rig.lastFlow.contains {
          if case .responseReceived(let response) = $0.event, case .opaque = response.body { true } else { false }
        }
      }
      let push = try rig.parse(try rig.challenge(enrollment) { $0.requirement = nil })
      rig.org.inject(Fault(.reply(status: 200, body: page), path: "/verify"))
      try await push.resolve(onRemediation: Answers().handle)
      #expect(Rig.data("challenge.resolved", in: rig.lastFlow)?["httpStatus"] == 200 && isLeftOut())
      rig.org.inject(Fault(.reply(status: 200, body: page), path: "/app-authenticators/", times: 2))
      try await enrollment.updateDeviceToken(.tokenString("beef"), authenticationToken: try rig.token())
      #expect(isLeftOut())
      try await rig.authenticator.delete(enrollment: enrollment, authenticationToken: try rig.token())
      #expect(isLeftOut() && rig.authenticator.allEnrollments().isEmpty)
    }
  }

  @Test func `the org's keys are waited for five seconds, and what comes later changes nothing`() async throws {
    let org = try await SimulatedOrg.start(
      OrgConfiguration(users: [OrgUser(login: Rig.login, password: "Correct-horse-1")]))
    let transport = HeldTransport("/.well-known/openid-configuration")
    let recorder = MemoryRecorder()
    let rig = try Rig(
      org, recorder: recorder, environment: FlowEnvironment(recorder: recorder, transport: transport, device: nil))
    let challenge = try rig.challenge(try await rig.enroll()) { $0.requirement = nil }
    let push = try rig.parse(challenge)
    let answers = Answers()
    async let ended = outcome(of: push, answers.handle)
    await transport.isHeld()
    // That of the challenge, and that of the keys.
    await rig.time.waitForTimers(2)
    rig.time.advance(milliseconds: 4_999)
    #expect(rig.time.pending == 2)
    rig.time.advance(milliseconds: 1)
    #expect(await ended?.isSame(as: .securityError(.jwtError("key not available"))) == true)
    #expect(Rig.data("key.fetch.failed", in: rig.lastFlow)?["reason"] == "the org's keys did not come in time")
    transport.release()
    while rig.lastFlow.last?.event.type != "response.received" { await Task.yield() }
    #expect(answers.steps == [] && !push.isVerified && org.challenge(id: challenge.id)?.status == .pending)
    #expect(try rig.divergences() == [])
    await org.stop()
  }

  @Test func `a challenge for an enrollment that is not here carries the challenge`() async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll()
      let challenge = try rig.challenge(enrollment)
      try enrollment.deleteFromDevice()
      #expect(try rig.keys.tags() == [])
      do {
        _ = try rig.parse(challenge)
        Issue.record("it was parsed")
      } catch DeviceAuthenticatorError.accountNotFoundForChallenge(let found) {
        #expect(found.transactionId == challenge.id)
      }
      #expect(throws: DeviceAuthenticatorError.pushNotRecognized) {
        try rig.authenticator.parsePushNotification(["aps": ["alert": "news"]])
      }
    }
  }

  @Test func `a CIBA challenge shows what the client wants confirmed`() async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll(ciba: true)
      #expect(enrollment.isCIBAEnabled)
      let challenge = try rig.challenge(enrollment) {
        $0.transactionType = .ciba
        $0.bindingMessage = "Pay 100% of it"
        $0.requirement = nil
      }
      let push = try #require(try rig.parse(challenge) as? any CIBAChallengeProtocol)
      #expect(push.cibaBindingMessage == "Pay 100% of it")
      try await push.resolve(onRemediation: Answers().handle)
      #expect(rig.org.challenge(id: challenge.id)?.status == .approved)
    }
  }
}
