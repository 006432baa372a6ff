// From an operation to its handler.

extension OrgState {
  /// Carries out one operation.
  mutating func perform(_ operation: Operation, _ call: Call) throws(Refusal) -> OrgJSON {
    switch operation {
    case .authenticate: try authenticate(call)
    case .introspect: try keep(transaction(call.body.stateToken))
    case .previous: try previous(call)
    case .skip: try skip(call)
    case .cancel: try cancel(call)
    case .changePassword: try changePassword(call)
    case .resetPassword: try resetPassword(call)
    case .startRecovery(let type): try startRecovery(type, call)
    case .recoveryToken: try redeemRecovery(call)
    case .recoveryAnswer: try answerRecovery(call)
    case .verifyRecovery(let factor): try verifyRecovery(factor, call)
    case .resendRecovery(let factor): try resendRecovery(factor, call)
    case .enroll: try enroll(call)
    case .activate(let id): try activate(id, call)
    case .pollActivation(let id): try pollActivation(id, call)
    case .resendActivation(let id): try resendActivation(id, call)
    case .sendActivation(let id, let channel): try sendActivation(id, by: channel, call)
    case .verify(let id): try verify(id, call)
    case .resend(let id): try resend(id, call)
    case .duoCallback(let id): try duoCallback(id, call)
    case .qrCode, .stepUpRedirect: throw .noSuchPath
    case .questions(let user): try questions(of: user)
    }
  }

  /// Drops a transaction. Without a token (LOCKED_OUT has none) there is nothing to drop.
  private mutating func cancel(_ call: Call) throws(Refusal) -> OrgJSON {
    guard call.body.stateToken != nil else { return [:] }
    let transaction = try transaction(call.body.stateToken)
    transactions[transaction.token] = nil
    withdraw(transaction.token)
    guard let relayState = transaction.relayState else { return [:] }
    return ["relayState": .string(relayState)]
  }

  /// Goes back, if `prev` is published.
  private mutating func previous(_ call: Call) throws(Refusal) -> OrgJSON {
    var transaction = try transaction(call.body.stateToken)
    withdraw(transaction.token)
    switch transaction.step {
    case .challenge: transaction.step = .required
    case .enrollActivate: transaction.step = .enroll
    case .unauthenticated, .passwordWarn, .passwordExpired, .passwordReset, .enroll, .required, .recoveryChallenge,
      .recovery:
      throw .notInThisState
    }
    return try keep(transaction)
  }

  /// Goes on, if `skip` is published.
  private mutating func skip(_ call: Call) throws(Refusal) -> OrgJSON {
    var transaction = try transaction(call.body.stateToken)
    switch transaction.step {
    case .passwordWarn: transaction.settled.insert(.warning)
    case .enroll:
      guard maySkipEnrolment(try account(transaction)) else { throw .notInThisState }
      transaction.settled.insert(.enrolment)
    case .unauthenticated, .passwordExpired, .passwordReset, .enrollActivate, .required, .challenge,
      .recoveryChallenge, .recovery:
      throw .notInThisState
    }
    return try advance(transaction)
  }
}
