// One scenario for each walk-through of the specification (idx §14), and one for each policy of the org.

import Foundation
public import IDX
public import OIDC
public import SimulatedOrg

extension IDXScenario {
  /// The scenarios of `Recordings/`.
  public static let golden: [IDXScenario] = walkthroughs + policies

  /// One for each walk-through.
  public static let walkthroughs: [IDXScenario] = [
    password, secondFactor, magicLink, pushWithNumber, pushRejected, enrolment, registration, recovery, unlock,
    expiredPassword, social, socialMore, wrongAnswer, restart, passkeys, lostPolls, skipped,
  ]

  /// One for each policy that the org knows by name: a user with every factor, or a new one, signs in.
  public static let policies: [IDXScenario] = OrgPolicy.named.map { policy in
    IDXScenario("idx-policy-\(policy.name)", org(policy, [everyone])) { stage in
      let token = try await lead(through: policy, on: stage)
      try expect(token != nil, "the policy \(policy.name) does not lead to tokens")
    }
  }

  /// Signs in as a policy wants it: as a new user if there are people to register.
  @discardableResult
  public static func lead(
    through policy: OrgPolicy, on stage: IDXStage, as person: IDXPerson = IDXPerson(),
    seen: (Response) -> Void = { _ in }
  ) async throws -> Token? {
    let response = try await stage.begin().start()
    let isNew = response.remediations[.selectEnrollProfile] != nil
    var person = person
    if isNew { person.login = "mary@acme.example" }
    return try await lead(
      from: response, on: stage, as: person, preferring: [isNew ? "select-enroll-profile" : "skip"], seen: seen)
  }

  static func org(_ policy: OrgPolicy?, _ users: [OrgUser]) -> OrgConfiguration {
    OrgConfiguration(users: users, policy: policy ?? .standard)
  }

  /// A user with a factor of each kind.
  public static let everyone = OrgUser(
    login: Scenario.login, password: Scenario.password,
    factors: [
      .email(address: Scenario.login), .sms(phone: "+1 415-555-0199"), .question(key: "disliked_food", answer: "teddy"),
      .push(device: "Ann's phone"), .totp(secret: "JBSWY3DPEHPK3PXP", provider: "GOOGLE"),
    ])

  static func user(_ factors: OrgFactor...) -> OrgUser {
    OrgUser(login: Scenario.login, password: Scenario.password, factors: factors)
  }

  static let email = OrgFactor.email(address: Scenario.login)
  static let phone = OrgFactor.sms(phone: "+1 415-555-0199")
  static let push = OrgFactor.push(device: "Ann's phone")

  /// Password alone.
  static let password = IDXScenario("idx-password", org(.named("password"), [user()])) { stage in
    let token = try await lead(from: try await stage.begin().start(), on: stage)
    try expect(token?.idToken != nil, "no tokens")
  }

  /// A text message as the second factor, sent twice.
  static let secondFactor = IDXScenario("idx-second-factor", org(.named("two-factors"), [user(phone, email)])) {
    stage in
    let person = IDXPerson(choices: ["Phone", "SMS"])
    var response = try await stage.begin().start()
    for _ in 0..<3 {
      guard let first = response.remediations[0] else { break }
      response = try await step(first, of: response, on: stage, as: person)
    }
    // A second text message is not sent at once.
    stage.org.advanceClock(by: 31)
    guard let resendable = response.authenticators.current?.resendable else {
      throw Scenario.Unexpected(description: "nothing to send again: \(response)")
    }
    response = try await resendable.resend()
    try expect(try await lead(from: response, on: stage, as: person) != nil, "no tokens")
  }

  /// A mail whose link is opened elsewhere while the page polls.
  static let magicLink = IDXScenario("idx-magic-link", org(.standard, [user(email)])) { stage in
    var response = try await stage.begin().start()
    for _ in 0..<3 {
      guard let first = response.remediations[0] else { break }
      response = try await step(first, of: response, on: stage)
    }
    guard let pollable = response.authenticators.current?.pollable else {
      throw Scenario.Unexpected(description: "nothing to poll: \(response)")
    }
    try expect(stage.org.openMagicLink(for: Scenario.login), "there is no link")
    response = try await stage.firingTimers { try await pollable.startPolling() }
    try expect(try await lead(from: response, on: stage) != nil, "no tokens")
  }

  /// A push that shows a number.
  static let pushWithNumber = IDXScenario(
    "idx-number-challenge", org(.named("number-challenge"), [user(push)])
  ) { stage in
    try expect(try await lead(from: try await stage.begin().start(), on: stage) != nil, "no tokens")
  }

  /// A push that is rejected.
  static let pushRejected = IDXScenario("idx-push-rejected", org(.named("codes-only"), [user(push)])) { stage in
    var response = try await stage.begin().start()
    stage.org.answerPush(for: Scenario.login, .reject)
    while response.remediations[.challengePoll] == nil, let first = response.remediations[0] {
      response = try await step(first, of: response, on: stage)
    }
    guard let pollable = response.remediations[.challengePoll]?.pollable else {
      throw Scenario.Unexpected(description: "nothing to poll: \(response)")
    }
    response = try await stage.firingTimers { try await pollable.startPolling() }
    try expect(response.messages.allMessages.contains { $0.type == .error }, "the rejection is not shown")
  }

  /// Phone, question and Google Authenticator are set up.
  static let enrolment = IDXScenario("idx-enrolment", org(.named("enrol-required"), [user()])) { stage in
    try expect(try await lead(from: try await stage.begin().start(), on: stage) != nil, "no tokens")
  }

  /// A new user registers.
  static let registration = IDXScenario("idx-registration", org(.named("registration"), [])) { stage in
    let token = try await lead(
      from: try await stage.begin().start(), on: stage, as: IDXPerson(login: "mary@acme.example"),
      preferring: ["select-enroll-profile"])
    try expect(token != nil, "no tokens")
  }

  /// A forgotten password.
  static let recovery = IDXScenario("idx-recovery", org(.named("password"), [user(email)])) { stage in
    var response = try await stage.begin().start()
    response = try await step(try remediation(.identify, of: response), of: response, on: stage)
    guard let recoverable = response.authenticators.current?.recoverable else {
      throw Scenario.Unexpected(description: "nothing to recover: \(response)")
    }
    response = try await recoverable.recover()
    let person = IDXPerson(password: "Another-Horse-8", choices: ["Email"])
    try expect(try await lead(from: response, on: stage, as: person) != nil, "no tokens")
  }

  /// A locked account is unlocked, which ends in a message.
  static let unlock = IDXScenario(
    "idx-unlock",
    org(.standard, [OrgUser(login: Scenario.login, password: Scenario.password, lockedOut: true)])
  ) { stage in
    let response = try await stage.begin().start()
    let token = try await lead(
      from: response, on: stage, as: IDXPerson(choices: ["Email"]), preferring: ["unlock-account"])
    try expect(token == nil, "an unlock brings no tokens")
  }

  /// A password that has expired.
  static let expiredPassword = IDXScenario(
    "idx-expired-password",
    org(
      .named("password"),
      [OrgUser(login: Scenario.login, password: Scenario.password, passwordExpiresIn: 0)])
  ) { stage in
    try expect(try await lead(from: try await stage.begin().start(), on: stage) != nil, "no tokens")
  }

  /// A provider says who the user is.
  static let social = IDXScenario("idx-social", org(.named("social"), [user()])) { stage in
    let flow = stage.begin()
    let url = try await visit(flow, on: stage)
    try expect(flow.redirectResult(for: url) == .authenticated, "the provider sends no code")
    _ = try await flow.exchangeCode(redirect: url)
  }

  /// A provider says who the user is, and another factor is asked for.
  static let socialMore = IDXScenario("idx-social-more", org(.named("social-two-factors"), [user(email)])) { stage in
    let flow = stage.begin()
    let url = try await visit(flow, on: stage)
    try expect(flow.redirectResult(for: url) == .remediationRequired, "nothing more is asked for")
    let response = try await flow.resume()
    try expect(try await lead(from: response, on: stage, as: IDXPerson(choices: ["Email"])) != nil, "no tokens")
  }

  private static func visit(_ flow: InteractionCodeFlow, on stage: IDXStage) async throws -> URL {
    let response = try await flow.start()
    guard let provider = response.remediations.allSocialIdps.first(where: { $0.service == .google }),
      let url = stage.org.visitProvider(provider.redirectUrl)
    else { throw Scenario.Unexpected(description: "no provider: \(response)") }
    return url
  }

  /// A password is mistyped once.
  static let wrongAnswer = IDXScenario("idx-wrong-answer", org(.named("password"), [user()])) { stage in
    var response = try await stage.begin().start()
    response = try await step(try remediation(.identify, of: response), of: response, on: stage)
    response = try await step(
      try remediation(.challengeAuthenticator, of: response), of: response, on: stage,
      as: IDXPerson(password: "Wrong-Horse-9"))
    try expect(response.messages.allMessages.contains { $0.type == .error }, "the mistake is not shown")
    try expect(try await lead(from: response, on: stage) != nil, "no tokens")
  }

  /// The transaction is started again in the middle.
  static let restart = IDXScenario("idx-restart", org(.named("password"), [user()])) { stage in
    var response = try await stage.begin().start()
    response = try await step(try remediation(.identify, of: response), of: response, on: stage)
    try expect(response.canCancel, "there is no way back")
    response = try await response.cancel()
    try expect(try await lead(from: response, on: stage) != nil, "no tokens")
  }

  /// A security key as the second factor.
  static let passkeys = IDXScenario(
    "idx-security-key", org(.named("two-factors"), [user(.webauthn(name: "Ann's key"))])
  ) { stage in
    try expect(try await lead(from: try await stage.begin().start(), on: stage) != nil, "no tokens")
  }

  /// Polls are lost and limited on the way.
  static let lostPolls = IDXScenario("idx-lost-polls", org(.named("codes-only"), [user(push)])) { stage in
    var response = try await stage.begin().start()
    stage.org.answerPush(for: Scenario.login, .approve, afterPolls: 3)
    while response.remediations[.challengePoll] == nil, let first = response.remediations[0] {
      response = try await step(first, of: response, on: stage)
    }
    stage.org.inject(Fault(.connectionReset, path: "poll", times: 2))
    stage.org.inject(Fault(.rateLimited(limit: 10, resetIn: 3), path: "poll", skipping: 1))
    guard let pollable = response.remediations[.challengePoll]?.pollable else {
      throw Scenario.Unexpected(description: "nothing to poll: \(response)")
    }
    response = try await stage.firingTimers { try await pollable.startPolling() }
    try expect(try await lead(from: response, on: stage) != nil, "no tokens")
  }

  /// What may be set up is not.
  static let skipped = IDXScenario("idx-skip", org(.named("enrol-optional"), [user()])) { stage in
    let token = try await lead(from: try await stage.begin().start(), on: stage, preferring: ["skip"])
    try expect(token != nil, "no tokens")
  }
}
