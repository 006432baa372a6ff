// Where a sign-in begins (seed «OktaAuthStatusUnauthenticated»).

public import FlowRecording
public import Foundation
import EventStore

/// Starts a sign-in; or, where the org asks for one in the middle of a transaction, continues it.
open class OktaAuthStatusUnauthenticated: OktaAuthStatus, @unchecked Sendable {
  /// Starts a flow.
  ///
  /// - Parameters:
  ///   - oktaDomain: the org's URL.
  ///   - responseHandler: follows the transaction.
  ///   - environment: the seams; the current one where none is given.
  public init(
    oktaDomain: URL, responseHandler: OktaAuthStatusResponseHandler = OktaAuthStatusResponseHandler(),
    environment: FlowEnvironment = .current
  ) {
    let session = AuthnSession(org: oktaDomain, handler: responseHandler, environment: environment)
    super.init(AuthnObject(state: session.flow.core, session: session))
  }

  package override init(_ object: AuthnObject) { super.init(object) }

  /// Signs in with user name and password.
  ///
  /// - Parameters:
  ///   - username: login or short name.
  ///   - password: the password.
  ///   - onStatusChange: gets the status that follows.
  ///   - onError: gets why it failed.
  ///   - isolation: where to call back; the caller's.
  open func authenticate(
    username: String, password: String,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    isolation: isolated (any Actor)? = #isolation
  ) {
    authenticate(username: username, optionalPassword: password, onStatusChange, onError, isolation)
  }

  /// Signs in with user name and password.
  ///
  /// - Throws: `OktaError`.
  open func authenticate(
    username: String, password: String, isolation: isolated (any Actor)? = #isolation
  ) async throws(OktaError) -> OktaAuthStatus {
    try await authenticate(username: username, optionalPassword: password, isolation: isolation)
  }

  func authenticate(
    username: String, optionalPassword: String?, _ onStatusChange: @escaping (OktaAuthStatus) -> Void,
    _ onError: @escaping (OktaError) -> Void, _ isolation: (any Actor)?
  ) {
    perform("authenticate", Self.arguments(username, optionalPassword), onStatusChange, onError, isolation)
  }

  func authenticate(
    username: String, optionalPassword: String?, isolation: isolated (any Actor)?
  ) async throws(OktaError) -> OktaAuthStatus {
    try await object.session.status(
      of: "authenticate", Self.arguments(username, optionalPassword), on: self, isolation: isolation)
  }

  private static func arguments(_ username: String, _ password: String?) -> [(String, JSON?)] {
    [("username", .string(username)), ("password", password.map(JSON.string))]
  }
}
