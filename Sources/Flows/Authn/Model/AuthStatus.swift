// The statuses of a transaction (authn §6.1).

/// A status that the SDK models, or the raw value of one that it does not.
public enum AuthStatus: OktaWireWord {
  /// `UNAUTHENTICATED`
  case unauthenticated
  /// `PASSWORD_WARN`
  case passwordWarning
  /// `PASSWORD_EXPIRED`
  case passwordExpired
  /// `RECOVERY`
  case recovery
  /// `RECOVERY_CHALLENGE`
  case recoveryChallenge
  /// `PASSWORD_RESET`
  case passwordReset
  /// `LOCKED_OUT`
  case lockedOut
  /// `MFA_ENROLL`
  case MFAEnroll
  /// `MFA_ENROLL_ACTIVATE`
  case MFAEnrollActivate
  /// `MFA_REQUIRED`
  case MFARequired
  /// `MFA_CHALLENGE`
  case MFAChallenge
  /// `SUCCESS`
  case success
  /// Any other, as the server wrote it.
  case unknown(String)

  /// The statuses that the SDK models.
  public static let known: [AuthStatus] = [
    .unauthenticated, .passwordWarning, .passwordExpired, .recovery, .recoveryChallenge, .passwordReset, .lockedOut,
    .MFAEnroll, .MFAEnrollActivate, .MFARequired, .MFAChallenge, .success,
  ]

  /// The status as it is sent and received.
  public var rawValue: String {
    switch self {
    case .unauthenticated: AuthnVocabulary.unauthenticated
    case .passwordWarning: AuthnVocabulary.passwordWarning
    case .passwordExpired: AuthnVocabulary.passwordExpired
    case .recovery: AuthnVocabulary.recovery
    case .recoveryChallenge: AuthnVocabulary.recoveryChallenge
    case .passwordReset: AuthnVocabulary.passwordReset
    case .lockedOut: AuthnVocabulary.lockedOut
    case .MFAEnroll: AuthnVocabulary.enroll
    case .MFAEnrollActivate: AuthnVocabulary.enrollActivate
    case .MFARequired: AuthnVocabulary.required
    case .MFAChallenge: AuthnVocabulary.challenge
    case .success: AuthnVocabulary.success
    case .unknown(let raw): raw
    }
  }

  /// The status in words, for display.
  public var description: String {
    switch self {
    case .unauthenticated: "Unauthenticated"
    case .passwordWarning: "Password Warning"
    case .passwordExpired: "Password Expired"
    case .recovery: "Recovery"
    case .recoveryChallenge: "Recovery Challenge"
    case .passwordReset: "Password Reset"
    case .lockedOut: "Locked Out"
    case .MFAEnroll: "MFA Enroll"
    case .MFAEnrollActivate: "MFA Enroll Activate"
    case .MFARequired: "MFA Required"
    case .MFAChallenge: "MFA Challenge"
    case .success: "Success"
    case .unknown(let raw): "Unknown (\(raw))"
    }
  }
}
