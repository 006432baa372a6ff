// The statuses that the SDK models (authn §6.1), by their wire names.

enum AuthnVocabulary {
  static let unauthenticated = "UNAUTHENTICATED"
  static let passwordWarning = "PASSWORD_WARN"
  static let passwordExpired = "PASSWORD_EXPIRED"
  static let recovery = "RECOVERY"
  static let recoveryChallenge = "RECOVERY_CHALLENGE"
  static let passwordReset = "PASSWORD_RESET"
  static let lockedOut = "LOCKED_OUT"
  static let enroll = "MFA_ENROLL"
  static let enrollActivate = "MFA_ENROLL_ACTIVATE"
  static let required = "MFA_REQUIRED"
  static let challenge = "MFA_CHALLENGE"
  static let success = "SUCCESS"

  static let statuses = [
    unauthenticated, passwordWarning, passwordExpired, recovery, recoveryChallenge, passwordReset, lockedOut, enroll,
    enrollActivate, required, challenge, success,
  ]

  static let waiting = "WAITING"
}
