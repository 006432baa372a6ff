// Tokens that an older version stored under another key (oidc §9.3).

import EventStore

extension TokenStore {
  /// The tokens of a client at an authorization server. If there are none under their key, those that an older version stored under the issuer as
  /// it was configured, or under the client id alone, are moved to it; an entry of another issuer stays where it is.
  ///
  /// - Returns: nil if there are none.
  /// - Throws: what the store throws. A damaged entry of an older version is no reason to take the next.
  public func tokens(issuer: String, clientID: String) throws(TokenStoreError) -> StoredTokens? {
    let key = StorageKey(issuer: issuer, clientID: clientID)
    if let tokens = try read(key) { return tokens }
    for older in Self.olderKeys(issuer, clientID) where older != key {
      guard var tokens = try read(older), tokens.isOf(issuer, clientID) else { continue }
      tokens.issuer = tokens.issuer.isEmpty ? OktaAuthConfig.normalized(issuer) : tokens.issuer
      // In this order: a process that ends in between leaves both, and the next one finds the new entry. Another process may
      // have moved the tokens since, and renewed them.
      guard try add(tokens, for: key) else { return try read(key) }
      if try remove(older) { return tokens }
      // A sign-out removed the older entry before the new one was there: it must not come back by the move. Another sign-in may
      // have stored its own since; these stay.
      try remove(tokens.id, for: key)
      return try read(key)
    }
    return nil
  }

  /// Removes the tokens of a client at an authorization server, under whatever key a version stored them. Those of others stay.
  ///
  /// - Returns: whether there were any.
  /// - Throws: what the store throws. An older entry that cannot be read keeps none of the others.
  @discardableResult public func removeTokens(issuer: String, clientID: String) throws(TokenStoreError) -> Bool {
    let key = StorageKey(issuer: issuer, clientID: clientID)
    var isRemoved = false
    var failure: TokenStoreError?
    // The older ones first: who moves one of them meanwhile has added the new entry, which is removed below, or finds its older
    // one gone, and takes the new one back.
    for older in Self.olderKeys(issuer, clientID) where older != key {
      do throws(TokenStoreError) {
        guard let tokens = try read(older), tokens.isOf(issuer, clientID) else { continue }
        isRemoved = try remove(older) || isRemoved
      } catch {
        failure = failure ?? error
      }
    }
    isRemoved = try remove(key) || isRemoved
    if let failure { throw failure }
    return isRemoved
  }

  /// The keys that older versions used, in the order in which they are tried.
  private static func olderKeys(_ issuer: String, _ client: String) -> [StorageKey] {
    let bare = OktaAuthConfig.normalized(issuer)
    return ["\(bare)/_\(client)", "\(bare)_\(client)", client].map(StorageKey.init(older:))
  }
}

extension StoredTokens {
  /// Whether they are of this client and issuer; those that name no issuer are, unless their ID token names another.
  fileprivate func isOf(_ issuer: String, _ client: String) -> Bool {
    guard clientID == client else { return false }
    if !self.issuer.isEmpty { return key == StorageKey(issuer: issuer, clientID: client) }
    guard let payload = idToken.flatMap({ try? JWTReading.decode($0) }), let named = payload["iss"]?.string else {
      return true
    }
    return StorageKey.comparable(named) == StorageKey.comparable(issuer)
  }
}
