// Kinds of remediations (idx §13.1).

extension Remediation {
  /// The kind of a remediation. Names that the SDK does not know are `unknown` and can still be used.
  public enum RemediationType: OpenVocabulary {
    /// Identifies the user.
    case identify
    /// Identifies the user whose password is to be recovered.
    case identifyRecovery
    /// Returns to identifying the user.
    case selectIdentify
    /// Begins a registration.
    case selectEnrollProfile
    /// Fills in a profile.
    case enrollProfile
    /// Selects an authenticator to verify with.
    case selectAuthenticatorAuthenticate
    /// Chooses an authenticator to set up.
    case selectAuthenticatorEnroll
    /// Chooses an authenticator to unlock the account with.
    case selectAuthenticatorUnlockAccount
    /// Provides data for challenging an authenticator, such as the method.
    case authenticatorVerificationData
    /// Provides data for setting up an authenticator.
    case authenticatorEnrollmentData
    /// Selects how to set up an app.
    case selectEnrollmentChannel
    /// Provides the destination of the link for setting up an app.
    case enrollmentChannelData
    /// Answers a challenge.
    case challengeAuthenticator
    /// Sets up an authenticator.
    case enrollAuthenticator
    /// Replaces an expired password.
    case reenrollAuthenticator
    /// Replaces a password that expires soon.
    case reenrollAuthenticatorWarning
    /// Sets a new password.
    case resetAuthenticator
    /// Waits for an app to be set up.
    case enrollPoll
    /// Waits for a challenge to be answered elsewhere.
    case challengePoll
    /// Waits for a device to respond.
    case deviceChallengePoll
    /// Waits.
    case poll
    /// Notifies the org that the application no longer waits.
    case cancelPolling
    /// Opens an app on the device.
    case launchAuthenticator
    /// Uses the system's single sign-on extension.
    case deviceAppleSsoExtension
    /// Cancels the transaction of the single sign-on extension.
    case cancelTransaction
    /// Continues with an identity provider, in a browser.
    case redirectIdp
    /// Unlocks the account.
    case unlockAccount
    /// Skips the step.
    case skip
    /// Starts again.
    case cancel
    /// Sends a code; an older name.
    case sendChallenge
    /// Sends a code again; an older name.
    case resendChallenge
    /// Sends a code.
    case send
    /// Sends a code again.
    case resend
    /// Recovers a password.
    case recover
    /// Consents to an application's access.
    case consent
    /// Consents on behalf of all users.
    case adminConsent
    /// Consents to a sign-in that was started elsewhere.
    case emailChallengeConsent
    /// Requests the account activation email.
    case requestActivationEmail
    /// Submits the code that a device shows.
    case userCode
    /// Signs in with a passkey that a browser offers.
    case challengeWebAuthnAutofillUIAuthenticator
    /// Any other remediation, by its name.
    case unknown(String)

    private static let cases: [String: RemediationType] = [
      "identify": .identify, "identify-recovery": .identifyRecovery, "select-identify": .selectIdentify,
      "select-enroll-profile": .selectEnrollProfile, "enroll-profile": .enrollProfile,
      "select-authenticator-authenticate": .selectAuthenticatorAuthenticate,
      "select-authenticator-enroll": .selectAuthenticatorEnroll,
      "select-authenticator-unlock-account": .selectAuthenticatorUnlockAccount,
      "authenticator-verification-data": .authenticatorVerificationData,
      "authenticator-enrollment-data": .authenticatorEnrollmentData,
      "select-enrollment-channel": .selectEnrollmentChannel, "enrollment-channel-data": .enrollmentChannelData,
      "challenge-authenticator": .challengeAuthenticator, "enroll-authenticator": .enrollAuthenticator,
      "reenroll-authenticator": .reenrollAuthenticator,
      "reenroll-authenticator-warning": .reenrollAuthenticatorWarning, "reset-authenticator": .resetAuthenticator,
      "enroll-poll": .enrollPoll, "challenge-poll": .challengePoll, "device-challenge-poll": .deviceChallengePoll,
      "poll": .poll, "cancel-polling": .cancelPolling, "launch-authenticator": .launchAuthenticator,
      "device-apple-sso-extension": .deviceAppleSsoExtension, "cancel-transaction": .cancelTransaction,
      "redirect-idp": .redirectIdp, "unlock-account": .unlockAccount, "skip": .skip, "cancel": .cancel,
      "send-challenge": .sendChallenge, "resend-challenge": .resendChallenge, "send": .send, "resend": .resend,
      "recover": .recover, "consent": .consent, "admin-consent": .adminConsent,
      "email-challenge-consent": .emailChallengeConsent, "request-activation-email": .requestActivationEmail,
      "user-code": .userCode,
      "challenge-webauthn-autofillui-authenticator": .challengeWebAuthnAutofillUIAuthenticator,
    ]

    /// Creates a type from its name on the wire.
    public init(name: String) { self = RemediationType.cases[name] ?? .unknown(name) }

    /// Creates a type from its name on the wire.
    public init(string: String) { self.init(name: string) }

    /// Whether this is `unknown`.
    public var isUnknown: Bool { if case .unknown = self { true } else { false } }
  }
}
