// The endpoints of the authorization servers, by their path (oidc.md §2, §7).

/// One endpoint of one authorization server.
struct OAuthRoute: Equatable {
  enum Endpoint: String, CaseIterable {
    case authorize, token, keys, userinfo, introspect, revoke, logout, par
    /// Where the sign-in page and the consent page are sent to.
    case signIn = "authorize/sign-in"
    case consent = "authorize/consent"
    case device = "device/authorize"
    /// The page where a person types a device's code.
    case activate = "device/activate"
    case discovery
  }

  /// The base path: `/oauth2`, `/oauth2/{id}`, or `/realms/{id}`.
  let server: String
  let endpoint: Endpoint

  init?(path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    if parts.first == ".well-known", parts.count > 1 {
      guard Self.documents.contains(parts[1]) else { return nil }
      // RFC 8414 §3.1 puts the well-known part before the issuer's path.
      switch parts.count {
      case 2: server = "/oauth2"
      case 4 where parts[2] == "oauth2" || parts[2] == "realms": server = "/\(parts[2])/\(parts[3])"
      default: return nil
      }
      endpoint = .discovery
      return
    }
    guard let (server, tail) = Self.split(parts) else { return nil }
    self.server = server
    if tail.count == 2, tail[0] == ".well-known", Self.documents.contains(tail[1]) {
      endpoint = .discovery
      return
    }
    let found = Endpoint.allCases.first { $0 != .discovery && Self.path($0, of: server) == path }
    guard let found else { return nil }
    endpoint = found
  }

  private static let documents = ["openid-configuration", "oauth-authorization-server"]

  /// The base path of the server that a path belongs to, and the rest.
  private static func split(_ parts: [String]) -> (server: String, tail: [String])? {
    guard parts.count > 2 else { return nil }
    switch parts[0] {
    case "oauth2" where parts[1] == "v1" || parts[1] == ".well-known": return ("/oauth2", Array(parts.dropFirst()))
    case "oauth2", "realms": return ("/\(parts[0])/\(parts[1])", Array(parts.dropFirst(2)))
    default: return nil
    }
  }

  /// The path of an endpoint.
  static func path(_ endpoint: Endpoint, of server: String) -> String {
    guard server.hasPrefix("/realms/") else { return server + "/v1/" + endpoint.rawValue }
    let name =
      switch endpoint {
      case .authorize: "auth"
      case .token: "token"
      case .keys: "certs"
      case .userinfo: "me"
      case .introspect: "token/introspect"
      case .revoke: "token/revoke"
      case .logout: "end-session"
      case .par: "ext/par/request"
      case .signIn: "auth/login"
      case .consent: "auth/grant"
      case .device: "auth/device"
      case .activate: "device"
      case .discovery: "discovery"
      }
    return server + "/protocol/openid-connect/" + name
  }

  /// The methods it answers to.
  var methods: Set<String> {
    switch endpoint {
    case .authorize, .userinfo, .activate, .logout: ["GET", "POST"]
    case .token, .introspect, .revoke, .par, .signIn, .consent, .device: ["POST"]
    case .keys, .discovery: ["GET"]
    }
  }
}
