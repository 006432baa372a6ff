// The endpoints of push authenticators, by their path (device.md §4).

/// One endpoint.
enum DeviceRoute: Equatable {
  case organization, configuration
  case enroll
  case enrollment(String)
  case pending(String)
  case answer(challenge: String)
  /// The authorization server's base path.
  case backchannel(String)

  private static let root = ["idp", "myaccount", "app-authenticators"]

  init?(path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    if parts.starts(with: Self.root) {
      switch Array(parts.dropFirst(Self.root.count)) {
      case []: self = .enroll
      case let tail where tail.count == 1: self = .enrollment(tail[0])
      case let tail where tail.count == 3 && tail[1...] == ["push", "notifications"]: self = .pending(tail[0])
      case let tail where tail.count == 3 && tail[0] == "challenge" && tail[2] == "verify":
        self = .answer(challenge: tail[1])
      case _: return nil
      }
      return
    }
    switch parts {
    case [".well-known", "okta-organization"]: self = .organization
    case [".well-known", "app-authenticator-configuration"]: self = .configuration
    case let oauth where oauth.first == "oauth2" && Array(oauth.suffix(3)) == ["v1", "bc", "authorize"]:
      switch oauth.count {
      case 4: self = .backchannel("/oauth2")
      case 5: self = .backchannel("/oauth2/" + oauth[1])
      case _: return nil
      }
    case _: return nil
    }
  }

  /// The methods it answers to.
  var methods: Set<String> {
    switch self {
    case .organization, .configuration, .pending: ["GET"]
    case .enroll, .answer, .backchannel: ["POST"]
    case .enrollment: ["PATCH", "DELETE"]
    }
  }
}
