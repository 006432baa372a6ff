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

/// The addresses of the Identity Engine.
enum IDXRoute: Equatable {
  case idx(IDXOperation)
  /// The authorization server's base path: `/oauth2`, or `/oauth2/{id}`.
  case interact(String)
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
    } else if parts.first == "oauth2", parts.suffix(2) == ["v1", "interact"], (3...4).contains(parts.count) {
      self = .interact("/" + parts.dropLast(2).joined(separator: "/"))
    } else {
      return nil
    }
  }

  /// The one method it answers to.
  var method: String {
    switch self {
    case .idx, .interact: "POST"
    case .provider, .mailLink: "GET"
    }
  }
}
