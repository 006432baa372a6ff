// What is refused before anything is sent, and what an application decides by a response handler of its own.

import Authn
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg

extension Scenario {
  static let refused: [Scenario] = [
    handlerAsked, handlerDecides, handlerLate, pollingStopped, resultsChecked, linksMissing, tokensMissing, orgUnusable,
    recoveredByToken,
  ]

  /// Whatever comes of it is recorded.
  private static func anyhow(_ operation: () async throws(OktaError) -> Void) async {
    do throws(OktaError) { try await operation() } catch {}
  }

  /// Begins a flow whose answers a handler of the application takes.
  private static func begin(_ stage: Stage, _ handler: OktaAuthStatusResponseHandler) throws
    -> OktaAuthStatusUnauthenticated
  {
    guard let org = URL(string: Stage.orgURL) else { throw Unexpected(description: "no address") }
    return OktaAuthStatusUnauthenticated(oktaDomain: org, responseHandler: handler, environment: stage.environment)
  }

  /// The application's own handler overlooks a wrong password; a poll is lost, one is limited, and the push is approved.
  static let handlerAsked = Scenario("handler-asked", OrgConfiguration(users: [user([push, sms])])) { stage in
    let handler = OwnHandler([.kept])
    let start = try begin(stage, handler)
    let kept = try await start.authenticate(username: login, password: "Wrong-Horse-8")
    let again = try cast(kept, to: OktaAuthStatusUnauthenticated.self)
    let required = try cast(
      try await again.authenticate(username: login, password: password), to: OktaAuthStatusFactorRequired.self)
    let push = try factor(required.availableFactors, OktaFactorPush.self)
    let challenge = try cast(try await push.select(), to: OktaAuthStatusFactorChallenge.self)
    let back = try cast(try await challenge.returnToPreviousStatus(), to: OktaAuthStatusFactorRequired.self)
    let second = try cast(
      try await factor(back.availableFactors, OktaFactorPush.self).select(), to: OktaAuthStatusFactorChallenge.self)
    stage.org.inject(Fault(.connectionReset, path: "/verify", skipping: 1, times: 1))
    stage.org.inject(Fault(.rateLimited(limit: 10, resetIn: 3), path: "/verify", skipping: 1))
    stage.org.answerPush(for: login, .approve, afterPolls: 3)
    return try await stage.firingTimers {
      try await second.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    }
  }

  /// The application's own handler refuses answers, fails, and hands over statuses that no class stands for.
  static let handlerDecides = Scenario("handler-decides", OrgConfiguration(users: [user([sms])])) { stage in
    for word in [OwnHandler.Word.refused, .foreign, .bare] {
      let start = try begin(stage, OwnHandler([word]))
      await anyhow { () async throws(OktaError) in _ = try await start.authenticate(username: login, password: password)
      }
      await anyhow { () async throws(OktaError) in
        let status = try await start.authenticate(username: login, password: password)
        try await status.cancel()
      }
    }
    let unknown = answering(stage, [("/api/v1/authn", transaction("CONSENT_REQUIRED"))])
    for word in [OwnHandler.Word.usual, .bare, .refused, .foreign, .kept] {
      let start = try begin(unknown, OwnHandler([word]))
      await anyhow { () async throws(OktaError) in _ = try await start.authenticate(username: login, password: password)
      }
    }
    return nil
  }

  /// The application's own handler takes its time, and the sign-in is cancelled meanwhile; then it goes on.
  static let handlerLate = Scenario("handler-late", OrgConfiguration(users: [user()])) { stage in
    let handler = OwnHandler([.later, .later])
    let start = try begin(stage, handler)
    start.authenticate(username: login, password: password, onStatusChange: { _ in }, onError: { _ in })
    guard await holdsSoon({ handler.undecided == 1 }) else { throw Unexpected(description: "nothing was asked") }
    handler.decide()
    guard await holdsSoon({ start.object.session.flow.core.openCalls.isEmpty }) else {
      throw Unexpected(description: "the call goes on")
    }
    start.authenticate(username: login, password: password, onStatusChange: { _ in }, onError: { _ in })
    guard await holdsSoon({ handler.undecided == 1 }) else { throw Unexpected(description: "nothing was asked") }
    await anyhow { () async throws(OktaError) in try await start.cancel() }
    handler.decide()
    stage.settle()
    return try await start.authenticate(username: login, password: password)
  }

  /// The application stops the polling of a push, polls again, and drops it all by an object from before.
  static let pollingStopped = Scenario("polling-stopped", OrgConfiguration(users: [user([push])])) { stage in
    let start = stage.begin()
    let required = try cast(
      try await start.authenticate(username: login, password: password), to: OktaAuthStatusFactorRequired.self)
    let challenge = try cast(
      try await factor(required.availableFactors, OktaFactorPush.self).select(), to: OktaAuthStatusFactorChallenge.self)
    challenge.verifyFactor(
      passCode: nil, answerToSecurityQuestion: nil, onStatusChange: { _ in }, onError: { _ in },
      onFactorStatusUpdate: { _ in })
    _ = await stage.time.waitForTimers()
    challenge.responseHandler.cancel()
    guard await holdsSoon({ start.object.session.flow.core.openCalls.isEmpty }) else {
      throw Unexpected(description: "polling goes on")
    }
    let polling = await polling(challenge, stage)
    await anyhow { () async throws(OktaError) in try await start.cancel() }
    _ = try await polling.value
    return nil
  }

  /// The application asks by itself what became of pushes: of one to choose, one that is waited for, and one to set up.
  static let resultsChecked = Scenario("results-checked", OrgConfiguration(users: [user([push])])) { stage in
    let start = try await stage.begin().authenticate(username: login, password: password)
    let required = try cast(start, to: OktaAuthStatusFactorRequired.self)
    let push = try factor(required.availableFactors, OktaFactorPush.self)
    await anyhow { () async throws(OktaError) in _ = try await push.checkFactorResult() }
    var status: OktaAuthStatus = try await push.select()
    stage.org.answerPush(for: login, .approve, afterPolls: 8)
    for _ in 0..<20 {
      guard let challenge = status as? OktaAuthStatusFactorChallenge else { break }
      status = try await factor([challenge.factor], OktaFactorPush.self).checkFactorResult()
    }
    let activation = transaction(
      "MFA_ENROLL_ACTIVATE", "\"factorResult\":\"WAITING\"",
      embedded: "\"factor\":" + factor(3, kinds[3], links: ""), links: "\"next\":\(link("poll", name: "poll"))")
    let setting = answering(stage, [("/api/v1/authn", activation), ("/poll", activation)])
    for _ in 0..<4 {
      let shown = try cast(
        try await setting.begin().authenticate(username: login, password: password),
        to: OktaAuthStatusFactorEnrollActivate.self)
      _ = try await factor([shown.factor], OktaFactorPush.self).checkFactorResult()
    }
    return status
  }

  /// Links that are of another name, that have a part after a hash sign, or are not there; answers that are no object.
  static let linksMissing = Scenario("links-missing", OrgConfiguration(users: [user()])) { stage in
    let other = transaction("RECOVERY", links: "\"next\":\(link("answer", name: "other"))")
    let locked: Page = (200, #"{"status":"LOCKED_OUT","_links":{}}"#)
    for page in [other, locked] {
      let stage = answering(stage, [("/api/v1/authn", page)])
      let status = try await stage.begin().authenticate(username: login, password: password)
      await anyhow { () async throws(OktaError) in try await status.cancel() }
      guard let status = status as? OktaAuthStatusRecovery else { continue }
      await anyhow { () async throws(OktaError) in _ = try await status.recoverWithToken("token-of-the-mail") }
    }
    let part = "\"next\":{\"name\":\"verify\",\"href\":\"\(Stage.orgURL)/api/v1/authn/verify?mode=once#part-of-it\"}"
    let complete = "\"_embedded\":{\"verification\":{\"_links\":{\"complete\":\(link("complete"))}}}"
    let answers: [Page] = [(200, "OK"), (200, "\"taken\""), (200, "[1]"), (200, ""), (400, "OK"), (400, "[1]")]
    for answer in answers {
      let duo = transaction(
        "MFA_CHALLENGE", embedded: "\"factor\":" + factor(8, kinds[8], links: "", more: complete), links: part)
      let stage = answering(
        stage, [("/api/v1/authn", duo), ("/verify", transaction("SUCCESS")), ("/complete", answer)])
      let status = try cast(
        try await stage.begin().authenticate(username: login, password: password),
        to: OktaAuthStatusFactorChallenge.self)
      if let other = status.factor as? OktaFactorOther {
        await anyhow { () async throws(OktaError) in try await other.complete(signedResponse: "response-of-the-frame") }
      }
      await anyhow { () async throws(OktaError) in
        _ = try await status.verifyFactor(passCode: "123456", answerToSecurityQuestion: nil, rememberDevice: true)
      }
    }
    return nil
  }

  /// Statuses without a token, some of which the application's own handler hands over although they lack it.
  static let tokensMissing = Scenario("tokens-missing", OrgConfiguration(users: [user()])) { stage in
    func bare(_ status: String, _ more: String = "") -> Page {
      let send = "\"_links\":{\"send\":[\(link("send", name: "email")),\(link("send", name: "sms"))]}"
      let push = factor(
        3, kinds[3], links: "\"verify\":\(link("verify")),\"enroll\":\(link("factors"))",
        more: "\"_embedded\":{\"activation\":{\(send)}}")
      return (
        200,
        """
        {"status":"\(status)"\(more),"_embedded":{"factor":\(push),"factors":[\(push)]},\
        "_links":{"next":\(link("next")),"prev":\(link("previous")),"cancel":\(link("cancel")),"skip":\(link("skip")),\
        "resend":\(link("resend"))}}
        """
      )
    }
    for page in [
      bare("RECOVERY_CHALLENGE"), bare("RECOVERY", ",\"recoveryToken\":\"token-of-the-mail\""),
      bare("CONSENT_REQUIRED"),
      bare("MFA_ENROLL_ACTIVATE"), bare("MFA_CHALLENGE"), bare("MFA_REQUIRED"), bare("UNAUTHENTICATED"),
    ] {
      let stage = answering(stage, [("/api/v1/authn", page)])
      guard
        let status = try? await begin(stage, OwnHandler([.bare])).authenticate(username: login, password: password)
      else { continue }
      await tokenless(status)
    }
    let usual = answering(stage, [("/api/v1/authn", bare("RECOVERY_CHALLENGE"))])
    let waiting = try cast(
      try await usual.begin().authenticate(username: login, password: password),
      to: OktaAuthStatusRecoveryChallenge.self)
    await anyhow { () async throws(OktaError) in _ = try await waiting.verifyFactor(passCode: "123456") }
    await anyhow { () async throws(OktaError) in _ = try await waiting.resendFactor() }
    await tokenless(waiting)
    return nil
  }

  private static func tokenless(_ status: OktaAuthStatus) async {
    await anyhow { () async throws(OktaError) in _ = try await status.returnToPreviousStatus() }
    await anyhow { () async throws(OktaError) in try await status.cancel() }
    for one in status.factors {
      await anyhow { () async throws(OktaError) in _ = try await one.select() }
      guard let push = one as? OktaFactorPush else { continue }
      await anyhow { () async throws(OktaError) in try await push.sendActivationLinkViaEmail() }
      await anyhow { () async throws(OktaError) in try await push.sendActivationLinkViaSms(with: phone) }
      await anyhow { () async throws(OktaError) in _ = try await push.checkFactorResult() }
      await anyhow { () async throws(OktaError) in _ = try await push.enroll() }
    }
  }

  /// The org's address is none that requests can go to.
  static let orgUnusable = Scenario("org-unusable", OrgConfiguration(users: [user()])) { stage in
    for address in ["ftp://acme.example", "acme.example"] {
      guard let org = URL(string: address) else { continue }
      let start = OktaAuthStatusUnauthenticated(oktaDomain: org, environment: stage.environment)
      await anyhow { () async throws(OktaError) in
        _ = try await start.authenticate(username: login, password: password)
      }
      await anyhow { () async throws(OktaError) in
        _ = try await start.recoverPassword(username: login, factorType: .sms)
      }
    }
    return nil
  }

  /// Tokens of recovery mails begin flows of their own.
  static let recoveredByToken = Scenario("recovered-by-token", OrgConfiguration(users: [user()])) { stage in
    guard let org = URL(string: Stage.orgURL) else { return nil }
    let recovery = transaction("RECOVERY", links: "\"next\":\(link("answer"))")
    let refusal: Page = (401, #"{"errorCode":"E0000011","errorSummary":"Invalid token provided"}"#)
    for page in [recovery, refusal, recovery, recovery] {
      let stage = answering(stage, [("/recovery/token", page)])
      await anyhow { () async throws(OktaError) in
        _ = try await OktaAuthSdk.recover(
          with: "token-of-the-mail", using: org, environment: stage.environment)
      }
    }
    return nil
  }
}
