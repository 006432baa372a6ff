// Kinds and makers of factors, and the channels of a recovery (authn §6.3, §6.4, §2.4).

/// The kind of a factor.
public enum FactorType: Sendable, Hashable {
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
  /// A code of a token, such as RSA SecurID.
  case token
  /// A code of a hardware token.
  case tokenHardware
  /// A web widget, such as Duo.
  case web
  /// A U2F device.
  case u2f
  /// A code by mail.
  case email
  /// Any other, as the server wrote it.
  case unknown(String)

  private static let modelled: [(FactorType, String)] = [
    (.question, "question"), (.sms, "sms"), (.call, "call"), (.push, "push"), (.TOTP, "token:software:totp"),
    (.token, "token"), (.tokenHardware, "token:hardware"), (.web, "web"), (.u2f, "u2f"), (.email, "email"),
  ]

  /// The kind of a wire name, whatever its case.
  public init(raw: String) {
    let lowered = raw.lowercased()
    self = FactorType.modelled.first { $0.1 == lowered }?.0 ?? .unknown(raw)
  }

  /// The wire name.
  public var raw: String {
    if case .unknown(let raw) = self { return raw }
    return FactorType.modelled.first { $0.0 == self }?.1 ?? ""
  }
}

/// The maker of a factor.
public enum FactorProvider: Sendable, Hashable {
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

  private static let modelled: [(FactorProvider, String)] = [
    (.okta, "OKTA"), (.google, "GOOGLE"), (.rsa, "RSA"), (.symantec, "SYMANTEC"), (.yubico, "YUBICO"),
    (.duo, "DUO"), (.fido, "FIDO"),
  ]

  /// The maker of a wire name.
  public init(raw: String) { self = FactorProvider.modelled.first { $0.1 == raw }?.0 ?? .unknown(raw) }

  /// The wire name.
  public var raw: String {
    if case .unknown(let raw) = self { return raw }
    return FactorProvider.modelled.first { $0.0 == self }?.1 ?? ""
  }
}

/// How a recovery reaches the user.
public enum OktaRecoveryFactors: String, Sendable, Hashable, CaseIterable {
  /// By mail.
  case email
  /// By text message.
  case sms
  /// By voice call.
  case call

  /// The kind of factor that it is.
  public func toFactorType() -> FactorType {
    switch self {
    case .email: .email
    case .sms: .sms
    case .call: .call
    }
  }
}
