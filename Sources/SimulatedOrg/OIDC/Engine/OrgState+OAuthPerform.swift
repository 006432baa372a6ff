// From a request to an authorization server to its answer.

extension OrgState {
  /// Answers a request to one of the authorization servers.
  mutating func perform(_ route: OAuthRoute, _ call: OAuthCall) -> IDXReply {
    let server = route.server
    var reply =
      switch route.endpoint {
      case .discovery: discovery(server)
      case .keys: keys(server)
      case .authorize: authorize(server, call)
      case .signIn: signIn(server, call)
      case .consent: consent(server, call)
      case .token: token(server, call)
      case .userinfo: userInfo(server, call)
      case .introspect: introspect(server, call)
      case .revoke: revoke(server, call)
      case .logout: logout(server, call)
      case .par: push(server, call)
      case .device: authorizeDevice(server, call)
      case .activate: activate(server, call)
      }
    if reply.status >= 400, reply.json != nil, configuration.oidc.habits.contains(.emptyErrors) {
      reply.json = nil
      reply.contentType = ""
    }
    return reply
  }
}
