// A forgotten password and a locked account (idx.md §14).

extension OrgState {
  /// `/recover`: for a person who is already identified, or one who will be named later.
  mutating func recover(_ transaction: inout IDXTransaction) throws(IDXRefusal) {
    transaction.goal = .recover
    transaction.verified = []
    if transaction.login == nil {
      transaction.step = .identifyRecovery
    } else {
      try startRecovery(&transaction)
    }
  }

  mutating func startRecovery(_ transaction: inout IDXTransaction) throws(IDXRefusal) {
    guard let account = transaction.login.flatMap({ accounts[$0] }) else {
      // Unknown user name: treated like a user whose mail address is known.
      offer([Self.unknownMail], &transaction)
      return
    }
    guard account.user.mayRecover else {
      transaction.step = .terminal(.denied)
      throw IDXRefusal(status: 403)
    }
    advance(&transaction)
  }

  /// The person proved who they are: the account opens.
  mutating func unlock(_ login: String, _ transaction: inout IDXTransaction) {
    _ = withAccount(login) { ($0.locked, $0.failures) = (false, 0) }
    guard policy.signsInAfterUnlock else {
      transaction.step = .terminal(.unlocked)
      return
    }
    transaction.goal = .signIn
    advance(&transaction)
  }
}
