// What it means that the key of a verified person cannot be used (spec/device.md §9.3), as a table.

/// A key that is given up, what the application hears, and what the org is answered.
package struct KeyFallback: Sendable, Equatable {
  /// What happened.
  package enum Cause: String, Sendable, CaseIterable {
    /// No such key is enrolled.
    case notEnrolled
    /// It is enrolled and not in the key store.
    case lost
    /// The enrolled set has changed.
    case invalidated
    /// The person cancelled.
    case cancelled
    /// The verification failed.
    case failed
    /// Nothing is set up to verify by.
    case notSetUp
    /// Locked out after too many tries.
    case lockedOut
    /// The person did not answer in time.
    case timedOut
    /// Anything else.
    case other
  }

  /// Why, for the application.
  package enum Reason: String, Sendable, CaseIterable {
    case userVerificationKeyNotEnrolled
    case userVerificationCancelledByUser
    case userVerificationKeyCorruptedOrMissing
    case userVerificationFailed
  }

  /// Why, for the application.
  package var reason: Reason
  /// What the org is answered.
  package var consent: DeviceVocabulary.Consent
  /// The error behind it, by the name of a `SecurityError`; `genericError` for none.
  package var error: String

  /// What a cause means.
  ///
  /// - Parameter isReference: whether §21's rows 4 and 5 are as in the reference.
  package init(_ cause: Cause, _ requirement: VerificationRequirement, isReference: Bool = false) {
    let isPreferred = requirement == .preferred
    switch cause {
    case .notEnrolled:
      reason = .userVerificationKeyNotEnrolled
      consent = isPreferred ? (isReference ? .none : .approved) : .permanentlyUnavailable
      error = "genericError"
    case .lost:
      reason = isReference ? .userVerificationKeyNotEnrolled : .userVerificationKeyCorruptedOrMissing
      consent = isPreferred && isReference ? .none : .permanentlyUnavailable
      error = "genericError"
    case .invalidated:
      (reason, consent) = (.userVerificationKeyCorruptedOrMissing, .permanentlyUnavailable)
      error = "keyCorrupted"
    case .cancelled:
      (reason, consent) = (.userVerificationCancelledByUser, .cancelled)
      error = "localAuthenticationCancelled"
    case .failed:
      (reason, consent) = (.userVerificationFailed, .temporarilyUnavailable)
      error = "localAuthenticationFailed"
    case .notSetUp:
      (reason, consent) = (.userVerificationFailed, .temporarilyUnavailable)
      error = "localAuthenticationPasscodeNotSet"
    case .lockedOut, .timedOut, .other:
      reason = isReference ? .userVerificationKeyNotEnrolled : .userVerificationFailed
      consent =
        isReference ? (isPreferred ? .none : .permanentlyUnavailable) : .temporarilyUnavailable
      error = cause == .other ? "generalEncryptionError" : "localAuthenticationFailed"
    }
  }

  /// One sentence for the person.
  package var message: String {
    switch reason {
    case .userVerificationKeyNotEnrolled: "The key for user verification is not enrolled. Another key signs."
    case .userVerificationCancelledByUser: "User verification was cancelled. Another key signs."
    case .userVerificationKeyCorruptedOrMissing:
      "The key for user verification is missing or counts no more. Enroll it again. Another key signs."
    case .userVerificationFailed: "User verification failed. Another key signs."
    }
  }
}
