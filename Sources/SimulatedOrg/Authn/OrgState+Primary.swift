// Primary authentication, and the way from there to SUCCESS (authn.md §11, order of evaluation).

extension OrgState {
  /// `POST /api/v1/authn`: a new sign-in, a step-up, or the state of a transaction.
  mutating func authenticate(_ call: Call) throws(Refusal) -> OrgJSON {
    let body = call.body
    if let token = body.token { return try activateUser(token, call) }
    guard let username = body.username else {
      if body.stateToken != nil { return try keep(transaction(body.stateToken)) }
      throw .invalidField("username", "The field cannot be left blank")
    }
    if let relayState = body.relayState, relayState.utf8.count > 2048 {
      throw .invalidField("relayState", "The field is too long")
    }
    var stepUp: Transaction?
    if body.stateToken != nil {
      let transaction = try transaction(body.stateToken)
      guard case .unauthenticated = transaction.step else { throw .notInThisState }
      stepUp = transaction
    }
    let login = Self.key(username)
    switch check(body.password, of: login) {
    case .wrong: throw .badCredentials
    case .lockedOut: return lockedOut()
    case .right: break
    }
    var transaction = begin(login, .required, relayState: body.relayState ?? stepUp?.relayState)
    if let stepUp {
      transactions[stepUp.token] = nil
      transaction.isStepUp = true
    }
    transaction.multiOptionalEnroll = body.options?.multiOptionalFactorEnroll ?? false
    transaction.warnsBeforeExpiry = body.options?.warnBeforePasswordExpired ?? false
    if isRemembered(call.deviceToken, login) { transaction.settled.insert(.mfa) }
    return try advance(transaction)
  }

  /// A transaction as a custom sign-in page receives it: UNAUTHENTICATED, for step-up.
  mutating func beginStepUp() -> String {
    var transaction = begin("", .unauthenticated)
    transaction.isStepUp = true
    transactions[transaction.token] = transaction
    return transaction.token
  }

  private enum PasswordCheck { case right, wrong, lockedOut }

  /// Counts wrong passwords; the one that reaches the limit locks the account.
  private mutating func check(_ password: String?, of login: String) -> PasswordCheck {
    let limit = configuration.lockoutAfter
    let locked: PasswordCheck = configuration.showsLockout ? .lockedOut : .wrong
    return withAccount(login) { account in
      if account.locked { return locked }
      if let right = account.password, right == password {
        account.failures = 0
        return .right
      }
      account.failures += 1
      guard account.failures >= limit else { return .wrong }
      account.locked = true
      return locked
    } ?? .wrong
  }

  private mutating func activateUser(_ token: String, _ call: Call) throws(Refusal) -> OrgJSON {
    guard let login = accounts.first(where: { $0.value.activationToken == token })?.key else { throw .badCredentials }
    _ = withAccount(login) { $0.activationToken = nil }
    var transaction = begin(login, .passwordReset(nil), relayState: call.body.relayState)
    transaction.multiOptionalEnroll = call.body.options?.multiOptionalFactorEnroll ?? false
    transaction.warnsBeforeExpiry = call.body.options?.warnBeforePasswordExpired ?? false
    return try keep(transaction)
  }

  private func isRemembered(_ device: String, _ login: String) -> Bool {
    guard configuration.allowRememberDevice, let until = accounts[login]?.remembered[device] else { return false }
    return until.map { $0 > now } ?? true
  }

  /// The next state on the way to SUCCESS, in the server's order: second factor, expired password, warning, enrolment.
  mutating func advance(_ transaction: Transaction) throws(Refusal) -> OrgJSON {
    var transaction = transaction
    let account = try account(transaction)
    transaction.step = .required
    if !transaction.settled.contains(.mfa), account.user.mfaRequired, !account.enrolments.isEmpty {
      return try keep(transaction)
    }
    if !transaction.settled.contains(.expiry), let days = daysLeft(account), days <= 0 {
      transaction.step = .passwordExpired
      return try keep(transaction)
    }
    if transaction.warnsBeforeExpiry, !transaction.settled.contains(.warning), let days = daysLeft(account),
      (1...max(1, configuration.passwordPolicy.warnDays)).contains(days)
    {
      transaction.step = .passwordWarn
      return try keep(transaction)
    }
    if wantsEnrolment(transaction, account) {
      transaction.step = .enroll
      return try keep(transaction)
    }
    return succeed(transaction, account)
  }

  /// Whole days until the password ends, a begun day counted; zero or less: it has ended; `nil`: it never does.
  func daysLeft(_ account: Account) -> Int? {
    guard let end = account.passwordExpires else { return nil }
    return Int((end.seconds(since: now) / 86_400).rounded(.up))
  }

  private mutating func succeed(_ transaction: Transaction, _ account: Account) -> OrgJSON {
    let expires = now + configuration.sessionTokenLifetime
    let token = grantSession(transaction.login) ?? ""
    if transaction.isStepUp {
      sessions[token] = nil
      return stepUpSuccess(transaction, account)
    }
    transactions[transaction.token] = nil
    return success(transaction, account, sessionToken: token, expires: expires)
  }
}
