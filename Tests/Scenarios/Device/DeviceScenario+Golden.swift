// One scenario for each way that a challenge or an enrollment goes (spec/device.md §9.5, §9.3, §13).

import DeviceAuthenticator
import FlowRecording
import SimulatedOrg

extension DeviceScenario {
  /// The scenarios of `Recordings/`.
  public static let golden: [DeviceScenario] = answers + fallbacks + ends + enrollments + changes + deletions + pulls

  // MARK: Challenges (§9.5)

  static let answers: [DeviceScenario] = [consent, verification, denial, buttons, backchannel, signals, forms]

  /// Nothing but consent is wanted: no requirement, none, discouraged, with a key that a verified person could use.
  static let consent = DeviceScenario("device-consent") { stage in
    let enrollment = try await stage.enroll(verification: true)
    for requirement in [nil, OrgUserVerification.none, .discouraged] {
      try await answer(
        enrollment, on: stage, requirement: requirement, steps: ["consent"], keyType: "proofOfPossession",
        consent: "APPROVED_CONSENT_PROMPT")
    }
  }

  /// The person is verified, and the key that only they can use signs.
  static let verification = DeviceScenario("device-verification") { stage in
    let enrollment = try await stage.enroll(verification: true)
    for requirement in [OrgUserVerification.preferred, .required] {
      try await answer(
        enrollment, on: stage, requirement: requirement, steps: ["consent", "verification"],
        keyType: "userVerification", consent: "APPROVED_USER_VERIFICATION")
    }
  }

  /// The person says no, or nothing, which is a no: nothing is verified.
  static let denial = DeviceScenario("device-denial") { stage in
    let enrollment = try await stage.enroll(verification: true)
    for consent in [UserConsentResponse.denied, .none] {
      try await answer(
        enrollment, on: stage, requirement: .required, saying: consent, steps: ["consent"],
        keyType: "proofOfPossession", consent: "DENIED_CONSENT_PROMPT", becomes: .denied)
    }
  }

  /// A button of the notification has answered already: approved twice, once with verification, and denied.
  static let buttons = DeviceScenario("device-buttons") { stage in
    let enrollment = try await stage.enroll(verification: true)
    let rows: [(String, OrgUserVerification?, [String], OrgChallengeStatus)] = [
      ("APPROVE_BUTTON", nil, [], .approved), ("APPROVE_BUTTON", .required, ["verification"], .approved),
      ("DENY_BUTTON", .required, [], .denied),
    ]
    for (button, requirement, steps, becomes) in rows {
      let challenge = try stage.challenge(enrollment, requirement: requirement)
      let push = try stage.authenticator.parsePushNotificationResponse(
        PushNotificationResponse(notification: stage.notification(challenge), actionIdentifier: button))
      let answers = DeviceAnswers()
      try await push.resolve(onRemediation: answers.handle)
      try expect(answers.steps == steps, "\(button): \(answers.steps)")
      try expect(stage.org.challenge(id: challenge.id)?.status == becomes, "\(button) does not count")
    }
  }

  /// A client asks by the back channel, with a message to confirm and signals of the device.
  static let backchannel = DeviceScenario("device-ciba") { stage in
    let enrollment = try await stage.enroll(ciba: true)
    let challenge = try stage.challenge(enrollment) {
      $0.transactionType = .ciba
      $0.bindingMessage = "Pay 100% of it"
      $0.signals = ["displayName", "osVersion", "diskEncryptionType"]
      $0.integrations = ["com.acme.posture"]
    }
    let push = try stage.parse(challenge)
    let message = (push as? any CIBAChallengeProtocol)?.cibaBindingMessage
    try expect(message == "Pay 100% of it", "the message is \(message ?? "not there")")
    try await push.resolve(onRemediation: DeviceAnswers().handle)
    try expect(stage.org.challenge(id: challenge.id)?.status == .approved, "the approval does not count")
  }

  /// Plug-ins of the application are asked for signals: one has it, one has an error, and one is not there.
  static let signals = DeviceScenario("device-signals") { stage in
    var environment = stage.environment
    environment[SignalPluginsSeam.self] = [
      ScriptedPlugin(name: "com.acme.posture", says: .success(#"{"score":93}"#)),
      ScriptedPlugin(name: "com.acme.agent", says: .failure(SignalError("the agent does not run", code: 3))),
    ]
    let stage = try stage.with(environment)
    let challenge = try stage.challenge(try await stage.enroll()) {
      $0.integrations = ["com.acme.posture", "com.acme.nobody"]
      $0.signalProviders = ["com.acme.agent"]
    }
    try await stage.parse(challenge).resolve(onRemediation: DeviceAnswers().handle)
    try expect(stage.org.challenge(id: challenge.id)?.status == .approved, "the approval does not count")
  }

  // MARK: The key of a verified person cannot be used (§9.3)

  static let fallbacks: [DeviceScenario] = [
    fallback("not-enrolled", isEnrolled: false, reason: "userVerificationKeyNotEnrolled", isAsked: false) {
      isRequired in
      isRequired ? "UV_PERMANENTLY_UNAVAILABLE" : "APPROVED_CONSENT_PROMPT"
    },
    fallback(
      "key-gone", reason: "userVerificationKeyCorruptedOrMissing", isAsked: false,
      spoil: { try $0.keys.delete(tag: $1) }, consent: { _ in "UV_PERMANENTLY_UNAVAILABLE" }),
    fallback(
      "key-invalidated", reason: "userVerificationKeyCorruptedOrMissing",
      spoil: { stage, _ in stage.verifier.setEpoch([2]) }, consent: { _ in "UV_PERMANENTLY_UNAVAILABLE" }),
    fallback(
      "key-locked-out", reason: "userVerificationFailed", isAsked: false,
      spoil: { $0.keys.memory.setLockedOut(true, tag: $1) }, consent: { _ in "UV_TEMPORARILY_UNAVAILABLE" }),
    fallback("cancelled", .cancelled, reason: "userVerificationCancelledByUser") { _ in "CANCELLED_USER_VERIFICATION" },
    fallback("failed", .failed, reason: "userVerificationFailed") { _ in "UV_TEMPORARILY_UNAVAILABLE" },
    fallback("not-set-up", .notSetUp, reason: "userVerificationFailed") { _ in "UV_TEMPORARILY_UNAVAILABLE" },
    fallback("locked-out", .lockedOut, reason: "userVerificationFailed") { _ in "UV_TEMPORARILY_UNAVAILABLE" },
    fallback("timed-out", .timedOut, reason: "userVerificationFailed") { _ in "UV_TEMPORARILY_UNAVAILABLE" },
  ]

  /// The other key signs, and says why: the org takes that if it preferred verification, and not if it required it.
  private static func fallback(
    _ name: String, _ verification: ScriptedVerifier.Answer = .verified, isEnrolled: Bool = true, reason: String,
    isAsked: Bool = true, spoil: @escaping @Sendable (DeviceStage, _ tag: String) throws -> Void = { _, _ in },
    consent: @escaping @Sendable (_ isRequired: Bool) -> String
  ) -> DeviceScenario {
    let verifications = (isEnrolled ? [.verified] : []) + [verification, verification]
    return DeviceScenario("device-fallback-\(name)", verifications: verifications) { stage in
      let enrollment = try await stage.enroll(verification: isEnrolled)
      if let tag = try stage.storage.enrollment(id: enrollment.enrollmentId)?.userVerificationTag {
        try spoil(stage, tag)
      }
      for requirement in [OrgUserVerification.preferred, .required] {
        let isRequired = requirement == .required
        try await answer(
          enrollment, on: stage, requirement: requirement,
          steps: ["consent"] + (isAsked ? ["verification"] : []) + [reason], keyType: "proofOfPossession",
          consent: consent(isRequired), becomes: isRequired ? .rejected : .approved)
      }
    }
  }

  /// Challenges an enrollment, answers, and sees what the steps were and what the org has heard.
  private static func answer(
    _ enrollment: any AuthenticatorEnrollmentProtocol, on stage: DeviceStage, requirement: OrgUserVerification?,
    saying answer: UserConsentResponse = .approved, steps: [String], keyType: String, consent: String,
    becomes: OrgChallengeStatus = .approved
  ) async throws {
    let challenge = try stage.challenge(enrollment, requirement: requirement)
    let answers = DeviceAnswers(answer)
    try await stage.parse(challenge).resolve(onRemediation: answers.handle)
    try expect(answers.steps == steps, "the steps are \(answers.steps)")
    let settled = stage.org.challenge(id: challenge.id)
    try expect(settled?.status == becomes, "the challenge is \(settled?.status.rawValue ?? "gone")")
    let said = settled?.answer
    try expect(said?.keyType == keyType && said?.consent == consent, "the org receives \(said?.consent ?? "nothing")")
  }
}
