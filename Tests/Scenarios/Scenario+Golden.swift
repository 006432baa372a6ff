// One scenario for each golden recording.

import Authn
import FlowRecording
import SimulatedOrg

extension Scenario {
  /// The scenarios of `Recordings/`.
  public static let golden: [Scenario] = [
    passwordOnly, pushApproved, pushRejected, pushTimedOut, smsWrongCode, wrongPassword, lockedOut, serverError,
    rateLimited, numberChallenge, cancelled, lostPolls,
  ]

  /// User name and password, and nothing else.
  public static let passwordOnly = Scenario("password-only", OrgConfiguration(users: [user()])) { stage in
    try await stage.begin().authenticate(username: login, password: password)
  }

  /// A push that is approved at the third poll.
  public static let pushApproved = push("push-approved", .approve, polls: 3) { status in
    _ = try cast(status, to: OktaAuthStatusSuccess.self)
  }

  /// A push that is rejected at the second poll.
  public static let pushRejected = push("push-rejected", .reject, polls: 2) { status in
    guard try cast(status, to: OktaAuthStatusFactorChallenge.self).factorResult == .rejected else {
      throw Unexpected(description: "expected REJECTED")
    }
  }

  /// A push that is not answered for five minutes.
  public static let pushTimedOut = push("push-timed-out", .timeOut, polls: 59) { status in
    guard try cast(status, to: OktaAuthStatusFactorChallenge.self).factorResult == .timeout else {
      throw Unexpected(description: "expected TIMEOUT")
    }
  }

  private static func push(
    _ name: String, _ answer: PushAnswer, polls: Int, check: @escaping @Sendable (OktaAuthStatus) throws -> Void
  ) -> Scenario {
    Scenario(name, OrgConfiguration(users: [user([push])], stateTokenLifetime: 600)) { stage in
      let challenge = try await challenge(stage, factor: OktaFactorPush.self)
      stage.org.answerPush(for: login, answer, afterPolls: polls)
      let last = try await stage.firingTimers {
        try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
      }
      try check(last)
      return last
    }
  }

  /// Signs in as far as the challenge of a factor.
  static func challenge<Factor: OktaFactor>(
    _ stage: Stage, factor type: Factor.Type, password: String = Scenario.password
  ) async throws -> OktaAuthStatusFactorChallenge {
    let start = try await stage.begin().authenticate(username: login, password: password)
    let required = try cast(start, to: OktaAuthStatusFactorRequired.self)
    guard let factor = required.availableFactors.first(where: { $0 is Factor }) else {
      throw Unexpected(description: "the factor is not offered")
    }
    return try cast(try await required.selectFactor(factor), to: OktaAuthStatusFactorChallenge.self)
  }

  /// A text message whose code is mistyped once.
  public static let smsWrongCode = Scenario("sms-wrong-code", OrgConfiguration(users: [user([sms])])) { stage in
    let challenge = try await challenge(stage, factor: OktaFactorSms.self)
    guard let code = stage.org.outbox.last?.code else { throw Unexpected(description: "no code was sent") }
    let wrong = code == "000000" ? "111111" : "000000"
    _ = try await failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: wrong, answerToSecurityQuestion: nil)
    }
    return try await challenge.verifyFactor(passCode: code, answerToSecurityQuestion: nil)
  }

  /// A wrong password.
  public static let wrongPassword = Scenario("wrong-password", OrgConfiguration(users: [user()])) { stage in
    let start = stage.begin()
    _ = try await failure { () async throws(OktaError) in
      try await start.authenticate(username: login, password: "Wrong-Horse-8")
    }
    return start
  }

  /// Wrong passwords until the account is locked.
  public static let lockedOut = Scenario(
    "locked-out", OrgConfiguration(users: [user()], lockoutAfter: 3, showsLockout: true)
  ) { stage in
    let start = stage.begin()
    for attempt in 1...2 {
      _ = try await failure { () async throws(OktaError) in
        try await start.authenticate(username: login, password: "Wrong-Horse-\(attempt)")
      }
    }
    var last = try? await start.authenticate(username: login, password: "Wrong-Horse-3")
    if last == nil { last = try await start.authenticate(username: login, password: password) }
    return try cast(last, to: OktaAuthStatusLockedOut.self)
  }

  /// An org that fails once.
  public static let serverError = Scenario("server-error", OrgConfiguration(users: [user()])) { stage in
    stage.org.inject(Fault(.serverError))
    let start = stage.begin()
    _ = try await failure { () async throws(OktaError) in
      try await start.authenticate(username: login, password: password)
    }
    return try await start.authenticate(username: login, password: password)
  }

  /// An org that asks to slow down.
  public static let rateLimited = Scenario("rate-limited", OrgConfiguration(users: [user()])) { stage in
    stage.org.inject(Fault(.rateLimited(limit: 600, resetIn: 30)))
    let start = stage.begin()
    _ = try await failure { () async throws(OktaError) in
      try await start.authenticate(username: login, password: password)
    }
    return start
  }

  /// A push with a number to choose.
  public static let numberChallenge = Scenario(
    "number-challenge", OrgConfiguration(users: [user([push])], numberChallenge: true)
  ) { stage in
    let challenge = try await challenge(stage, factor: OktaFactorPush.self)
    stage.org.answerPush(for: login, .approve, afterPolls: 2)
    let seen = Locked<Int?>(nil)
    let last = try await stage.firingTimers {
      try await challenge.verifyFactor(
        passCode: nil, answerToSecurityQuestion: nil,
        onWaitingStatus: { waiting in
          let answer = (waiting.factor as? OktaFactorPush)?.correctAnswer
          seen.withLock { $0 = answer ?? $0 }
        })
    }
    guard seen.withLock({ $0 }) != nil else { throw Unexpected(description: "no number was shown") }
    return last
  }

  /// A push that the user gives up waiting for.
  public static let cancelled = Scenario("cancelled", OrgConfiguration(users: [user([push])])) { stage in
    let challenge = try await challenge(stage, factor: OktaFactorPush.self)
    // Where polling ends before it waits, there is no timer to wait for.
    let waiting = Task { await stage.time.waitForTimers() }
    async let polling = {
      defer { waiting.cancel() }
      return try await failure { () async throws(OktaError) in
        try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
      }
    }()
    _ = await waiting.value
    try await challenge.cancel()
    guard case .cancelled = try await polling else { throw Unexpected(description: "polling should have ended") }
    return challenge
  }

  /// A push whose polls are lost twice, and limited once.
  public static let lostPolls = Scenario("lost-polls", OrgConfiguration(users: [user([push])])) { stage in
    let challenge = try await challenge(stage, factor: OktaFactorPush.self)
    stage.org.inject(Fault(.connectionReset, path: "/verify", skipping: 1, times: 2))
    stage.org.inject(Fault(.rateLimited(limit: 10, resetIn: 3), path: "/verify", skipping: 1))
    stage.org.answerPush(for: login, .approve, afterPolls: 2)
    return try await stage.firingTimers {
      try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    }
  }
}
