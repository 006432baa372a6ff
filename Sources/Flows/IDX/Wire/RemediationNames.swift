// Remediation names on the wire (idx §13.1).

enum RemediationNames {
  /// The names that have a case in `Remediation.RemediationType`.
  static let known = [
    "identify", "identify-recovery", "select-identify", "select-enroll-profile", "enroll-profile",
    "select-authenticator-authenticate", "select-authenticator-enroll", "select-authenticator-unlock-account",
    "authenticator-verification-data", "authenticator-enrollment-data", "select-enrollment-channel",
    "enrollment-channel-data", "challenge-authenticator", "enroll-authenticator", "reenroll-authenticator",
    "reenroll-authenticator-warning", "reset-authenticator", "enroll-poll", "challenge-poll", "device-challenge-poll",
    "poll", "cancel-polling", "launch-authenticator", "device-apple-sso-extension", "cancel-transaction",
    "redirect-idp", "unlock-account", "skip", "cancel", "send-challenge", "resend-challenge", "send", "resend",
    "recover", "consent", "admin-consent", "email-challenge-consent", "request-activation-email", "user-code",
    "challenge-webauthn-autofillui-authenticator",
  ]

  /// The names that have no case in the original SDK.
  static let others = [
    "issue", "granular-consent", "redirect-idverify", "piv-idp", "profile-update", "enroll-authenticator-promotion",
    "device-assurance-grace-period", "keep-me-signed-in", "reenroll-custom-password-expiry",
    "reenroll-custom-password-expiry-warning", "launch-passkeys-authenticator", "launch-webauthn-authenticator",
    "launch-nfc-authenticator", "enroll-webauthn-residentkey", "success-redirect", "failure-redirect",
    "challenge-factor", "select-factor",
  ]
}
