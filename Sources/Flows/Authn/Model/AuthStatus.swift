// The statuses of a transaction (authn §6.1).

/// A status that the SDK models, or the raw value of one that it does not.
public enum AuthStatus: Sendable, Hashable {
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

  private static let modelled: [(AuthStatus, String)] = [
    (.unauthenticated, AuthnVocabulary.unauthenticated), (.passwordWarning, AuthnVocabulary.passwordWarning),
    (.passwordExpired, AuthnVocabulary.passwordExpired), (.recovery, AuthnVocabulary.recovery),
    (.recoveryChallenge, AuthnVocabulary.recoveryChallenge), (.passwordReset, AuthnVocabulary.passwordReset),
    (.lockedOut, AuthnVocabulary.lockedOut), (.MFAEnroll, AuthnVocabulary.enroll),
    (.MFAEnrollActivate, AuthnVocabulary.enrollActivate), (.MFARequired, AuthnVocabulary.required),
    (.MFAChallenge, AuthnVocabulary.challenge), (.success, AuthnVocabulary.success),
  ]

  /// The status of a wire name; exact and case-sensitive, as the server means it.
  public init(raw: String) {
    self = AuthStatus.modelled.first { $0.1 == raw }?.0 ?? .unknown(raw)
  }

  /// The wire name.
  public var raw: String {
    if case .unknown(let raw) = self { return raw }
    return AuthStatus.modelled.first { $0.0 == self }?.1 ?? ""
  }
}
