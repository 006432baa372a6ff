// The calls of a flow for tokens, and its steps in progress.

/// The calls of a flow. A flow is one operation, determined by the first call.
package enum OIDCCall: String, Sendable, CaseIterable {
  /// A sign-in by the session token of the authentication API (oidc §5).
  case signInWithSessionToken
  /// A sign-in in the browser (oidc §3, §4).
  case signInWithBrowser
  /// A sign-in on another device (RFC 8628).
  case signInOnDevice
  /// The end of a session: revokes tokens, sends the browser to the sign-out page, and removes stored tokens (oidc
  /// §7.2).
  case signOut
  /// Gets new tokens for a refresh token (oidc §6.2).
  case renew
  /// Asks the server about a token (RFC 7662).
  case introspect
  /// Revokes a token (RFC 7009).
  case revoke
  /// Gets the user that the tokens belong to (OIDC Core §5.3).
  case getUser
  /// Stores, reads or removes tokens in the store (oidc §9.3).
  case store, read, clear, clearAll
  /// Adopts tokens from another flow, checked like those of a sign-in.
  case adopt
  // To an operation under way.
  /// The redirect that the application itself received.
  case resume
  /// The person or the program cancelled the operation.
  case cancel

  /// Whether the call belongs to an operation that another call has begun.
  var isToOperation: Bool { self == .resume || self == .cancel }

  /// Whether the operation returns tokens.
  package var bringsTokens: Bool {
    switch self {
    case .signInWithSessionToken, .signInWithBrowser, .signInOnDevice, .renew, .adopt: true
    case .signOut, .introspect, .revoke, .getUser, .store, .read, .clear, .clearAll, .resume, .cancel: false
    }
  }

  /// Whether the operation exchanges an authorization code, which is one of OpenID Connect if `openid` is requested.
  var exchangesCode: Bool {
    switch self {
    case .signInWithSessionToken, .signInWithBrowser: true
    case .signInOnDevice, .renew, .adopt, .signOut, .introspect, .revoke, .getUser, .store, .read, .clear, .clearAll,
      .resume, .cancel:
      false
    }
  }

  /// Whether the operation is a sign-in, whose ID token carries a nonce or is the first of its line.
  package var isSignIn: Bool {
    switch self {
    case .signInWithSessionToken, .signInWithBrowser, .signInOnDevice: true
    case .renew, .adopt, .signOut, .introspect, .revoke, .getUser, .store, .read, .clear, .clearAll, .resume, .cancel:
      false
    }
  }
}

/// A step of an operation: a request, or an awaited draw.
package enum OIDCStep: String, Sendable, CaseIterable {
  // Requests.
  /// The server's metadata.
  case discovery
  /// The metadata of an OAuth 2.0 server without OpenID Connect (RFC 8414).
  case serverMetadata
  /// The parameters of an authorization, pushed in advance (RFC 9126).
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
  /// The lock of the stored tokens, and the current contents of the store.
  case claim
  /// Listening for a redirect.
  case listen
  /// Waiting for the redirect after sending the browser to a page.
  case browse
  /// Sending the browser to a page; the application receives the redirect itself.
  case open
  /// The redirect that the application received itself.
  case resumed
  /// Checking an ID token.
  case validate
  /// Storing tokens.
  case store
  /// Removing stored tokens.
  case remove

  /// Whether the step is a request rather than a draw.
  var isRequest: Bool {
    switch self {
    case .discovery, .serverMetadata, .push, .authorize, .deviceAuthorize, .token, .keys, .introspect, .revoke,
      .revokeRefresh, .userInfo:
      true
    case .shared, .claim, .listen, .browse, .open, .resumed, .validate, .store, .remove: false
    }
  }
}
