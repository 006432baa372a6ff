// Capabilities that are one request (idx §8, 1-3).

extension Capability {
  /// Sends a code to where the user can read it.
  public struct Sendable: AuthenticatorCapability, Hashable {
    let action: Action

    /// Sends the code.
    ///
    /// - Parameter isolation: where the call waits and goes on; the caller's.
    /// - Throws: `InteractionCodeFlowError`.
    public func send(isolation: isolated (any Actor)? = #isolation) async throws -> Response {
      try await IDXSession.response(of: action.intent, isolation: isolation)
    }

    /// Sends the code. Delegates get the outcome.
    ///
    /// In top-level code the compiler picks this overload even after `await`; annotate the result type to get the async
    /// one.
    ///
    /// - Parameter isolation: where to call delegates back; the caller's.
    @available(
      *, noasync, message: "in top-level code write the type: let response: Response = try await sendable.send()"
    )
    public func send(isolation: isolated (any Actor)? = #isolation) {
      IDXSession.perform(action.intent, isolation)
    }

    /// Sends the code.
    ///
    /// - Parameters:
    ///   - completion: gets the next response, or why there is none.
    ///   - isolation: where to call back; the caller's.
    public func send(
      completion: InteractionCodeFlow.ResponseResult?, isolation: isolated (any Actor)? = #isolation
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
  public struct Resendable: AuthenticatorCapability, Hashable {
    let action: Action

    /// Sends the code again.
    ///
    /// - Parameter isolation: where the call waits and goes on; the caller's.
    /// - Throws: `InteractionCodeFlowError`.
    public func resend(isolation: isolated (any Actor)? = #isolation) async throws -> Response {
      try await IDXSession.response(of: action.intent, isolation: isolation)
    }

    /// Sends the code again. Delegates get the outcome.
    ///
    /// In top-level code the compiler picks this overload even after `await`; annotate the result type to get the async
    /// one.
    ///
    /// - Parameter isolation: where to call delegates back; the caller's.
    @available(
      *, noasync, message: "in top-level code write the type: let response: Response = try await resendable.resend()"
    )
    public func resend(isolation: isolated (any Actor)? = #isolation) {
      IDXSession.perform(action.intent, isolation)
    }

    /// Sends the code again.
    ///
    /// - Parameters:
    ///   - completion: gets the next response, or why there is none.
    ///   - isolation: where to call back; the caller's.
    public func resend(
      completion: InteractionCodeFlow.ResponseResult?, isolation: isolated (any Actor)? = #isolation
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
  public struct Recoverable: AuthenticatorCapability, Hashable {
    let action: Action

    /// Begins the recovery.
    ///
    /// - Parameter isolation: where the call waits and goes on; the caller's.
    /// - Throws: `InteractionCodeFlowError`.
    public func recover(isolation: isolated (any Actor)? = #isolation) async throws -> Response {
      try await IDXSession.response(of: action.intent, isolation: isolation)
    }

    /// Begins the recovery. Delegates get the outcome.
    ///
    /// In top-level code the compiler picks this overload even after `await`; annotate the result type to get the async
    /// one.
    ///
    /// - Parameter isolation: where to call delegates back; the caller's.
    @available(
      *, noasync, message: "in top-level code write the type: let response: Response = try await recoverable.recover()"
    )
    public func recover(isolation: isolated (any Actor)? = #isolation) {
      IDXSession.perform(action.intent, isolation)
    }

    /// Begins the recovery.
    ///
    /// - Parameters:
    ///   - completion: gets the next response, or why there is none.
    ///   - isolation: where to call back; the caller's.
    public func recover(
      completion: InteractionCodeFlow.ResponseResult?, isolation: isolated (any Actor)? = #isolation
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
