// What goldens else never do: orders of calls, answers and clocks that are rare. They are replayed, and not run through every
// battery.

import Authn
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg

extension Scenario {
  /// The scenarios of `Recordings/` that are rare.
  public static let rare: [Scenario] =
    [
      pollTroubles, pollsGivenUp, clockAhead, pollingYields, twoAtATime, cookies,
      foreignLinks,
      errorThenLeft, otherSuccesses, cancelledAll,
    ] + odd + pages + edges + quotes + refused + corners + declared

  /// The stage with changed answers.
  static func changing(
    _ stage: Stage, _ change: @escaping @Sendable (HTTPRequest, Int) -> ChangedAnswers.Change
  ) -> Stage {
    var stage = stage
    stage.environment.transport = ChangedAnswers(over: stage.environment.transport, change)
    return stage
  }

  static func isPoll(_ request: HTTPRequest) -> Bool { request.url.contains("/verify") }

  /// Polls are lost, answered, lost again, and limited in each way that a server has.
  public static let pollTroubles = Scenario(
    "poll-troubles", OrgConfiguration(users: [user([push])], stateTokenLifetime: 3600)
  ) { stage in
    let stage = changing(stage) { request, count in
      guard isPoll(request) else { return .none }
      switch count {
      case 2, 3, 5: return .failure(TransportError(.connectionLost, "The connection was lost."))
      case 6: return .answer(.limited(HTTPField("Retry-After", "7")))
      case 8:
        return .answer(
          .limited(
            HTTPField("Date", "Thu, 15 Jan 2026 09:10:00 GMT"),
            HTTPField("Retry-After", "Thu, 15 Jan 2026 09:10:09 GMT")))
      case 10:
        // A limit on concurrency: its reset is a hint at most.
        return .answer(
          .limited(
            HTTPField("Date", "Thu, 15 Jan 2026 09:10:00 GMT"), HTTPField("X-Rate-Limit-Limit", "0"),
            HTTPField("X-Rate-Limit-Reset", "1768468260")))
      case 12:
        return .answer(
          .limited(
            HTTPField("Date", "Thu, 15 Jan 2026 09:10:00 GMT"), HTTPField("X-Rate-Limit-Limit", "10"),
            HTTPField("X-Rate-Limit-Reset", "1768468215")))
      default: return .none
      }
    }
    let challenge = try await challenge(stage, factor: OktaFactorPush.self)
    stage.org.answerPush(for: login, .approve, afterPolls: 14)
    return try await stage.firingTimers {
      try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    }
  }

  /// Six polls in a row are lost, which ends the polling.
  public static let pollsGivenUp = Scenario("polls-given-up", OrgConfiguration(users: [user([push])])) { stage in
    let stage = changing(stage) { request, count in
      isPoll(request) && count > 1 ? .failure(TransportError(.connectionLost, "The connection was lost.")) : .none
    }
    let challenge = try await challenge(stage, factor: OktaFactorPush.self)
    _ = try await stage.firingTimers {
      try await failure { () async throws(OktaError) in
        try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
      }
    }
    return challenge
  }

  /// The org's clock is an hour ahead, and its transaction ends while a push is polled.
  public static let clockAhead = Scenario(
    "clock-ahead", OrgConfiguration(users: [user([push])], stateTokenLifetime: 33)
  ) { stage in
    stage.org.advanceClock(by: 3600)
    let start = try await stage.begin(pollInterval: 40).authenticate(username: login, password: password)
    let required = try cast(start, to: OktaAuthStatusFactorRequired.self)
    let push = try factor(required.availableFactors, OktaFactorPush.self)
    let challenge = try cast(try await push.select(), to: OktaAuthStatusFactorChallenge.self)
    let error = try await stage.firingTimers {
      try await failure { () async throws(OktaError) in
        try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
      }
    }
    guard case .wrongStatus = error else {
      throw Unexpected(description: "the transaction should have ended: \(error)")
    }
    return challenge
  }

  /// Begins to poll, and waits until the poll has its timer.
  static func polling(
    _ challenge: OktaAuthStatusFactorChallenge, _ stage: Stage
  ) async -> Task<OktaError, any Error> {
    let polling = Task {
      try await failure { () async throws(OktaError) in
        try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
      }
    }
    _ = await stage.time.waitForTimers()
    return polling
  }

  /// The user goes back while a push is polled: polling yields.
  public static let pollingYields = Scenario("polling-yields", OrgConfiguration(users: [user([push, sms])])) { stage in
    let challenge = try await challenge(stage, factor: OktaFactorPush.self)
    let polling = await polling(challenge, stage)
    let back = try await challenge.returnToPreviousStatus()
    guard case .cancelled = try await polling.value else { throw Unexpected(description: "polling should have ended") }
    let required = try cast(back, to: OktaAuthStatusFactorRequired.self)
    let text = try cast(
      try await factor(required.availableFactors, OktaFactorSms.self).select(), to: OktaAuthStatusFactorChallenge.self)
    return try await text.verifyFactor(passCode: try lastCode(stage), answerToSecurityQuestion: nil)
  }

  /// The button is pressed twice: the second call is refused while the first is under way.
  public static let twoAtATime = Scenario("two-at-a-time", OrgConfiguration(users: [user()])) { stage in
    var stage = stage
    let held = HeldRequests(over: stage.environment.transport)
    stage.environment.transport = held
    held.hold()
    let start = stage.begin()
    return try await withCheckedThrowingContinuation { continuation in
      start.authenticate(
        username: login, password: password, onStatusChange: { continuation.resume(returning: $0) },
        onError: { continuation.resume(throwing: $0) })
      start.authenticate(
        username: login, password: password, onStatusChange: { _ in }, onError: { _ in held.release() })
    }
  }

  /// The org sets cookies, replaces them and takes them back.
  public static let cookies = Scenario("cookies", OrgConfiguration(users: [user([sms])])) { stage in
    let words = [
      ["sid=first-session; Path=/; HttpOnly", "DT=device-of-the-org; Max-Age=600"],
      [
        "sid=second-session; Path=/", "t=themes; Expires=Thu, 15 Jan 2026 08:00:00 GMT; Max-Age=600",
        "xids=soon-gone; Max-Age=60",
      ],
      ["t=gone; Max-Age=0", "sid=third-session"],
    ]
    let answers = Locked(0)
    let stage = changing(stage) { _, _ in
      .edit { response in
        let number = answers.withLock { number in
          defer { number += 1 }
          return number
        }
        if number < words.count { response.headers += words[number].map { HTTPField("Set-Cookie", $0) } }
      }
    }
    let challenge = try await challenge(stage, factor: OktaFactorSms.self)
    _ = try await failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: "000", answerToSecurityQuestion: nil)
    }
    stage.org.advanceClock(by: 90)
    stage.time.advance(milliseconds: 90_000)
    let again = try cast(try await challenge.resendFactor(), to: OktaAuthStatusFactorChallenge.self)
    return try await again.verifyFactor(passCode: try lastCode(stage), answerToSecurityQuestion: nil)
  }

  /// Links lead to another name of the org and to its usual port, offer two channels, and have a query.
  public static let foreignLinks = Scenario("foreign-links", OrgConfiguration(users: [user([sms])])) { stage in
    var stage = stage
    let other = "https://login.acme.example"
    stage.environment.transport = RenamedOrg(
      name: other, url: Stage.orgURL,
      over: RenamedOrg(name: Stage.orgURL + ":443", url: Stage.orgURL, over: stage.environment.transport))
    stage = changing(stage) { request, _ in
      guard request.url.contains("/factors/") else {
        return .edit { $0.headers.append(HTTPField("Set-Cookie", "sid=session-of-the-org; Path=/")) }
      }
      return .edit { response in
        guard response.status == 200 else { return }
        response.headers.append(HTTPField("Set-Cookie", "sid=session-of-the-other; Path=/"))
        response.editLinks { links in
          guard let back = links["prev"]?["href"]?.string, let again = links["resend"]?.array?.first?["href"]?.string
          else { return }
          if let next = links["next"]?["href"]?.string {
            links["next"] = ["name": "verify", "href": .string(next + "?rememberDevice=false")]
          }
          links["prev"] = ["href": .string(back.replacing(Stage.orgURL, with: other))]
          links["resend"] = [
            ["name": "call", "href": .string(other + "/api/v1/authn/factors/none/verify/resend")],
            ["name": "sms", "href": .string(again.replacing(Stage.orgURL, with: Stage.orgURL + ":443"))],
          ]
        }
      }
    }
    let challenge = try await challenge(stage, factor: OktaFactorSms.self)
    stage.org.advanceClock(by: 31)
    _ = try await challenge.resendFactor()
    let back = try await challenge.returnToPreviousStatus()
    let required = try cast(back, to: OktaAuthStatusFactorRequired.self)
    stage.org.advanceClock(by: 31)
    let text = try cast(
      try await factor(required.availableFactors, OktaFactorSms.self).select(), to: OktaAuthStatusFactorChallenge.self)
    return try await text.verifyFactor(
      passCode: try lastCode(stage), answerToSecurityQuestion: nil, rememberDevice: true)
  }

  /// A code is mistyped, another one asked for, and the application lets go.
  public static let errorThenLeft = Scenario("error-then-left", OrgConfiguration(users: [user([sms])])) { stage in
    let challenge = try await challenge(stage, factor: OktaFactorSms.self)
    _ = try await failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: "000", answerToSecurityQuestion: nil)
    }
    stage.org.advanceClock(by: 31)
    return try await challenge.resendFactor()
  }

  /// Answers of success that are not 200, and an error that quotes what was sent.
  public static let otherSuccesses = Scenario("other-successes", OrgConfiguration(users: [user([sms])])) { stage in
    let stage = changing(stage) { request, count in
      if request.url.contains("/factors/") {
        return count == 1
          ? .failure(TransportError(.other, "Could not send \(String(decoding: request.body ?? [], as: UTF8.self))"))
          : .none
      }
      return .edit { response in if response.status == 200 { response.status = 201 } }
    }
    let challenge = try await challenge(stage, factor: OktaFactorSms.self)
    _ = try await failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: "000", answerToSecurityQuestion: nil)
    }
    try await challenge.cancel()
    return challenge
  }

  /// A factor is cancelled while its activation is polled and its link is being sent: both calls end, in their order.
  public static let cancelledAll = Scenario("cancelled-all", offering(.push)) { stage in
    var stage = stage
    let held = HeldRequests(over: stage.environment.transport)
    stage.environment.transport = held
    let enroll = try await enrolling(stage)
    let push = try factor(enroll.availableFactors, OktaFactorPush.self)
    let activate = try cast(try await push.enroll(), to: OktaAuthStatusFactorEnrollActivate.self)
    let pending = try factor([activate.factor], OktaFactorPush.self)
    let polling = Task { try await failure { () async throws(OktaError) in try await pending.activate() } }
    _ = await stage.time.waitForTimers()
    held.hold()
    pending.sendActivationLinkViaEmail(onSuccess: {}, onError: { _ in })
    activate.cancel(onSuccess: {}, onError: { _ in })
    guard case .cancelled = try await polling.value else { throw Unexpected(description: "polling should have ended") }
    // The link is never sent: its late answer could come before that to the cancel, or after.
    held.release(dropping: 1)
    try await settled(activate)
    return activate
  }

  /// Waits until the last call of a flow is over.
  private static func settled(_ status: OktaAuthStatus) async throws {
    guard await holdsSoon({ status.object.session.flow.core.openCalls.isEmpty }) else {
      throw Unexpected(description: "a call goes on")
    }
  }
}
