// What a person signs in with, as the Identity Engine names it (idx.md §13.3).

/// An authenticator of the Identity Engine, by its product key.
public enum OrgAuthenticator: String, Sendable, Hashable, CaseIterable {
  /// The password.
  case password = "okta_password"
  /// Codes and magic links by mail.
  case email = "okta_email"
  /// Codes by text message or voice call.
  case phone = "phone_number"
  /// A security question.
  case question = "security_question"
  /// Okta Verify: push and time-based codes.
  case oktaVerify = "okta_verify"
  /// Google Authenticator: time-based codes.
  case google = "google_otp"
  /// A security key or the device's own authenticator.
  case webauthn = "webauthn"
  /// Duo's widget.
  case duo = "duo"
  /// A Symantec VIP token.
  case symantec = "symantec_vip"
  /// A YubiKey that types one-time passwords.
  case yubikey = "yubikey_token"
  /// An RSA SecurID token.
  case rsa = "rsa_token"
  /// A token of an on-premises server.
  case onPremises = "onprem_mfa"
  /// A one-time password token of another maker.
  case custom = "custom_otp"
}
