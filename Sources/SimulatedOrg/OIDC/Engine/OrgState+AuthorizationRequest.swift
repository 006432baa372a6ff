// The faults of an authorization request, and how they are reported (oidc.md §3; RFC 6749 §4.1.2.1).

import Foundation

extension OrgState {
  /// Reads the parameters of an authorization request.
  func readRequest(
    _ server: String, _ given: [String: String], duplicate: String? = nil
  ) throws(AuthorizationRefusal) -> AuthorizationRequest {
    var given = given
    if let uri = given["request_uri"] {
      guard let pushed = oauth.pushed[uri], pushed.expires > now, pushed.client == given["client_id"] else {
        throw .page("The request that was sent ahead is unknown, or its time is over.")
      }
      given = pushed.parameters
      given["request_uri"] = uri
    }
    guard let client = configuration.clients.first(where: { $0.id == given["client_id"] }) else {
      throw .page("The application is unknown (client_id).")
    }
    guard let redirect = given["redirect_uri"], isRegistered(redirect, among: client.redirectURIs) else {
      throw .page("The 'redirect_uri' parameter must be a Login redirect URI in the client app settings.")
    }
    let mode = given["response_mode"].map(AuthorizationRequest.Mode.init) ?? .query
    var request = AuthorizationRequest(
      server: server, client: client, redirectURI: redirect, mode: mode ?? .query, state: given["state"])
    func refused(_ error: String, _ description: String) -> AuthorizationRefusal {
      .redirect(request, error: error, description: description)
    }
    guard mode != nil else { throw refused("unsupported_response_mode", "The response mode is not supported.") }
    if let duplicate { throw refused("invalid_request", "The '\(duplicate)' parameter is there more than once.") }
    if given["request"] != nil { throw refused("request_not_supported", "Signed requests are not supported.") }
    guard let type = given["response_type"] else { throw refused("invalid_request", "'response_type' is required.") }
    guard type == "code" else { throw refused("unsupported_response_type", "Only 'code' is supported.") }
    guard client.grants.contains(.authorizationCode) else {
      throw refused("unauthorized_client", "The client is not authorized to use the authorization code grant.")
    }
    request.scopes = (given["scope"] ?? "").split(separator: " ").map(String.init)
    guard !request.scopes.isEmpty, Set(request.scopes).count == request.scopes.count,
      request.scopes.allSatisfy({ mayGrant($0, client) })
    else { throw refused("invalid_scope", "One or more scopes are not configured for the authorization server.") }
    switch (given["code_challenge"], given["code_challenge_method"]) {
    case (let challenge?, "S256") where Base64.strictURLBytes(challenge)?.count == 32: request.challenge = challenge
    case (nil, nil) where client.secret != nil: break
    case (nil, nil):
      throw refused(
        "invalid_request", "PKCE code challenge is required when the token endpoint authentication method is 'NONE'.")
    default: throw refused("invalid_request", "The code challenge has to be a SHA-256 under the method 'S256'.")
    }
    request.prompts = Set((given["prompt"] ?? "").split(separator: " ").map(String.init))
    guard request.prompts.isSubset(of: ["none", "login", "consent", "select_account"]),
      !request.prompts.contains("none") || request.prompts.count == 1
    else { throw refused("invalid_request", "The value of 'prompt' is not supported.") }
    if let age = given["max_age"] {
      guard let seconds = Int(age), seconds >= 0 else { throw refused("invalid_request", "'max_age' is no number.") }
      request.maxAge = seconds
    }
    request.nonce = given["nonce"]
    request.assurance = given["acr_values"]?.split(separator: " ").first.map(String.init)
    (request.loginHint, request.idTokenHint) = (given["login_hint"], given["id_token_hint"])
    (request.sessionToken, request.requestURI) = (given["sessionToken"], given["request_uri"])
    return request
  }

  /// Whether a client may ask for a scope here.
  func mayGrant(_ scope: String, _ client: OrgClient) -> Bool {
    (Self.commonScopes.contains(scope) || scope.hasPrefix("okta.") || client.scopes?.contains(scope) == true)
      && client.mayAsk(for: scope)
  }

  /// Whether a URI is one of those that a client has registered.
  func isRegistered(_ uri: String, among registered: [String]) -> Bool {
    if registered.contains(uri) { return true }
    guard configuration.oidc.allowsAnyLoopbackPort, let plain = Self.withoutLoopbackPort(uri) else { return false }
    return registered.contains { Self.withoutLoopbackPort($0) == plain }
  }

  /// A redirect URI on a loopback address without its port (RFC 8252 §7.3); `nil` for any other.
  private static func withoutLoopbackPort(_ uri: String) -> String? {
    for host in ["http://127.0.0.1", "http://[::1]"] where uri.hasPrefix(host) {
      var rest = uri.dropFirst(host.count)
      if rest.first == ":" { rest = rest.dropFirst().drop(while: \.isNumber) }
      return rest.isEmpty || rest.first == "/" ? host + rest : nil
    }
    return nil
  }

  /// The answer to a request that leads to no code.
  func answer(_ refusal: AuthorizationRefusal) -> IDXReply {
    switch refusal {
    case .page(let sentence): .html(sentence, status: 400)
    case .redirect(let request, let error, let description):
      redirect(request, [("error", error), ("error_description", description)])
    }
  }

  /// The way back to the application.
  func redirect(_ request: AuthorizationRequest, _ answer: [(name: String, value: String)]) -> IDXReply {
    let habits = configuration.oidc.habits
    var items = answer
    if let state = request.state { items.append(("state", state)) }
    if habits.contains(.namesIssuerInRedirect) { items.append(("iss", issuer(request.server))) }
    if habits.contains(.extraRedirectParameters) {
      items.insert(("session_state", "9f2c.k1"), at: 0)
      items.append(("hint", "a b&c"))
    }
    if request.mode == .form { return .signInPage(SignInPage.redirect(to: request.redirectURI, items)) }
    let query = items.map { "\($0.name)=\(Self.queryText($0.value))" }.joined(separator: "&")
    let mark = request.mode == .fragment ? "#" : request.redirectURI.contains("?") ? "&" : "?"
    return .redirect(to: request.redirectURI + mark + query)
  }
}
