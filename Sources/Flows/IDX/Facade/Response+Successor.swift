// Names that okta-mobile-swift 2.x uses for members of the original SDK.

public import OIDC

extension Response {
  /// Whether `restart` is offered. The later name of `canCancel`.
  public var canRestart: Bool { canCancel }

  /// Restarts the transaction. The later name of `cancel`.
  ///
  /// - Parameter isolation: the actor on which the call waits and continues; by default the caller's.
  /// - Throws: `InteractionCodeFlowError`; `unknownRemediationOption` if the org does not offer it.
  public func restart(isolation: isolated (any Actor)? = #isolation) async throws -> Response {
    try await cancel()
  }

  /// Restarts the transaction. The later name of `cancel`.
  ///
  /// - Parameters:
  ///   - completion: receives the first response of the new transaction, or an error.
  ///   - isolation: the actor on which to call back; by default the caller's.
  public func restart(
    completion: @escaping InteractionCodeFlow.ResponseResult, isolation: isolated (any Actor)? = #isolation
  ) {
    cancel(completion: completion)
  }

  /// Exchanges the interaction code for tokens. The later name of `exchangeCode`.
  ///
  /// - Parameter isolation: the actor on which the call waits and continues; by default the caller's.
  /// - Throws: `InteractionCodeFlowError`; `successResponseMissing` if there is no code yet.
  public func finish(isolation: isolated (any Actor)? = #isolation) async throws -> Token {
    try await exchangeCode()
  }

  /// Exchanges the interaction code for tokens. The later name of `exchangeCode`.
  ///
  /// - Parameters:
  ///   - completion: receives the tokens or an error.
  ///   - isolation: the actor on which to call back; by default the caller's.
  public func finish(
    completion: @escaping InteractionCodeFlow.TokenResult, isolation: isolated (any Actor)? = #isolation
  ) {
    exchangeCode(completion: completion)
  }
}
