// Names that okta-mobile-swift 2.x gave to members of 3.x.

public import OIDC

extension Response {
  /// Whether `restart` is offered; `canCancel` by its later name.
  public var canRestart: Bool { canCancel }

  /// Begins the transaction anew; `cancel` by its later name.
  ///
  /// - Parameter isolation: where the call waits and goes on; the caller's.
  /// - Throws: `InteractionCodeFlowError`; `unknownRemediationOption` if the org does not offer it.
  public func restart(isolation: isolated (any Actor)? = #isolation) async throws -> Response {
    try await cancel()
  }

  /// Begins the transaction anew; `cancel` by its later name.
  ///
  /// - Parameters:
  ///   - completion: gets the first response of the new transaction, or why there is none.
  ///   - isolation: where to call back; the caller's.
  public func restart(
    completion: @escaping InteractionCodeFlow.ResponseResult, isolation: isolated (any Actor)? = #isolation
  ) {
    cancel(completion: completion)
  }

  /// Exchanges the interaction code for tokens; `exchangeCode` by its later name.
  ///
  /// - Parameter isolation: where the call waits and goes on; the caller's.
  /// - Throws: `InteractionCodeFlowError`; `successResponseMissing` if there is no code yet.
  public func finish(isolation: isolated (any Actor)? = #isolation) async throws -> Token {
    try await exchangeCode()
  }

  /// Exchanges the interaction code for tokens; `exchangeCode` by its later name.
  ///
  /// - Parameters:
  ///   - completion: gets the tokens, or why there are none.
  ///   - isolation: where to call back; the caller's.
  public func finish(
    completion: @escaping InteractionCodeFlow.TokenResult, isolation: isolated (any Actor)? = #isolation
  ) {
    exchangeCode(completion: completion)
  }
}
