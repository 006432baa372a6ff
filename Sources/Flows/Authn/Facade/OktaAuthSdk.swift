// The entry points (seed «Usage guide»).

import EventStore
public import FlowRecording
public import Foundation

/// Starts sign-ins against an org. Flows are recorded according to `FlowEnvironment.current`.
public class OktaAuthSdk {
  /// Signs in with user name and password.
  ///
  /// ```swift
  /// OktaAuthSdk.authenticate(with: URL(string: "https://acme.example")!, username: "ann", password: "…",
  ///                          onStatusChange: { status in handleStatus(status: status) },
  ///                          onError: { error in handleError(error) })
  /// ```
  ///
  /// - Parameters:
  ///   - url: the org.
  ///   - username: login or short name.
  ///   - password: the password; nil if the org requires none.
  ///   - allowedOrigins: origins other than the org that links may lead to; see `OktaAuthStatusUnauthenticated`. If the
  ///     org has a custom domain and its links name another one, it is required for steps that send codes and answers.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error.
  ///   - isolation: the actor that calls. It matters only in the first lines of a program, before a task or a run loop
  ///     is running; otherwise the actor is found automatically.
  public class func authenticate(
    with url: URL, username: String, password: String?, allowedOrigins: [String]? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    isolation: (any Actor)? = #isolation
  ) {
    OktaAuthStatusUnauthenticated(oktaDomain: url, allowedOrigins: allowedOrigins, startedBy: isolation)
      .authenticate(username: username, optionalPassword: password, onStatusChange, onError)
  }

  /// Signs in with user name and password.
  ///
  /// - Throws: `OktaError`.
  public class func authenticate(
    with url: URL, username: String, password: String?, allowedOrigins: [String]? = nil,
    environment: FlowEnvironment = .current
  ) async throws(OktaError) -> OktaAuthStatus {
    try await OktaAuthStatusUnauthenticated(oktaDomain: url, allowedOrigins: allowedOrigins, environment: environment)
      .authenticate(username: username, optionalPassword: password)
  }

  /// Starts to unlock an account.
  ///
  /// - Parameters:
  ///   - url: the org.
  ///   - username: login or short name.
  ///   - factorType: how to reach the user; nil omits it, which orgs accept only from trusted applications.
  ///   - allowedOrigins: origins other than the org that links may lead to; see `OktaAuthStatusUnauthenticated`. If the
  ///     org has a custom domain and its links name another one, it is required for steps that send codes and answers.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error.
  ///   - isolation: the actor that calls. It matters only in the first lines of a program, before a task or a run loop
  ///     is running; otherwise the actor is found automatically.
  public class func unlockAccount(
    with url: URL, username: String, factorType: OktaRecoveryFactors?, allowedOrigins: [String]? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    isolation: (any Actor)? = #isolation
  ) {
    OktaAuthStatusUnauthenticated(oktaDomain: url, allowedOrigins: allowedOrigins, startedBy: isolation).unlockAccount(
      username: username, factorType: factorType, onStatusChange: onStatusChange, onError: onError)
  }

  /// Starts to unlock an account.
  ///
  /// - Throws: `OktaError`.
  public class func unlockAccount(
    with url: URL, username: String, factorType: OktaRecoveryFactors?, allowedOrigins: [String]? = nil,
    environment: FlowEnvironment = .current
  ) async throws(OktaError) -> OktaAuthStatus {
    try await OktaAuthStatusUnauthenticated(oktaDomain: url, allowedOrigins: allowedOrigins, environment: environment)
      .unlockAccount(username: username, factorType: factorType)
  }

  /// Starts to recover a forgotten password.
  ///
  /// - Parameters:
  ///   - url: the org.
  ///   - username: login or short name.
  ///   - factorType: how to reach the user; `nil` omits it, which orgs accept only from trusted applications.
  ///   - allowedOrigins: origins other than the org that links may lead to; see `OktaAuthStatusUnauthenticated`. If the
  ///     org has a custom domain and its links name another one, it is required for steps that send codes and answers.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error.
  ///   - isolation: the actor that calls. It matters only in the first lines of a program, before a task or a run loop
  ///     is running; otherwise the actor is found automatically.
  public class func recoverPassword(
    with url: URL, username: String, factorType: OktaRecoveryFactors?, allowedOrigins: [String]? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    isolation: (any Actor)? = #isolation
  ) {
    OktaAuthStatusUnauthenticated(oktaDomain: url, allowedOrigins: allowedOrigins, startedBy: isolation)
      .recoverPassword(
        username: username, factorType: factorType, onStatusChange: onStatusChange, onError: onError)
  }

  /// Starts to recover a forgotten password.
  ///
  /// - Throws: `OktaError`.
  public class func recoverPassword(
    with url: URL, username: String, factorType: OktaRecoveryFactors?, allowedOrigins: [String]? = nil,
    environment: FlowEnvironment = .current
  ) async throws(OktaError) -> OktaAuthStatus {
    try await OktaAuthStatusUnauthenticated(oktaDomain: url, allowedOrigins: allowedOrigins, environment: environment)
      .recoverPassword(username: username, factorType: factorType)
  }

  /// Redeems a recovery token, such as one from an email, in a new flow.
  ///
  /// - Parameters:
  ///   - recoveryToken: the token.
  ///   - url: the org.
  ///   - allowedOrigins: origins other than the org that links may lead to; see `OktaAuthStatusUnauthenticated`. If the
  ///     org has a custom domain and its links name another one, it is required for steps that send codes and answers.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error; the token may have expired.
  ///   - isolation: the actor that calls. It matters only in the first lines of a program, before a task or a run loop
  ///     is running; otherwise the actor is found automatically.
  public class func recover(
    with recoveryToken: String, using url: URL, allowedOrigins: [String]? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    isolation: (any Actor)? = #isolation
  ) {
    OktaAuthStatusUnauthenticated(oktaDomain: url, allowedOrigins: allowedOrigins, startedBy: isolation).recover(
      with: recoveryToken, onStatusChange: onStatusChange, onError: onError)
  }

  /// Redeems a recovery token, such as one from an email, in a new flow.
  ///
  /// - Throws: `OktaError`; the token may have expired.
  public class func recover(
    with recoveryToken: String, using url: URL, allowedOrigins: [String]? = nil, environment: FlowEnvironment = .current
  ) async throws(OktaError) -> OktaAuthStatus {
    try await OktaAuthStatusUnauthenticated(oktaDomain: url, allowedOrigins: allowedOrigins, environment: environment)
      .recover(with: recoveryToken)
  }

  /// Resumes a transaction by its state token, possibly in another process, in a new flow.
  ///
  /// - Parameters:
  ///   - stateToken: the transaction's token.
  ///   - url: the org.
  ///   - allowedOrigins: origins other than the org that links may lead to; see `OktaAuthStatusUnauthenticated`. If the
  ///     org has a custom domain and its links name another one, it is required for steps that send codes and answers.
  ///   - onStatusChange: receives the status that the transaction is in.
  ///   - onError: receives the error; the token may have expired.
  ///   - isolation: the actor that calls. It matters only in the first lines of a program, before a task or a run loop
  ///     is running; otherwise the actor is found automatically.
  public class func fetchStatus(
    with stateToken: String, using url: URL, allowedOrigins: [String]? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    isolation: (any Actor)? = #isolation
  ) {
    OktaAuthStatusUnauthenticated(oktaDomain: url, allowedOrigins: allowedOrigins, startedBy: isolation)
      .perform(.fetchStatus, [("stateToken", .string(stateToken))], onStatusChange, onError)
  }

  /// Resumes a transaction by its state token, possibly in another process, in a new flow.
  ///
  /// - Throws: `OktaError`; the token may have expired.
  public class func fetchStatus(
    with stateToken: String, using url: URL, allowedOrigins: [String]? = nil, environment: FlowEnvironment = .current
  ) async throws(OktaError) -> OktaAuthStatus {
    let start = OktaAuthStatusUnauthenticated(oktaDomain: url, allowedOrigins: allowedOrigins, environment: environment)
    return try await start.object.session.status(
      of: .fetchStatus, [("stateToken", .string(stateToken))], on: start)
  }
}
