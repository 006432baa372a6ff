// New passwords: expired, expiring, forgotten, first (idx.md §14).

extension OrgState {
  /// `/challenge/answer` at a page that asks for a new password.
  mutating func takePassword(
    _ why: IDXStep.NewPassword, _ call: IDXCall, _ transaction: inout IDXTransaction
  ) throws(IDXRefusal) {
    try setPassword(call, transaction)
    let login = transaction.login ?? ""
    if why == .reset {
      _ = withAccount(login) { ($0.locked, $0.failures) = (false, 0) }
      if call.flag("credentials.revokeSessions") == true {
        idx.sessions = idx.sessions.filter { $0.value.login != login }
      }
    }
    transaction.settled.formUnion([.expiry, .warning])
    transaction.verified.insert(.password)
    advance(&transaction)
  }

  /// Checks and sets the password in `credentials.passcode`.
  mutating func setPassword(_ call: IDXCall, _ transaction: IDXTransaction) throws(IDXRefusal) {
    let field = "credentials.passcode"
    guard let new = call.text(field) else { throw .field(field, .blank) }
    guard let login = transaction.login, let account = accounts[login] else { throw .step(.notNow) }
    let rules = configuration.passwordPolicy
    guard rules.accepts(new, login: account.user.login) else { throw .field(field, .passwordRules(rules)) }
    let earlier = ([account.password].compactMap(\.self) + account.history).prefix(max(0, rules.historyCount))
    if earlier.contains(new) { throw .field(field, .usedPassword) }
    let now = now
    _ = withAccount(login) { account in
      if let old = account.password { account.history.insert(old, at: 0) }
      account.password = new
      account.passwordChanged = now
      account.passwordExpires = rules.maxAgeDays.map { now + Double($0) * 86_400 }
    }
  }

  /// `settings` of the password authenticator (idx.md §8.6).
  func passwordSettings(daysLeft: Int? = nil) -> OrgJSON {
    let rules = configuration.passwordPolicy
    var settings: OrgJSON = [
      "complexity": [
        "minLength": .int(rules.minLength), "minLowerCase": .int(rules.minLowerCase),
        "minUpperCase": .int(rules.minUpperCase), "minNumber": .int(rules.minNumber),
        "minSymbol": .int(rules.minSymbol), "excludeUsername": .bool(rules.excludeUsername), "excludeAttributes": [],
      ],
      "age": ["minAgeMinutes": .int(rules.minAgeMinutes), "historyCount": .int(rules.historyCount)],
    ]
    if let daysLeft { settings["daysToExpiry"] = .int(daysLeft) }
    return settings
  }
}
