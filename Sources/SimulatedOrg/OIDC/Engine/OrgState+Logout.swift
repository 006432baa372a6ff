// The end of a browser's session (oidc.md §7.2; OpenID Connect RP-Initiated Logout).

extension OrgState {
  /// The end session endpoint. The hint may be past its time.
  mutating func logout(_ server: String, _ call: OAuthCall) -> IDXReply {
    let given = call.method == "POST" ? call.form : call.parameters
    let hint = given["id_token_hint"].flatMap(CompactJWS.init)
    if given["id_token_hint"] != nil {
      guard let hint, isOwnIDToken(hint), hint.text("iss") == issuer(server) else {
        return .html("The 'id_token_hint' is no ID token of this server.", status: 400)
      }
    }
    let client = configuration.clients.first { $0.id == (hint?.text("aud") ?? given["client_id"]) }
    if let session = call.session { idx.sessions[session] = nil }
    guard let address = given["post_logout_redirect_uri"] else { return ended(.html("You are signed out.")) }
    guard let client, isRegistered(address, among: client.postLogoutRedirectURIs) else {
      return .html("The 'post_logout_redirect_uri' is not registered for the application.", status: 400)
    }
    let query = given["state"].map { (address.contains("?") ? "&state=" : "?state=") + Self.queryText($0) } ?? ""
    return ended(.redirect(to: address + query))
  }

  private func ended(_ reply: IDXReply) -> IDXReply {
    var reply = reply
    reply.headers.append(("Set-Cookie", "idx=; Path=/; HttpOnly; Max-Age=0"))
    return reply
  }
}
