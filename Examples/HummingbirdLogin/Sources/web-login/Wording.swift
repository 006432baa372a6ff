import IDX

/// What remediations are called on pages. The org has no texts for these; what it has, such as labels and messages, is
/// shown as it is.
enum Wording {
  static func title(of remediation: Remediation) -> String {
    let authenticator = remediation.authenticators.element(at: 0)?.displayName
    return switch remediation.type {
    case .identify: "Sign in"
    case .identifyRecovery: "Recover your account"
    case .selectIdentify: "Back to signing in"
    case .selectAuthenticatorAuthenticate: "Choose how to verify"
    case .selectAuthenticatorEnroll: "Set up more ways to sign in"
    case .selectAuthenticatorUnlockAccount: "Unlock your account"
    case .selectEnrollProfile, .enrollProfile: "Create an account"
    case .challengeAuthenticator, .authenticatorVerificationData: authenticator.map { "Verify with \($0)" } ?? "Verify"
    case .enrollAuthenticator, .authenticatorEnrollmentData: authenticator.map { "Set up \($0)" } ?? "Set up"
    case .resetAuthenticator, .reenrollAuthenticator: "Choose a new password"
    case .reenrollAuthenticatorWarning: "Your password expires soon"
    case .unlockAccount: "Unlock your account"
    case .consent, .adminConsent: "Allow access"
    case .resend: "Try again"
    default: plain(remediation.name)
    }
  }

  /// What a form is called that stands below another one.
  static func summary(of remediation: Remediation) -> String {
    remediation.type == .selectAuthenticatorAuthenticate ? "Verify in another way" : title(of: remediation)
  }

  static func button(of remediation: Remediation) -> String {
    switch remediation.type {
    case .identify, .enrollProfile, .selectAuthenticatorAuthenticate, .selectAuthenticatorEnroll: "Next"
    case .challengeAuthenticator: "Verify"
    case .authenticatorVerificationData: "Send"
    case .resend: "Send another"
    case .cancelPolling: "Use something else"
    case .selectEnrollProfile, .selectIdentify, .unlockAccount: title(of: remediation)
    case .skip: "Not now"
    case .unknown, .launchAuthenticator: plain(remediation.name)
    default: "Continue"
    }
  }

  /// Whether a password that is typed into it is a new one.
  static func setsPassword(_ remediation: Remediation) -> Bool {
    switch remediation.type {
    case .enrollProfile, .enrollAuthenticator, .resetAuthenticator, .reenrollAuthenticator,
      .reenrollAuthenticatorWarning:
      true
    default: false
    }
  }

  /// `some-step` as `Some step`.
  private static func plain(_ name: String) -> String {
    let words = name.split(separator: "-").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
