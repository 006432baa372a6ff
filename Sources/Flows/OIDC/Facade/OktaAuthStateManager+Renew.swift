// New tokens for a refresh token (oidc §9.2).

import EventStore
import FlowRecording

extension OktaAuthStateManager {
  /// Gets new tokens, even while the access token is still valid. Concurrent callers share one request.
  ///
  /// - Parameter callback: gets this manager, which has the new tokens, or why there are none.
  public func renew(callback: @escaping (OktaAuthStateManager?, OktaError?) -> Void) {
    join { [self] session in
      let delivery = CallerDelivery(session.lanes) { [self] (result: Result<Void, OktaError>) in
        switch result {
        case .success: callback(self, nil)
        case .failure(let error): callback(nil, error)
        }
      }
      return { delivery($0) }
    }
  }

  /// Gets new tokens, even while the access token is still valid. Concurrent callers share one request.
  ///
  /// If the tokens are stored, other processes that share the store wait: who comes second takes what the first one
  /// got, or, if that has expired since, renews with its refresh token. The new tokens are stored before this returns,
  /// also if the tokens were first stored while the renewal was under way. If tokens come whose ID token cannot be
  /// checked, because the server's keys cannot be had, this fails, and of them the refresh token alone is kept, for the
  /// next renewal.
  ///
  /// - Returns: this manager.
  /// - Throws: `OktaError`: `noRefreshToken`; `errorFetchingFreshTokens` with the server's code, after which the
  ///   authorization has ended if the code is definitive; `storage` if new tokens came and could not be stored: this
  ///   manager has them nevertheless. It is `storage(.cancelled)` if the stored tokens were removed since they were
  ///   written or read, by whatever process, or replaced meanwhile by those of another sign-in: these are left as they
  ///   are.
  @discardableResult
  public func renew() async throws(OktaError) -> OktaAuthStateManager {
    let result = await withCheckedContinuation { continuation in
      join { _ in { continuation.resume(returning: $0) } }
    }
    try result.get()
    return self
  }

  /// Waits for the renewal in progress, or begins one.
  ///
  /// - Parameter wait: makes what is called once with the end of that renewal.
  private func join(_ wait: (OIDCSession) -> Renewal.Waiter) {
    let (session, arguments) = state.withLock { state -> (OIDCSession, [(String, JSON?)]?) in
      if let renewal = state.renewal {
        state.renewal?.waiters.append(wait(renewal.session))
        return (renewal.session, nil)
      }
      let session = client.begin()
      state.renewal = Renewal(session: session, waiters: [wait(session)])
      return (session, renewalArguments(state))
    }
    guard let arguments else { return session.flow.note("another caller waits for this renewal") }
    session.call(.renew, arguments) { [self] outcome, core in
      let (result, waiters, unstored) = settle(outcome, core, session)
      guard let unstored else {
        for waiter in waiters { waiter(result) }
        return
      }
      client.begin().call(.store, [("stored", unstored.json), ("tokenId", .string(unstored.id))]) { outcome, _ in
        let end: Result<Void, OktaError> = result.flatMap { _ in outcome.map { _ in () } }
        for waiter in waiters { waiter(end) }
      }
    }
  }

  private func renewalArguments(_ state: State) -> [(String, JSON?)] {
    let tokens = state.tokens
    var stored = tokens
    // It is stored separately.
    stored.clockSkew = nil
    return [
      ("refreshToken", tokens.refreshToken.map(JSON.string)), ("accessToken", tokens.accessToken.map(JSON.string)),
      ("idToken", tokens.idToken.map(JSON.string)), ("scope", tokens.scope.map(JSON.string)),
      ("tokenId", .string(tokens.id)), ("stored", stored.json), ("issued", .number(String(tokens.issued))),
      ("persists", state.autoPersist ? true : nil), ("kept", state.autoPersist && state.isStored ? true : nil),
      ("clockSkew", state.clockSkew == 0 ? nil : .number(String(state.clockSkew))),
    ]
  }

  /// Stores the result of a renewal.
  ///
  /// - Returns: the result for its callers, the callers that wait for it, and what to store before they receive it.
  private func settle(
    _ outcome: OIDCSession.Outcome, _ core: OIDCCore, _ session: OIDCSession
  ) -> (result: Result<Void, OktaError>, waiters: [Renewal.Waiter], unstored: StoredTokens?) {
    let renewed = StoredTokens(of: core, revealedBy: session.flow.vault)
    return state.withLock { state in
      let waiters = state.renewal?.waiters ?? []
      state.renewal = nil
      // The server no longer accepts the old refresh token: the new ones are kept, even if they could not be stored.
      if let renewed {
        state.tokens = renewed
        state.clockSkew = core.skew
      }
      // The tokens before these were stored during the renewal; their refresh token may be spent.
      let isLate = renewed != nil && core.operation?.persists != true && state.autoPersist && state.isStored
      let unstored = isLate ? state.tokens : nil
      switch outcome {
      case .success:
        // Its tokens were stored, and have not been removed since.
        if core.operation?.persists == true, state.autoPersist { state.isStored = true }
        return (.success(()), waiters, unstored)
      case .failure(let error):
        if error.endsAuthorization {
          state.tokens.authorizationError = error.oauthCode
          state.tokens.accessToken = nil
          state.tokens.refreshToken = nil
        }
        return (.failure(error), waiters, unstored)
      }
    }
  }
}

extension OktaError {
  /// Whether a refresh was refused permanently (oidc §6.4).
  fileprivate var endsAuthorization: Bool {
    guard case .errorFetchingFreshTokens(let failure) = self, failure.oauthCode != nil, !failure.isRetryable else {
      return false
    }
    return failure.httpStatus.map { (400...499).contains($0) } ?? false
  }
}
