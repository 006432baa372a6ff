// The calls that begin, continue, and end a flow (idx §11.1, §11.2).

import EventStore
public import Foundation
import FlowRecording
public import OIDC

extension InteractionCodeFlow {
  /// Receives the response of a call, or an error.
  public typealias ResponseResult = (Result<Response, InteractionCodeFlowError>) -> Void

  /// Receives the tokens of a call, or an error.
  public typealias TokenResult = (Result<Token, InteractionCodeFlowError>) -> Void

  /// Options of `start`.
  public enum Option: String, Sendable, Hashable, CaseIterable {
    /// The OAuth `state`; random by default.
    case state
    /// A recovery token from an email or an administrator.
    case recoveryToken = "recovery_token"
    /// A token that activates an account.
    case activationToken = "activation_token"
    /// Omits the device token if `true`.
    case omitDeviceToken
    /// The maximum age of a session, in seconds.
    case maxAge = "max_age"
    /// The authentication context classes (`acr_values`), one of which the org must satisfy.
    case acrValues = "acr_values"
    /// The nonce that binds an ID token to this sign-in.
    case nonce
  }

  /// The options of the current sign-in, including its `state`; `nil` if there is none.
  public var options: [Option: Any]? {
    let state = context?.state
    guard state != nil || isAuthenticating else { return nil }
    var options: [Option: Any] = session.startOptions.withLock { $0 }
    options[.state] = state ?? options[.state]
    return options
  }

  private func starting(_ options: [Option: Any]?) -> IDXIntent {
    var arguments: [(String, JSON?)] = []
    var taken: [Option: any FormValue] = [:]
    for option in Option.allCases {
      guard let given = options?[option] else { continue }
      guard let value = given as? any FormValue, let json = FormValues.json(value) else {
        var intent = IDXIntent(.start, [], session)
        intent.arguments = .failure(.invalidParameterValue(name: option.rawValue, type: "string"))
        return intent
      }
      taken[option] = value
      arguments.append((option.rawValue, json))
    }
    session.startOptions.withLock { $0 = taken }
    return IDXIntent(.start, arguments, session)
  }

  /// Begins a sign-in, and returns its first response. Cancels a sign-in already in progress.
  ///
  /// - Parameters:
  ///   - options: the options of this sign-in.
  ///   - isolation: the actor on which to call back; by default the caller's.
  /// - Throws: `InteractionCodeFlowError`; `CancellationError` if the task was cancelled or the flow was restarted.
  public func start(options: [Option: Any]? = nil, isolation: isolated (any Actor)? = #isolation) async throws
    -> Response
  {
    try await IDXSession.response(of: starting(options), isolation: isolation)
  }

  /// Begins a sign-in, and returns its first response. Cancels a sign-in already in progress.
  ///
  /// - Parameters:
  ///   - options: the options of this sign-in.
  ///   - completion: receives the first response or the error; not called if the call is cancelled.
  ///   - isolation: the actor on which to call back; by default the caller's.
  public func start(
    options: [Option: Any]? = nil, completion: ResponseResult?, isolation: isolated (any Actor)? = #isolation
  ) {
    IDXSession.perform(starting(options), isolation, completion)
  }

  /// Begins a sign-in, and returns its first response. Cancels a sign-in already in progress.
  ///
  /// - Parameters:
  ///   - options: the options of this sign-in.
  ///   - completion: receives the first response or the error; not called if the call is cancelled.
  ///   - isolation: the actor on which to call back; by default the caller's.
  public func start(
    options: [Option: Any]? = nil,
    completion: @escaping (_ response: Response?, _ error: (any Error)?) -> Void,
    isolation: isolated (any Actor)? = #isolation
  ) {
    IDXSession.perform(starting(options), isolation) { (result: Result<Response, InteractionCodeFlowError>) in
      result.split(completion)
    }
  }

  /// Gets the current response of the sign-in: after a redirect, or in another process.
  ///
  /// - Parameter isolation: the actor on which the call waits and continues; by default the caller's.
  /// - Throws: `InteractionCodeFlowError`; `CancellationError` if the task was cancelled or the flow was restarted.
  public func resume(isolation: isolated (any Actor)? = #isolation) async throws -> Response {
    try await IDXSession.response(of: IDXIntent(.resume, [], session), isolation: isolation)
  }

  /// Gets the current response of the sign-in: after a redirect, or in another process. Delegates receive the outcome.
  ///
  /// In top-level code the compiler picks this overload even after `await`; annotate the result type to get the async
  /// one.
  ///
  /// - Parameter isolation: the actor on which to call delegates; by default the caller's.
  @available(*, noasync, message: "in top-level code write the type: let response: Response = try await flow.resume()")
  public func resume(isolation: isolated (any Actor)? = #isolation) {
    IDXSession.perform(IDXIntent(.resume, [], session), isolation)
  }

  /// Gets the current response of the sign-in: after a redirect, or in another process.
  ///
  /// - Parameters:
  ///   - completion: receives the current response or the error; not called if the call is cancelled.
  ///   - isolation: the actor on which to call back; by default the caller's.
  public func resume(
    completion: ResponseResult?, isolation: isolated (any Actor)? = #isolation
  ) {
    IDXSession.perform(IDXIntent(.resume, [], session), isolation, completion)
  }

  /// Gets the current response of the sign-in: after a redirect, or in another process.
  ///
  /// - Parameters:
  ///   - completion: receives the current response or the error; not called if the call is cancelled.
  ///   - isolation: the actor on which to call back; by default the caller's.
  public func resume(
    completion: @escaping (_ response: Response?, _ error: (any Error)?) -> Void,
    isolation: isolated (any Actor)? = #isolation
  ) {
    IDXSession.perform(IDXIntent(.resume, [], session), isolation) {
      (result: Result<Response, InteractionCodeFlowError>) in
      result.split(completion)
    }
  }

  /// Exchanges the code of a redirect for tokens, which ends the sign-in.
  ///
  /// - Parameters:
  ///   - url: the URL that the browser was redirected to.
  ///   - isolation: the actor on which to call back; by default the caller's.
  /// - Throws: `InteractionCodeFlowError`; `CancellationError` if the task was cancelled or the flow was restarted.
  public func exchangeCode(redirect url: URL, isolation: isolated (any Actor)? = #isolation) async throws -> Token {
    try await IDXSession.token(of: exchanging(url), isolation: isolation)
  }

  /// Exchanges the code of a redirect for tokens, which ends the sign-in. Delegates receive the outcome.
  ///
  /// In top-level code the compiler picks this overload even after `await`; annotate the result type to get the async
  /// one.
  ///
  /// - Parameters:
  ///   - url: the URL that the browser was redirected to.
  ///   - isolation: the actor on which to call delegates; by default the caller's.
  @available(
    *, noasync,
    message: "in top-level code write the type: let token: Token = try await flow.exchangeCode(redirect: url)"
  )
  public func exchangeCode(redirect url: URL, isolation: isolated (any Actor)? = #isolation) {
    IDXSession.perform(exchanging(url), isolation)
  }

  /// Exchanges the code of a redirect for tokens, which ends the sign-in.
  ///
  /// - Parameters:
  ///   - url: the URL that the browser was redirected to.
  ///   - completion: receives the tokens or the error; not called if the call is cancelled.
  ///   - isolation: the actor on which to call back; by default the caller's.
  public func exchangeCode(
    redirect url: URL, completion: TokenResult?, isolation: isolated (any Actor)? = #isolation
  ) {
    IDXSession.perform(exchanging(url), isolation, completion)
  }

  /// Exchanges the code of a redirect for tokens, which ends the sign-in.
  ///
  /// - Parameters:
  ///   - url: the URL that the browser was redirected to.
  ///   - completion: receives the tokens or the error; not called if the call is cancelled.
  ///   - isolation: the actor on which to call back; by default the caller's.
  public func exchangeCode(
    redirect url: URL, completion: @escaping (_ token: Token?, _ error: (any Error)?) -> Void,
    isolation: isolated (any Actor)? = #isolation
  ) {
    IDXSession.perform(exchanging(url), isolation) { (result: Result<Token, InteractionCodeFlowError>) in
      result.split(completion)
    }
  }

  private func exchanging(_ url: URL) -> IDXIntent {
    let text = url.absoluteString
    guard let reading = RedirectReading(text) else {
      var intent = IDXIntent(.exchangeRedirect, [], session)
      intent.arguments = .failure(.invalidUrl)
      return intent
    }
    // The query is passed by parameter name, so that the log hides its secrets.
    return IDXIntent(
      .exchangeRedirect,
      [
        ("redirect", .string(reading.scheme + ":" + reading.path)), ("state", reading["state"].map(JSON.string)),
        ("interaction_code", reading["interaction_code"].map(JSON.string)),
        ("error", reading["error"].map(JSON.string)),
        ("error_description", reading["error_description"].map(JSON.string)),
      ], session)
  }

  /// Cancels and discards the sign-in. The org is not notified; for that, use `Response.cancel`.
  public func cancel() { reset() }

  /// Discards the sign-in. A call in progress is no longer delivered, and `context` is `nil`.
  public func reset() {
    session.startOptions.withLock { $0 = [:] }
    IDXSession.tell(IDXIntent(.reset, [], session))
  }
}
