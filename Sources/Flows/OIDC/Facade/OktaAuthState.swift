// What is known of an authorization (oidc §9.1).

import EventStore

/// The tokens of an authorization, and what became of it. What it prints of itself shows no token.
public struct OktaAuthState: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The tokens as they are stored.
  public var tokens: StoredTokens

  /// A state of tokens.
  public init(_ tokens: StoredTokens) { self.tokens = tokens }

  /// The refresh token.
  public var refreshToken: String? { tokens.refreshToken }
  /// What the tokens are good for, separated by spaces.
  public var scope: String? { tokens.scope }
  /// The OAuth code that ended the authorization; `nil` as long as it stands.
  public var authorizationError: String? { tokens.authorizationError }
  /// What the server answered last; `nil` once the authorization has ended.
  public var lastTokenResponse: Token? {
    guard let access = tokens.accessToken else { return nil }
    let seconds = tokens.expiry.map { Int(clamping: ($0 - tokens.issued) / 1_000_000) }
    return Token(
      tokenType: tokens.tokenType, accessToken: access, expiresIn: seconds, scope: tokens.scope,
      refreshToken: tokens.refreshToken, idToken: tokens.idToken, deviceSecret: tokens.deviceSecret)
  }

  /// What there is, never the tokens themselves.
  public var description: String { "OktaAuthState(\(tokens))" }
  /// No children: a dump shows no token.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
