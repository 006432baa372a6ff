// The state of an authorization (oidc §9.1).

import EventStore

/// The tokens and the state of an authorization. Its description contains no token.
public struct OktaAuthState: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The tokens as they are stored.
  public var tokens: StoredTokens

  /// A state of tokens.
  public init(_ tokens: StoredTokens) { self.tokens = tokens }

  /// The refresh token.
  public var refreshToken: String? { tokens.refreshToken }
  /// The granted scopes, separated by spaces.
  public var scope: String? { tokens.scope }
  /// The OAuth code that ended the authorization; `nil` while it is valid.
  public var authorizationError: String? { tokens.authorizationError }
  /// The server's last answer; `nil` after the authorization has ended.
  public var lastTokenResponse: Token? {
    guard let access = tokens.accessToken else { return nil }
    let seconds = tokens.expiry.map { Int(clamping: ($0 - tokens.issued) / 1_000_000) }
    return Token(
      tokenType: tokens.tokenType, accessToken: access, expiresIn: seconds, scope: tokens.scope,
      refreshToken: tokens.refreshToken, idToken: tokens.idToken, deviceSecret: tokens.deviceSecret)
  }

  /// Which tokens there are, but never the tokens themselves.
  public var description: String { "OktaAuthState(\(tokens))" }
  /// No children, so that a dump shows no token.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
