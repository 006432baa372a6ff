// The factors in one vocabulary: the classic API and the Identity Engine use different names for the same factors.

/// The factor that a person authenticated with.
public struct FactorName: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The word: `push`. A factor without a word here keeps the org's name.
  public var rawValue: String

  /// A factor of any name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A password.
  public static let password = FactorName(rawValue: "password")
  /// A push to a device.
  public static let push = FactorName(rawValue: "push")
  /// A code from an authenticator app (RFC 6238).
  public static let totp = FactorName(rawValue: "totp")
  /// A code from a hardware token.
  public static let token = FactorName(rawValue: "token")
  /// A code in a text message.
  public static let sms = FactorName(rawValue: "sms")
  /// A code in a phone call.
  public static let call = FactorName(rawValue: "call")
  /// A code in a message or a call: the Identity Engine does not report which.
  public static let phone = FactorName(rawValue: "phone")
  /// A code or a link in an email.
  public static let email = FactorName(rawValue: "email")
  /// The answer to a question.
  public static let question = FactorName(rawValue: "question")
  /// A passkey or security key.
  public static let webauthn = FactorName(rawValue: "webauthn")
  /// Another provider's page.
  public static let web = FactorName(rawValue: "web")

  /// The factor of a `factorType` of the classic API, in any case.
  public init(classicType type: String) {
    switch type.lowercased() {
    case "token:software:totp": self = .totp
    case "token", "token:hardware", "token:hotp": self = .token
    case "u2f", "webauthn": self = .webauthn
    case let word: self.init(rawValue: word)
    }
  }

  /// The factor of an authenticator's key in the Identity Engine.
  ///
  /// - Parameters:
  ///   - key: `okta_verify`.
  ///   - isPolled: whether the answer is polled for, as for a push, rather than typed.
  public init(authenticator key: String, isPolled: Bool) {
    switch key {
    case "okta_password", "password": self = .password
    case "okta_email", "email": self = .email
    case "phone_number", "phone": self = .phone
    case "okta_verify", "custom_app", "app": self = isPolled ? .push : .totp
    case "google_otp": self = .totp
    case "security_question": self = .question
    case "webauthn", "security_key": self = .webauthn
    case "duo", "external_idp", "federated": self = .web
    case "rsa_token", "symantec_vip", "yubikey_token", "custom_otp": self = .token
    case _: self.init(rawValue: key)
    }
  }

  /// The word.
  public var description: String { rawValue }
}
