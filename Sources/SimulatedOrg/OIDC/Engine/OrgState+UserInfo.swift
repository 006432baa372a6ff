// The user who signed in (oidc.md §7; OpenID Connect Core §5.3; RFC 6750).

extension OrgState {
  /// The userinfo endpoint. The error stands in `WWW-Authenticate`, and the body is empty.
  func userInfo(_ server: String, _ call: OAuthCall) -> IDXReply {
    let header = call.authorization?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
    let shown = header.count == 2 && header[0].lowercased() == "bearer" ? header[1] : nil
    let posted = call.form["access_token"]
    if shown != nil, posted != nil { return bearerError("invalid_request", "The token is there twice.", 400) }
    guard let text = shown ?? posted else {
      // RFC 6750 §3.1: without a token no error code.
      return IDXReply(status: 401, contentType: "", headers: [("WWW-Authenticate", "Bearer realm=\"userinfo\"")])
    }
    guard let token = accessToken(text), token.server == server, let account = accounts[token.login] else {
      return bearerError("invalid_token", "The token has expired, was revoked, or is unknown.", 401)
    }
    guard token.scopes.contains("openid") else {
      return bearerError(
        "insufficient_scope", "The access token must provide access to at least one of these scopes - profile, openid",
        403)
    }
    let user = account.user
    var claims: OrgJSON = ["sub": .string(account.id)]
    if token.scopes.contains("profile") {
      claims["name"] = .string("\(user.firstName) \(user.lastName)")
      claims["given_name"] = .string(user.firstName)
      claims["family_name"] = .string(user.lastName)
      claims["preferred_username"] = .string(user.login)
      claims["locale"] = "en-US"
      claims["zoneinfo"] = "America/Los_Angeles"
      claims["updated_at"] = .int(Int(account.passwordChanged.seconds))
    }
    if token.scopes.contains("email") {
      claims["email"] = .string(user.email)
      claims["email_verified"] = true
    }
    if token.scopes.contains("phone"), let phone = account.recoveryPhone { claims["phone_number"] = .string(phone) }
    return .plain(claims)
  }

  private func bearerError(_ error: String, _ description: String, _ status: Int) -> IDXReply {
    let text = "Bearer realm=\"userinfo\", error=\"\(error)\", error_description=\"\(description)\""
    return IDXReply(status: status, contentType: "", headers: [("WWW-Authenticate", text)])
  }
}
