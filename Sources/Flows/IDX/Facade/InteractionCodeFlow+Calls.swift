// The life of a flow (idx §11.1, §11.2).

import EventStore
public import Foundation
import FlowRecording
public import OIDC

extension InteractionCodeFlow {
  /// Gets the response of a call, or why there is none.
  public typealias ResponseResult = (Result<Response, InteractionCodeFlowError>) -> Void

  /// Gets the tokens of a call, or why there are none.
  public typealias TokenResult = (Result<Token, InteractionCodeFlowError>) -> Void

  /// Options of `start`.
  public enum Option: String, Sendable, Hashable, CaseIterable {
    /// The OAuth `state`; random by default.
    case state
    /// A token that begins a recovery, from a mail or an administrator.
    case recoveryToken = "recovery_token"
    /// A token that activates an account.
    case activationToken = "activation_token"
    /// Omits the device token if `true`.
    case omitDeviceToken
    /// How old a session may be, in seconds.
    case maxAge = "max_age"
    /// The authentication context classes (`acr_values`), one of which the org must satisfy.
    case acrValues = "acr_values"
    /// What binds an ID token to this sign-in.
    case nonce
  }

  /// The options of the sign-in under way, its `state` among them; `nil` if there is none.
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

  /// Begins a sign-in, and brings its first response. Cancels a sign-in already in progress.
  ///
  /// - Parameters:
  ///   - options: what is special about it.
  ///   - isolation: where to call back; the caller's.
  /// - Throws: `InteractionCodeFlowError`; `CancellationError` if the task was cancelled or the flow began anew.
  public func start(options: [Option: Any]? = nil, isolation: isolated (any Actor)? = #isolation) async throws
    -> Response
  {
    try await IDXSession.response(of: starting(options), isolation: isolation)
  }

  /// Begins a sign-in, and brings its first response. Cancels a sign-in already in progress.
  ///
  /// - Parameters:
  ///   - options: what is special about it.
  ///   - completion: receives the first response or the error; not called if the call is cancelled.
  ///   - isolation: where to call back; the caller's.
  public func start(
    options: [Option: Any]? = nil, completion: ResponseResult?, isolation: isolated (any Actor)? = #isolation
  ) {
    IDXSession.perform(starting(options), isolation, completion)
  }

  /// Begins a sign-in, and brings its first response. Cancels a sign-in already in progress.
  ///
  /// - Parameters:
  ///   - options: what is special about it.
  ///   - completion: receives the first response or the error; not called if the call is cancelled.
  ///   - isolation: where to call back; the caller's.
  public func start(
    options: [Option: Any]? = nil,
    completion: @escaping (_ response: Response?, _ error: (any Error)?) -> Void,
    isolation: isolated (any Actor)? = #isolation
  ) {
    IDXSession.perform(starting(options), isolation) { (result: Result<Response, InteractionCodeFlowError>) in
      result.split(completion)
    }
  }

  /// Asks where the sign-in stands: after a redirect, or in another process.
  ///
  /// - Parameter isolation: where the call waits and goes on; the caller's.
  /// - Throws: `InteractionCodeFlowError`; `CancellationError` if the task was cancelled or the flow began anew.
  public func resume(isolation: isolated (any Actor)? = #isolation) async throws -> Response {
    try await IDXSession.response(of: IDXIntent(.resume, [], session), isolation: isolation)
  }

  /// Asks where the sign-in stands: after a redirect, or in another process. Delegates get the outcome.
  ///
  /// In top-level code the compiler picks this overload even after `await`; annotate the result type to get the async
  /// one.
  ///
  /// - Parameter isolation: where to call delegates back; the caller's.
  @available(*, noasync, message: "in top-level code write the type: let response: Response = try await flow.resume()")
  public func resume(isolation: isolated (any Actor)? = #isolation) {
    IDXSession.perform(IDXIntent(.resume, [], session), isolation)
  }

  /// Asks where the sign-in stands: after a redirect, or in another process.
  ///
  /// - Parameters:
  ///   - completion: receives the present response or the error; not called if the call is cancelled.
  ///   - isolation: where to call back; the caller's.
  public func resume(
    completion: ResponseResult?, isolation: isolated (any Actor)? = #isolation
  ) {
    IDXSession.perform(IDXIntent(.resume, [], session), isolation, completion)
  }

  /// Asks where the sign-in stands: after a redirect, or in another process.
  ///
  /// - Parameters:
  ///   - completion: receives the present response or the error; not called if the call is cancelled.
  ///   - isolation: where to call back; the caller's.
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
  ///   - url: what the browser was redirected to.
  ///   - isolation: where to call back; the caller's.
  /// - Throws: `InteractionCodeFlowError`; `CancellationError` if the task was cancelled or the flow began anew.
  public func exchangeCode(redirect url: URL, isolation: isolated (any Actor)? = #isolation) async throws -> Token {
    try await IDXSession.token(of: exchanging(url), isolation: isolation)
  }

  /// Exchanges the code of a redirect for tokens, which ends the sign-in. Delegates get the outcome.
  ///
  /// In top-level code the compiler picks this overload even after `await`; annotate the result type to get the async
  /// one.
  ///
  /// - Parameters:
  ///   - url: what the browser was redirected to.
  ///   - isolation: where to call delegates back; the caller's.
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
  ///   - url: what the browser was redirected to.
  ///   - completion: receives the tokens or the error; not called if the call is cancelled.
  ///   - isolation: where to call back; the caller's.
  public func exchangeCode(
    redirect url: URL, completion: TokenResult?, isolation: isolated (any Actor)? = #isolation
  ) {
    IDXSession.perform(exchanging(url), isolation, completion)
  }

  /// Exchanges the code of a redirect for tokens, which ends the sign-in.
  ///
  /// - Parameters:
  ///   - url: what the browser was redirected to.
  ///   - completion: receives the tokens or the error; not called if the call is cancelled.
  ///   - isolation: where to call back; the caller's.
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
    // What stands in the query is handed over by its names, so that the log hides what is secret of it.
    return IDXIntent(
      .exchangeRedirect,
      [
        ("redirect", .string(reading.scheme + ":" + reading.path)), ("state", reading["state"].map(JSON.string)),
        ("interaction_code", reading["interaction_code"].map(JSON.string)),
        ("error", reading["error"].map(JSON.string)),
        ("error_description", reading["error_description"].map(JSON.string)),
      ], session)
  }

  /// Cancels the sign-in and forgets it. The org is not notified: `Response.cancel` does that.
  public func cancel() { reset() }

  /// Forgets the sign-in: a call under way is not delivered any more, and `context` is nil.
  public func reset() {
    session.startOptions.withLock { $0 = [:] }
    IDXSession.tell(IDXIntent(.reset, [], session))
  }
}
