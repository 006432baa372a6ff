// Introspection and revocation of tokens (oidc.md §7; RFC 7662, RFC 7009).

extension OrgState {
  /// The introspection endpoint. An invalid token gets only `active: false` (RFC 7662 §2.2).
  func introspect(_ server: String, _ call: OAuthCall) -> IDXReply {
    if let duplicate = call.duplicate {
      return .oauthError("invalid_request", "The '\(duplicate)' parameter is there more than once.")
    }
    guard let client = client(authorization: call.authorization, form: call.form) else { return refuseClient(call) }
    guard let text = call.form["token"], !text.isEmpty else {
      return .oauthError("invalid_request", "The 'token' parameter is required.")
    }
    return .plain(
      introspectAccess(text, server) ?? introspectRefresh(text, server) ?? introspectID(text, server, client)
        ?? ["active": false])
  }

  private func introspectAccess(_ text: String, _ server: String) -> OrgJSON? {
    guard let token = accessToken(text), token.server == server, let account = accounts[token.login] else { return nil }
    return [
      "active": true, "token_type": "Bearer", "scope": .string(token.scopes.sorted().joined(separator: " ")),
      "client_id": .string(token.client), "username": .string(account.user.login),
      "exp": .int(Int(token.expires.seconds)), "iat": .int(Int(token.issued.seconds)),
      "sub": .string(account.user.login),
      "aud": .string(issuer(server)), "iss": .string(issuer(server)), "uid": .string(account.id),
    ]
  }

  private func introspectRefresh(_ text: String, _ server: String) -> OrgJSON? {
    guard let (token, grant) = refreshToken(text), grant.server == server, let account = accounts[grant.login] else {
      return nil
    }
    return [
      "active": true, "scope": .string(grant.scopes.joined(separator: " ")), "client_id": .string(grant.client.id),
      "username": .string(account.user.login), "exp": .int(Int(token.expires.seconds)),
      "iat": .int(Int(token.issued.seconds)), "sub": .string(account.id), "iss": .string(issuer(server)),
      "uid": .string(account.id),
    ]
  }

  private func introspectID(_ text: String, _ server: String, _ client: OrgClient) -> OrgJSON? {
    guard let token = CompactJWS(text), isOwnIDToken(token), token.text("iss") == issuer(server),
      token.text("aud") == client.id, let expires = token.claims["exp"]?.number, Int64(expires) > now.seconds
    else { return nil }
    var claims = token.claims
    claims["active"] = true
    return claims
  }

  /// The revocation endpoint: 200 without a body, for unknown tokens too (RFC 7009 §2.2).
  mutating func revoke(_ server: String, _ call: OAuthCall) -> IDXReply {
    if let duplicate = call.duplicate {
      return .oauthError("invalid_request", "The '\(duplicate)' parameter is there more than once.")
    }
    guard let client = client(authorization: call.authorization, form: call.form),
      client.secret != nil || !configuration.oidc.habits.contains(.revocationNeedsSecret)
    else { return refuseClient(call) }
    guard let text = call.form["token"], !text.isEmpty else {
      return .oauthError("invalid_request", "The 'token' parameter is required.")
    }
    if call.form["token_type_hint"] == "id_token" {
      return .oauthError("unsupported_token_type", "ID tokens cannot be revoked.")
    }
    let done = IDXReply(status: 200, contentType: "", headers: [("Cache-Control", "no-store")])
    if let token = oauth.accessTokens[text], token.server == server {
      guard token.client == client.id else { return foreign }
      oauth.accessTokens[text] = nil
    } else if let token = oauth.refreshTokens[text], let found = oauth.authorizations[token.authorization],
      found.grant.server == server
    {
      guard found.grant.client.id == client.id else { return foreign }
      // The access tokens from the same grant end with it (RFC 7009 §2.1).
      oauth.authorizations[token.authorization]?.isRevoked = true
    } else if let id = oauth.deviceSecrets[text], oauth.authorizations[id]?.grant.client.id == client.id {
      oauth.deviceSecrets[text] = nil
    }
    return done
  }

  private var foreign: IDXReply { .oauthError("invalid_request", "The token was issued to another client.") }
}
