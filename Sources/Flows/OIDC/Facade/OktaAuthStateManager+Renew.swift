// New tokens for a refresh token (oidc §9.2).

import EventStore
import FlowRecording

extension OktaAuthStateManager {
  /// Gets new tokens, also while the access token is still good. Callers at the same time share one request.
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

  /// Gets new tokens, also while the access token is still good. Callers at the same time share one request.
  ///
  /// If the tokens are stored, other processes that share the store wait: who comes second takes what the first one got. The
  /// new tokens are stored before this returns. If tokens come whose ID token cannot be checked, because the server's keys cannot
  /// be had, this fails, and of them the refresh token alone is kept, for the next renewal.
  ///
  /// - Returns: this manager.
  /// - Throws: `OktaError`: `noRefreshToken`; `errorFetchingFreshTokens` with the server's code, after which the
  ///   authorization has ended if the code is definitive; `storage` if new tokens came and could not be stored: this manager
  ///   has them nevertheless. It is `storage(.cancelled)` if the stored tokens were removed since they were written or read, by
  ///   whatever process, or replaced meanwhile by those of another sign-in: these are left as they are.
  @discardableResult
  public func renew() async throws(OktaError) -> OktaAuthStateManager {
    let result = await withCheckedContinuation { continuation in
      join { _ in { continuation.resume(returning: $0) } }
    }
    try result.get()
    return self
  }

  /// Waits for the renewal under way, or begins one.
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
      let (result, waiters) = settle(outcome, core, session)
      for waiter in waiters { waiter(result) }
    }
  }

  private func renewalArguments(_ state: State) -> [(String, JSON?)] {
    let tokens = state.tokens
    var stored = tokens
    // It stands beside them.
    stored.clockSkew = nil
    return [
      ("refreshToken", tokens.refreshToken.map(JSON.string)), ("accessToken", tokens.accessToken.map(JSON.string)),
      ("idToken", tokens.idToken.map(JSON.string)), ("scope", tokens.scope.map(JSON.string)),
      ("tokenId", .string(tokens.id)), ("stored", stored.json), ("issued", .number(String(tokens.issued))),
      ("persists", state.autoPersist ? true : nil), ("kept", state.autoPersist && state.isStored ? true : nil),
      ("clockSkew", state.clockSkew == 0 ? nil : .number(String(state.clockSkew))),
    ]
  }

  /// Takes up what a renewal brought.
  ///
  /// - Returns: what its callers get, and those who wait for it.
  private func settle(
    _ outcome: OIDCSession.Outcome, _ core: OIDCCore, _ session: OIDCSession
  ) -> (result: Result<Void, OktaError>, waiters: [Renewal.Waiter]) {
    let renewed = StoredTokens(of: core, revealedBy: session.flow.vault)
    return state.withLock { state in
      let waiters = state.renewal?.waiters ?? []
      state.renewal = nil
      // The server counts the old refresh token no more: the new ones stay, even if they could not be stored.
      if let renewed {
        state.tokens = renewed
        state.clockSkew = core.skew
      }
      switch outcome {
      case .success:
        // What it got was stored, and not removed since.
        if core.operation?.persists == true, state.autoPersist { state.isStored = true }
        return (.success(()), waiters)
      case .failure(let error):
        if error.endsAuthorization {
          state.tokens.authorizationError = error.oauthCode
          state.tokens.accessToken = nil
          state.tokens.refreshToken = nil
        }
        return (.failure(error), waiters)
      }
    }
  }
}

extension OktaError {
  /// Whether a refresh was refused for good (oidc §6.4).
  fileprivate var endsAuthorization: Bool {
    guard case .errorFetchingFreshTokens(let failure) = self, failure.oauthCode != nil, !failure.isRetryable else {
      return false
    }
    return failure.httpStatus.map { (400...499).contains($0) } ?? false
  }
}
