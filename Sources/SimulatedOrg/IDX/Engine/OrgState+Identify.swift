// Identifying the user: the first page, and the first page of a recovery (idx.md §14).

extension OrgState {
  mutating func identify(_ call: IDXCall, _ transaction: inout IDXTransaction) throws(IDXRefusal) {
    guard let name = call.text("identifier") else { throw .field("identifier", .blank) }
    if case .identify = transaction.step, let captcha = policy.captcha { try captcha.check(call) }
    let key = Self.key(name)
    if policy.tellsUnknownUsers, accounts[key] == nil {
      throw IDXRefusal(status: 200, messages: [.unknownUser(name)])
    }
    if case .identify = transaction.step {
      transaction.remembersDevice = call.flag("rememberMe") ?? false
      if policy.passwordOnFirstPage {
        guard let password = call.text("credentials.passcode") else { throw .field("credentials.passcode", .blank) }
        guard checkPassword(password, of: key) else { throw failure(key) }
        transaction.verified.insert(.password)
      }
    }
    (transaction.login, transaction.identifier) = (key, name)
    if transaction.goal == .recover {
      try startRecovery(&transaction)
    } else {
      advance(&transaction)
    }
  }

  /// Counts wrong passwords; the one that reaches the limit locks the account.
  mutating func checkPassword(_ password: String, of login: String) -> Bool {
    let limit = configuration.lockoutAfter
    return withAccount(login) { account in
      if account.locked { return false }
      if let right = account.password, right == password {
        account.failures = 0
        return true
      }
      account.failures += 1
      if account.failures >= limit { account.locked = true }
      return false
    } ?? false
  }

  /// What a wrong password looks like; a locked account shows only if the org reports it.
  func failure(_ login: String) -> IDXRefusal {
    let tells = configuration.showsLockout && accounts[login]?.locked == true
    return .step(tells ? .lockedOut : .failed, status: 401)
  }
}
