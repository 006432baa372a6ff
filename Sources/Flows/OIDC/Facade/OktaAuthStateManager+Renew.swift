// New tokens for a refresh token (oidc §9.2).

import EventStore
import FlowRecording

extension OktaAuthStateManager {
  /// Gets new tokens, also while the access token is still good. Callers at the same time share one request.
  ///
  /// - Parameter callback: gets this manager, which has the new tokens, or why there are none.
  public func renew(callback: @escaping (OktaAuthStateManager?, OktaError?) -> Void) {
    let (task, lanes) = renewal()
    let delivery = CallerDelivery(lanes) { [self] (result: Result<Void, OktaError>) in
      switch result {
      case .success: callback(self, nil)
      case .failure(let error): callback(nil, error)
      }
    }
    Task { delivery(await task.value) }
  }

  /// Gets new tokens, also while the access token is still good. Callers at the same time share one request.
  ///
  /// If the tokens are stored, other processes that share the store wait: who comes second takes what the first one got. The
  /// new tokens are stored before this returns.
  ///
  /// - Returns: this manager.
  /// - Throws: `OktaError`: `noRefreshToken`; `errorFetchingFreshTokens` with the server's code, after which the
  ///   authorization has ended if the code is definitive; `storage` if new tokens came and could not be stored: this manager
  ///   has them nevertheless.
  @discardableResult
  public func renew() async throws(OktaError) -> OktaAuthStateManager {
    try await renewal().task.value.get()
    return self
  }

  /// The renewal under way, or a new one.
  private func renewal() -> (task: Task<Result<Void, OktaError>, Never>, lanes: CallbackLanes) {
    let (renewal, isNew) = state.withLock { state in
      if let renewal = state.renewal { return (renewal, false) }
      let session = client.begin()
      let arguments = renewalArguments(state)
      let task = Task { [self] in
        let result = await session.outcome(of: .renew, arguments)
        return settle(result.outcome, result.core, session)
      }
      let renewal = (task: task, session: session)
      state.renewal = renewal
      return (renewal, true)
    }
    if !isNew { renewal.session.flow.note("another caller waits for this renewal") }
    return (renewal.task, renewal.session.lanes)
  }

  private func renewalArguments(_ state: State) -> [(String, JSON?)] {
    let tokens = state.tokens
    return [
      ("refreshToken", tokens.refreshToken.map(JSON.string)), ("accessToken", tokens.accessToken.map(JSON.string)),
      ("idToken", tokens.idToken.map(JSON.string)), ("scope", tokens.scope.map(JSON.string)),
      ("tokenId", .string(tokens.id)), ("stored", tokens.json), ("issued", .number(String(tokens.issued))),
      ("persists", state.autoPersist ? true : nil),
      ("clockSkew", state.clockSkew == 0 ? nil : .number(String(state.clockSkew))),
    ]
  }

  /// Takes up what a renewal brought.
  private func settle(
    _ outcome: OIDCSession.Outcome, _ core: OIDCCore, _ session: OIDCSession
  ) -> Result<Void, OktaError> {
    let renewed = StoredTokens(of: core, revealedBy: session.flow.vault)
    return state.withLock { state in
      state.renewal = nil
      // The server counts the old refresh token no more: the new ones stay, even if they could not be stored.
      if let renewed {
        state.tokens = renewed
        state.clockSkew = core.skew
      }
      switch outcome {
      case .success: return .success(())
      case .failure(let error):
        if error.endsAuthorization {
          state.tokens.authorizationError = error.oauthCode
          state.tokens.accessToken = nil
          state.tokens.refreshToken = nil
        }
        return .failure(error)
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
