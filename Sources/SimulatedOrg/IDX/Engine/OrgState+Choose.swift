// The choice of an authenticator, and the start of its challenge (idx.md §14).

extension OrgState {
  /// `/challenge`: a choice, a confirmation, another push, or the account and method for an unlock.
  mutating func choose(_ call: IDXCall, _ transaction: inout IDXTransaction) throws(IDXRefusal) {
    if case .selectToUnlock = transaction.step {
      guard let name = call.text("identifier") else { throw .field("identifier", .blank) }
      (transaction.login, transaction.identifier) = (Self.key(name), name)
    }
    guard let id = call.text("authenticator.id") else { throw .field("authenticator", .blank) }
    let enrolment = call.text("authenticator.enrollmentId")
    let list = candidates(transaction)
    let fits = list.filter { authenticatorID($0.authenticator) == id && (enrolment == nil || $0.id == enrolment) }
    guard let chosen = fits.first ?? phantom(id, transaction) else { throw .field("authenticator", .badChoice) }
    guard let method = call.text("authenticator.methodType") else {
      if chosen.methods.count > 1 {
        transaction.step = .confirmSending(chosen)
      } else {
        begin(chosen, method: chosen.methods[0], &transaction)
      }
      return
    }
    guard chosen.methods.contains(method) else { throw .field("authenticator.methodType", .badChoice) }
    try limitTexts(method, &transaction)
    begin(chosen, method: method, &transaction)
  }

  /// When unlocking an account, every user gets the same answer, as if a code had been sent.
  private func phantom(_ id: String, _ transaction: IDXTransaction) -> IDXEnrolled? {
    guard case .selectToUnlock = transaction.step else { return nil }
    return [Self.unknownMail, Self.unknownPhone].first { authenticatorID($0.authenticator) == id }
  }

  /// What an unknown user appears to have.
  static let unknownMail = IDXEnrolled(authenticator: .email, id: "eae00000000000000000", methods: ["email"])
  private static let unknownPhone = IDXEnrolled(
    authenticator: .phone, id: "sms00000000000000000", methods: ["sms", "voice"])

  /// What may be chosen at this step.
  func candidates(_ transaction: IDXTransaction) -> [IDXEnrolled] {
    guard let account = transaction.login.flatMap({ accounts[$0] }) else {
      // For an unknown user, what nearly every user has.
      return transaction.goal == .signIn ? [Self.passwordChallenge.enrolled] : [Self.unknownMail]
    }
    switch transaction.goal {
    case .recover, .unlock: return enrolledForRecovery(account)
    case .signIn, .register: return remaining(transaction, account)
    }
  }

  /// Five texts and calls in one transaction are enough.
  func limitTexts(_ method: String, _ transaction: inout IDXTransaction) throws(IDXRefusal) {
    guard method == "sms" || method == "voice" else { return }
    transaction.textsSent += 1
    if transaction.textsSent > 5 { throw .step(method == "sms" ? .tooManyTexts : .tooManyCalls, status: 429) }
  }

  /// Starts an authenticator: sends what it sends, and waits for it.
  mutating func begin(_ enrolled: IDXEnrolled, method: String, _ transaction: inout IDXTransaction) {
    let kind: IDXChallenge.Kind
    withdraw(transaction.handle)
    switch enrolled.authenticator {
    case .email, .phone:
      kind = .sent(sendCode(enrolled.authenticator, method, to: enrolled.address, &transaction))
    case .oktaVerify where method == "push": kind = .push(newPush(&transaction))
    case .webauthn: kind = .signed(challenge: Base64.urlText(transaction.draws.bytes(24)))
    case .duo: kind = .duo(token: duoToken(&transaction))
    case .password, .question, .oktaVerify, .google, .symantec, .yubikey, .rsa, .onPremises, .custom: kind = .typed
    }
    transaction.step = .challenge(IDXChallenge(enrolled: enrolled, method: method, kind: kind))
  }

  mutating func newPush(_ transaction: inout IDXTransaction) -> PushChallenge {
    var push = PushChallenge(sent: now)
    if configuration.numberChallenge || policy.numberChallenge {
      push.correctAnswer = Int(transaction.draws.next() % 90) + 10
    }
    let origin = PushOrigin(token: transaction.handle, client: transaction.interest.client)
    if let login = transaction.login { askDevices(&push, login, for: origin) }
    return push
  }

  /// What Duo's widget has to sign.
  func duoToken(_ transaction: inout IDXTransaction) -> String {
    "TX|\(transaction.draws.text("", length: 24)):APP|\(transaction.draws.text("", length: 24))"
  }

  /// Sends a fresh code, by mail with a link to it. For an unknown user nothing is sent, and no code is right.
  mutating func sendCode(
    _ authenticator: OrgAuthenticator, _ method: String, to address: String?, _ transaction: inout IDXTransaction
  ) -> SentCode {
    let now = now
    guard let address, let login = transaction.login, accounts[login] != nil else {
      return SentCode(code: transaction.draws.text("unknown ", length: 12), sent: now)
    }
    let sent = SentCode(code: transaction.draws.digits(6), sent: now)
    var link: String?
    if authenticator == .email, policy.emailMagicLink {
      let token = transaction.draws.text("", length: 32)
      idx.links[token] = IDXState.MailLink(handle: transaction.handle, code: sent)
      link = baseURL + "/email/verify?token=\(token)"
    }
    let channel: OutboxMessage.Channel = authenticator == .email ? .mail : method == "voice" ? .call : .sms
    post(sent.code, to: address, by: channel, for: login, link: link)
    return sent
  }

  /// `/challenge/resend`: the same again.
  mutating func resend(_ transaction: inout IDXTransaction) throws(IDXRefusal) {
    switch transaction.step {
    case .challenge(let challenge):
      try limitTexts(challenge.method, &transaction)
      begin(challenge.enrolled, method: challenge.method, &transaction)
    case .confirmSending(let enrolled):
      try limitTexts(enrolled.methods[0], &transaction)
      begin(enrolled, method: enrolled.methods[0], &transaction)
    case .enrolling(let enrolling):
      try limitTexts(enrolling.method, &transaction)
      try beginEnrolment(enrolling.authenticator, method: enrolling.method, enrolling.address, &transaction)
    case .identify, .identifyRecovery, .selectToUnlock, .select, .register, .selectEnrolment, .enrolmentData,
      .channelData, .newPassword, .profileUpdate, .consent, .staySignedIn, .success, .terminal:
      throw .step(.notNow)
    }
  }
}
