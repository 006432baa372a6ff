// Forgotten passwords and locked accounts.

import Authn
import FlowRecording
import SimulatedOrg

extension Scenario {
  static let recoveries: [Scenario] = [mailRecovery, smsRecovery, callRecovery, mailUnlock, lockedOutUnlock]

  private static func forgetful(lockedOut: Bool = false, question: Bool = true) -> OrgConfiguration {
    OrgConfiguration(
      users: [
        OrgUser(
          login: login, password: password, recoveryPhone: phone,
          recoveryQuestion: question ? (question: "What is the food you least liked?", answer: "cooked spinach") : nil,
          lockedOut: lockedOut)
      ], showsLockout: true)
  }

  private static let newPassword = "Better-Horse-8"

  /// By mail: the token is brought to the object that waits, the question answered, the password reset.
  public static let mailRecovery = Scenario("mail-recovery", forgetful()) { stage in
    let start = stage.begin()
    let waiting = try cast(
      try await start.recoverPassword(username: login, factorType: .email), to: OktaAuthStatusRecoveryChallenge.self)
    try expect(!waiting.canVerify() && !waiting.canResend() && waiting.stateToken == nil, "nothing to verify")
    let recovery = try cast(
      try await waiting.verifyFactor(recoveryToken: try lastCode(stage)), to: OktaAuthStatusRecovery.self)
    try expect(recovery.recoveryQuestion != nil && recovery.recoveryType == .password, "the question")
    _ = try await failure { () async throws(OktaError) in try await recovery.recoverWithAnswer("tea") }
    let reset = try cast(
      try await recovery.recoverWithAnswer("cooked spinach"), to: OktaAuthStatusPasswordReset.self)
    return try cast(try await reset.resetPassword(newPassword: newPassword), to: OktaAuthStatusSuccess.self)
  }

  /// By text message, a code mistyped once, and no question.
  public static let smsRecovery = Scenario("sms-recovery", forgetful(question: false)) { stage in
    let challenge = try cast(
      try await stage.begin().recoverPassword(username: login, factorType: .sms),
      to: OktaAuthStatusRecoveryChallenge.self)
    let code = try lastCode(stage)
    _ = try await failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: code == "000000" ? "111111" : "000000")
    }
    let reset = try cast(try await challenge.verifyFactor(passCode: code), to: OktaAuthStatusPasswordReset.self)
    return try cast(
      try await reset.resetPassword(newPassword: newPassword, revokeSessions: true), to: OktaAuthStatusSuccess.self)
  }

  /// By voice call, asked for twice.
  public static let callRecovery = Scenario("call-recovery", forgetful()) { stage in
    let challenge = try cast(
      try await stage.begin().recoverPassword(username: login, factorType: .call, relayState: "/after"),
      to: OktaAuthStatusRecoveryChallenge.self)
    try expect(challenge.canResend() && challenge.factorType == .call, "a call")
    stage.org.advanceClock(by: 31)
    let again = try cast(try await challenge.resendFactor(), to: OktaAuthStatusRecoveryChallenge.self)
    let recovery = try cast(
      try await again.verifyFactor(passCode: try lastCode(stage)), to: OktaAuthStatusRecovery.self)
    try await recovery.cancel()
    return recovery
  }

  /// Unlocking by a token from the mail, as in another process.
  public static let mailUnlock = Scenario("mail-unlock", forgetful(lockedOut: true)) { stage in
    // Kept to the end: where in the log it is let go must not depend on threads.
    let asked = stage.begin()
    _ = try await asked.unlockAccount(username: login, factorType: .email)
    let recovery = try cast(
      try await stage.begin().recover(with: try lastCode(stage), relayState: "/after"), to: OktaAuthStatusRecovery.self)
    let success = try cast(
      try await recovery.recoverWithAnswer("cooked spinach"), to: OktaAuthStatusSuccess.self)
    try expect(success.sessionToken == nil && success.recoveryType == .unlock, "an unlock")
    withExtendedLifetime(asked) {}
    return success
  }

  /// A locked account that is unlocked from where the sign-in ended.
  public static let lockedOutUnlock = Scenario("locked-out-unlock", forgetful(lockedOut: true, question: false)) {
    stage in
    let locked = try cast(try await signIn(stage), to: OktaAuthStatusLockedOut.self)
    try expect(locked.canUnlock() && locked.canCancel(), "unlock")
    let challenge = try cast(
      try await locked.unlock(username: login, factorType: .sms), to: OktaAuthStatusRecoveryChallenge.self)
    return try cast(
      try await challenge.verifyFactor(passCode: try lastCode(stage)), to: OktaAuthStatusSuccess.self)
  }
}
