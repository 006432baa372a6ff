// Introspection, revocation and the user of tokens (oidc §7).

import EventStore
import FlowRecording

extension OktaAuthStateManager {
  // MARK: Introspection

  /// Asks the server whether a token is active.
  ///
  /// - Parameters:
  ///   - token: the token; `nil` or an empty one is `noBearerToken`.
  ///   - callback: receives the server's answer, in which `active` says it, or why there is none.
  public func introspect(token: String?, callback: @escaping ([String: Any]?, OktaError?) -> Void) {
    deliver(.introspect, [("token", token.map(JSON.string))] + about(token), .introspect, callback)
  }

  /// Asks the server whether a token is active.
  ///
  /// - Returns: the server's answer, with the member `active`.
  /// - Throws: `OktaError`.
  public func introspect(token: String?) async throws(OktaError) -> [String: Any] {
    let json = try await answer(.introspect, [("token", token.map(JSON.string))] + about(token), .introspect)
    return PlainJSON.value(json) as? [String: Any] ?? [:]
  }

  // MARK: Revocation

  /// Ends a token at the server. A token unknown to the server counts as revoked.
  ///
  /// - Parameters:
  ///   - token: the token; `nil` or an empty one is `noBearerToken`.
  ///   - callback: receives true, or why it failed.
  public func revoke(_ token: String?, callback: @escaping (Bool?, OktaError?) -> Void) {
    let session = client.begin()
    let delivery = CallerDelivery(session.lanes) { (outcome: OIDCSession.Outcome) in
      switch outcome {
      case .success: callback(true, nil)
      case .failure(let error): callback(nil, error)
      }
    }
    session.call(.revoke, [("token", token.map(JSON.string))] + about(token)) { [self] outcome, core in
      takeTime(from: core)
      delivery(outcome)
    }
  }

  /// Revokes a token at the server. A token unknown to the server counts as revoked.
  ///
  /// - Throws: `OktaError`.
  public func revoke(_ token: String?) async throws(OktaError) {
    let (outcome, core) = await client.begin().outcome(
      of: .revoke, [("token", token.map(JSON.string))] + about(token))
    takeTime(from: core)
    _ = try outcome.get()
  }

  // MARK: The user

  /// Asks who the tokens belong to. An expired access token is `noBearerToken`, and is not renewed.
  ///
  /// - Parameter callback: gets the user's claims, or why there are none.
  public func getUser(_ callback: @escaping ([String: Any]?, OktaError?) -> Void) {
    deliver(.getUser, userArguments, .userInfo, callback)
  }

  /// Asks who the tokens belong to.
  ///
  /// - Parameter renewing: whether to renew an access token first that has expired or expires within a minute.
  /// - Returns: the claims of the user, who is the one of the ID token.
  /// - Throws: `OktaError`.
  public func getUser(renewing: Bool = false) async throws(OktaError) -> [String: Any] {
    if renewing, isStale { try await renew() }
    return PlainJSON.value(try await answer(.getUser, userArguments, .userInfo)) as? [String: Any] ?? [:]
  }

  private var userArguments: [(String, JSON?)] {
    let subject = tokens.idToken.flatMap { try? JWTReading.decode($0) }?["sub"]
    return [
      ("accessToken", accessToken.map(JSON.string)), ("subject", subject), ("tokenId", .string(tokens.id)),
    ]
  }

  // MARK: Shared

  /// What is known about a token: which one of these it is, and their id.
  private func about(_ token: String?) -> [(String, JSON?)] {
    let tokens = tokens
    let hint: String? =
      switch token {
      case nil: nil
      case tokens.accessToken: "access_token"
      case tokens.refreshToken: "refresh_token"
      case tokens.idToken: "id_token"
      case tokens.deviceSecret: "device_secret"
      case .some: nil
      }
    return hint.map { [("hint", .string($0)), ("tokenId", .string(tokens.id))] } ?? []
  }

  private func answer(
    _ call: OIDCCall, _ arguments: [(String, JSON?)], _ step: OIDCStep
  ) async throws(OktaError) -> JSON {
    let session = client.begin()
    let (outcome, core) = await session.outcome(of: call, arguments)
    takeTime(from: core)
    let operation = try outcome.get().operation
    return session.flow.vault.reveal(operation?.answers[step]?.body ?? [:])
  }

  private func deliver(
    _ call: OIDCCall, _ arguments: [(String, JSON?)], _ step: OIDCStep,
    _ callback: @escaping ([String: Any]?, OktaError?) -> Void
  ) {
    let session = client.begin()
    let delivery = CallerDelivery(session.lanes) { (result: Result<JSON, OktaError>) in
      switch result {
      case .success(let json): callback(PlainJSON.value(json) as? [String: Any], nil)
      case .failure(let error): callback(nil, error)
      }
    }
    session.call(call, arguments) { [self, flow = session.flow] outcome, core in
      takeTime(from: core)
      delivery(outcome.map { flow.vault.reveal($0.operation?.answers[step]?.body ?? [:]) })
    }
  }

  /// Stores the clock difference of the server, if an operation has determined it.
  private func takeTime(from core: OIDCCore) {
    guard let skew = core.ledger.skew else { return }
    state.withLock { $0.clockSkew = skew }
  }

  /// The arguments of a sign-out.
  func signOutArguments(_ options: SignOutOptions) -> [(String, JSON?)] {
    let tokens = tokens
    return [
      ("options", .array(options.names.map(JSON.string))), ("idToken", tokens.idToken.map(JSON.string)),
      ("accessToken", tokens.accessToken.map(JSON.string)), ("refreshToken", tokens.refreshToken.map(JSON.string)),
      ("tokenId", .string(tokens.id)),
    ]
  }
}
