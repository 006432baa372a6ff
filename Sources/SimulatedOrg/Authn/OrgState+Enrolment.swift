// Setting factors up during a sign-in (authn.md §7, §11: MFA_ENROLL, MFA_ENROLL_ACTIVATE).

extension OrgState {
  /// What a user may set up: their own list, or the usual one if a second factor is required and none named.
  func offers(_ account: Account) -> [OrgFactorOffer] {
    if !account.user.offers.isEmpty || !account.user.mfaRequired { return account.user.offers }
    return [
      OrgFactorOffer(.question), OrgFactorOffer(.sms), OrgFactorOffer(.push), OrgFactorOffer(.totp(provider: "OKTA")),
      OrgFactorOffer(.totp(provider: "GOOGLE")),
    ]
  }

  private func open(_ account: Account) -> [OrgFactorOffer] {
    offers(account).filter { offer in !account.enrolments.contains { offer.covers($0.factor) } }
  }

  /// Whether the sign-in stops for enrolment: something required is missing, or nothing is set up at all.
  func wantsEnrolment(_ transaction: Transaction, _ account: Account) -> Bool {
    if transaction.settled.contains(.enrolment) { return false }
    let open = open(account)
    return open.contains(where: \.required) || (account.enrolments.isEmpty && !open.isEmpty)
  }

  /// True only if every required factor is set up.
  func maySkipEnrolment(_ account: Account) -> Bool {
    !open(account).contains(where: \.required) && !(account.user.mfaRequired && account.enrolments.isEmpty)
  }

  mutating func enroll(_ call: Call) throws(Refusal) -> OrgJSON {
    let transaction = try transaction(call.body.stateToken)
    guard case .enroll = transaction.step else { throw .notInThisState }
    let account = try account(transaction)
    let (type, provider) = (call.body.factorType?.lowercased(), call.body.provider?.uppercased() ?? "OKTA")
    guard let offer = open(account).first(where: { $0.factorType == type && $0.provider == provider }) else {
      throw .invalidField("factorType", "This factor cannot be enrolled")
    }
    let login = transaction.login
    switch offer.kind {
    case .sms:
      let phone = try newPhone(account, call)
      let code = try send(login, by: .sms, to: phone)
      return try begin(.sms(phone: phone), .sent(code), transaction)
    case .call:
      let phone = try newPhone(account, call)
      return try begin(.call(phone: phone), .sent(try send(login, by: .call, to: phone)), transaction)
    case .email:
      let address = account.user.email
      return try begin(.email(address: address), .sent(try send(login, by: .mail, to: address)), transaction)
    case .push: return try begin(.push(device: "Phone"), scan(login), transaction)
    case .duo: return try begin(.duo, scan(login), transaction)
    case .u2f: return try begin(.u2f, .signed(challenge: newNonce(login)), transaction)
    case .webauthn:
      return try begin(.webauthn(name: "Authenticator"), .signed(challenge: newNonce(login)), transaction)
    case .totp(let provider):
      let drawn = withAccount(login) { (Base32.text($0.draws.bytes(10)), $0.draws.text("00", length: 40)) }
      guard let (secret, scan) = drawn else { throw .invalidToken }
      return try begin(.totp(secret: secret, provider: provider), .totp(secret: secret, scan: scan), transaction)
    case .question:
      guard let key = call.body.profile?.question, let answer = call.body.profile?.answer, answer.count >= 4 else {
        throw .invalidField("answer", "The security question answer must be at least 4 characters in length")
      }
      return try enrolled(.question(key: key, answer: answer), id: nil, transaction)
    case .token(let provider):
      guard let passCode = call.body.passCode, provider != "SYMANTEC" || call.body.nextPassCode != nil else {
        throw .wrongCode
      }
      let credential = call.body.profile?.credentialId ?? account.user.login
      return try enrolled(
        .token(provider: provider, credentialId: credential, passCode: passCode), id: nil, transaction)
    }
  }

  private mutating func begin(
    _ factor: OrgFactor, _ kind: Activation.Kind, _ transaction: Transaction
  ) throws(Refusal) -> OrgJSON {
    var transaction = transaction
    let id = withAccount(transaction.login) { $0.draws.text(factor.idPrefix, length: 17) } ?? ""
    transaction.step = .enrollActivate(Activation(id: id, factor: factor, kind: kind))
    return try keep(transaction)
  }

  private mutating func scan(_ login: String) -> Activation.Kind {
    let secret = withAccount(login) { $0.draws.text("", length: 20) } ?? ""
    return .push(PushChallenge(sent: now), scan: secret)
  }

  /// The number to enroll. A number other than the verified one requires `updatePhone`.
  private mutating func newPhone(_ account: Account, _ call: Call) throws(Refusal) -> String {
    let phone = try Self.phone(call.body.profile)
    guard let known = account.knownPhone, known != phone else { return phone }
    guard call.query["updatePhone"] == "true" else {
      throw .invalidField("phoneNumber", "There is an existing verified phone number.")
    }
    _ = withAccount(Self.key(account.user.login)) { $0.knownPhone = phone }
    return phone
  }

  private static func phone(_ profile: AuthnBody.Profile?) throws(Refusal) -> String {
    guard let number = profile?.phoneNumber, !number.isEmpty else {
      throw .invalidField("phoneNumber", "The field cannot be left blank")
    }
    let digits = number.count(where: \.isNumber)
    guard (7...15).contains(digits), number.allSatisfy({ $0.isNumber || "+-() .".contains($0) }) else {
      throw .badPhone
    }
    return number
  }

  private mutating func activation(_ id: String, _ call: Call) throws(Refusal) -> (Transaction, Activation) {
    let transaction = try transaction(call.body.stateToken)
    guard case .enrollActivate(let activation) = transaction.step, activation.id == id else { throw .notInThisState }
    return (transaction, activation)
  }

  mutating func activate(_ id: String, _ call: Call) throws(Refusal) -> OrgJSON {
    var (transaction, activation) = try activation(id, call)
    switch activation.kind {
    case .sent(let sent):
      guard let typed = call.body.passCode, accepts(typed, sent) else {
        throw refuseCode(transaction, with: .wrongCode)
      }
    case .totp(let secret, _):
      let step = TimePasscode.step(at: now)
      guard let typed = call.body.passCode, let bytes = Base32.bytes(secret),
        (-1...1).contains(where: { TimePasscode.code(secret: bytes, step: step + $0) == typed })
      else { throw refuseCode(transaction, with: .wrongCode) }
    case .signed(let challenge):
      guard isSigned(challenge, call.body, activation.factor, isNew: true) else {
        throw refuseCode(transaction, with: .wrongCode)
      }
    case .push(let push, _):
      guard push.result != .waiting else { return try pollActivation(id, call) }
      activation.kind = scan(transaction.login)
      transaction.step = .enrollActivate(activation)
      return try keep(transaction)
    }
    return try enrolled(activation.factor, id: activation.id, transaction)
  }

  mutating func pollActivation(_ id: String, _ call: Call) throws(Refusal) -> OrgJSON {
    var (transaction, activation) = try activation(id, call)
    guard case .push(var push, let secret) = activation.kind, push.result == .waiting else { throw .notInThisState }
    switch answer(push, transaction.login) {
    case .approve: return try enrolled(activation.factor, id: activation.id, transaction)
    case .reject, .timeOut, .cancel: push.result = .timeout
    case nil: break
    }
    activation.kind = .push(push, scan: secret)
    transaction.step = .enrollActivate(activation)
    return try keep(transaction)
  }

  mutating func resendActivation(_ id: String, _ call: Call) throws(Refusal) -> OrgJSON {
    var (transaction, activation) = try activation(id, call)
    guard case .sent = activation.kind else { throw .notInThisState }
    switch activation.factor {
    case .sms(let phone): activation.kind = .sent(try send(transaction.login, by: .sms, to: phone))
    case .call(let phone): activation.kind = .sent(try send(transaction.login, by: .call, to: phone))
    case .email(let address): activation.kind = .sent(try send(transaction.login, by: .mail, to: address))
    case .push, .totp, .question, .token, .duo, .u2f, .webauthn: throw .notInThisState
    }
    transaction.step = .enrollActivate(activation)
    return try keep(transaction)
  }

  /// Sends the activation link of a push factor to a phone that cannot scan.
  mutating func sendActivation(_ id: String, by channel: OutboxMessage.Channel, _ call: Call) throws(Refusal) -> OrgJSON
  {
    let (transaction, activation) = try activation(id, call)
    guard case .push(_, let secret) = activation.kind else { throw .notInThisState }
    let address = channel == .mail ? try account(transaction).user.email : try Self.phone(call.body.profile)
    try pause(transaction.login, channel)
    post("\(baseURL)/activate/\(secret)", to: address, by: channel, for: transaction.login)
    return try keep(transaction)
  }

  /// A factor is active: on to the next one, or out of enrolment.
  private mutating func enrolled(
    _ factor: OrgFactor, id: String?, _ transaction: Transaction
  ) throws(Refusal) -> OrgJSON {
    var transaction = transaction
    _ = withAccount(transaction.login) { $0.add(factor, id: id) }
    transaction.settled.insert(.mfa)
    let open = open(try account(transaction))
    if open.contains(where: \.required) || (transaction.multiOptionalEnroll && !open.isEmpty) {
      transaction.step = .enroll
      return try keep(transaction)
    }
    transaction.settled.insert(.enrolment)
    return try advance(transaction)
  }

  /// `GET …/users/{id}/factors/questions`.
  func questions(of user: String) throws(Refusal) -> OrgJSON {
    guard accounts.values.contains(where: { $0.id == user }) else { throw .noSuchResource("\(user) (User)") }
    return .array(
      SecurityQuestion.all.map { ["question": .string($0.key), "questionText": .string($0.text)] })
  }
}
