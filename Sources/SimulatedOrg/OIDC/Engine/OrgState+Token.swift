// The token endpoint (oidc.md §6): which grant, whose, and what is wrong with it.

extension OrgState {
  /// The issuer of an authorization server.
  func issuer(_ server: String) -> String { server == "/oauth2" ? baseURL : baseURL + server }

  /// The token endpoint: the grant decides.
  mutating func token(_ server: String, _ call: OAuthCall) -> IDXReply {
    let form = call.form
    if let duplicate = call.duplicate {
      return .oauthError("invalid_request", "The '\(duplicate)' parameter is there more than once.")
    }
    guard let client = client(authorization: call.authorization, form: form) else {
      return refuseClient(call)
    }
    guard let type = form["grant_type"] else {
      return .oauthError("invalid_request", "The 'grant_type' parameter is required.")
    }
    guard let grant = OrgClient.Grant(rawValue: type) else {
      return .oauthError("unsupported_grant_type", "The grant type was not authorized by the server.")
    }
    switch grant {
    case .jwtBearer: return bearerToken(server, client, form)
    case .ciba: return backchannelToken(server, client, form)
    case .interactionCode, .authorizationCode, .refreshToken, .deviceCode: break
    }
    guard client.grants.contains(grant) else {
      return .oauthError("unauthorized_client", "The client is not authorized to use the provided grant type.")
    }
    switch grant {
    case .authorizationCode: return codeToken(server, client, form)
    case .refreshToken: return refresh(server, client, form)
    case .deviceCode: return deviceToken(server, client, form)
    case .interactionCode, .jwtBearer, .ciba: return interactionToken(server, client, form)
    }
  }

  /// 401; for a client that used a header, the answer names the required scheme (RFC 6749 §5.2).
  func refuseClient(_ call: OAuthCall) -> IDXReply {
    var reply = IDXReply.oauthError("invalid_client", "Invalid value for 'client_id' parameter.", status: 401)
    if call.authorization != nil { reply.headers.append(("WWW-Authenticate", "Basic realm=\"token\"")) }
    return reply
  }

  /// The error for an invalid grant.
  func badGrant(_ description: String) -> IDXReply {
    .oauthError(
      "invalid_grant", description, status: configuration.oidc.habits.contains(.forbidsBadGrants) ? 403 : 400)
  }

  /// Tokens for the code at the end of a sign-in through the Identity Engine.
  private mutating func interactionToken(_ server: String, _ client: OrgClient, _ form: [String: String]) -> IDXReply {
    guard let code = form["interaction_code"], let grant = idx.grants[code] else {
      return badGrant("The interaction code is invalid or has expired.")
    }
    guard let verifier = form["code_verifier"] else {
      return .oauthError("invalid_request", "PKCE code verifier is required.")
    }
    // A code is used once, whatever the result.
    idx.grants[code] = nil
    guard grant.expires > now, grant.interest.client.id == client.id, grant.interest.server == server else {
      return badGrant("The interaction code is invalid or has expired.")
    }
    guard Self.fits(verifier, grant.interest.challenge) else { return badGrant("PKCE verification failed.") }
    idx.transactions = idx.transactions.filter { entry in
      if case .success(code) = entry.value.step { false } else { true }
    }
    return .plain(tokens(grant.tokens, code))
  }

  /// Tokens for the code at the end of a sign-in in a browser.
  private mutating func codeToken(_ server: String, _ client: OrgClient, _ form: [String: String]) -> IDXReply {
    guard let text = form["code"], !text.isEmpty else {
      return .oauthError("invalid_request", "The 'code' parameter is required.")
    }
    guard let code = oauth.codes[text], code.request.client.id == client.id, code.request.server == server else {
      return badGrant("The authorization code is invalid or has expired.")
    }
    if let authorization = code.spentOn {
      // The client that used it first may have stolen it (RFC 6749 §4.1.2).
      oauth.authorizations[authorization]?.isRevoked = true
      return badGrant("The authorization code is invalid or has expired.")
    }
    guard code.expires > now else { return badGrant("The authorization code is invalid or has expired.") }
    guard form["redirect_uri"] == code.request.redirectURI else {
      return badGrant("The 'redirect_uri' does not match the redirection URI used in the authorization request.")
    }
    if let challenge = code.request.challenge {
      guard let verifier = form["code_verifier"] else { return badGrant("PKCE verification failed.") }
      guard Self.fits(verifier, challenge) else { return badGrant("PKCE verification failed.") }
    } else if form["code_verifier"] != nil {
      return badGrant("PKCE verification failed.")
    }
    oauth.codes[text]?.spentOn = text
    return .plain(tokens(code.grant, text))
  }

  /// Tokens for a refresh token.
  private mutating func refresh(_ server: String, _ client: OrgClient, _ form: [String: String]) -> IDXReply {
    guard let text = form["refresh_token"], !text.isEmpty else {
      return .oauthError("invalid_request", "The 'refresh_token' parameter is required.")
    }
    let refused = badGrant("The refresh token is invalid or expired.")
    guard let token = oauth.refreshTokens[text], let authorization = oauth.authorizations[token.authorization],
      !authorization.isRevoked, token.expires > now, authorization.grant.client.id == client.id,
      authorization.grant.server == server, accounts[authorization.grant.login] != nil
    else { return refused }
    if let replaced = token.replaced {
      let grace: Double = if case .rotating(let grace) = configuration.oidc.rotation { grace } else { 0 }
      guard now.seconds(since: replaced) < grace else {
        oauth.authorizations[token.authorization]?.isRevoked = true
        return refused
      }
    }
    var grant = authorization.grant
    if let scopes = form["scope"]?.split(separator: " ").map(String.init) {
      guard !scopes.isEmpty, Set(scopes).isSubset(of: grant.scopes) else {
        return .oauthError("invalid_scope", "The scopes are not among those that were granted.")
      }
      grant.scopes = scopes
    }
    // A nonce belongs to the sign-in (OpenID Connect Core §12.2).
    grant.nonce = nil
    return .plain(tokens(grant, text, refreshing: text))
  }
}
