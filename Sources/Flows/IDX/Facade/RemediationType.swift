// Kinds of remediations (idx §13.1).

extension Remediation {
  /// What a remediation is for. New names of the org arrive as `unknown` and can be used all the same.
  public enum RemediationType: OpenVocabulary {
    /// Says who signs in.
    case identify
    /// Says whose password is to be recovered.
    case identifyRecovery
    /// Goes back to saying who signs in.
    case selectIdentify
    /// Begins a registration.
    case selectEnrollProfile
    /// Fills in a profile.
    case enrollProfile
    /// Chooses an authenticator to be verified with.
    case selectAuthenticatorAuthenticate
    /// Chooses an authenticator to set up.
    case selectAuthenticatorEnroll
    /// Chooses an authenticator to unlock the account with.
    case selectAuthenticatorUnlockAccount
    /// Says how an authenticator shall be challenged.
    case authenticatorVerificationData
    /// Says what an authenticator is set up with.
    case authenticatorEnrollmentData
    /// Chooses how an app is set up.
    case selectEnrollmentChannel
    /// Says where the link to set an app up goes.
    case enrollmentChannelData
    /// Answers a challenge.
    case challengeAuthenticator
    /// Sets an authenticator up.
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
    /// Waits for a device.
    case deviceChallengePoll
    /// Waits.
    case poll
    /// Says to the org that the application no longer waits.
    case cancelPolling
    /// Opens an app on the device.
    case launchAuthenticator
    /// A single sign-on extension of the system.
    case deviceAppleSsoExtension
    /// Cancels the transaction of the single sign-on extension.
    case cancelTransaction
    /// Goes on at an identity provider, in a browser.
    case redirectIdp
    /// Unlocks the account.
    case unlockAccount
    /// Goes on without.
    case skip
    /// Begins again.
    case cancel
    /// Sends a code; an old name.
    case sendChallenge
    /// Sends a code again; an old name.
    case resendChallenge
    /// Sends a code.
    case send
    /// Sends a code again.
    case resend
    /// Recovers a password.
    case recover
    /// Agrees to what an application may do.
    case consent
    /// Agrees for all users.
    case adminConsent
    /// Agrees to a sign-in that was begun elsewhere.
    case emailChallengeConsent
    /// Asks for the mail that activates an account.
    case requestActivationEmail
    /// Sends the code that a device shows.
    case userCode
    /// Signs in with a passkey that a browser offers.
    case challengeWebAuthnAutofillUIAuthenticator
    /// Any other; the name stays.
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

    /// The kind of a remediation by its name on the wire.
    public init(name: String) { self = RemediationType.cases[name] ?? .unknown(name) }

    /// The kind of a remediation by its name on the wire.
    public init(string: String) { self.init(name: string) }

    /// Whether this is `unknown`.
    public var isUnknown: Bool { if case .unknown = self { true } else { false } }
  }
}
