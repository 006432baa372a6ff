// Second factors beside text messages and pushes.

import Authn
import FlowRecording
import SimulatedOrg

extension Scenario {
  static let factors: [Scenario] = [
    call, mail, totp, question, rsa, yubikey, pushResent, remembered,
  ]

  private static func required(_ stage: Stage) async throws -> OktaAuthStatusFactorRequired {
    try cast(try await signIn(stage), to: OktaAuthStatusFactorRequired.self)
  }

  private static func with(_ factors: OrgFactor...) -> OrgConfiguration { OrgConfiguration(users: [user(factors)]) }

  /// A voice call, asked for twice.
  public static let call = Scenario("call", with(.call(phone: phone))) { stage in
    let required = try await required(stage)
    let challenge = try cast(
      try await factor(required.availableFactors, OktaFactorCall.self).select(), to: OktaAuthStatusFactorChallenge.self)
    _ = try await failure { () async throws(OktaError) in try await challenge.resendFactor() }
    stage.org.advanceClock(by: 31)
    let again = try cast(try await challenge.resendFactor(), to: OktaAuthStatusFactorChallenge.self)
    let factor = try factor([again.factor], OktaFactorCall.self)
    return try cast(try await factor.verify(passCode: try lastCode(stage)), to: OktaAuthStatusSuccess.self)
  }

  /// A code by mail.
  public static let mail = Scenario("mail", with(.email(address: "ann@mail.example"))) { stage in
    let required = try await required(stage)
    let challenge = try cast(
      try await factor(required.availableFactors, OktaFactorOther.self).select(), to: OktaAuthStatusFactorChallenge.self
    )
    return try cast(
      try await challenge.verifyFactor(passCode: try lastCode(stage), answerToSecurityQuestion: nil),
      to: OktaAuthStatusSuccess.self)
  }

  /// A time-based code in one step.
  public static let totp = Scenario("totp", with(.totp(secret: "JBSWY3DPEHPK3PXP"))) { stage in
    let required = try await required(stage)
    let totp = try factor(required.availableFactors, OktaFactorTotp.self)
    _ = try await failure { () async throws(OktaError) in try await totp.select(passCode: "nonsense") }
    guard let code = stage.org.timeCode(secret: "JBSWY3DPEHPK3PXP") else { throw Unexpected(description: "no code") }
    return try cast(try await totp.select(passCode: code), to: OktaAuthStatusSuccess.self)
  }

  /// A security question, answered wrong and right.
  public static let question = Scenario("question", with(.question(key: "disliked_food", answer: "cooked spinach"))) {
    stage in
    let required = try await required(stage)
    let question = try factor(required.availableFactors, OktaFactorQuestion.self)
    try expect(question.factorQuestionId == "disliked_food" && question.canSelect(), "the question")
    _ = try await failure { () async throws(OktaError) in try await question.select(answerToSecurityQuestion: "tea") }
    return try cast(
      try await question.select(answerToSecurityQuestion: "cooked spinach"), to: OktaAuthStatusSuccess.self)
  }

  /// An RSA token: challenged first, then verified.
  public static let rsa = Scenario(
    "rsa", with(.token(provider: "RSA", credentialId: "ann-rsa", passCode: "1234567890"))
  ) { stage in
    let required = try await required(stage)
    let token = try factor(required.availableFactors, OktaFactorToken.self)
    try expect(token.credentialId == "ann-rsa" && token.factorProvider == .rsa, "the token")
    let challenge = try cast(try await required.selectFactor(token), to: OktaAuthStatusFactorChallenge.self)
    let challenged = try factor([challenge.factor].compactMap { $0 }, OktaFactorToken.self)
    return try cast(try await challenged.verify(passCode: "1234567890"), to: OktaAuthStatusSuccess.self)
  }

  /// A hardware token, through a request of the application's own.
  public static let yubikey = Scenario(
    "yubikey", with(.token(provider: "YUBICO", credentialId: "000004102994", passCode: "cccccceukngdfgkukfctkcvfidnet"))
  ) { stage in
    let required = try await required(stage)
    let token = try factor(required.availableFactors, OktaFactorOther.self)
    guard let link = token.links?.verify else { throw Unexpected(description: "no link") }
    return try cast(
      try await token.sendRequest(
        with: link, keyValuePayload: ["passCode": "cccccceukngdfgkukfctkcvfidnet", "rememberDevice": false]),
      to: OktaAuthStatusSuccess.self)
  }

  /// A push that is rejected, sent again, and approved.
  public static let pushResent = Scenario("push-resent", with(push)) { stage in
    let challenge = try await challenge(stage, factor: OktaFactorPush.self)
    stage.org.answerPush(for: login, .approve, afterPolls: 2)
    return try cast(
      try await stage.firingTimers { try await challenge.resendFactor() }, to: OktaAuthStatusSuccess.self)
  }

  /// A device that the org remembers the second time.
  public static let remembered = Scenario("remembered", with(push)) { stage in
    let start = stage.begin()
    var options = OktaAuthenticationOptions()
    options.deviceToken = "device0123456789"
    options.deviceFingerprint = "fingerprint-of-the-device"
    let required = try cast(
      try await start.authenticate(username: login, password: password, options: options),
      to: OktaAuthStatusFactorRequired.self)
    let push = try factor(required.availableFactors, OktaFactorPush.self)
    let challenge = try cast(try await push.select(autoPush: true), to: OktaAuthStatusFactorChallenge.self)
    stage.org.answerPush(for: login, .approve, afterPolls: 2)
    _ = try await stage.firingTimers {
      try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil, rememberDevice: true)
    }
    return try cast(
      try await start.authenticate(username: login, password: password, options: options),
      to: OktaAuthStatusSuccess.self)
  }
}
