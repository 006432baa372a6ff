// What a transaction looks like on the wire, state by state (authn.md §3, §8).

extension OrgState {
  private typealias Member = OrgJSON.Member

  /// The transaction object of a live transaction.
  func body(of transaction: Transaction) throws(Refusal) -> OrgJSON {
    switch transaction.step {
    case .unauthenticated:
      var body = head(transaction, "UNAUTHENTICATED")
      body["type"] = "SESSION_STEP_UP"
      body["_embedded"] = ["target": target]
      body["_links"] = ["next": authn("", name: "authenticate")]
      return body
    case .passwordWarn:
      let account = try account(transaction)
      let policy = configuration.passwordPolicy.json(daysLeft: daysLeft(account))
      return body(
        transaction, "PASSWORD_WARN", account, [Member("policy", policy)],
        links: [
          Member("next", authn("/credentials/change_password", name: "changePassword")),
          Member("skip", authn("/skip", name: "skip")), cancelLink,
        ])
    case .passwordExpired:
      let policy = configuration.passwordPolicy.json(daysLeft: nil)
      return body(
        transaction, "PASSWORD_EXPIRED", try account(transaction), [Member("policy", policy)],
        links: [Member("next", authn("/credentials/change_password", name: "changePassword")), cancelLink])
    case .passwordReset(let type):
      let policy = configuration.passwordPolicy.json(daysLeft: nil)
      var body = body(
        transaction, "PASSWORD_RESET", try account(transaction), [Member("policy", policy)],
        links: [Member("next", authn("/credentials/reset_password", name: "resetPassword")), cancelLink])
      if let type { body["recoveryType"] = .string(type.rawValue) }
      return body
    case .enroll:
      let account = try account(transaction)
      var links = [cancelLink]
      if maySkipEnrolment(account) { links.insert(Member("skip", authn("/skip", name: "skip")), at: 0) }
      let factors = offers(account).map { offered($0, account) }
      return body(transaction, "MFA_ENROLL", account, [Member("factors", .array(factors))], links: links)
    case .enrollActivate(let activation):
      return self.activation(activation, transaction, try account(transaction))
    case .required:
      let account = try account(transaction)
      let factors = account.enrolments.map { required($0, account) }
      return body(
        transaction, "MFA_REQUIRED", account,
        [Member("factors", .array(factors)), Member("policy", rememberPolicy(account))], links: [cancelLink])
    case .challenge(let challenge):
      return try self.challenge(challenge, transaction, account(transaction))
    case .recoveryChallenge(let challenge):
      var body = head(transaction, "RECOVERY_CHALLENGE")
      body["factorType"] = .string(challenge.factorType)
      body["recoveryType"] = .string(challenge.type.rawValue)
      let path = "/recovery/factors/\(challenge.factorType)"
      body["_links"] = .object([
        Member("next", authn(path + "/verify", name: "verify")), cancelLink,
        Member("resend", authn(path + "/resend", name: challenge.channel.rawValue)),
      ])
      return body
    case .recovery(let type):
      let account = try account(transaction)
      var body = body(
        transaction, "RECOVERY", account,
        links: [Member("next", authn("/recovery/answer", name: "answer")), cancelLink])
      body["recoveryType"] = .string(type.rawValue)
      if let question = account.recoveryQuestion?.question {
        body["_embedded"]?["user"]?["recovery_question"] = ["question": .string(question)]
      }
      return body
    }
  }

  // MARK: - The end, and answers without a transaction

  func success(_ transaction: Transaction, _ account: Account, sessionToken: String, expires: Timestamp) -> OrgJSON {
    var body: OrgJSON = ["expiresAt": .string(expires.iso8601), "status": "SUCCESS"]
    if let relayState = transaction.relayState { body["relayState"] = .string(relayState) }
    body["sessionToken"] = .string(sessionToken)
    body["_embedded"] = ["user": user(account)]
    return body
  }

  /// SUCCESS of a step-up: no session token, a link for the browser.
  func stepUpSuccess(_ transaction: Transaction, _ account: Account) -> OrgJSON {
    var body = head(transaction, "SUCCESS")
    body["type"] = "SESSION_STEP_UP"
    body["_embedded"] = ["user": user(account), "target": target]
    let path = "/login/step-up/redirect?stateToken=\(transaction.token)"
    body["_links"] = ["next": link(path, name: "original", method: "GET")]
    return body
  }

  /// LOCKED_OUT has no state token.
  func lockedOut() -> OrgJSON {
    var links = [cancelLink]
    if configuration.selfServiceUnlock {
      links.insert(Member("next", authn("/recovery/unlock", name: "unlock")), at: 0)
    }
    return ["status": "LOCKED_OUT", "_embedded": [:], "_links": .object(links)]
  }

  func unlocked(relayState: String?) -> OrgJSON {
    var body: OrgJSON = ["status": "SUCCESS", "recoveryType": "UNLOCK"]
    if let relayState { body["relayState"] = .string(relayState) }
    return body
  }

  /// RECOVERY_CHALLENGE by mail: nothing can be done with it but wait for the mail.
  func mailChallenge(_ type: RecoveryType, _ relayState: String?) -> OrgJSON {
    var body: OrgJSON = [
      "status": "RECOVERY_CHALLENGE", "factorResult": "WAITING", "factorType": "EMAIL",
      "recoveryType": .string(type.rawValue),
    ]
    if let relayState { body["relayState"] = .string(relayState) }
    return body
  }

  /// RECOVERY for a trusted client: the token itself, and no transaction yet.
  func trustedRecovery(_ type: RecoveryType, _ token: String, _ account: Account, relayState: String?) -> OrgJSON {
    let expires = now + configuration.recoveryTokenLifetime
    var body: OrgJSON = ["expiresAt": .string(expires.iso8601), "status": "RECOVERY"]
    if let relayState { body["relayState"] = .string(relayState) }
    body["recoveryToken"] = .string(token)
    body["recoveryType"] = .string(type.rawValue)
    body["_embedded"] = ["user": user(account)]
    body["_links"] = .object([Member("next", authn("/recovery/token", name: "recovery")), cancelLink])
    return body
  }

  // MARK: - Parts

  func head(_ transaction: Transaction, _ status: String) -> OrgJSON {
    var body: OrgJSON = [
      "stateToken": .string(transaction.token), "expiresAt": .string(transaction.expires.iso8601),
      "status": .string(status),
    ]
    if let relayState = transaction.relayState { body["relayState"] = .string(relayState) }
    return body
  }

  func body(
    _ transaction: Transaction, _ status: String, _ account: Account, _ embedded: [OrgJSON.Member] = [],
    links: [OrgJSON.Member]
  ) -> OrgJSON {
    let sequenced = account.user.factorSequencing && status.hasPrefix("MFA_")
    var body = head(transaction, sequenced ? "FACTOR_" + status.dropFirst(4) : status)
    body["_embedded"] = .object([Member("user", user(account))] + embedded)
    body["_links"] = .object(links)
    return body
  }

  private func user(_ account: Account) -> OrgJSON {
    [
      "id": .string(account.id), "passwordChanged": .string(account.passwordChanged.iso8601),
      "profile": [
        "login": .string(account.user.login), "firstName": .string(account.user.firstName),
        "lastName": .string(account.user.lastName), "locale": "en", "timeZone": "America/Los_Angeles",
      ],
    ]
  }

  private var target: OrgJSON { ["type": "APP", "name": "acme_portal", "label": "Acme Portal"] }
}
