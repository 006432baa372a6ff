// Capabilities that consist of one request (idx §8, 1-3).

extension Capability {
  /// Sends a code to the user.
  public struct Sendable: AuthenticatorCapability, Hashable {
    let action: Action

    /// Sends the code.
    ///
    /// - Parameter isolation: the actor on which the call waits and continues; by default the caller's.
    /// - Throws: `InteractionCodeFlowError`.
    public func send(isolation: isolated (any Actor)? = #isolation) async throws -> Response {
      try await IDXSession.response(of: action.intent, isolation: isolation)
    }

    /// Sends the code. Delegates receive the outcome.
    ///
    /// In top-level code the compiler picks this overload even after `await`; annotate the result type to get the async
    /// one.
    ///
    /// - Parameter isolation: the actor on which to call delegates; by default the caller's.
    @available(
      *, noasync, message: "in top-level code write the type: let response: Response = try await sendable.send()"
    )
    public func send(isolation: isolated (any Actor)? = #isolation) {
      IDXSession.perform(action.intent, isolation)
    }

    /// Sends the code.
    ///
    /// - Parameters:
    ///   - completion: receives the next response or an error.
    ///   - isolation: the actor on which to call back; by default the caller's.
    public func send(
      completion: InteractionCodeFlow.ResponseResult?, isolation: isolated (any Actor)? = #isolation
    ) {
      IDXSession.perform(action.intent, isolation, completion)
    }

    /// Sends the code.
    ///
    /// - Parameters:
    ///   - completion: receives the next response or an error.
    ///   - isolation: the actor on which to call back; by default the caller's.
    public func send(
      completion: @escaping (_ response: Response?, _ error: (any Error)?) -> Void,
      isolation: isolated (any Actor)? = #isolation
    ) {
      IDXSession.perform(action.intent, isolation) { $0.split(completion) }
    }
  }

  /// Sends a code again.
  public struct Resendable: AuthenticatorCapability, Hashable {
    let action: Action

    /// Sends the code again.
    ///
    /// - Parameter isolation: the actor on which the call waits and continues; by default the caller's.
    /// - Throws: `InteractionCodeFlowError`.
    public func resend(isolation: isolated (any Actor)? = #isolation) async throws -> Response {
      try await IDXSession.response(of: action.intent, isolation: isolation)
    }

    /// Sends the code again. Delegates receive the outcome.
    ///
    /// In top-level code the compiler picks this overload even after `await`; annotate the result type to get the async
    /// one.
    ///
    /// - Parameter isolation: the actor on which to call delegates; by default the caller's.
    @available(
      *, noasync, message: "in top-level code write the type: let response: Response = try await resendable.resend()"
    )
    public func resend(isolation: isolated (any Actor)? = #isolation) {
      IDXSession.perform(action.intent, isolation)
    }

    /// Sends the code again.
    ///
    /// - Parameters:
    ///   - completion: receives the next response or an error.
    ///   - isolation: the actor on which to call back; by default the caller's.
    public func resend(
      completion: InteractionCodeFlow.ResponseResult?, isolation: isolated (any Actor)? = #isolation
    ) {
      IDXSession.perform(action.intent, isolation, completion)
    }

    /// Sends the code again.
    ///
    /// - Parameters:
    ///   - completion: receives the next response or an error.
    ///   - isolation: the actor on which to call back; by default the caller's.
    public func resend(
      completion: @escaping (_ response: Response?, _ error: (any Error)?) -> Void,
      isolation: isolated (any Actor)? = #isolation
    ) {
      IDXSession.perform(action.intent, isolation) { $0.split(completion) }
    }
  }

  /// Recovers something that the user has forgotten.
  public struct Recoverable: AuthenticatorCapability, Hashable {
    let action: Action

    /// Begins the recovery.
    ///
    /// - Parameter isolation: the actor on which the call waits and continues; by default the caller's.
    /// - Throws: `InteractionCodeFlowError`.
    public func recover(isolation: isolated (any Actor)? = #isolation) async throws -> Response {
      try await IDXSession.response(of: action.intent, isolation: isolation)
    }

    /// Begins the recovery. Delegates receive the outcome.
    ///
    /// In top-level code the compiler picks this overload even after `await`; annotate the result type to get the async
    /// one.
    ///
    /// - Parameter isolation: the actor on which to call delegates; by default the caller's.
    @available(
      *, noasync, message: "in top-level code write the type: let response: Response = try await recoverable.recover()"
    )
    public func recover(isolation: isolated (any Actor)? = #isolation) {
      IDXSession.perform(action.intent, isolation)
    }

    /// Begins the recovery.
    ///
    /// - Parameters:
    ///   - completion: receives the next response or an error.
    ///   - isolation: the actor on which to call back; by default the caller's.
    public func recover(
      completion: InteractionCodeFlow.ResponseResult?, isolation: isolated (any Actor)? = #isolation
    ) {
      IDXSession.perform(action.intent, isolation, completion)
    }

    /// Begins the recovery.
    ///
    /// - Parameters:
    ///   - completion: receives the next response or an error.
    ///   - isolation: the actor on which to call back; by default the caller's.
    public func recover(
      completion: @escaping (_ response: Response?, _ error: (any Error)?) -> Void,
      isolation: isolated (any Actor)? = #isolation
    ) {
      IDXSession.perform(action.intent, isolation) { $0.split(completion) }
    }
  }
}
