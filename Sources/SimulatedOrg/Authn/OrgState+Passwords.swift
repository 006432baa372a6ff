// Changing and resetting passwords (authn.md §5.4, §11).

extension OrgState {
  mutating func changePassword(_ call: Call) throws(Refusal) -> OrgJSON {
    var transaction = try transaction(call.body.stateToken)
    switch transaction.step {
    case .passwordWarn, .passwordExpired: break
    case .unauthenticated, .passwordReset, .enroll, .enrollActivate, .required, .challenge, .recoveryChallenge,
      .recovery:
      throw .notInThisState
    }
    let account = try account(transaction)
    guard let old = call.body.oldPassword, old == account.password else {
      throw .updateFailed("oldPassword: The credentials provided were incorrect.")
    }
    let age = now.seconds(since: account.passwordChanged)
    if case .passwordWarn = transaction.step, age < Double(configuration.passwordPolicy.minAgeMinutes) * 60 {
      throw .updateFailed("newPassword: Password was changed too recently.")
    }
    try setPassword(call.body.newPassword, account, transaction.login)
    transaction.settled.formUnion([.expiry, .warning])
    return try advance(transaction)
  }

  mutating func resetPassword(_ call: Call) throws(Refusal) -> OrgJSON {
    var transaction = try transaction(call.body.stateToken)
    guard case .passwordReset = transaction.step else { throw .notInThisState }
    try setPassword(call.body.newPassword, account(transaction), transaction.login)
    _ = withAccount(transaction.login) { ($0.locked, $0.failures) = (false, 0) }
    transaction.settled.formUnion([.expiry, .warning])
    return try advance(transaction)
  }

  private mutating func setPassword(_ new: String?, _ account: Account, _ login: String) throws(Refusal) {
    guard let new, !new.isEmpty else { throw .invalidField("newPassword", "The field cannot be left blank") }
    let policy = configuration.passwordPolicy
    guard policy.accepts(new, login: account.user.login) else { throw .weakPassword(policy.sentence) }
    let earlier = ([account.password].compactMap(\.self) + account.history).prefix(max(0, policy.historyCount))
    if earlier.contains(new) { throw .updateFailed("newPassword: Password has been used too recently.") }
    let now = now
    _ = withAccount(login) { account in
      if let old = account.password { account.history.insert(old, at: 0) }
      account.password = new
      account.passwordChanged = now
      account.passwordExpires = policy.maxAgeDays.map { now + Double($0) * 86_400 }
    }
  }
}

extension OrgPasswordPolicy {
  /// True if a password satisfies the rules that need no knowledge beyond the password itself.
  func accepts(_ password: String, login: String) -> Bool {
    let symbols = password.count { !$0.isLetter && !$0.isNumber }
    let counted =
      password.count >= minLength && password.count(where: \.isLowercase) >= minLowerCase
      && password.count(where: \.isUppercase) >= minUpperCase && password.count(where: \.isNumber) >= minNumber
      && symbols >= minSymbol
    return counted && !(excludeUsername && mentions(login, in: password))
  }

  /// Parts of a login of four characters and more, between `.`, `-`, `_` and `@`.
  private func mentions(_ login: String, in password: String) -> Bool {
    let plain = password.lowercased()
    let parts = login.lowercased().split { ".-_@".contains($0) }
    return parts.contains { $0.count >= 4 && plain.contains($0) }
  }

  /// The rules, in the org's words.
  var sentence: String {
    var rules = ["at least \(minLength) characters"]
    if minLowerCase > 0 { rules.append("a lowercase letter") }
    if minUpperCase > 0 { rules.append("an uppercase letter") }
    if minNumber > 0 { rules.append("a number") }
    if minSymbol > 0 { rules.append("a symbol") }
    if excludeUsername { rules.append("no parts of your username") }
    return "Password requirements were not met. Passwords must have " + rules.joined(separator: ", ") + "."
  }

  /// `policy` of PASSWORD_WARN, PASSWORD_EXPIRED and PASSWORD_RESET.
  func json(daysLeft: Int?) -> OrgJSON {
    var policy: OrgJSON = [:]
    if let daysLeft { policy["expiration"] = ["passwordExpireDays": .int(daysLeft)] }
    policy["complexity"] = [
      "minLength": .int(minLength), "minLowerCase": .int(minLowerCase), "minUpperCase": .int(minUpperCase),
      "minNumber": .int(minNumber), "minSymbol": .int(minSymbol), "excludeUsername": .bool(excludeUsername),
      "excludeAttributes": [],
    ]
    policy["age"] = ["minAgeMinutes": .int(minAgeMinutes), "historyCount": .int(historyCount)]
    return policy
  }
}
