// What happens elsewhere while the page waits: links in mails, pushes, phones that scan (idx.md §10).

extension OrgState {
  /// One poll of whatever is waited for.
  mutating func poll(_ call: IDXCall, _ transaction: inout IDXTransaction) throws(IDXRefusal) {
    switch transaction.step {
    case .challenge(let challenge):
      if challenge.isResolved {
        transaction.verified.insert(challenge.enrolled.authenticator)
        advance(&transaction)
      } else if case .push(let push) = challenge.kind {
        try poll(push, challenge, &transaction)
      }
    case .enrolling(let enrolling):
      if enrolling.isResolved {
        complete(enrolling, &transaction)
      } else if case .push(let push, _, _) = enrolling.kind {
        try poll(push, enrolling, &transaction)
      }
    case .identify, .identifyRecovery, .selectToUnlock, .select, .confirmSending, .register, .selectEnrolment,
      .enrolmentData, .channelData, .newPassword, .profileUpdate, .consent, .staySignedIn, .success, .terminal:
      throw .step(.notNow)
    }
  }

  private mutating func poll(
    _ push: PushChallenge, _ challenge: IDXChallenge, _ transaction: inout IDXTransaction
  ) throws(IDXRefusal) {
    guard push.result == .waiting else { throw refusal(of: push.result) }
    var (push, challenge) = (push, challenge)
    switch answer(push, transaction.login ?? "") {
    case nil: return
    case .approve:
      transaction.verified.insert(.oktaVerify)
      advance(&transaction)
      return
    case .reject: push.result = .rejected
    case .timeOut: push.result = .timeout
    case .cancel: push.result = .cancelled
    }
    challenge.kind = .push(push)
    transaction.step = .challenge(challenge)
    throw refusal(of: push.result)
  }

  private func refusal(of result: PushChallenge.Result) -> IDXRefusal {
    switch result {
    case .rejected: .step(.pushRejected)
    case .timeout: .step(.pushTimedOut)
    case .cancelled, .waiting: .step(.pushCancelled)
    }
  }

  /// The phone scanned, or followed the link it was sent.
  private mutating func poll(
    _ push: PushChallenge, _ enrolling: IDXEnrolling, _ transaction: inout IDXTransaction
  ) throws(IDXRefusal) {
    switch answer(push, transaction.login ?? "") {
    case nil: return
    case .approve: complete(enrolling, &transaction)
    case .reject, .cancel, .timeOut:
      transaction.step = .selectEnrolment
      throw .step(.cancelledByUser)
    }
  }

  /// The client gave up waiting.
  mutating func cancelPolling(_ transaction: inout IDXTransaction) {
    withdraw(transaction.handle)
    transaction.step = .select
  }

  /// The link of a mail was followed, in whatever browser.
  mutating func follow(link token: String, ion: Bool) -> IDXReply {
    let message = resolve(link: token)
    guard ion else { return .html(message.text) }
    return .dead(message, status: message == .linkExpired ? 400 : 200)
  }

  mutating func resolve(link token: String) -> IonMessage {
    guard let link = idx.links.removeValue(forKey: token),
      now.seconds(since: link.code.sent) < configuration.challengeLifetime,
      var transaction = live(link.handle)
    else { return .linkExpired }
    switch transaction.step {
    case .challenge(var challenge):
      guard case .sent(let sent) = challenge.kind, sent == link.code else { return .linkStale }
      challenge.isResolved = true
      transaction.step = .challenge(challenge)
    case .enrolling(var enrolling):
      switch enrolling.kind {
      case .sent(link.code): break
      case .push(_, _, link.code.code): break
      default: return .linkStale
      }
      enrolling.isResolved = true
      transaction.step = .enrolling(enrolling)
    default: return .linkStale
    }
    idx.transactions[transaction.handle] = transaction
    return .returnToTab
  }

  /// The person picks a number on the phone: the right one approves the push that waits, any other rejects it.
  mutating func pick(number: Int, for login: String) -> Bool {
    let key = Self.key(login)
    let waiting = idx.transactions.values.filter { $0.login == key && $0.expires > now }.compactMap { transaction in
      if case .challenge(let challenge) = transaction.step, case .push(let push) = challenge.kind,
        push.result == .waiting, push.challenges.isEmpty
      {
        return push.correctAnswer
      }
      return nil
    }
    guard !waiting.isEmpty else { return false }
    let isRight = waiting.contains(number)
    script(isRight ? .approve : .reject, for: login, afterPolls: 1)
    return isRight
  }
}
