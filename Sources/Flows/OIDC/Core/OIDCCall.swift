// What an application can ask of a flow for tokens, and what is under way for it.

/// The calls of a flow. A flow is one operation: the first call says which.
package enum OIDCCall: String, Sendable, CaseIterable {
  /// A sign-in by the session token of the authentication API (oidc §5).
  case signInWithSessionToken
  /// A sign-in in the browser (oidc §3, §4).
  case signInWithBrowser
  /// A sign-in on another device (RFC 8628).
  case signInOnDevice
  /// The end of a session: tokens are revoked, the browser is sent to the sign-out page, stored tokens are removed (oidc §7.2).
  case signOut
  /// New tokens for a refresh token (oidc §6.2).
  case renew
  /// What the server says of a token (RFC 7662).
  case introspect
  /// The end of a token (RFC 7009).
  case revoke
  /// The user that the tokens belong to (OIDC Core §5.3).
  case getUser
  /// Keeps tokens in the store, reads them, removes them (oidc §9.3).
  case store, read, clear, clearAll
  /// Tokens that another flow got, checked as those of a sign-in are.
  case adopt
  // To an operation under way.
  /// The redirect that the application itself received.
  case resume
  /// The person, or the program, gave the operation up.
  case cancel

  /// Whether the call is to an operation that another call has begun.
  var isToOperation: Bool { self == .resume || self == .cancel }

  /// Whether the operation brings tokens.
  package var bringsTokens: Bool {
    switch self {
    case .signInWithSessionToken, .signInWithBrowser, .signInOnDevice, .renew, .adopt: true
    case .signOut, .introspect, .revoke, .getUser, .store, .read, .clear, .clearAll, .resume, .cancel: false
    }
  }

  /// Whether the operation exchanges the code of an authorization, which is of OpenID Connect if `openid` is asked for.
  var exchangesCode: Bool {
    switch self {
    case .signInWithSessionToken, .signInWithBrowser: true
    case .signInOnDevice, .renew, .adopt, .signOut, .introspect, .revoke, .getUser, .store, .read, .clear, .clearAll,
      .resume, .cancel:
      false
    }
  }

  /// Whether the operation is a sign-in of its own, whose ID token carries a nonce or is the first of its line.
  package var isSignIn: Bool {
    switch self {
    case .signInWithSessionToken, .signInWithBrowser, .signInOnDevice: true
    case .renew, .adopt, .signOut, .introspect, .revoke, .getUser, .store, .read, .clear, .clearAll, .resume, .cancel:
      false
    }
  }
}

/// A step that an operation waits for: a request, or a draw that takes its time.
package enum OIDCStep: String, Sendable, CaseIterable {
  // Requests.
  /// The server's metadata.
  case discovery
  /// The metadata of a server of OAuth 2.0 that has none of OpenID Connect (RFC 8414).
  case serverMetadata
  /// The parameters of an authorization, sent ahead (RFC 9126).
  case push
  /// An authorization without a browser.
  case authorize
  /// Codes for another device.
  case deviceAuthorize
  /// The token endpoint.
  case token
  /// The server's keys.
  case keys
  /// The other endpoints.
  case introspect, revoke, revokeRefresh, userInfo
  // Draws.
  /// The metadata that another flow is fetching.
  case shared
  /// The lock of the stored tokens, and what is stored now.
  case claim
  /// A redirect is listened for.
  case listen
  /// The browser has been sent to a page, and the redirect is waited for.
  case browse
  /// The browser has been sent to a page; the application itself gets the redirect.
  case open
  /// The redirect that the application itself got.
  case resumed
  /// The check of an ID token.
  case validate
  /// Tokens are stored.
  case store
  /// Stored tokens are removed.
  case remove

  /// Whether a request is made, and not a draw.
  var isRequest: Bool {
    switch self {
    case .discovery, .serverMetadata, .push, .authorize, .deviceAuthorize, .token, .keys, .introspect, .revoke,
      .revokeRefresh, .userInfo:
      true
    case .shared, .claim, .listen, .browse, .open, .resumed, .validate, .store, .remove: false
    }
  }
}
