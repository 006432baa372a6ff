// The remaining steps: what the policy still requires, in the org's order.

extension OrgState {
  /// Moves a transaction to its next step after something was settled.
  mutating func advance(_ transaction: inout IDXTransaction) {
    guard let login = transaction.login, let account = accounts[login] else {
      // An unknown user name: asked like every user, but no answer is right.
      transaction.step = .challenge(Self.passwordChallenge)
      return
    }
    switch transaction.goal {
    case .recover:
      guard transaction.verified.isEmpty else {
        transaction.step = transaction.verified.contains(.password) ? transaction.step : .newPassword(.reset)
        if transaction.verified.contains(.password) { finish(&transaction, account) }
        return
      }
      offer(enrolledForRecovery(account), &transaction)
    case .unlock:
      guard transaction.verified.isEmpty else { return unlock(login, &transaction) }
      transaction.step = .selectToUnlock
    case .register: finish(&transaction, account)
    case .signIn:
      guard isEnough(transaction, account) else { return askNext(&transaction, account) }
      finish(&transaction, account)
    }
  }

  static let passwordChallenge = IDXChallenge(
    enrolled: IDXEnrolled(authenticator: .password, id: "lae00000000000000000", methods: ["password"]),
    method: "password", kind: .typed)

  /// How many authenticators this device requires.
  func needed(_ transaction: IDXTransaction, _ account: Account) -> Int {
    if policy.remembersDevice, configuration.allowRememberDevice,
      let until = account.remembered[transaction.deviceToken], until.map({ $0 > now }) ?? true
    {
      return 1
    }
    return policy.factorCount
  }

  private func isEnough(_ transaction: IDXTransaction, _ account: Account) -> Bool {
    if policy.passwordFirst, !transaction.isFederated, account.password != nil,
      !transaction.verified.contains(.password)
    {
      return false
    }
    let count = transaction.verified.count + (transaction.isFederated ? 1 : 0)
    if count >= needed(transaction, account) { return true }
    return count > 0 && !policy.needsAllFactors && remaining(transaction, account).isEmpty
  }

  /// What the person has and was not asked for yet.
  func remaining(_ transaction: IDXTransaction, _ account: Account) -> [IDXEnrolled] {
    enrolled(account).filter { !transaction.verified.contains($0.authenticator) }
  }

  private mutating func askNext(_ transaction: inout IDXTransaction, _ account: Account) {
    let left = remaining(transaction, account)
    if policy.passwordFirst, !transaction.isFederated,
      let password = left.first(where: { $0.authenticator == .password })
    {
      transaction.step = .challenge(IDXChallenge(enrolled: password, method: "password", kind: .typed))
    } else if left.isEmpty {
      transaction.step = openEnrolments(transaction, account).isEmpty ? .terminal(.unsatisfiable) : .selectEnrolment
    } else {
      offer(left, &transaction)
    }
  }

  /// A choice among several; a single one is begun, or confirmed if it sends something.
  mutating func offer(_ list: [IDXEnrolled], _ transaction: inout IDXTransaction) {
    guard list.count == 1, let only = list.first else {
      transaction.step = .select
      return
    }
    let sends = [.phone, .email, .oktaVerify].contains(only.authenticator) && only.methods != ["totp"]
    if sends, policy.confirmsSending || only.methods.count > 1 {
      transaction.step = .confirmSending(only)
    } else {
      begin(only, method: only.methods[0], &transaction)
    }
  }

  /// After the factors: password, enrolment, profile, consent, staying.
  private mutating func finish(_ transaction: inout IDXTransaction, _ account: Account) {
    let typedPassword = transaction.verified.contains(.password)
    if typedPassword, let days = daysLeft(account) {
      if days <= 0, !transaction.settled.contains(.expiry) {
        transaction.step = .newPassword(.expired)
        return
      }
      if (1...max(1, configuration.passwordPolicy.warnDays)).contains(days), !transaction.settled.contains(.warning) {
        transaction.step = .newPassword(.expiring)
        return
      }
    }
    if !transaction.settled.contains(.enrolment), !openEnrolments(transaction, account).isEmpty {
      transaction.step = .selectEnrolment
    } else if !transaction.settled.contains(.profile), !missingProfile(account).isEmpty {
      transaction.step = .profileUpdate
    } else if !transaction.settled.contains(.consent), let consent = policy.consent {
      transaction.step = .consent(consent)
    } else if !transaction.settled.contains(.staying), policy.asksToStaySignedIn {
      transaction.step = .staySignedIn
    } else {
      succeed(&transaction)
    }
  }

  /// The end: an interaction code, a session, and a device that is known from now on.
  mutating func succeed(_ transaction: inout IDXTransaction) {
    guard let login = transaction.login else { return }
    let code = transaction.draws.text("", length: 43)
    let methods = Set(
      transaction.verified.map(\.authenticationMethod) + (transaction.isFederated ? ["fed"] : [])
    ).sorted()
    idx.grants[code] = IDXState.Grant(
      interest: transaction.interest, scopes: transaction.scopes ?? transaction.interest.scopes, login: login,
      expires: now + configuration.sessionTokenLifetime,
      methods: methods, authenticated: now)
    idx.sessions[Self.session(transaction)] = IDXState.Session(
      login: login, methods: methods, authenticated: now, expires: now + 7200)
    if transaction.remembersDevice, configuration.allowRememberDevice, !transaction.deviceToken.isEmpty {
      let minutes = configuration.rememberDeviceMinutes
      let until = minutes > 0 ? now + Double(minutes) * 60 : nil
      let device = transaction.deviceToken
      _ = withAccount(login) { $0.remembered[device] = .some(until) }
    }
    transaction.step = .success(code: code)
  }
}

extension OrgAuthenticator {
  /// As `amr` names it (RFC 8176).
  fileprivate var authenticationMethod: String {
    switch self {
    case .password: "pwd"
    case .question: "kba"
    case .phone: "sms"
    case .webauthn: "hwk"
    case .email, .oktaVerify, .google, .duo, .symantec, .yubikey, .rsa, .onPremises, .custom: "otp"
    }
  }
}
