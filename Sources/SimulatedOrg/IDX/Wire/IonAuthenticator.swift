// Authenticators as responses show them (idx.md §7.1).

/// One entry of `authenticators`, `authenticatorEnrollments` or a `current…` member.
struct IonAuthenticator {
  var authenticator: OrgAuthenticator
  var id: String?
  var methods: [String]
  var profile: OrgJSON?
  var settings: OrgJSON?
  var contextualData: OrgJSON?
  var credentialId: String?
  /// `send`, `resend`, `poll`, `recover`.
  var actions: [IonForm] = []

  func json(base: String, handle: String) -> OrgJSON {
    var json: OrgJSON = [:]
    if let profile { json["profile"] = profile }
    if let contextualData { json["contextualData"] = contextualData }
    for action in actions { json[action.name] = action.json(base: base, handle: handle) }
    json["type"] = .string(authenticator.type)
    json["key"] = .string(authenticator.rawValue)
    if let id { json["id"] = .string(id) }
    json["displayName"] = .string(authenticator.displayName)
    if let credentialId { json["credentialId"] = .string(credentialId) }
    json["methods"] = .array(methods.map { ["type": .string($0)] })
    if let settings { json["settings"] = settings }
    return json
  }
}

extension OrgAuthenticator {
  /// The kind (idx.md §13.2).
  var type: String {
    switch self {
    case .password: "password"
    case .email: "email"
    case .phone: "phone"
    case .question: "security_question"
    case .oktaVerify, .google, .duo, .symantec: "app"
    case .webauthn, .yubikey, .rsa, .onPremises, .custom: "security_key"
    }
  }

  var displayName: String {
    switch self {
    case .password: "Password"
    case .email: "Email"
    case .phone: "Phone"
    case .question: "Security Question"
    case .oktaVerify: "Okta Verify"
    case .google: "Google Authenticator"
    case .webauthn: "Security Key or Biometric"
    case .duo: "Duo Security"
    case .symantec: "Symantec VIP"
    case .yubikey: "YubiKey"
    case .rsa: "RSA SecurID"
    case .onPremises: "On-Prem MFA"
    case .custom: "Custom OTP"
    }
  }

  /// Every method it has.
  var methods: [String] {
    switch self {
    case .password: ["password"]
    case .email: ["email"]
    case .phone: ["sms", "voice"]
    case .question: ["security_question"]
    case .oktaVerify: ["push", "totp"]
    case .webauthn: ["webauthn"]
    case .duo: ["duo"]
    case .google, .symantec, .yubikey, .rsa, .onPremises, .custom: ["otp"]
    }
  }

  /// How a method is called where a person chooses one.
  static func label(ofMethod method: String) -> String {
    switch method {
    case "sms": "SMS"
    case "voice": "Voice call"
    case "push": "Get a push notification"
    case "totp": "Enter a code"
    default: method
    }
  }
}
