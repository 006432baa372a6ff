// Session tokens: five minutes, one use (authn.md §10).

extension OrgState {
  /// The login a session token belongs to; a second use finds nothing.
  mutating func redeemSession(_ token: String) -> String? {
    guard let session = sessions[token], !session.spent, session.expires > now else { return nil }
    sessions[token]?.spent = true
    return accounts[session.login]?.user.login
  }
}
