// Forgotten passwords and locked accounts (authn.md §2.4, §11).

extension OrgState {
  /// `…/recovery/password` and `…/recovery/unlock`. The answer does not show whether the user is known.
  mutating func startRecovery(_ type: RecoveryType, _ call: Call) throws(Refusal) -> OrgJSON {
    guard let username = call.body.username, !username.isEmpty else {
      throw .invalidField("username", "The field cannot be left blank")
    }
    let login = Self.key(username)
    let account = accounts[login]
    if type == .unlock, !configuration.selfServiceUnlock { throw .unlockForbidden }
    if let account { try allowRecovery(type, account) }
    switch call.body.factorType?.uppercased() {
    case nil where call.trusted: return try trustedRecovery(type, login, call)
    case nil: throw .invalidField("factorType", "The field cannot be left blank")
    case "EMAIL":
      try pause(login, .mail)
      let token = grant(type, login, call.body.relayState)
      if let account { post(token, to: account.user.email, by: .mail, for: login) }
      return mailChallenge(type, call.body.relayState)
    case "SMS": return try phoneRecovery(type, .sms, login, call)
    case "CALL": return try phoneRecovery(type, .call, login, call)
    default: throw .invalidField("factorType", "Invalid factor type")
    }
  }

  private func allowRecovery(_ type: RecoveryType, _ account: Account) throws(Refusal) {
    switch type {
    case .unlock:
      if !account.user.mayRecover { throw .unlockForbidden }
    case .password:
      if !account.user.mayRecover { throw .recoveryForbidden }
      if account.locked, !configuration.selfServiceUnlock { throw .lockedRecovery }
    }
  }

  private mutating func phoneRecovery(
    _ type: RecoveryType, _ channel: OutboxMessage.Channel, _ login: String, _ call: Call
  ) throws(Refusal) -> OrgJSON {
    let account = accounts[login]
    if account != nil, account?.recoveryPhone == nil { throw .noPhone }
    let code = try send(login, by: channel, to: account?.recoveryPhone ?? "")
    let challenge = RecoveryChallenge(type: type, channel: channel, code: code)
    return try keep(begin(login, .recoveryChallenge(challenge), relayState: call.body.relayState))
  }

  private mutating func trustedRecovery(_ type: RecoveryType, _ login: String, _ call: Call) throws(Refusal) -> OrgJSON
  {
    guard let account = accounts[login] else { throw .recoveryUnknown }
    let token = grant(type, login, call.body.relayState)
    return trustedRecovery(type, token, account, relayState: call.body.relayState)
  }

  private mutating func grant(_ type: RecoveryType, _ login: String, _ relayState: String?) -> String {
    guard let token = withAccount(login, { $0.draws.text("", length: 20) }) else { return "" }
    let expires = now + configuration.recoveryTokenLifetime
    recoveries[token] = RecoveryGrant(login: login, type: type, expires: expires, relayState: relayState)
    return token
  }

  /// `…/recovery/token`: the user brings the token from the mail.
  mutating func redeemRecovery(_ call: Call) throws(Refusal) -> OrgJSON {
    if call.body.stateToken != nil { throw .invalidField("stateToken", "Not allowed beside recoveryToken") }
    guard let token = call.body.recoveryToken, let grant = recoveries[token] else { throw .invalidToken }
    guard !grant.spent, grant.expires > now else { throw .recoveryTokenUsed }
    recoveries[token]?.spent = true
    let transaction = begin(
      grant.login, .recovery(grant.type), relayState: call.body.relayState ?? grant.relayState)
    return try proved(transaction, grant.type)
  }

  mutating func verifyRecovery(_ factor: String, _ call: Call) throws(Refusal) -> OrgJSON {
    let transaction = try transaction(call.body.stateToken)
    guard case .recoveryChallenge(let challenge) = transaction.step, challenge.factorType == factor else {
      throw .notInThisState
    }
    guard let typed = call.body.passCode, accepts(typed, challenge.code) else {
      throw refuseCode(transaction, with: .wrongCode)
    }
    return try proved(transaction, challenge.type)
  }

  mutating func resendRecovery(_ factor: String, _ call: Call) throws(Refusal) -> OrgJSON {
    var transaction = try transaction(call.body.stateToken)
    guard case .recoveryChallenge(var challenge) = transaction.step, challenge.factorType == factor else {
      throw .notInThisState
    }
    let phone = accounts[transaction.login]?.recoveryPhone ?? ""
    challenge.code = try send(transaction.login, by: challenge.channel, to: phone)
    transaction.step = .recoveryChallenge(challenge)
    return try keep(transaction)
  }

  /// `…/recovery/answer`.
  mutating func answerRecovery(_ call: Call) throws(Refusal) -> OrgJSON {
    let transaction = try transaction(call.body.stateToken)
    guard case .recovery(let type) = transaction.step else { throw .notInThisState }
    guard let question = try account(transaction).recoveryQuestion, let answer = call.body.answer,
      SecurityQuestion.matches(answer, question.answer)
    else { throw refuseCode(transaction, with: .wrongRecoveryAnswer) }
    return try recovered(transaction, type)
  }

  /// The user has presented a code or a token: the question is next, if there is one.
  private mutating func proved(_ transaction: Transaction, _ type: RecoveryType) throws(Refusal) -> OrgJSON {
    guard try account(transaction).recoveryQuestion != nil else { return try recovered(transaction, type) }
    var transaction = transaction
    transaction.step = .recovery(type)
    return try keep(transaction)
  }

  private mutating func recovered(_ transaction: Transaction, _ type: RecoveryType) throws(Refusal) -> OrgJSON {
    switch type {
    case .password:
      var transaction = transaction
      transaction.step = .passwordReset(type)
      return try keep(transaction)
    case .unlock:
      _ = withAccount(transaction.login) { ($0.locked, $0.failures) = (false, 0) }
      transactions[transaction.token] = nil
      return unlocked(relayState: transaction.relayState)
    }
  }
}
