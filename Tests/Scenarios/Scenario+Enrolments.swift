// Factors that are set up during a sign-in.

import Authn
import FlowRecording
import SimulatedOrg

extension Scenario {
  static let enrolments: [Scenario] = [
    enrollSms, enrollCall, enrollPush, enrollTotp, enrollQuestion, enrollToken, enrollMail, enrollmentSkipped,
  ]

  static func enrolling(_ stage: Stage) async throws -> OktaAuthStatusFactorEnroll {
    try cast(try await signIn(stage), to: OktaAuthStatusFactorEnroll.self)
  }

  static let phone = "+1-555-415-1337"

  /// Text messages: back once, then a code mistyped, resent, and right.
  public static let enrollSms = Scenario("enroll-sms", offering(.sms)) { stage in
    let enroll = try await enrolling(stage)
    let sms = try factor(enroll.availableFactors, OktaFactorSms.self)
    try expect(enroll.canEnrollFactor(factor: sms) && !enroll.canSkipEnrollment(), "sms only")
    let first = try cast(try await sms.enroll(phoneNumber: phone), to: OktaAuthStatusFactorEnrollActivate.self)
    let back = try cast(try await first.returnToPreviousStatus(), to: OktaAuthStatusFactorEnroll.self)
    stage.org.advanceClock(by: 31)
    let again = try await back.enrollFactor(
      factor: try factor(back.availableFactors, OktaFactorSms.self), questionId: nil, answer: nil, credentialId: nil,
      passCode: nil, phoneNumber: phone)
    let activate = try cast(again, to: OktaAuthStatusFactorEnrollActivate.self)
    _ = try await failure { () async throws(OktaError) in try await activate.resendFactor() }
    stage.org.advanceClock(by: 31)
    let resent = try cast(try await activate.resendFactor(), to: OktaAuthStatusFactorEnrollActivate.self)
    try expect(resent.canResend() && resent.factor.canActivate(), "resend")
    let code = try lastCode(stage)
    _ = try await failure { () async throws(OktaError) in
      try await resent.activateFactor(passCode: code == "000000" ? "111111" : "000000")
    }
    return try cast(try await resent.activateFactor(passCode: code), to: OktaAuthStatusSuccess.self)
  }

  /// Voice calls.
  public static let enrollCall = Scenario("enroll-call", offering(.call)) { stage in
    let enroll = try await enrolling(stage)
    let call = try factor(enroll.availableFactors, OktaFactorCall.self)
    let activate = try cast(
      try await call.enroll(phoneNumber: phone, phoneExtension: "42"), to: OktaAuthStatusFactorEnrollActivate.self)
    let factor = try factor([activate.factor], OktaFactorCall.self)
    return try cast(try await factor.activate(passCode: try lastCode(stage)), to: OktaAuthStatusSuccess.self)
  }

  /// A push: the link by mail and by text message, a time-out, a new QR code, and then the device reports in.
  public static let enrollPush = Scenario("enroll-push", offering(.push)) { stage in
    let enroll = try await enrolling(stage)
    let push = try factor(enroll.availableFactors, OktaFactorPush.self)
    let activate = try cast(try await push.enroll(), to: OktaAuthStatusFactorEnrollActivate.self)
    let pending = try factor([activate.factor], OktaFactorPush.self)
    try expect(pending.qrCodeLink != nil && pending.canSendPushCodeViaSms(), "a QR code and links")
    try await pending.sendActivationLinkViaEmail()
    try await pending.sendActivationLinkViaSms(with: phone)
    stage.org.answerPush(for: login, .timeOut, afterPolls: 2)
    let late = try cast(
      try await stage.firingTimers { try await pending.activate() }, to: OktaAuthStatusFactorEnrollActivate.self)
    try expect(late.factorResult == .timeout, "a time-out")
    stage.org.answerPush(for: login, .approve, afterPolls: 2)
    return try cast(
      try await stage.firingTimers { try await late.activateFactor(passCode: nil) }, to: OktaAuthStatusSuccess.self)
  }

  /// Time-based codes: the secret is scanned, the code typed.
  public static let enrollTotp = Scenario("enroll-totp", offering(.totp(provider: "GOOGLE"))) { stage in
    let enroll = try await enrolling(stage)
    let totp = try factor(enroll.availableFactors, OktaFactorTotp.self)
    try expect(totp.provider == .google, "Google")
    let activate = try cast(try await totp.enroll(), to: OktaAuthStatusFactorEnrollActivate.self)
    let pending = try factor([activate.factor], OktaFactorTotp.self)
    guard let secret = pending.activation?.sharedSecret, let code = stage.org.timeCode(secret: secret) else {
      throw Unexpected(description: "no secret")
    }
    try expect(pending.activation?.keyLength == 6 && pending.qrCodeLink != nil, "six digits and a QR code")
    return try cast(try await pending.activate(passCode: code), to: OktaAuthStatusSuccess.self)
  }

  /// A security question out of the list.
  public static let enrollQuestion = Scenario("enroll-question", offering(.question)) { stage in
    let enroll = try await enrolling(stage)
    let question = try factor(enroll.availableFactors, OktaFactorQuestion.self)
    let questions = try await question.downloadSecurityQuestions()
    guard let first = questions.first?.question else { throw Unexpected(description: "no questions") }
    return try cast(
      try await question.enroll(questionId: first, answer: "a blue bicycle"), to: OktaAuthStatusSuccess.self)
  }

  /// A token whose maker asks for two codes.
  public static let enrollToken = Scenario("enroll-token", offering(.token(provider: "SYMANTEC"))) { stage in
    let enroll = try await enrolling(stage)
    let token = try factor(enroll.availableFactors, OktaFactorToken.self)
    return try cast(
      try await token.enroll(credentialId: "VSMT14393584", passCode: "875498", nextPassCode: "678195"),
      to: OktaAuthStatusSuccess.self)
  }

  /// Codes by mail.
  public static let enrollMail = Scenario("enroll-mail", offering(.email)) { stage in
    let enroll = try await enrolling(stage)
    let mail = try factor(enroll.availableFactors, OktaFactorOther.self)
    let activate = try cast(try await mail.enroll(), to: OktaAuthStatusFactorEnrollActivate.self)
    return try cast(
      try await activate.activateFactor(passCode: try lastCode(stage)), to: OktaAuthStatusSuccess.self)
  }

  /// An optional factor that the user does without.
  public static let enrollmentSkipped = Scenario("enrollment-skipped", offering(.sms, required: false)) { stage in
    let enroll = try await enrolling(stage)
    try expect(enroll.canSkipEnrollment(), "skip")
    return try cast(try await enroll.skipEnrollment(), to: OktaAuthStatusSuccess.self)
  }
}
