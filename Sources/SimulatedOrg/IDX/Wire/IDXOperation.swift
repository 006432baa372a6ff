// The operations on a transaction, by their path (idx.md §13.1).

/// One operation under `/idp/idx`.
enum IDXOperation: String, CaseIterable {
  case introspect, identify, enroll, challenge, skip, cancel, recover, consent
  case selectIdentify = "identify/select"
  case enrollNew = "enroll/new"
  case answer = "challenge/answer"
  case answerAutofill = "challenge/answer/webauthn-autofillui"
  case poll = "challenge/poll"
  case send = "challenge/send"
  case resend = "challenge/resend"
  case credentialEnroll = "credential/enroll"
  case authenticatorsPoll = "authenticators/poll"
  case cancelPolling = "authenticators/poll/cancel"
  case unlock = "unlock-account"
  case keepSignedIn = "keep-me-signed-in"

  var path: String { "/idp/idx/" + rawValue }
}

/// Everything the org serves beside the classic API.
enum IDXRoute: Equatable {
  case idx(IDXOperation)
  /// The authorization server's base path: `/oauth2`, or `/oauth2/{id}`.
  case interact(String), token(String), keys(String), discovery(String), authorize(String)
  /// A provider's door, and the link in a mail.
  case provider(id: String), mailLink

  init?(path: String) {
    if path.hasPrefix("/idp/idx/") {
      guard let operation = IDXOperation(rawValue: String(path.dropFirst("/idp/idx/".count))) else { return nil }
      self = .idx(operation)
      return
    }
    if path == "/email/verify" {
      self = .mailLink
      return
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    if parts.count == 3, parts[0] == "sso", parts[1] == "idps" {
      self = .provider(id: parts[2])
    } else if parts.first == ".well-known" {
      self.init(server: "", tail: parts)
    } else if parts.first == "oauth2", parts.count > 1 {
      let named = parts[1] != "v1" && parts[1] != ".well-known"
      self.init(
        server: named ? "/oauth2/\(parts[1])" : "/oauth2", tail: Array(parts.dropFirst(named ? 2 : 1)))
    } else {
      return nil
    }
  }

  private init?(server: String, tail: [String]) {
    switch tail {
    case ["v1", "interact"]: self = .interact(server)
    case ["v1", "token"]: self = .token(server)
    case ["v1", "keys"]: self = .keys(server)
    case ["v1", "authorize"]: self = .authorize(server)
    case [".well-known", "openid-configuration"], [".well-known", "oauth-authorization-server"]:
      self = .discovery(server.isEmpty ? "/oauth2" : server)
    default: return nil
    }
  }

  /// The one method it answers to.
  var method: String {
    switch self {
    case .idx, .interact, .token: "POST"
    case .keys, .discovery, .authorize, .provider, .mailLink: "GET"
    }
  }
}
