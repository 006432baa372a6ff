// Registration, profile, consent, staying signed in: pages around the factors (idx.md §13.1).

extension OrgState {
  /// `/enroll/new`: a new person, or the missing profile fields of a known one.
  mutating func submitProfile(_ call: IDXCall, _ transaction: inout IDXTransaction) throws(IDXRefusal) {
    if case .profileUpdate = transaction.step { return try updateProfile(call, &transaction) }
    guard case .register = transaction.step else { throw .step(.notNow) }
    var profile: [String: String] = [:]
    var refusal = IDXRefusal()
    for field in policy.registration {
      let path = "userProfile.\(field.name)"
      profile[field.name] = call.text(path)
      if field.required, profile[field.name] == nil { refusal.fields[path] = .blank }
    }
    if let address = profile["email"] {
      if !Self.isAddress(address) {
        refusal.fields["userProfile.email"] = .badAddress
      } else if accounts[Self.key(address)] != nil {
        refusal.fields["userProfile.email"] = .takenAddress
      }
    }
    let password = policy.registersPassword ? call.text("credentials.passcode") : nil
    if policy.registersPassword {
      let rules = configuration.passwordPolicy
      if let password, !rules.accepts(password, login: profile["email"] ?? "") {
        refusal.fields["credentials.passcode"] = .passwordRules(rules)
      } else if password == nil {
        refusal.fields["credentials.passcode"] = .blank
      }
    }
    guard refusal.fields.isEmpty, let login = profile["login"] ?? profile["email"] else {
      if refusal.fields.isEmpty { refusal.messages = [.badRequest] }
      throw refusal
    }
    guard accounts[Self.key(login)] == nil else { throw .field("userProfile.login", .takenAddress) }
    add(
      OrgUser(
        login: login, password: password, firstName: profile["firstName"] ?? "", lastName: profile["lastName"] ?? "",
        email: profile["email"]))
    (transaction.login, transaction.identifier, transaction.goal) = (Self.key(login), login, .register)
    if password != nil { transaction.verified.insert(.password) }
    advance(&transaction)
  }

  /// The profile fields a person lacks.
  func missingProfile(_ account: Account) -> [OrgPolicy.ProfileField] {
    policy.profileUpdate.filter { account.profile[$0.name] == nil }
  }

  private mutating func updateProfile(_ call: IDXCall, _ transaction: inout IDXTransaction) throws(IDXRefusal) {
    guard let login = transaction.login, let account = accounts[login] else { throw .step(.notNow) }
    var refusal = IDXRefusal()
    var values: [String: String] = [:]
    for field in missingProfile(account) {
      values[field.name] = call.text("userProfile.\(field.name)")
      if field.required, values[field.name] == nil { refusal.fields["userProfile.\(field.name)"] = .blank }
    }
    guard refusal.fields.isEmpty else { throw refusal }
    _ = withAccount(login) { $0.profile.merge(values) { $1 } }
    transaction.settled.insert(.profile)
    advance(&transaction)
  }

  mutating func consent(_ call: IDXCall, _ transaction: inout IDXTransaction) throws(IDXRefusal) {
    guard let allowed = call.flag("consent") else { throw .field("consent", .blank) }
    guard allowed else {
      transaction.step = .terminal(.denied)
      throw IDXRefusal(status: 403)
    }
    if policy.consent == .granular {
      // A scope that was not opted out of is granted; `openid` cannot be.
      transaction.scopes = transaction.interest.scopes.filter { scope in
        scope == "openid" || call.value("optedScopes")?[scope] != .bool(false)
      }
    }
    transaction.settled.insert(.consent)
    advance(&transaction)
  }

  mutating func staySignedIn(_ call: IDXCall, _ transaction: inout IDXTransaction) throws(IDXRefusal) {
    guard let stays = call.flag("keepMeSignedIn") else { throw .field("keepMeSignedIn", .blank) }
    if stays { transaction.remembersDevice = true }
    transaction.settled.insert(.staying)
    advance(&transaction)
  }

  /// `/skip`: past what is offered but not required.
  mutating func skip(_ transaction: inout IDXTransaction) throws(IDXRefusal) {
    switch transaction.step {
    case .newPassword(.expiring): transaction.settled.insert(.warning)
    case .selectEnrolment, .enrolmentData, .channelData, .enrolling: transaction.settled.insert(.enrolment)
    case .profileUpdate: transaction.settled.insert(.profile)
    default: throw .step(.notNow)
    }
    advance(&transaction)
  }
}
