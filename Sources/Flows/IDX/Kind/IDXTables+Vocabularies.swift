// Which case each word becomes in the vocabularies that few responses use, and the order of the states.

import FlowRecording

extension IDXKind {
  static var spelled: Set<String> { Set(words + ordered) }

  private static var words: [String] {
    let services = [
      "SAML2", "GOOGLE", "FACEBOOK", "LINKEDIN", "MICROSOFT", "OIDC", "OKTA", "IWA", "AgentlessDSSO", "X509", "APPLE",
      "OIN_SOCIAL",
    ]
    let all = services + ["HCAPTCHA", "RECAPTCHA_V2", "RECAPTCHA", "LOGIN", "ERROR", "INFO", "", "odd"]
    return all.flatMap { [$0, $0.lowercased()] }.map { word in
      let captcha = Response.Captcha.Kind(string: word)
      let service = Capability.SocialIDP.Service(string: word)
      let (intent, optional) = (Response.Intent(string: word), Response.Intent(string: Optional(word)))
      let unknown = [captcha.isUnknown, intent.isUnknown, [captcha].contains(.unknown)]
      return "\(word)|\(captcha)|\(service)|\(intent) \(intent == optional)|\(Response.Message.Severity(string: word))|"
        + "\(unknown)"
    }
  }

  private static var ordered: [String] {
    let readings: [AuthenticatorReading.State] = [.normal, .enrolled, .authenticating, .enrolling, .recovery]
    return readings.map { reading in
      let state = Authenticator.State(reading)
      let lower = readings.map { $0 < reading ? "1" : "0" }.joined()
      let shownLower = readings.map { Authenticator.State($0) < state ? "1" : "0" }.joined()
      return "state \(reading.name)|\(state)|\(lower) \(shownLower)"
    }
  }
}
