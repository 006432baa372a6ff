import EventStore
import FlowRecording
import Testing

@testable import Authn

/// Every status x action pair of authn §11: offered, it sends one request to the published link; not offered, nothing
/// leaves and the caller learns which link is missing.
@Suite struct ActionTableTests {
  /// An action of the API, and how it looks on the wire.
  struct Action: Sendable, CustomTestStringConvertible {
    var name: String
    var relation: String
    var path: String
    var body: JSON
    /// The status as the org sends it, with the link or without.
    var offer: @Sendable (_ isOffered: Bool) -> JSON
    var act: @Sendable (OktaAuthStatus) async throws(OktaError) -> Void
    var testDescription: String { name }
  }

  @Test("an offered action sends one request to its link and brings the next status", arguments: Action.all)
  func offered(action: Action) async throws {
    let script = Script(action.offer(true), action.name.contains("questions") ? [] : Wire.success)
    let status = try await script.status(OktaAuthStatus.self)
    try await action.act(status)
    let requests = script.transport.requests
    #expect(requests.count == 2)
    let sent = try #require(requests.last)
    #expect(sent.url == Script.org + action.path)
    #expect(sent.method == (action.body == .null ? "GET" : "POST"))
    let token: JSON = action.offer(true)["stateToken"] ?? .null
    var expected = action.body
    if case .object(var object) = expected, token != .null, action.path.hasSuffix("unlock") == false {
      object["stateToken"] = token
      expected = .object(object)
    }
    #expect(
      sent.body.map { try? JSON(parsing: $0) }?.map(\.sorted) == (expected == .null ? JSON?.none : expected.sorted))
    try await script.expectWhole(status, action.name)
  }

  @Test("an action that is not offered sends nothing and names the missing link", arguments: Action.all)
  func forbidden(action: Action) async throws {
    let script = Script(action.offer(false))
    let status = try await script.status(OktaAuthStatus.self)
    let error = try await failure { () async throws(OktaError) in try await action.act(status) }
    guard case .wrongStatus(let text) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(text == "Can't find '\(action.relation)' link in response")
    #expect(script.transport.requests.count == 1)
    try await script.expectWhole(status, action.name)
  }

  /// But for the list of security questions, which changes nothing.
  @Test(
    "a second action while one is under way is refused at once and does not disturb it",
    arguments: Action.all.filter { !$0.name.contains("questions") })
  func alreadyInProgress(action: Action) async throws {
    let hold = ScriptedTransport.Hold()
    let script = Script([Script.answer(action.offer(true)), Script.answer(Wire.success, hold: hold)])
    let status = try await script.status(OktaAuthStatus.self)
    async let first: Void = action.act(status)
    _ = await script.transport.requests(atLeast: 2)
    let error = try await failure { () async throws(OktaError) in
      if action.name == "cancel" { try await status.cancel() } else { try await action.act(status) }
    }
    guard case .alreadyInProgress = error else {
      Issue.record("\(error)")
      return
    }
    #expect(script.transport.requests.count == 2)
    hold.release()
    try await first
    try await script.expectWhole(status, action.name)
  }

  @Test(
    "an action without a state token sends nothing",
    arguments: Action.all.filter { $0.offer(true)["stateToken"] != nil })
  func withoutToken(action: Action) async throws {
    guard case .object(var object) = action.offer(true) else { return }
    object["stateToken"] = nil
    let script = Script(.object(object))
    let start = script.begin()
    // Statuses that need the token are not made without it (§13.1); others refuse the action.
    let error = try await failure { () async throws(OktaError) in
      try await action.act(try await start.authenticate(username: "ann", password: "Horse-7"))
    }
    guard case .invalidResponse = error else {
      Issue.record("\(error)")
      return
    }
    #expect(script.transport.requests.count == 1)
    try await script.expectWhole(start, action.name)
  }

  @Test("a factor of another status is refused before anything is sent")
  func foreignFactor() async throws {
    let script = Script(
      Wire.required(
        Wire.factor("sms", links: [("verify", Wire.link("/factors/fct1/verify"))]), Wire.factor("call", links: [])),
      Wire.required(Wire.factor("sms", links: [("verify", Wire.link("/factors/fct1/verify"))])))
    let two: OktaAuthStatusFactorRequired = try await script.status()
    let one: OktaAuthStatusFactorRequired = try await script.status()
    let foreign = two.availableFactors[1]
    let error = try await failure { () async throws(OktaError) in try await one.selectFactor(foreign) }
    guard case .invalidParameters = error else {
      Issue.record("\(error)")
      return
    }
    #expect(script.transport.requests.count == 2)
  }
}

extension ActionTableTests.Action {
  typealias Act = @Sendable (OktaAuthStatus) async throws(OktaError) -> Void

  private static func cast<Status>(_ status: OktaAuthStatus, _ type: Status.Type) throws(OktaError) -> Status {
    guard let status = status as? Status else { throw .internalError("expected \(type), got \(status)") }
    return status
  }

  /// A status with one link that may be missing.
  private static func row(
    _ name: String, _ status: String, _ relation: String, _ path: String, _ body: JSON = [:],
    token: String? = "state-token-1",
    embedded: [(String, JSON)] = [], others: [(String, JSON)] = [], array: Bool = false, _ act: @escaping Act
  ) -> ActionTableTests.Action {
    ActionTableTests.Action(
      name: "\(status) \(name)", relation: relation, path: path, body: body,
      offer: { isOffered in
        let link = Wire.link(Script.org + path)
        return Wire.transaction(
          status, token: token, embedded: embedded.map { ($0.0, $0.1) },
          links: others.map { ($0.0, $0.1) } + [(relation, isOffered ? (array ? [link] : link) : nil)])
      }, act: act)
  }

  /// A factor of a list with one link that may be missing.
  private static func factorRow(
    _ name: String, _ status: String, _ relation: String, _ path: String, _ body: JSON, type: String,
    method: String = "POST",
    _ act: @escaping @Sendable (OktaFactor) async throws(OktaError) -> Void
  ) -> ActionTableTests.Action {
    ActionTableTests.Action(
      name: "\(status) \(type) \(name)", relation: relation, path: path, body: body,
      offer: { isOffered in
        let link = Wire.link(Script.org + path, allow: method)
        let factor = Wire.factor(type, links: [(relation, isOffered ? link : nil)])
        return Wire.transaction(status, embedded: [("factors", [factor])])
      },
      act: { status async throws(OktaError) in
        guard let factor = status.factors.first else { throw .internalError("no factor") }
        try await act(factor)
      })
  }

  private static let api = "/api/v1/authn"
  private static func factor(_ type: String) -> [(String, JSON)] { [("factor", Wire.factor(type, links: []))] }
  private static let next = [("next", Wire.link("/factors/fct1/lifecycle/activate", name: "activate"))]

  static let all: [ActionTableTests.Action] =
    passwords + recoveries + challenges + selections + enrolments + activations + anywhere

  private static let passwords = [
    row(
      "changePassword", "PASSWORD_WARN", "next", "\(api)/credentials/change_password",
      ["oldPassword": "a", "newPassword": "b"]
    ) {
      status async throws(OktaError) in
      _ = try await cast(status, OktaAuthStatusPasswordWarning.self).changePassword(oldPassword: "a", newPassword: "b")
    },
    row("skip", "PASSWORD_WARN", "skip", "\(api)/skip") { status async throws(OktaError) in
      _ = try await cast(status, OktaAuthStatusPasswordWarning.self).skipPasswordChange()
    },
    row(
      "changePassword", "PASSWORD_EXPIRED", "next", "\(api)/credentials/change_password",
      ["oldPassword": "a", "newPassword": "b", "revokeSessions": true]
    ) { status async throws(OktaError) in
      _ = try await cast(status, OktaAuthStatusPasswordExpired.self)
        .changePassword(oldPassword: "a", newPassword: "b", revokeSessions: true)
    },
    row("resetPassword", "PASSWORD_RESET", "next", "\(api)/credentials/reset_password", ["newPassword": "b"]) {
      status async throws(OktaError) in
      _ = try await cast(status, OktaAuthStatusPasswordReset.self).resetPassword(newPassword: "b")
    },
  ]

  private static let recoveries = [
    row("recoverWithAnswer", "RECOVERY", "next", "\(api)/recovery/answer", ["answer": "spinach"]) {
      status async throws(OktaError) in
      _ = try await cast(status, OktaAuthStatusRecovery.self).recoverWithAnswer("spinach")
    },
    row("verify", "RECOVERY_CHALLENGE", "next", "\(api)/recovery/factors/SMS/verify", ["passCode": "123456"]) {
      status async throws(OktaError) in
      _ = try await cast(status, OktaAuthStatusRecoveryChallenge.self).verifyFactor(passCode: "123456")
    },
    row("resend", "RECOVERY_CHALLENGE", "resend", "\(api)/recovery/factors/SMS/resend") {
      status async throws(OktaError) in
      _ = try await cast(status, OktaAuthStatusRecoveryChallenge.self).resendFactor()
    },
    row(
      "unlock", "LOCKED_OUT", "next", "\(api)/recovery/unlock", ["username": "ann", "factorType": "sms"], token: nil
    ) { status async throws(OktaError) in
      _ = try await cast(status, OktaAuthStatusLockedOut.self).unlock(username: "ann", factorType: .sms)
    },
    row("cancel", "LOCKED_OUT", "cancel", "\(api)/cancel", token: nil) { status async throws(OktaError) in
      try await status.cancel()
    },
  ]

  private static let challenges = [
    row("verify", "MFA_CHALLENGE", "next", "\(api)/factors/fct1/verify", ["passCode": "1"], embedded: factor("sms")) {
      status async throws(OktaError) in
      _ = try await cast(status, OktaAuthStatusFactorChallenge.self)
        .verifyFactor(passCode: "1", answerToSecurityQuestion: nil)
    },
    row("verify empty", "MFA_CHALLENGE", "next", "\(api)/factors/fct1/verify", embedded: factor("sms")) {
      status async throws(OktaError) in
      _ = try await cast(status, OktaAuthStatusFactorChallenge.self)
        .verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    },
    row(
      "answer", "MFA_CHALLENGE", "next", "\(api)/factors/fct1/verify", ["answer": "tea"], embedded: factor("question")
    ) {
      status async throws(OktaError) in
      _ = try await cast(status.factors.first as Any, OktaFactorQuestion.self).verify(answerToSecurityQuestion: "tea")
    },
    row("resend", "MFA_CHALLENGE", "resend", "\(api)/factors/fct1/verify/resend", embedded: factor("sms"), array: true)
    {
      status async throws(OktaError) in
      _ = try await cast(status, OktaAuthStatusFactorChallenge.self).resendFactor()
    },
    row("prev", "MFA_CHALLENGE", "prev", "\(api)/previous", embedded: factor("sms")) { status async throws(OktaError) in
      _ = try await status.returnToPreviousStatus()
    },
  ]

  private static let selections = [
    factorRow("select", "MFA_REQUIRED", "verify", "\(api)/factors/fct1/verify", [:], type: "sms") {
      factor async throws(OktaError) in _ = try await cast(factor, OktaFactorSms.self).select()
    },
    factorRow("select", "MFA_REQUIRED", "verify", "\(api)/factors/fct1/verify", [:], type: "call") {
      factor async throws(OktaError) in _ = try await cast(factor, OktaFactorCall.self).select()
    },
    factorRow("select", "MFA_REQUIRED", "verify", "\(api)/factors/fct1/verify", [:], type: "push") {
      factor async throws(OktaError) in _ = try await cast(factor, OktaFactorPush.self).select()
    },
    factorRow(
      "select", "MFA_REQUIRED", "verify", "\(api)/factors/fct1/verify", ["passCode": "1"], type: "token:software:totp"
    ) {
      factor async throws(OktaError) in _ = try await cast(factor, OktaFactorTotp.self).select(passCode: "1")
    },
    factorRow("select", "MFA_REQUIRED", "verify", "\(api)/factors/fct1/verify", ["passCode": "1"], type: "token") {
      factor async throws(OktaError) in _ = try await cast(factor, OktaFactorToken.self).select(passCode: "1")
    },
    factorRow("select", "MFA_REQUIRED", "verify", "\(api)/factors/fct1/verify", ["answer": "tea"], type: "question") {
      factor async throws(OktaError) in
      _ = try await cast(factor, OktaFactorQuestion.self).select(answerToSecurityQuestion: "tea")
    },
    factorRow("select", "MFA_REQUIRED", "verify", "\(api)/factors/fct1/verify", [:], type: "email") {
      factor async throws(OktaError) in _ = try await cast(factor, OktaFactorOther.self).select()
    },
  ]

  private static let enrolments = [
    row("skip", "MFA_ENROLL", "skip", "\(api)/skip", embedded: [("factors", [])]) { status async throws(OktaError) in
      _ = try await cast(status, OktaAuthStatusFactorEnroll.self).skipEnrollment()
    },
    factorRow(
      "enroll", "MFA_ENROLL", "enroll", "\(api)/factors",
      ["factorType": "sms", "provider": "OKTA", "profile": ["phoneNumber": "+1-555-415-1337"]], type: "sms"
    ) { factor async throws(OktaError) in
      _ = try await cast(factor, OktaFactorSms.self).enroll(phoneNumber: "+1-555-415-1337")
    },
    factorRow(
      "enroll", "MFA_ENROLL", "enroll", "\(api)/factors",
      [
        "factorType": "call", "provider": "OKTA", "profile": ["phoneNumber": "+1-555-415-1337", "phoneExtension": "7"],
      ],
      type: "call"
    ) { factor async throws(OktaError) in
      _ = try await cast(factor, OktaFactorCall.self).enroll(phoneNumber: "+1-555-415-1337", phoneExtension: "7")
    },
    factorRow(
      "enroll", "MFA_ENROLL", "enroll", "\(api)/factors", ["factorType": "push", "provider": "OKTA"], type: "push"
    ) { factor async throws(OktaError) in _ = try await cast(factor, OktaFactorPush.self).enroll() },
    factorRow(
      "enroll", "MFA_ENROLL", "enroll", "\(api)/factors", ["factorType": "token:software:totp", "provider": "OKTA"],
      type: "token:software:totp"
    ) { factor async throws(OktaError) in _ = try await cast(factor, OktaFactorTotp.self).enroll() },
    factorRow(
      "enroll", "MFA_ENROLL", "enroll", "\(api)/factors",
      ["factorType": "question", "provider": "OKTA", "profile": ["question": "disliked_food", "answer": "spinach"]],
      type: "question"
    ) { factor async throws(OktaError) in
      _ = try await cast(factor, OktaFactorQuestion.self).enroll(questionId: "disliked_food", answer: "spinach")
    },
    factorRow(
      "enroll", "MFA_ENROLL", "enroll", "\(api)/factors",
      [
        "factorType": "token", "provider": "OKTA", "profile": ["credentialId": "c1"], "passCode": "1",
        "nextPassCode": "2",
      ], type: "token"
    ) { factor async throws(OktaError) in
      _ = try await cast(factor, OktaFactorToken.self).enroll(credentialId: "c1", passCode: "1", nextPassCode: "2")
    },
    factorRow(
      "questions", "MFA_ENROLL", "questions", "/api/v1/users/00u1/factors/questions", .null, type: "question",
      method: "GET"
    ) { factor async throws(OktaError) in
      _ = try await cast(factor, OktaFactorQuestion.self).downloadSecurityQuestions()
    },
  ]

  private static let activations = [
    row(
      "resend", "MFA_ENROLL_ACTIVATE", "resend", "\(api)/factors/fct1/lifecycle/resend", embedded: factor("sms"),
      others: next, array: true
    ) { status async throws(OktaError) in
      _ = try await cast(status, OktaAuthStatusFactorEnrollActivate.self).resendFactor()
    },
    row("prev", "MFA_ENROLL_ACTIVATE", "prev", "\(api)/previous", embedded: factor("sms"), others: next) {
      status async throws(OktaError) in _ = try await status.returnToPreviousStatus()
    },
    sending("sms", ["profile": ["phoneNumber": "+1-555-415-1337"]]) { push async throws(OktaError) in
      try await push.sendActivationLinkViaSms(with: "+1-555-415-1337")
    },
    sending("email", [:]) { push async throws(OktaError) in try await push.sendActivationLinkViaEmail() },
  ]

  private static func sending(
    _ channel: String, _ body: JSON, _ act: @escaping @Sendable (OktaFactorPush) async throws(OktaError) -> Void
  ) -> ActionTableTests.Action {
    let path = "\(api)/factors/fct1/lifecycle/activate/\(channel)"
    return ActionTableTests.Action(
      name: "MFA_ENROLL_ACTIVATE send \(channel)", relation: "send", path: path, body: body,
      offer: { isOffered in
        let send: JSON = isOffered ? [Wire.link(Script.org + path, name: channel)] : []
        let activation: JSON = ["_links": ["send": send]]
        let push = Wire.factor("push", links: [], [("_embedded", ["activation": activation])])
        return Wire.transaction("MFA_ENROLL_ACTIVATE", embedded: [("factor", push)], links: next.map { ($0.0, $0.1) })
      },
      act: { status async throws(OktaError) in
        try await act(try cast(status.factors.first as Any, OktaFactorPush.self))
      })
  }

  private static func cast<Value>(_ value: Any, _ type: Value.Type) throws(OktaError) -> Value {
    guard let value = value as? Value else { throw .internalError("expected \(type), got \(value)") }
    return value
  }

  /// What any live state offers.
  private static let anywhere = [
    "PASSWORD_WARN", "PASSWORD_EXPIRED", "PASSWORD_RESET", "RECOVERY", "RECOVERY_CHALLENGE", "MFA_ENROLL",
    "MFA_ENROLL_ACTIVATE", "MFA_REQUIRED", "MFA_CHALLENGE",
  ].flatMap { status in
    let embedded: [(String, JSON)] = [("factors", [Wire.factor("sms", links: [])])]
    let others = status == "MFA_ENROLL_ACTIVATE" ? next : []
    return [
      row("cancel", status, "cancel", "\(api)/cancel", embedded: embedded, others: others) {
        status async throws(OktaError) in try await status.cancel()
      },
      row("previous", status, "prev", "\(api)/previous", embedded: embedded, others: others) {
        status async throws(OktaError) in _ = try await status.returnToPreviousStatus()
      },
    ]
  }
}
