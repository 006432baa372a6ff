// Setting authenticators up (idx.md §14, Enrolment).

extension OrgState {
  /// What may be set up now, and whether it must be.
  func openEnrolments(_ transaction: IDXTransaction, _ account: Account) -> [OrgPolicy.Enrolment] {
    let present = Set(enrolled(account).map(\.authenticator))
    var wanted = policy.enrolments
    for offer in account.user.offers {
      guard let authenticator = offer.authenticator else { continue }
      if let index = wanted.firstIndex(where: { $0.authenticator == authenticator }) {
        wanted[index].required = wanted[index].required || offer.required
      } else {
        wanted.append(.init(authenticator, required: offer.required))
      }
    }
    let open = wanted.filter { !present.contains($0.authenticator) }
    let count = transaction.verified.count + (transaction.isFederated ? 1 : 0)
    guard open.isEmpty, transaction.goal == .signIn, policy.needsAllFactors, count < needed(transaction, account) else {
      return open
    }
    // Too few for access: any of the remaining ones.
    return OrgAuthenticator.enrollable.filter { !present.contains($0) }.map { .init($0) }
  }

  /// `/credential/enroll`: which authenticator to set up, or how.
  mutating func chooseEnrolment(_ call: IDXCall, _ transaction: inout IDXTransaction) throws(IDXRefusal) {
    guard let account = transaction.login.flatMap({ accounts[$0] }) else { throw .step(.notNow) }
    guard let id = call.text("authenticator.id") else { throw .field("authenticator", .blank) }
    let open = openEnrolments(transaction, account).map(\.authenticator)
    guard let chosen = open.first(where: { authenticatorID($0) == id }) else {
      throw .field("authenticator", .badChoice)
    }
    switch chosen {
    case .phone:
      guard let method = call.text("authenticator.methodType") else {
        transaction.step = .enrolmentData(.phone)
        return
      }
      guard chosen.methods.contains(method) else { throw .field("authenticator.methodType", .badChoice) }
      guard let phone = call.text("authenticator.phoneNumber") else {
        if case .enrolmentData = transaction.step { throw .field("authenticator.phoneNumber", .blank) }
        transaction.step = .enrolmentData(.phone)
        return
      }
      guard Self.isPhone(phone) else {
        transaction.step = .enrolmentData(.phone)
        throw .field("authenticator.phoneNumber", .badPhone)
      }
      try limitTexts(method, &transaction)
      try beginEnrolment(.phone, method: method, phone, &transaction)
    case .oktaVerify:
      let channel = call.text("authenticator.channel") ?? "qrcode"
      switch channel {
      case "qrcode": try beginEnrolment(.oktaVerify, method: channel, nil, &transaction)
      case "email", "sms": transaction.step = .channelData(channel: channel)
      default: throw .field("authenticator.channel", .badChoice)
      }
    default:
      if let method = call.text("authenticator.methodType"), !chosen.methods.contains(method) {
        throw .field("authenticator.methodType", .badChoice)
      }
      let address = chosen == .email ? account.user.email : nil
      try beginEnrolment(chosen, method: chosen.methods[0], address, &transaction)
    }
  }

  /// `/challenge/send`: where Okta Verify's link goes.
  mutating func sendChannel(_ call: IDXCall, _ transaction: inout IDXTransaction) throws(IDXRefusal) {
    guard case .channelData(let channel) = transaction.step else { throw .step(.notNow) }
    let field = channel == "email" ? "email" : "phoneNumber"
    guard let address = call.text(field) else { throw .field(field, .blank) }
    if channel == "email" {
      guard Self.isAddress(address) else { throw .field(field, .badAddress) }
    } else {
      guard Self.isPhone(address) else { throw .field(field, .badPhone) }
      try limitTexts("sms", &transaction)
    }
    try beginEnrolment(.oktaVerify, method: channel, address, &transaction)
  }

  /// Starts the set-up: sends what it sends, draws what it draws.
  mutating func beginEnrolment(
    _ authenticator: OrgAuthenticator, method: String, _ address: String?, _ transaction: inout IDXTransaction
  ) throws(IDXRefusal) {
    let kind: IDXEnrolling.Kind
    switch authenticator {
    case .email, .phone: kind = .sent(sendCode(authenticator, method, to: address, &transaction))
    case .google: kind = .timeCode(secret: Base32.text(transaction.draws.bytes(10)))
    case .oktaVerify:
      let scan = transaction.draws.text("", length: 32)
      kind = .push(PushChallenge(sent: now), channel: method, scan: scan)
      if let address, let login = transaction.login {
        let channel: OutboxMessage.Channel = method == "email" ? .mail : .sms
        idx.links[scan] = IDXState.MailLink(handle: transaction.handle, code: SentCode(code: scan, sent: now))
        post(scan, to: address, by: channel, for: login, link: baseURL + "/email/verify?token=\(scan)")
      }
    case .webauthn: kind = .signed(challenge: Base64.urlText(transaction.draws.bytes(24)))
    case .duo: kind = .duo(token: duoToken(&transaction))
    case .password, .question: kind = .typed
    case .symantec, .yubikey, .rsa, .onPremises, .custom: throw .field("authenticator", .badChoice)
    }
    transaction.step = .enrolling(
      IDXEnrolling(authenticator: authenticator, method: method, address: address, kind: kind))
  }

  /// `/challenge/answer` while an authenticator is being set up.
  mutating func finishEnrolment(
    _ enrolling: IDXEnrolling, _ call: IDXCall, _ transaction: inout IDXTransaction
  ) throws(IDXRefusal) {
    let field = "credentials.passcode"
    switch enrolling.kind {
    case .sent(let sent):
      guard let typed = call.text(field) else { throw .field(field, .blank) }
      guard accepts(typed, sent) else { throw wrong(.field(field, .wrongCode, status: 401), &transaction) }
    case .timeCode(let secret):
      guard let typed = call.text(field) else { throw .field(field, .blank) }
      guard step(of: typed, secret) != nil else {
        throw wrong(.field(field, .wrongTimeCode, status: 401), &transaction)
      }
    case .typed where enrolling.authenticator == .password:
      try setPassword(call, transaction)
      transaction.verified.insert(.password)
      advance(&transaction)
      return
    case .typed:
      try addQuestion(call, &transaction)
      return
    case .signed(let challenge):
      guard let key = registration(call, expected: challenge) else {
        throw wrong(.step(.wrongKey, status: 401), &transaction)
      }
      complete(enrolling, &transaction, passkey: key)
      return
    case .duo(let token): try checkDuo(call, token, &transaction)
    case .push: throw .step(.notNow)
    }
    complete(enrolling, &transaction)
  }

  private mutating func addQuestion(_ call: IDXCall, _ transaction: inout IDXTransaction) throws(IDXRefusal) {
    let key = call.text("credentials.questionKey")
    // The first option is a known question, the second one of the person's own.
    let option = key == "custom" ? "credentials[1]" : "credentials[0]"
    guard let key else { throw .field(option + ".questionKey", .blank) }
    guard let answer = call.text("credentials.answer") else { throw .field(option + ".answer", .blank) }
    guard answer.count >= 4 else { throw .field(option + ".answer", .shortAnswer) }
    var name = key
    if key == "custom" {
      guard let question = call.text("credentials.question") else { throw .field(option + ".question", .blank) }
      name = question
    } else if !SecurityQuestion.all.contains(where: { $0.key == key }) {
      throw .field(option + ".questionKey", .badChoice)
    }
    add([.question(key: name, answer: answer)], as: .question, &transaction)
  }

  /// The set-up is done.
  mutating func complete(
    _ enrolling: IDXEnrolling, _ transaction: inout IDXTransaction, passkey: IDXState.Passkey? = nil
  ) {
    let factors: [OrgFactor] =
      switch enrolling.authenticator {
      case .email: [.email(address: enrolling.address ?? "")]
      case .phone: [.sms(phone: enrolling.address ?? "")]
      case .oktaVerify: [.push(device: "Phone"), .totp(secret: Base32.text(transaction.draws.bytes(10)))]
      case .google:
        if case .timeCode(let secret) = enrolling.kind { [.totp(secret: secret, provider: "GOOGLE")] } else { [] }
      case .webauthn: [.webauthn(name: "Authenticator")]
      case .duo: [.duo]
      case .password, .question, .symantec, .yubikey, .rsa, .onPremises, .custom: []
      }
    add(factors, as: enrolling.authenticator, &transaction, passkey: passkey)
  }

  private mutating func add(
    _ factors: [OrgFactor], as authenticator: OrgAuthenticator, _ transaction: inout IDXTransaction,
    passkey: IDXState.Passkey? = nil
  ) {
    for factor in factors {
      let id = withAccount(transaction.login ?? "") { $0.add(factor).id }
      if let passkey, let id { idx.passkeys[id] = passkey }
    }
    // A user who has just set up an authenticator has also verified it.
    transaction.verified.insert(authenticator)
    advance(&transaction)
  }

  static func isPhone(_ number: String) -> Bool {
    (7...15).contains(number.count(where: \.isNumber)) && number.allSatisfy { $0.isNumber || "+-() .".contains($0) }
  }

  static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".") && !text.contains(" ")
  }
}

extension OrgFactorOffer {
  /// The authenticator of the engine that sets this factor up.
  fileprivate var authenticator: OrgAuthenticator? {
    switch kind {
    case .sms, .call: .phone
    case .email: .email
    case .push, .totp("OKTA"): .oktaVerify
    case .totp: .google
    case .question: .question
    case .webauthn: .webauthn
    case .duo: .duo
    case .token, .u2f: nil
    }
  }
}
