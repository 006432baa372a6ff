// Authorization requests that are sent ahead (RFC 9126).

extension OrgState {
  /// The pushed authorization request endpoint: checks a request as the authorization endpoint will, and keeps it for a
  /// minute, unless configured otherwise.
  mutating func push(_ server: String, _ call: OAuthCall) -> IDXReply {
    var parameters = call.form
    guard let client = client(authorization: call.authorization, form: parameters) else { return refuseClient(call) }
    parameters["client_id"] = client.id
    parameters["client_secret"] = nil
    if parameters["request_uri"] != nil {
      return .oauthError("invalid_request", "A 'request_uri' cannot be sent ahead.")
    }
    do throws(AuthorizationRefusal) {
      _ = try readRequest(server, parameters, duplicate: call.duplicate)
    } catch {
      switch error {
      case .page(let sentence): return .oauthError("invalid_request", sentence)
      case .redirect(_, let error, let description): return .oauthError(error, description)
      }
    }
    let (now, lifetime) = (now, configuration.oidc.pushedLifetime)
    oauth.pushed = oauth.pushed.filter { $0.value.expires > now }
    let name = "pushed \(client.id) \(parameters["code_challenge"] ?? parameters["state"] ?? "")"
    var draws = SeededGenerator(seed: configuration.seed, for: "\(name) \(turn(name))")
    let uri = "urn:ietf:params:oauth:request_uri:" + draws.text("", length: 32)
    oauth.pushed[uri] = PushedRequest(client: client.id, parameters: parameters, expires: now + lifetime)
    return .plain(["request_uri": .string(uri), "expires_in": .int(Int(lifetime))], status: 201)
  }
}
