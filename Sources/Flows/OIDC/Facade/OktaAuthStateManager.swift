// The tokens of one authorization, and what can be done with them (oidc §9, §10).

import EventStore
public import FlowRecording

/// The tokens of a user. Its description contains no token.
///
/// ```swift
/// if manager.accessToken == nil { try await manager.renew() }
/// ```
public final class OktaAuthStateManager: Sendable, CustomStringConvertible, CustomReflectable {
  struct State {
    var tokens: StoredTokens
    /// Whether new tokens are stored before they are returned.
    var autoPersist = false
    /// Whether the store was seen to hold them under the client's key: if they are gone, they were removed.
    var isStored = false
    /// The renewal in progress, shared by all callers.
    var renewal: Renewal?
    /// How far the server's clock is ahead of ours, in microseconds; it is kept with the tokens.
    var clockSkew: Int64 {
      get { tokens.clockSkew ?? 0 }
      set { tokens.clockSkew = newValue == 0 ? nil : newValue }
    }
  }
  /// A renewal in progress, and the callers that receive its result.
  struct Renewal {
    typealias Waiter = @Sendable (Result<Void, OktaError>) -> Void
    let session: OIDCSession
    var waiters: [Waiter]
  }
  let state: Locked<State>
  let client: OIDCClient

  /// A manager of tokens.
  ///
  /// - Parameters:
  ///   - clockSkew: how far the server's clock is ahead; as the tokens say if nil.
  ///   - isStored: whether the store holds them under the client's key.
  init(
    _ tokens: StoredTokens, _ client: OIDCClient, clockSkew: Int64? = nil, autoPersist: Bool = false,
    isStored: Bool = false
  ) {
    var state = State(tokens: tokens, autoPersist: autoPersist, isStored: isStored)
    if let clockSkew { state.clockSkew = clockSkew }
    self.state = Locked(state)
    self.client = client
  }

  /// Makes a manager of tokens that the application has.
  ///
  /// - Parameters:
  ///   - authState: the tokens.
  ///   - accessibility: the protection class of the seed's platform; kept as it is given.
  ///   - configuration: the client's configuration; without one the tokens say what is needed.
  ///   - environment: the seams, captured here.
  public init(
    authState: OktaAuthState, accessibility: String? = nil, configuration: OktaAuthConfig? = nil,
    environment: FlowEnvironment = .current
  ) {
    var tokens = authState.tokens
    if let accessibility { tokens.accessibility = accessibility }
    state = Locked(State(tokens: tokens))
    client = configuration.map { OIDCClient($0, environment) } ?? OIDCClient(of: tokens, environment)
  }

  // MARK: The tokens

  /// The tokens as they are now.
  public var authState: OktaAuthState { OktaAuthState(tokens) }
  /// The access token; `nil` if there is none or if it has expired, by the server's time.
  public var accessToken: String? {
    let (tokens, now) = (tokens, now)
    guard tokens.authorizationError == nil, tokens.expiry.map({ $0 > now }) ?? true else { return nil }
    return tokens.accessToken
  }
  /// The ID token; `nil` if there is none or if it has expired, by the server's time.
  public var idToken: String? {
    guard tokens.authorizationError == nil, let token = tokens.idToken, let end = Self.expiry(of: token),
      end > now / 1_000_000
    else { return nil }
    return token
  }
  /// The refresh token.
  public var refreshToken: String? { tokens.refreshToken }
  /// The protection class of the seed's platform, as it was given.
  public var accessibility: String? { tokens.accessibility }
  /// The id of these tokens in logs: it links the events of their life, and is no part of them.
  public var tokenId: String { tokens.id }

  /// Whether a renewal stores the new tokens before it returns them. On once the tokens were stored or read.
  public var autoPersist: Bool {
    get { state.withLock { $0.autoPersist } }
    set { state.withLock { $0.autoPersist = newValue } }
  }

  /// Whether the access token should be renewed before it is used, because it has expired or expires within a minute.
  public var isStale: Bool {
    let (tokens, now) = (tokens, now)
    guard tokens.accessToken != nil else { return true }
    return tokens.expiry.map { $0 - 60_000_000 <= now } ?? false
  }

  /// Checks only whether an ID token has expired; it was checked fully when it was received.
  ///
  /// - Returns: true.
  /// - Throws: `JWTDecodeError` if it is not a JWT, `JWTValidationError` if it has expired.
  public func isValidToken(idToken: String?) throws(OktaError) -> Bool {
    guard let idToken, let end = Self.expiry(of: idToken) else { throw .JWTDecodeError }
    guard end > now / 1_000_000 else {
      throw .JWTValidationError(
        OktaFailure("The token has expired. Renew it.", idToken: IDTokenFailure("exp", .expired)))
    }
    return true
  }

  /// Checks whether an ID token has expired: the late era's form.
  ///
  /// - Returns: why it is not valid; `nil` if it is.
  public func validateToken(idToken: String?) -> (any Error)? {
    do throws(OktaError) {
      _ = try isValidToken(idToken: idToken)
      return nil
    } catch {
      return error
    }
  }

  /// The contents of a JWT. Nothing is verified: do not base decisions on it.
  ///
  /// - Returns: the payload; `nil` if the token has fewer than two parts.
  /// - Throws: `JWTDecodeError` if the payload cannot be read.
  public static func decodeJWT(_ token: String) throws(OktaError) -> [String: Any]? {
    try JWTReading.decode(token).flatMap { PlainJSON.value($0) as? [String: Any] }
  }

  // MARK: Inside

  var tokens: StoredTokens { state.withLock { $0.tokens } }

  /// The server's time, in microseconds since 1970.
  private var now: Int64 {
    client.environment.clock.now().microseconds.addingReportingOverflow(state.withLock { $0.clockSkew }).partialValue
  }

  /// When a JWT expires, in seconds since 1970; nil if it cannot be read.
  private static func expiry(of token: String) -> Int64? {
    guard let payload = try? JWTReading.decode(token), let end = payload["exp"]?.double, end.isFinite else {
      return nil
    }
    return Int64(exactly: end.rounded(.down))
  }

  /// What the tokens are of, never the tokens themselves.
  public var description: String { "OktaAuthStateManager(\(tokens))" }
  /// No children, so that a dump shows no token.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
