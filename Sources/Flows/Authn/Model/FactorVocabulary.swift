// The types and providers of factors, and the channels of a recovery (authn §6.3, §6.4, §2.4).

/// The type of a factor.
public enum FactorType: OktaWireWord {
  /// A security question.
  case question
  /// A code by text message.
  case sms
  /// A code by voice call.
  case call
  /// A push to an authenticator app.
  case push
  /// A time-based one-time password (RFC 6238).
  case TOTP
  /// A code from a token, such as RSA SecurID.
  case token
  /// A code from a hardware token.
  case tokenHardware
  /// A web widget, such as Duo.
  case web
  /// A U2F device.
  case u2f
  /// A code by email.
  case email
  /// Any other, as the server wrote it.
  case unknown(String)

  /// The types that the SDK has a case for.
  public static let known: [FactorType] = [
    .question, .sms, .call, .push, .TOTP, .token, .tokenHardware, .web, .u2f, .email,
  ]

  /// Reads a type, ignoring case; one without a case becomes `unknown`.
  public init(raw: String) {
    let lowered = raw.lowercased()
    self = FactorType.known.first { $0.rawValue == lowered } ?? .unknown(raw)
  }

  /// The type as it is sent and received.
  public var rawValue: String {
    switch self {
    case .question: "question"
    case .sms: "sms"
    case .call: "call"
    case .push: "push"
    case .TOTP: "token:software:totp"
    case .token: "token"
    case .tokenHardware: "token:hardware"
    case .web: "web"
    case .u2f: "u2f"
    case .email: "email"
    case .unknown(let raw): raw
    }
  }

  /// The type in words, for display.
  public var description: String {
    switch self {
    case .question: "Security Question"
    case .sms: "SMS"
    case .call: "Call"
    case .push: "Push Notification"
    case .TOTP: "TOTP"
    case .token: "Token"
    case .tokenHardware: "Hardware Token"
    case .web: "Web"
    case .u2f: "U2F"
    case .email: "Email"
    case .unknown(let raw): raw
    }
  }
}

/// The provider of a factor.
public enum FactorProvider: OktaWireWord {
  /// `OKTA`
  case okta
  /// `GOOGLE`
  case google
  /// `RSA`
  case rsa
  /// `SYMANTEC`
  case symantec
  /// `YUBICO`
  case yubico
  /// `DUO`
  case duo
  /// `FIDO`
  case fido
  /// Any other, as the server wrote it.
  case unknown(String)

  /// The providers that the SDK has a case for.
  public static let known: [FactorProvider] = [.okta, .google, .rsa, .symantec, .yubico, .duo, .fido]

  /// The provider as it is sent and received.
  public var rawValue: String {
    switch self {
    case .okta: "OKTA"
    case .google: "GOOGLE"
    case .rsa: "RSA"
    case .symantec: "SYMANTEC"
    case .yubico: "YUBICO"
    case .duo: "DUO"
    case .fido: "FIDO"
    case .unknown(let raw): raw
    }
  }

  /// The same as `rawValue`.
  public var description: String { rawValue }
}

/// The channel of a recovery.
public enum OktaRecoveryFactors: String, Sendable, Hashable, CaseIterable, Codable {
  /// By email.
  case email
  /// By text message.
  case sms
  /// By voice call.
  case call

  /// Returns the corresponding factor type.
  public func toFactorType() -> FactorType {
    switch self {
    case .email: .email
    case .sms: .sms
    case .call: .call
    }
  }
}
