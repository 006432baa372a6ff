// Tokens that an older version stored under a different key (oidc §9.3).

import EventStore

extension TokenStore {
  /// Returns the tokens of a client at an authorization server. If there are none under the current key, tokens that an
  /// older version stored under the configured issuer or under the client ID alone are moved to it. An entry of another
  /// issuer is left in place.
  ///
  /// - Returns: the tokens, or `nil` if there are none.
  /// - Throws: the store's errors. If an older version's entry is damaged, the next one is not tried.
  public func tokens(issuer: String, clientID: String) throws(TokenStoreError) -> StoredTokens? {
    let key = StorageKey(issuer: issuer, clientID: clientID)
    if let tokens = try read(key) { return tokens }
    for older in Self.olderKeys(issuer, clientID) where older != key {
      guard var tokens = try read(older), tokens.isOf(issuer, clientID) else { continue }
      tokens.issuer = tokens.issuer.isEmpty ? OktaAuthConfig.normalized(issuer) : tokens.issuer
      // The order matters: if a process ends in between, both entries remain and the next process finds the new one.
      // Another process may also have moved and renewed the tokens in the meantime.
      guard try add(tokens, for: key) else { return try read(key) }
      if try remove(older) { return tokens }
      // A sign-out removed the older entry before the new one was added, and the move must not bring it back. If
      // another sign-in has stored its own tokens since, those remain.
      try remove(tokens.id, for: key)
      return try read(key)
    }
    return nil
  }

  /// Removes the tokens of a client at an authorization server, including those that older versions stored under other
  /// keys. Tokens of other clients and issuers remain.
  ///
  /// - Returns: whether there were any.
  /// - Throws: the store's errors. If an older entry cannot be read, the others are still removed.
  @discardableResult public func removeTokens(issuer: String, clientID: String) throws(TokenStoreError) -> Bool {
    let key = StorageKey(issuer: issuer, clientID: clientID)
    var isRemoved = false
    var failure: TokenStoreError?
    // Older entries are removed first. A process that is moving one at the same time either has already added the new
    // entry, which is removed below, or finds the older one gone and undoes its move.
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
  /// Whether the tokens belong to this client and issuer. Tokens without an issuer do, unless their ID token names
  /// another.
  fileprivate func isOf(_ issuer: String, _ client: String) -> Bool {
    guard clientID == client else { return false }
    if !self.issuer.isEmpty { return key == StorageKey(issuer: issuer, clientID: client) }
    guard let payload = idToken.flatMap({ try? JWTReading.decode($0) }), let named = payload["iss"]?.string else {
      return true
    }
    return StorageKey.comparable(named) == StorageKey.comparable(issuer)
  }
}
