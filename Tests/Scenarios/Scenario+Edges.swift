// Calls at the edge of what a status offers: with every argument, by every form, and where the org offers nothing of the kind.

import Authn
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg

extension Scenario {
  static let edges: [Scenario] = [
    everyOption, everyEnrolment, everyAnswer, everyPassword, everyRecovery, everyRequest, nothingOffered, linksAbroad,
    cancelledTwice, firstPollLost, hourOfPolling, otherInterval,
  ]

  /// A stage whose org answers by the path of a request, in the end of it.
  static func answering(
    _ stage: Stage, _ pages: [(path: String, page: Page)]
  ) -> Stage {
    changing(stage) { request, _ in
      let path = URLParts(request.url)?.path ?? ""
      guard let page = pages.first(where: { path.hasSuffix($0.path) })?.page else { return .none }
      return .answer(
        HTTPResponse(
          status: page.status, headers: [HTTPField("Content-Type", "application/json")], body: Array(page.body.utf8)))
    }
  }

  /// A status that the org shows, with an object that holds it.
  private static func shown<Status>(_ stage: Stage, as type: Status.Type) async throws -> Status {
    try cast(try await stage.begin().authenticate(username: login, password: password), to: type)
  }

  /// Each form of a call has its turn, when a call is made as often.
  private static let turns = 0..<4

  /// Whatever comes of it is recorded.
  private static func anyhow(_ operation: () async throws(OktaError) -> Void) async {
    do throws(OktaError) { try await operation() } catch {}
  }

  /// Credentials with all that can go along.
  static let everyOption = Scenario("edge-options", OrgConfiguration(users: [user()])) { stage in
    let abroad = "https://login.acme.example"
    let next = "{\"name\":\"authenticate\",\"href\":\"\(abroad)/api/v1/authn/abroad\"}"
    let stage = answering(
      stage,
      [
        ("/api/v1/authn", transaction("UNAUTHENTICATED", links: "\"next\":\(next),\"cancel\":\(link("cancel"))")),
        ("/abroad", transaction("SUCCESS")), ("/cancel", (200, "{}")),
      ])
    var options = OktaAuthenticationOptions()
    options.relayState = "/myapp/some/deep/link"
    options.audience = "audience-of-the-app"
    options.deviceToken = "device-token_of+the/app="
    options.deviceFingerprint = "fingerprint-of-the-device"
    options.apiToken = "00-token-of-the-admin"
    options.forwardedFor = "203.0.113.7"
    options.acceptLanguage = "de-AT, en"
    options.multiOptionalFactorEnroll = false
    options.warnBeforePasswordExpired = false
    guard let org = URL(string: Stage.orgURL) else { return nil }
    let start = OktaAuthStatusUnauthenticated(
      oktaDomain: org, allowedOrigins: [abroad], environment: stage.environment)
    for _ in turns {
      let asked = try cast(
        try await start.authenticate(username: login, password: password, options: options),
        to: OktaAuthStatusUnauthenticated.self)
      _ = try await asked.authenticate(username: login, password: password, options: options)
      try await asked.cancel()
    }
    options.deviceToken = "no token, since it has blanks"
    let unfit = options
    await anyhow { () async throws(OktaError) in
      _ = try await start.authenticate(username: login, password: password, options: unfit)
    }
    options.deviceToken = nil
    options.activationToken = "token-of-the-mail"
    let activating = options
    _ = try await start.authenticate(username: nil, password: nil, options: activating)
    try await start.cancel()
    return start
  }

  /// Every factor is set up with all that it takes, by every form.
  static let everyEnrolment = Scenario("edge-enrolments", OrgConfiguration(users: [user()])) { stage in
    let links = "\"enroll\":\(link("factors")),\"questions\":\(link("questions"))"
    let factors =
      "\"factors\":["
      + kinds.enumerated().map { factor($0.offset, $0.element, links: links) }
      .joined(separator: ",") + "]"
    let complete = "{\"_links\":{\"complete\":\(link("complete"))}}"
    let activating = transaction(
      "MFA_ENROLL_ACTIVATE",
      embedded: "\"factor\":"
        + factor(
          8, kinds[8], links: "\"questions\":\(link("questions"))", more: "\"_embedded\":{\"activation\":\(complete)}"),
      links: "\"next\":\(link("activate", name: "activate")),\"resend\":\(link("resend", name: "sms"))")
    let questions = #"[{"question":"disliked_food","questionText":"What?"},{"question":"toy","questionText":"Which?"}]"#
    let stage = answering(
      stage,
      [
        ("/api/v1/authn", transaction("MFA_ENROLL", embedded: factors, links: "\"skip\":\(link("skip"))")),
        ("/factors", activating), ("/questions", (200, questions)), ("/complete", (200, "")), ("/skip", activating),
        ("/activate", activating), ("/resend", activating),
      ])
    let status = try await shown(stage, as: OktaAuthStatusFactorEnroll.self)
    for _ in turns {
      for one in status.availableFactors {
        switch one {
        case let one as OktaFactorQuestion:
          _ = try await one.enroll(questionId: "disliked_food", answer: "cooked spinach")
          _ = try await one.downloadSecurityQuestions()
        case let one as OktaFactorSms:
          _ = try await one.enroll(phoneNumber: phone, phoneExtension: "77", updatePhone: true)
          _ = try await one.enroll(phoneNumber: nil, updatePhone: false)
        case let one as OktaFactorCall: _ = try await one.enroll(phoneNumber: phone, phoneExtension: "12")
        case let one as OktaFactorPush: _ = try await one.enroll()
        case let one as OktaFactorTotp: _ = try await one.enroll()
        case let one as OktaFactorToken:
          _ = try await one.enroll(credentialId: "ann-of-rsa", passCode: "123456", nextPassCode: "654321")
        case let one as OktaFactorOther: _ = try await one.enroll(passCode: "987654")
        default: break
        }
        let (isQuestion, isToken) = (one is OktaFactorQuestion, one is OktaFactorToken)
        _ = try await one.enroll(
          questionId: isQuestion ? "toy" : nil, answer: isQuestion ? "teddy" : nil,
          credentialId: isToken ? "ann-of-all" : nil, passCode: isToken ? "112233" : nil,
          phoneNumber: one is OktaFactorSms || one is OktaFactorCall ? phone : nil)
      }
      let active = try cast(try await status.skipEnrollment(), to: OktaAuthStatusFactorEnrollActivate.self)
      _ = try await active.activateFactor(passCode: "778899")
      _ = try await active.factor.activate(passCode: "998877")
      _ = try await active.resendFactor()
      try await factor(active.factors, OktaFactorOther.self).complete(signedResponse: "response-of-the-frame")
    }
    return status
  }

  /// Every factor is chosen and answered with all that it takes, by every form.
  static let everyAnswer = Scenario("edge-answers", OrgConfiguration(users: [user()])) { stage in
    let verify = "\"verify\":\(link("verify"))"
    let required =
      "\"factors\":["
      + kinds.enumerated().map { factor($0.offset, $0.element, links: verify) }
      .joined(separator: ",") + "]"
    @Sendable func challenge(_ number: Int, _ more: String = "") -> Page {
      transaction(
        "MFA_CHALLENGE", embedded: "\"factor\":" + factor(number, kinds[number], links: verify, more: more),
        links: "\"next\":\(link("answer\(number)", name: "verify")),\"resend\":[\(link("resend/call", name: "call")),"
          + "\(link("resend/\(kinds[number].0)", name: kinds[number].0.uppercased()))]")
    }
    let complete = "\"_embedded\":{\"verification\":{\"_links\":{\"complete\":\(link("complete"))}}}"
    let chosen = Locked(0)
    let stage = changing(stage) { request, _ in
      let path = URLParts(request.url)?.path ?? ""
      let page: Page
      if path.hasSuffix("/authn") {
        page = transaction("MFA_REQUIRED", embedded: required)
      } else if path.hasSuffix("/verify") {
        page = challenge(chosen.withLock { $0 }, complete)
      } else if path.hasSuffix("/complete") {
        page = (204, "")
      } else {
        page = transaction("SUCCESS")
      }
      return .answer(
        HTTPResponse(
          status: page.status, headers: [HTTPField("Content-Type", "application/json")], body: Array(page.body.utf8)))
    }
    let status = try await shown(stage, as: OktaAuthStatusFactorRequired.self)
    for _ in turns {
      for (number, one) in status.availableFactors.enumerated() {
        chosen.withLock { $0 = number }
        let selected: OktaAuthStatus
        switch one {
        case let one as OktaFactorQuestion:
          selected = try await one.select(answerToSecurityQuestion: "cooked spinach", rememberDevice: true)
        case let one as OktaFactorCode: selected = try await one.select(passCode: "123456", rememberDevice: true)
        case let one as OktaFactorOther: selected = try await one.select(passCode: "123457", rememberDevice: false)
        case let one as OktaFactorPush: selected = try await one.select(autoPush: true)
        default: selected = try await one.select()
        }
        _ = try await status.selectFactor(one)
        let challenge = try cast(selected, to: OktaAuthStatusFactorChallenge.self)
        let isQuestion = one is OktaFactorQuestion
        _ = try await challenge.verifyFactor(
          passCode: isQuestion ? nil : "234567", answerToSecurityQuestion: isQuestion ? "teddy" : nil,
          rememberDevice: true)
        switch challenge.factor {
        case let one as OktaFactorQuestion:
          _ = try await one.verify(answerToSecurityQuestion: "cooked spinach", rememberDevice: true)
        case let one as OktaFactorCode: _ = try await one.verify(passCode: "345678", rememberDevice: true)
        case let one as OktaFactorOptionalCode: _ = try await one.verify(passCode: "456789", rememberDevice: true)
        case let one as OktaFactorPush: _ = try await one.verify(rememberDevice: true, autoPush: true)
        default: break
        }
        _ = try await challenge.factor.verify(
          passCode: isQuestion ? nil : "567890", answerToSecurityQuestion: isQuestion ? "bear" : nil)
        _ = try await challenge.resendFactor()
        if let other = challenge.factor as? OktaFactorOther { try await other.complete(signedResponse: "response-2") }
      }
    }
    return status
  }

  /// Passwords are changed and reset, other sessions with them.
  static let everyPassword = Scenario("edge-passwords", OrgConfiguration(users: [user()])) { stage in
    for name in ["PASSWORD_WARN", "PASSWORD_EXPIRED", "PASSWORD_RESET"] {
      let links = "\"next\":\(link("credentials/next")),\"skip\":\(link("skip"))"
      let stage = answering(
        stage,
        [("/authn", transaction(name, links: links)), ("/next", transaction("SUCCESS")), ("/skip", transaction(name))])
      let status = try await stage.begin().authenticate(username: login, password: password)
      for number in turns {
        if let status = status as? OktaAuthStatusPasswordChange {
          _ = try await status.changePassword(
            oldPassword: password, newPassword: "Newer-Horse-\(number)", revokeSessions: number % 2 == 0)
          _ = try await status.changePassword(oldPassword: password, newPassword: "Newest-Horse-\(number)")
        }
        if let status = status as? OktaAuthStatusPasswordWarning { _ = try await status.skipPasswordChange() }
        if let status = status as? OktaAuthStatusPasswordReset {
          _ = try await status.resetPassword(newPassword: "Newer-Horse-\(number)", revokeSessions: number % 2 == 0)
          _ = try await status.resetPassword(newPassword: "Newest-Horse-\(number)")
        }
      }
    }
    return nil
  }

  /// Recoveries begin, go on by a code or a token, and end in another status.
  static let everyRecovery = Scenario("edge-recoveries", OrgConfiguration(users: [user()])) { stage in
    let resend = "\"resend\":[\(link("resend/call", name: "call")),\(link("resend/sms", name: "sms"))]"
    let challenge = transaction(
      "RECOVERY_CHALLENGE", "\"factorType\":\"SMS\",\"recoveryType\":\"PASSWORD\"",
      links: "\"next\":\(link("recovery/verify", name: "verify")),\(resend)")
    let stage = answering(
      stage,
      [
        ("/recovery/password", challenge), ("/recovery/unlock", challenge), ("/recovery/verify", challenge),
        ("/resend/sms", challenge), ("/recovery/token", transaction("RECOVERY", links: "\"next\":\(link("answer"))")),
        ("/answer", transaction("PASSWORD_RESET", links: "\"next\":\(link("reset"))")),
        ("/api/v1/authn", transaction("LOCKED_OUT", links: "\"next\":\(link("unlock", name: "unlock"))")),
      ])
    let start = stage.begin()
    let locked = try cast(
      try await start.authenticate(username: login, password: password), to: OktaAuthStatusLockedOut.self)
    for _ in turns {
      for type in OktaRecoveryFactors.allCases {
        for relay in [nil, "/myapp/after"] {
          _ = try await start.recoverPassword(username: login, factorType: type, relayState: relay)
          _ = try await start.unlockAccount(username: login, factorType: type, relayState: relay)
          _ = try await locked.unlock(username: login, factorType: type, relayState: relay)
        }
      }
      _ = try await start.recoverPassword(username: login, factorType: nil)
      let waiting = try cast(
        try await start.unlockAccount(username: login, factorType: nil), to: OktaAuthStatusRecoveryChallenge.self)
      _ = try await waiting.verifyFactor(passCode: "123456")
      _ = try await waiting.resendFactor()
      // A link without a name is taken for a token's too.
      let recovery = try cast(
        try await waiting.verifyFactor(recoveryToken: "token-of-the-mail"), to: OktaAuthStatusRecovery.self)
      _ = try await recovery.recoverWithToken("token-of-the-mail")
      _ = try await recovery.recoverWithAnswer("teddy")
      _ = try await start.recover(with: "token-of-the-mail", relayState: "/myapp/after")
    }
    return locked
  }

  /// Requests of the application's own, with values of each kind.
  static let everyRequest = Scenario("edge-requests", OrgConfiguration(users: [user()])) { stage in
    let browser = "{\"name\":\"consent\",\"href\":\"\(Stage.orgURL)/consent\",\"hints\":{\"allow\":[\"GET\"]}}"
    let stage = answering(
      stage,
      [
        (
          "/api/v1/authn",
          transaction("MFA_REQUIRED", embedded: "\"factors\":[]", links: "\"next\":\(link("next")),\"skip\":\(browser)")
        ), ("/next", transaction("SUCCESS")),
      ])
    let status = try await shown(stage, as: OktaAuthStatusFactorRequired.self)
    guard let next = status.links?.next, let other = status.links?.skip else { return status }
    for _ in turns {
      _ = try await status.sendRequest(
        with: next,
        keyValuePayload: [
          "text": "a text", "flag": true, "number": 7, "fraction": 1.25, "list": [1, 2], "object": ["inner": "value"],
        ])
      _ = try await status.sendRequest(with: next, keyValuePayload: ["stateToken": "token-of-another"])
      await anyhow { () async throws(OktaError) in _ = try await status.sendRequest(with: other, keyValuePayload: [:]) }
      await anyhow { () async throws(OktaError) in
        _ = try await status.sendRequest(with: next, keyValuePayload: ["date": Date(timeIntervalSince1970: 0)])
      }
    }
    return status
  }

  /// The org offers nothing of what is asked for.
  static let nothingOffered = Scenario("edge-nothing-offered", OrgConfiguration(users: [user()])) { stage in
    let one =
      "\"factors\":["
      + kinds.enumerated().map { factor($0.offset, $0.element, links: "") }
      .joined(separator: ",") + "]"
    for name in [
      "MFA_ENROLL", "MFA_REQUIRED", "MFA_CHALLENGE", "PASSWORD_WARN", "PASSWORD_RESET", "RECOVERY",
      "RECOVERY_CHALLENGE", "LOCKED_OUT",
    ] {
      let stage = answering(stage, [("/authn", transaction(name, embedded: one))])
      let status = try await stage.begin().authenticate(username: login, password: password)
      await anyhow { () async throws(OktaError) in try await status.cancel() }
      for one in status.factors {
        await anyhow { () async throws(OktaError) in _ = try await one.select() }
        await anyhow { () async throws(OktaError) in
          _ = try await one.enroll(questionId: nil, answer: nil, credentialId: nil, passCode: nil, phoneNumber: nil)
        }
        await anyhow { () async throws(OktaError) in _ = try await one.activate(passCode: "123456") }
        if let one = one as? OktaFactorPush {
          await anyhow { () async throws(OktaError) in try await one.sendActivationLinkViaEmail() }
        }
        if let one = one as? OktaFactorQuestion {
          await anyhow { () async throws(OktaError) in _ = try await one.downloadSecurityQuestions() }
        }
        if let one = one as? OktaFactorOther {
          await anyhow { () async throws(OktaError) in try await one.complete(signedResponse: "response") }
        }
      }
      await offeredNothing(status)
    }
    return nil
  }

  private static func offeredNothing(_ status: OktaAuthStatus) async {
    await anyhow { () async throws(OktaError) in
      switch status {
      case let status as OktaAuthStatusFactorEnroll: _ = try await status.skipEnrollment()
      case let status as OktaAuthStatusFactorChallenge: _ = try await status.resendFactor()
      case let status as OktaAuthStatusPasswordWarning: _ = try await status.skipPasswordChange()
      case let status as OktaAuthStatusPasswordReset: _ = try await status.resetPassword(newPassword: "Newer-Horse-9")
      case let status as OktaAuthStatusRecovery: _ = try await status.recoverWithAnswer("teddy")
      case let status as OktaAuthStatusRecoveryChallenge: _ = try await status.verifyFactor(passCode: "123456")
      case let status as OktaAuthStatusLockedOut: _ = try await status.unlock(username: login, factorType: .sms)
      default: _ = try await status.returnToPreviousStatus()
      }
    }
    if let status = status as? OktaAuthStatusRecovery {
      await anyhow { () async throws(OktaError) in _ = try await status.recoverWithToken("token-of-the-mail") }
    }
  }

  /// Links that leave https, or the org with what was entered.
  static let linksAbroad = Scenario("edge-links-abroad", OrgConfiguration(users: [user()])) { stage in
    let places = [
      "http://acme.example/api", "https://elsewhere.example/api", "HTTPS://acme.example/other/api", "/api/v1/relative",
      "https://acme.example:443/api", "https://acme.example:8443/api",
    ]
    for place in places {
      let there = "{\"href\":\"\(place)\"}"
      let stage = answering(
        stage,
        [
          (
            "/api/v1/authn",
            transaction(
              "MFA_CHALLENGE", embedded: "\"factor\":" + factor(1, kinds[1], links: ""),
              links: "\"next\":\(there),\"cancel\":\(there),\"resend\":\(there)")
          ), ("/api", transaction("SUCCESS")), ("/relative", transaction("SUCCESS")),
        ])
      let status = try await shown(stage, as: OktaAuthStatusFactorChallenge.self)
      await anyhow { () async throws(OktaError) in
        _ = try await status.verifyFactor(passCode: "123456", answerToSecurityQuestion: nil)
      }
      await anyhow { () async throws(OktaError) in _ = try await status.resendFactor() }
      await anyhow { () async throws(OktaError) in try await status.cancel() }
    }
    return nil
  }

  /// A transaction is cancelled twice before the first answer comes.
  static let cancelledTwice = Scenario("edge-cancelled-twice", OrgConfiguration(users: [user([sms])])) { stage in
    var stage = stage
    let held = HeldRequests(over: stage.environment.transport)
    stage.environment.transport = held
    let other = try cast(
      try await stage.begin().authenticate(username: login, password: password), to: OktaAuthStatusFactorRequired.self)
    held.hold()
    return await withCheckedContinuation { continuation in
      other.cancel(onSuccess: { continuation.resume(returning: other) }, onError: { _ in })
      other.cancel(onSuccess: {}, onError: { _ in held.release() })
    }
  }

  /// The first poll of a push is lost, a code for it too; then the org fails, and polling ends.
  static let firstPollLost = Scenario("edge-first-poll-lost", OrgConfiguration(users: [user([push])])) { stage in
    let stage = changing(stage) { request, count in
      guard isPoll(request) else { return .none }
      switch count {
      case 1, 2: return .failure(TransportError(.timedOut, "The request timed out."))
      case 5:
        return .answer(
          HTTPResponse(
            status: 500, headers: [HTTPField("Content-Type", "application/json"), HTTPField("Retry-After", "3")],
            body: Array(#"{"errorCode":"E0000009","errorSummary":"Internal Server Error"}"#.utf8)))
      case 6: return .answer(.limited(HTTPField("Retry-After", "0")))
      case 7: return .answer(.limited(HTTPField("Retry-After", "1800")))
      default: return .none
      }
    }
    let challenge = try await challenge(stage, factor: OktaFactorPush.self)
    await anyhow { () async throws(OktaError) in
      _ = try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: "teddy")
    }
    for _ in 0..<2 {
      _ = try? await stage.firingTimers {
        try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
      }
    }
    return challenge
  }

  /// A push that no one answers, polled every half hour, until an hour is over.
  static let hourOfPolling = Scenario(
    "edge-hour-of-polling", OrgConfiguration(users: [user([push])], stateTokenLifetime: 36_000)
  ) { stage in
    let waiting = Locked<[UInt8]>([])
    let stage = changing(stage) { request, _ in
      guard isPoll(request) else { return .none }
      return .edit { response in
        let text = String(decoding: response.body, as: UTF8.self)
        if text.contains("\"WAITING\"") {
          waiting.withLock { $0 = response.body }
        } else {
          response = HTTPResponse(status: 200, headers: response.headers, body: waiting.withLock { $0 })
        }
      }
    }
    let start = try await stage.begin(pollInterval: 1800).authenticate(username: login, password: password)
    let required = try cast(start, to: OktaAuthStatusFactorRequired.self)
    let push = try factor(required.availableFactors, OktaFactorPush.self)
    let challenge = try cast(try await push.select(), to: OktaAuthStatusFactorChallenge.self)
    _ = try? await stage.firingTimers {
      try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    }
    return challenge
  }

  /// The application changes how often it polls: below what is allowed, and while it goes.
  static let otherInterval = Scenario("edge-other-interval", OrgConfiguration(users: [user([push])])) { stage in
    let start = try await stage.begin(pollInterval: 2).authenticate(username: login, password: password)
    let required = try cast(start, to: OktaAuthStatusFactorRequired.self)
    let push = try factor(required.availableFactors, OktaFactorPush.self)
    let challenge = try cast(try await push.select(), to: OktaAuthStatusFactorChallenge.self)
    challenge.responseHandler.pollInterval = 9
    stage.org.answerPush(for: login, .reject, afterPolls: 2)
    let rejected = try await stage.firingTimers {
      try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    }
    let again = try cast(rejected, to: OktaAuthStatusFactorChallenge.self)
    again.responseHandler.pollInterval = 0.25
    stage.org.answerPush(for: login, .approve, afterPolls: 2)
    return try await stage.firingTimers {
      try await again.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    }
  }
}
