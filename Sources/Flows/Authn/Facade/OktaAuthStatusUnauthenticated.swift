// Where a sign-in begins (seed «OktaAuthStatusUnauthenticated»).

public import FlowRecording
public import Foundation
import EventStore

/// Starts a sign-in, or continues a transaction in which the org asks for one.
open class OktaAuthStatusUnauthenticated: OktaAuthStatus, @unchecked Sendable {
  /// Starts a flow.
  ///
  /// - Parameters:
  ///   - oktaDomain: the org's URL.
  ///   - responseHandler: follows the transaction.
  ///   - allowedOrigins: origins other than the org that links may lead to, such as `https://sso.example`. If nil,
  ///     requests that carry only the state token may go anywhere; passwords, codes and answers are sent only to the
  ///     org's origin.
  ///   - environment: the seams; by default the current environment.
  public init(
    oktaDomain: URL, responseHandler: OktaAuthStatusResponseHandler = OktaAuthStatusResponseHandler(),
    allowedOrigins: [String]? = nil, environment: FlowEnvironment = .current
  ) {
    let session = AuthnSession(
      org: oktaDomain, handler: responseHandler, origins: allowedOrigins, environment: environment)
    super.init(AuthnObject(state: session.flow.core, session: session))
  }

  /// Starts a flow for code on a known actor, used as a fallback by the flow's first call.
  init(oktaDomain: URL, allowedOrigins: [String]?, startedBy isolation: (any Actor)?) {
    let session = AuthnSession(
      org: oktaDomain, handler: OktaAuthStatusResponseHandler(), origins: allowedOrigins, environment: .current,
      startedBy: isolation)
    super.init(AuthnObject(state: session.flow.core, session: session))
  }

  /// The status of an answer; see `OktaAuthStatus`.
  ///
  /// - Throws: `OktaError.invalidResponse` if the answer lacks what the class needs.
  public override init(currentState: OktaAuthStatus, model: OktaAPISuccessResponse) throws {
    try super.init(currentState: currentState, model: model)
  }

  package override init(_ object: AuthnObject) { super.init(object) }

  /// The token of the transaction that asks for the sign-in; nil if the application starts it.
  public var stateToken: String? { model.stateToken }

  /// Signs in with user name and password.
  ///
  /// - Parameters:
  ///   - username: login or short name.
  ///   - password: the password.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error.
  open func authenticate(
    username: String, password: String,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    authenticate(username: username, optionalPassword: password, onStatusChange, onError)
  }

  /// Signs in with user name and password.
  ///
  /// - Throws: `OktaError`.
  open func authenticate(
    username: String, password: String
  ) async throws(OktaError) -> OktaAuthStatus {
    try await authenticate(username: username, optionalPassword: password)
  }

  /// Signs in with more than user name and password.
  ///
  /// - Parameters:
  ///   - username: login or short name; nil with an activation token.
  ///   - password: the password; nil if the org asks for none.
  ///   - options: what else is sent.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error.
  open func authenticate(
    username: String?, password: String?, options: OktaAuthenticationOptions,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.authenticate, Self.arguments(username, password, options), onStatusChange, onError)
  }

  /// Signs in with more than user name and password.
  ///
  /// - Throws: `OktaError`.
  open func authenticate(
    username: String?, password: String?, options: OktaAuthenticationOptions
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .authenticate, Self.arguments(username, password, options))
  }

  /// Starts to unlock an account.
  ///
  /// - Parameters:
  ///   - username: login or short name.
  ///   - factorType: how to reach the user.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error.
  open func unlockAccount(
    username: String, factorType: OktaRecoveryFactors,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    unlockAccount(
      username: username, factorType: factorType, relayState: nil, onStatusChange: onStatusChange, onError: onError)
  }

  /// Starts to unlock an account.
  ///
  /// - Parameters:
  ///   - username: login or short name.
  ///   - factorType: how to reach the user; nil omits it, which orgs accept only from trusted applications.
  ///   - relayState: returned unchanged in later answers.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error.
  public func unlockAccount(
    username: String, factorType: OktaRecoveryFactors?, relayState: String? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(
      .unlockAccount,
      [
        ("username", .string(username)), ("factorType", (factorType?.rawValue).map(JSON.string)),
        ("relayState", relayState.map(JSON.string)),
      ], onStatusChange, onError)
  }

  /// Starts to unlock an account.
  ///
  /// - Throws: `OktaError`.
  open func unlockAccount(
    username: String, factorType: OktaRecoveryFactors?, relayState: String? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .unlockAccount,
      [
        ("username", .string(username)), ("factorType", (factorType?.rawValue).map(JSON.string)),
        ("relayState", relayState.map(JSON.string)),
      ])
  }

  /// Starts to recover a forgotten password.
  ///
  /// - Parameters:
  ///   - username: login or short name.
  ///   - factorType: how to reach the user.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error.
  open func recoverPassword(
    username: String, factorType: OktaRecoveryFactors,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    recoverPassword(
      username: username, factorType: factorType, relayState: nil, onStatusChange: onStatusChange, onError: onError)
  }

  /// Starts to recover a forgotten password.
  ///
  /// - Parameters:
  ///   - username: login or short name.
  ///   - factorType: how to reach the user; nil omits it, which orgs accept only from trusted applications.
  ///   - relayState: returned unchanged in later answers.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error.
  public func recoverPassword(
    username: String, factorType: OktaRecoveryFactors?, relayState: String? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(
      .recoverPassword,
      [
        ("username", .string(username)), ("factorType", (factorType?.rawValue).map(JSON.string)),
        ("relayState", relayState.map(JSON.string)),
      ], onStatusChange, onError)
  }

  /// Starts to recover a forgotten password.
  ///
  /// - Throws: `OktaError`.
  open func recoverPassword(
    username: String, factorType: OktaRecoveryFactors?, relayState: String? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .recoverPassword,
      [
        ("username", .string(username)), ("factorType", (factorType?.rawValue).map(JSON.string)),
        ("relayState", relayState.map(JSON.string)),
      ])
  }

  /// Redeems a recovery token, such as one from an email, possibly in a different process than the one that requested
  /// it.
  ///
  /// - Parameters:
  ///   - recoveryToken: the token.
  ///   - relayState: returned unchanged in later answers.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error; the token may have expired.
  open func recover(
    with recoveryToken: String, relayState: String? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(
      .recoverWithToken, [("recoveryToken", .string(recoveryToken)), ("relayState", relayState.map(JSON.string))],
      onStatusChange, onError)
  }

  /// Redeems a recovery token, such as one from an email, possibly in a different process than the one that requested
  /// it.
  ///
  /// - Throws: `OktaError`; the token may have expired.
  open func recover(
    with recoveryToken: String, relayState: String? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .recoverWithToken, [("recoveryToken", .string(recoveryToken)), ("relayState", relayState.map(JSON.string))])
  }

  func authenticate(
    username: String, optionalPassword: String?, _ onStatusChange: @escaping (OktaAuthStatus) -> Void,
    _ onError: @escaping (OktaError) -> Void
  ) {
    perform(.authenticate, Self.arguments(username, optionalPassword), onStatusChange, onError)
  }

  func authenticate(
    username: String, optionalPassword: String?
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .authenticate, Self.arguments(username, optionalPassword))
  }

  private static func arguments(
    _ username: String?, _ password: String?, _ options: OktaAuthenticationOptions? = nil
  ) -> [(String, JSON?)] {
    [("username", username.map(JSON.string)), ("password", password.map(JSON.string))] + (options?.arguments ?? [])
      + (options?.standing ?? [])
  }
}
