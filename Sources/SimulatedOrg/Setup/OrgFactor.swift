// The factors a user has, and those a user may set up (authn.md §7).

/// A second factor that is set up and active.
public enum OrgFactor: Sendable, Equatable {
  /// Codes by text message to this number.
  case sms(phone: String)
  /// Codes by voice call to this number.
  case call(phone: String)
  /// Codes by mail to this address.
  case email(address: String)
  /// A push to a phone, shown under this name.
  case push(device: String)
  /// Time-based codes; the secret is base32, the provider `OKTA` or `GOOGLE`.
  case totp(secret: String, provider: String = "OKTA")
  /// A security question by its key, and the answer.
  case question(key: String, answer: String)
  /// A hardware or on-premises token whose pass code is always this one (`token` with `RSA`, `SYMANTEC`, `DEL_OATH`;
  /// `token:hardware` with `YUBICO`; `token:hotp` with `CUSTOM`).
  case token(provider: String, credentialId: String, passCode: String)
  /// Duo's widget (`web`): ends by its callback, or as a push by `answerPush`.
  case duo
  /// A U2F key. The signature is not checked, but its nonce is.
  case u2f
  /// A WebAuthn authenticator of this name. The signature is not checked, but its challenge is.
  case webauthn(name: String)
}

/// A kind of factor that the sign-in policy lets a user set up.
public struct OrgFactorOffer: Sendable, Equatable {
  /// Kinds that can be enrolled during a sign-in.
  public enum Kind: Sendable, Equatable {
    /// Codes by text message.
    case sms
    /// Codes by voice call.
    case call
    /// Codes by mail to the user's address.
    case email
    /// Okta Verify push.
    case push
    /// Time-based codes of this provider, `OKTA` or `GOOGLE`.
    case totp(provider: String)
    /// A security question.
    case question
    /// A token of this provider; any pass code of six digits sets it up and stays its code.
    case token(provider: String)
    /// Duo's widget.
    case duo
    /// A U2F key.
    case u2f
    /// A WebAuthn authenticator.
    case webauthn
  }

  /// What can be set up.
  public var kind: Kind
  /// Whether the sign-in cannot end without it.
  public var required: Bool

  /// A factor to be set up, optional unless said otherwise.
  public init(_ kind: Kind, required: Bool = false) {
    self.kind = kind
    self.required = required
  }
}
