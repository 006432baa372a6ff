// `/challenge/answer`: codes, passwords, answers, signatures (idx.md §13.1).

extension OrgState {
  mutating func answer(_ call: IDXCall, _ transaction: inout IDXTransaction) throws(IDXRefusal) {
    switch transaction.step {
    case .challenge(let challenge):
      try check(challenge, call, &transaction)
      transaction.verified.insert(challenge.enrolled.authenticator)
      advance(&transaction)
    case .enrolling(let enrolling): try finishEnrolment(enrolling, call, &transaction)
    case .newPassword(let why): try takePassword(why, call, &transaction)
    case .identify, .identifyRecovery, .selectToUnlock, .select, .confirmSending, .register, .selectEnrolment,
      .enrolmentData, .channelData, .profileUpdate, .consent, .staySignedIn, .success, .terminal:
      throw .step(.notNow)
    }
  }

  private mutating func check(
    _ challenge: IDXChallenge, _ call: IDXCall, _ transaction: inout IDXTransaction
  ) throws(IDXRefusal) {
    let login = transaction.login ?? ""
    switch challenge.kind {
    case .sent(let sent):
      guard let typed = call.text("credentials.passcode") else { throw .field("credentials.passcode", .blank) }
      guard accepts(typed, sent) else {
        throw wrong(.field("credentials.passcode", .wrongCode, status: 401), &transaction)
      }
    case .typed: try checkTyped(challenge, call, login, &transaction)
    case .signed(let expected):
      guard checkAssertion(call, expected: expected, challenge.enrolled.enrolments, login) else {
        throw wrong(.step(.wrongKey, status: 401), &transaction)
      }
    case .duo(let token): try checkDuo(call, token, &transaction)
    case .push: throw .step(.notNow)
    }
  }

  /// Duo's widget signs with what only Duo and the org know; here it is the token followed by the user name.
  func checkDuo(_ call: IDXCall, _ token: String, _ transaction: inout IDXTransaction) throws(IDXRefusal) {
    guard let data = call.text("credentials.signatureData") else {
      throw .field("credentials.signatureData", .blank)
    }
    if data == "timeout" { throw .step(.lateDuo, status: 401) }
    guard data == token.split(separator: ":").first.map({ "AUTH|\($0)" }) else {
      throw wrong(.step(.wrongDuo, status: 401), &transaction)
    }
  }

  private mutating func checkTyped(
    _ challenge: IDXChallenge, _ call: IDXCall, _ login: String, _ transaction: inout IDXTransaction
  ) throws(IDXRefusal) {
    let field =
      switch challenge.enrolled.authenticator {
      case .question: "credentials.answer"
      case .oktaVerify: "credentials.totp"
      default: "credentials.passcode"
      }
    guard let typed = call.text(field) else { throw .field(field, .blank) }
    switch challenge.enrolled.authenticator {
    case .password:
      guard checkPassword(typed, of: login) else { throw failure(login) }
    case .question:
      guard case .question(let key, let answer)? = challenge.enrolled.enrolments.first?.factor,
        call.text("credentials.questionKey").map({ $0 == key }) ?? true, SecurityQuestion.matches(typed, answer)
      else { throw wrong(.field(field, .wrongAnswer, status: 401), &transaction) }
    case .google, .oktaVerify: try checkTimeCode(typed, field, challenge.enrolled, login, &transaction)
    case .symantec, .yubikey, .rsa, .onPremises, .custom:
      guard case .token(_, _, let passCode)? = challenge.enrolled.enrolments.first?.factor, passCode == typed else {
        throw wrong(.field(field, .wrongCode, status: 401), &transaction)
      }
    case .email, .phone, .webauthn, .duo: throw .step(.notNow)
    }
  }

  private mutating func checkTimeCode(
    _ typed: String, _ field: String, _ enrolled: IDXEnrolled, _ login: String, _ transaction: inout IDXTransaction
  ) throws(IDXRefusal) {
    for enrolment in enrolled.enrolments {
      guard case .totp(let secret, _) = enrolment.factor, let step = step(of: typed, secret) else { continue }
      // A code that was used since the challenge began counts as used too: the account's record is authoritative.
      let last = accounts[login]?.enrolments.first { $0.id == enrolment.id }?.lastStep
      if let last, step <= last { throw .field(field, .usedCode, status: 401) }
      _ = withAccount(login) { account in
        guard let index = account.enrolments.firstIndex(where: { $0.id == enrolment.id }) else { return }
        account.enrolments[index].lastStep = step
      }
      return
    }
    throw wrong(.field(field, .wrongTimeCode, status: 401), &transaction)
  }

  /// The step a time-based code belongs to, one of drift either way allowed (RFC 6238 §5.2).
  func step(of typed: String, _ secret: String) -> Int64? {
    guard let bytes = Base32.bytes(secret) else { return nil }
    let present = TimePasscode.step(at: now)
    return [0, -1, 1].map { present + $0 }.first { TimePasscode.code(secret: bytes, step: $0) == typed }
  }

  /// Counts a wrong code or answer. At the limit the server reports 429, as it does nowhere else; past twice the limit
  /// the sign-in is over.
  func wrong(_ refusal: IDXRefusal, _ transaction: inout IDXTransaction) -> IDXRefusal {
    transaction.wrongAnswers += 1
    if transaction.wrongAnswers >= configuration.wrongCodeLimit * 2 {
      transaction.step = .terminal(.denied)
      return IDXRefusal(status: 403)
    }
    if transaction.wrongAnswers >= configuration.wrongCodeLimit { return .step(.tooManyRequests, status: 429) }
    return refusal
  }
}
