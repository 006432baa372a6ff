// Capabilities that are one request (idx §8, 1-3).

extension Capability {
  /// Sends a code to where the user can read it.
  public struct Sendable: AuthenticatorCapability {
    let action: Action

    /// Sends the code.
    ///
    /// - Throws: `InteractionCodeFlowError`.
    public func send(isolation: isolated (any Actor)? = #isolation) async throws -> Response {
      try await IDXSession.response(of: action.intent, isolation: isolation)
    }

    /// Sends the code.
    ///
    /// - Parameters:
    ///   - completion: gets the next response, or why there is none.
    ///   - isolation: where to call back; the caller's.
    public func send(
      completion: ((Result<Response, InteractionCodeFlowError>) -> Void)? = nil,
      isolation: isolated (any Actor)? = #isolation
    ) {
      IDXSession.perform(action.intent, isolation, completion)
    }

    /// Sends the code.
    ///
    /// - Parameters:
    ///   - completion: gets the next response, or why there is none.
    ///   - isolation: where to call back; the caller's.
    public func send(
      completion: @escaping (_ response: Response?, _ error: (any Error)?) -> Void,
      isolation: isolated (any Actor)? = #isolation
    ) {
      IDXSession.perform(action.intent, isolation) { $0.split(completion) }
    }
  }

  /// Sends a code once more.
  public struct Resendable: AuthenticatorCapability {
    let action: Action

    /// Sends the code again.
    ///
    /// - Throws: `InteractionCodeFlowError`.
    public func resend(isolation: isolated (any Actor)? = #isolation) async throws -> Response {
      try await IDXSession.response(of: action.intent, isolation: isolation)
    }

    /// Sends the code again.
    ///
    /// - Parameters:
    ///   - completion: gets the next response, or why there is none.
    ///   - isolation: where to call back; the caller's.
    public func resend(
      completion: ((Result<Response, InteractionCodeFlowError>) -> Void)? = nil,
      isolation: isolated (any Actor)? = #isolation
    ) {
      IDXSession.perform(action.intent, isolation, completion)
    }

    /// Sends the code again.
    ///
    /// - Parameters:
    ///   - completion: gets the next response, or why there is none.
    ///   - isolation: where to call back; the caller's.
    public func resend(
      completion: @escaping (_ response: Response?, _ error: (any Error)?) -> Void,
      isolation: isolated (any Actor)? = #isolation
    ) {
      IDXSession.perform(action.intent, isolation) { $0.split(completion) }
    }
  }

  /// Recovers what the user has forgotten.
  public struct Recoverable: AuthenticatorCapability {
    let action: Action

    /// Begins the recovery.
    ///
    /// - Throws: `InteractionCodeFlowError`.
    public func recover(isolation: isolated (any Actor)? = #isolation) async throws -> Response {
      try await IDXSession.response(of: action.intent, isolation: isolation)
    }

    /// Begins the recovery.
    ///
    /// - Parameters:
    ///   - completion: gets the next response, or why there is none.
    ///   - isolation: where to call back; the caller's.
    public func recover(
      completion: ((Result<Response, InteractionCodeFlowError>) -> Void)? = nil,
      isolation: isolated (any Actor)? = #isolation
    ) {
      IDXSession.perform(action.intent, isolation, completion)
    }

    /// Begins the recovery.
    ///
    /// - Parameters:
    ///   - completion: gets the next response, or why there is none.
    ///   - isolation: where to call back; the caller's.
    public func recover(
      completion: @escaping (_ response: Response?, _ error: (any Error)?) -> Void,
      isolation: isolated (any Actor)? = #isolation
    ) {
      IDXSession.perform(action.intent, isolation) { $0.split(completion) }
    }
  }
}
