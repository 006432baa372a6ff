// Push: the user's enrolled devices answer; without one, the test or the demo decides what the phone does (authn.md §7,
// §11.1).

extension OrgState {
  /// Keeps an answer for the waiting push, or for the next one.
  mutating func script(_ answer: PushAnswer, for login: String, afterPolls polls: Int) {
    _ = withAccount(Self.key(login)) {
      $0.pushScripts.append(PushScript(answer: answer, pollsLeft: max(1, polls)))
    }
  }

  mutating func newPush(_ login: String, for factor: OrgFactor, _ origin: PushOrigin) -> PushChallenge {
    var push = PushChallenge(sent: now)
    guard case .push = factor else { return push }
    if configuration.numberChallenge { push.correctAnswer = withAccount(login) { Int($0.draws.next() % 100) } }
    askDevices(&push, login, for: origin)
    return push
  }

  /// One poll: the end of the push if its time has come. The clock ends it too.
  mutating func answer(_ push: PushChallenge, _ login: String) -> PushAnswer? {
    if push.isApproved { return .approve }
    if !push.challenges.isEmpty { return verdict(of: push.challenges) }
    if now.seconds(since: push.sent) >= configuration.challengeLifetime { return .timeOut }
    return withAccount(login) { account -> PushAnswer? in
      guard !account.pushScripts.isEmpty else { return nil }
      account.pushScripts[0].pollsLeft -= 1
      guard account.pushScripts[0].pollsLeft <= 0 else { return nil }
      return account.pushScripts.removeFirst().answer
    } ?? nil
  }

  /// `verify` on a push: a poll while it waits, a new push after it was refused or timed out.
  mutating func poll(
    _ push: PushChallenge, _ transaction: Transaction, _ enrolment: Enrolment, _ call: Call
  ) throws(Refusal) -> OrgJSON {
    var (push, transaction) = (push, transaction)
    var showsNumber = false
    switch push.result {
    case .rejected, .timeout, .cancelled:
      push = newPush(transaction.login, for: enrolment.factor, PushOrigin(token: transaction.token))
    case .waiting:
      switch answer(push, transaction.login) {
      case .approve: return try pass(transaction, call)
      case .reject: push.result = .rejected
      case .timeOut: push.result = .timeout
      case .cancel: push.result = .cancelled
      case nil: showsNumber = true
      }
    }
    transaction.step = .challenge(Challenge(enrolment: enrolment.id, kind: .push(push)))
    var body = try keep(transaction)
    if showsNumber, let number = push.correctAnswer {
      body["_embedded"]?["factor"]?["_embedded"] = ["challenge": ["correctAnswer": .int(number)]]
    }
    return body
  }

  /// Duo's widget reports back; the page goes on polling.
  mutating func duoCallback(_ id: String, _ call: Call) throws(Refusal) -> OrgJSON {
    var transaction = try transaction(call.body.stateToken)
    guard let response = call.body.duoResponse, !response.isEmpty else {
      throw .invalidField("sig_response", "The field cannot be left blank")
    }
    switch transaction.step {
    case .challenge(let challenge):
      guard challenge.enrolment == id, case .push(var push) = challenge.kind,
        try account(transaction).enrolments.contains(where: { $0.id == id && $0.factor == .duo })
      else { throw .notInThisState }
      push.isApproved = true
      transaction.step = .challenge(Challenge(enrolment: id, kind: .push(push)))
    case .enrollActivate(var activation):
      guard activation.id == id, activation.factor == .duo, case .push(var push, let scan) = activation.kind else {
        throw .notInThisState
      }
      push.isApproved = true
      activation.kind = .push(push, scan: scan)
      transaction.step = .enrollActivate(activation)
    case .unauthenticated, .passwordWarn, .passwordExpired, .passwordReset, .enroll, .required, .recoveryChallenge,
      .recovery:
      throw .notInThisState
    }
    return try keep(transaction)
  }

  /// `autoPush` is only a preference; it comes back in `factorsPolicyInfo`.
  mutating func storeAutoPush(_ call: Call, _ enrolment: Enrolment, _ login: String) {
    guard case .push = enrolment.factor, let wanted = call.query["autoPush"] else { return }
    _ = withAccount(login) { $0.autoPush[enrolment.id] = wanted == "true" }
  }
}
