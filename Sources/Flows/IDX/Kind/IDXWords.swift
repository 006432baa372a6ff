// The vocabulary of the Identity Engine and its meaning for an application, listed here independently of the code that
// reads it.

enum IDXWords {
  /// Names of remediations (idx §13.1).
  static let remediations: [String: Remediation.RemediationType] = [
    "admin-consent": .adminConsent, "authenticator-enrollment-data": .authenticatorEnrollmentData,
    "authenticator-verification-data": .authenticatorVerificationData, "cancel": .cancel,
    "cancel-polling": .cancelPolling, "cancel-transaction": .cancelTransaction,
    "challenge-authenticator": .challengeAuthenticator, "challenge-poll": .challengePoll,
    "challenge-webauthn-autofillui-authenticator": .challengeWebAuthnAutofillUIAuthenticator, "consent": .consent,
    "device-apple-sso-extension": .deviceAppleSsoExtension, "device-challenge-poll": .deviceChallengePoll,
    "email-challenge-consent": .emailChallengeConsent, "enroll-authenticator": .enrollAuthenticator,
    "enroll-poll": .enrollPoll, "enroll-profile": .enrollProfile, "enrollment-channel-data": .enrollmentChannelData,
    "identify": .identify, "identify-recovery": .identifyRecovery, "launch-authenticator": .launchAuthenticator,
    "poll": .poll, "recover": .recover, "redirect-idp": .redirectIdp,
    "reenroll-authenticator": .reenrollAuthenticator, "reenroll-authenticator-warning": .reenrollAuthenticatorWarning,
    "request-activation-email": .requestActivationEmail, "resend": .resend, "resend-challenge": .resendChallenge,
    "reset-authenticator": .resetAuthenticator, "select-authenticator-authenticate": .selectAuthenticatorAuthenticate,
    "select-authenticator-enroll": .selectAuthenticatorEnroll,
    "select-authenticator-unlock-account": .selectAuthenticatorUnlockAccount,
    "select-enroll-profile": .selectEnrollProfile, "select-enrollment-channel": .selectEnrollmentChannel,
    "select-identify": .selectIdentify, "send": .send, "send-challenge": .sendChallenge, "skip": .skip,
    "unlock-account": .unlockAccount, "user-code": .userCode,
  ]
}
