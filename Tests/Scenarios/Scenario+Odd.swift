// Answers that are right, and that the simulated org never gives by itself.

import Authn
import FlowRecording
import SimulatedOrg

extension Scenario {
  static let odd: [Scenario] = [
    pushRemembered, linksWrittenOtherwise, pushWaitsLong, tooSoon, taskCancelled, leftWhilePolling,
  ]

  /// A push is to be remembered, and sent by itself the next time.
  public static let pushRemembered = Scenario(
    "push-remembered", OrgConfiguration(users: [user([push])], stateTokenLifetime: 600)
  ) { stage in
    let challenge = try await challenge(stage, factor: OktaFactorPush.self)
    stage.org.answerPush(for: login, .approve, afterPolls: 2)
    let push = try factor([challenge.factor], OktaFactorPush.self)
    return try await stage.firingTimers { try await push.verify(rememberDevice: true, autoPush: true) }
  }

  /// The links of an activation have names with capitals.
  public static let linksWrittenOtherwise = Scenario("links-written-otherwise", offering(.push)) { stage in
    let stage = changing(stage) { request, _ in
      guard request.url.hasSuffix("/factors") else { return .none }
      return .edit { response in
        let text = String(decoding: response.body, as: UTF8.self)
        response.body = Array(text.replacing("\"email\"", with: "\"Email\"").replacing("\"sms\"", with: "\"SMS\"").utf8)
      }
    }
    let enroll = try await enrolling(stage)
    let push = try factor(enroll.availableFactors, OktaFactorPush.self)
    let activate = try cast(try await push.enroll(), to: OktaAuthStatusFactorEnrollActivate.self)
    let pending = try factor([activate.factor], OktaFactorPush.self)
    try await pending.sendActivationLinkViaEmail()
    try await pending.sendActivationLinkViaSms(with: phone)
    try await activate.cancel()
    return activate
  }

  /// A push that is polled for so long that polling slows down.
  public static let pushWaitsLong = Scenario(
    "push-waits-long", OrgConfiguration(users: [user([push])], stateTokenLifetime: 3600)
  ) { stage in
    let waiting = Locked<[UInt8]>([])
    let stage = changing(stage) { request, count in
      guard isPoll(request) else { return .none }
      return .edit { response in
        let text = String(decoding: response.body, as: UTF8.self)
        if text.contains("\"WAITING\"") { waiting.withLock { $0 = response.body } }
        // The org gives a push five minutes; this one gives it longer.
        if count < 13, text.contains("\"TIMEOUT\"") { response.body = waiting.withLock { $0 } }
      }
    }
    let start = try await stage.begin(pollInterval: 40).authenticate(username: login, password: password)
    let required = try cast(start, to: OktaAuthStatusFactorRequired.self)
    let push = try factor(required.availableFactors, OktaFactorPush.self)
    let challenge = try cast(try await push.select(), to: OktaAuthStatusFactorChallenge.self)
    return try await stage.firingTimers {
      try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    }
  }

  /// Codes are asked for too soon, in each way that the org says so; it sets cookies with attributes of its own.
  public static let tooSoon = Scenario("too-soon", OrgConfiguration(users: [user([sms])])) { stage in
    let codes = ["E0000118", "E0000109", "E0000133", "E0000047"]
    let stage = changing(stage) { request, count in
      if request.url.hasSuffix("/resend"), count < codes.count {
        return .answer(
          HTTPResponse(
            status: 429, headers: [HTTPField("Content-Type", "application/json")],
            body: Array(#"{"errorCode":"\#(codes[count])","errorSummary":"A code was sent a moment ago."}"#.utf8)))
      }
      return .edit {
        $0.headers.append(
          HTTPField(
            "Set-Cookie",
            "sid=session-of-the-org; Path=/; SameSite=None; Priority=High; Note=word-of-the-org; Partitioned"))
      }
    }
    let challenge = try await challenge(stage, factor: OktaFactorSms.self)
    for _ in codes {
      _ = try await failure { () async throws(OktaError) in try await challenge.resendFactor() }
    }
    return try await challenge.verifyFactor(passCode: try lastCode(stage), answerToSecurityQuestion: nil)
  }

  /// The application lets go of everything while a push is polled.
  public static let leftWhilePolling = Scenario("left-while-polling", OrgConfiguration(users: [user([push])])) {
    stage in
    let challenge = try await challenge(stage, factor: OktaFactorPush.self)
    challenge.verifyFactor(
      passCode: nil, answerToSecurityQuestion: nil, onStatusChange: { _ in }, onError: { _ in },
      onFactorStatusUpdate: nil)
    await stage.time.waitForTimers()
    // What is kept for a second after the wait began is let go of later.
    stage.settle()
    stage.time.advance(milliseconds: 1000)
    withExtendedLifetime(challenge) {}
    return nil
  }

  /// The task that waits for a push is cancelled.
  public static let taskCancelled = Scenario("task-cancelled", OrgConfiguration(users: [user([push])])) { stage in
    let challenge = try await challenge(stage, factor: OktaFactorPush.self)
    let polling = await polling(challenge, stage)
    polling.cancel()
    guard case .cancelled = try await polling.value else { throw Unexpected(description: "polling should have ended") }
    return challenge
  }
}
