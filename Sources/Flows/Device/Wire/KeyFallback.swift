// The consequences if the user verification key cannot be used (spec/device.md §9.3), as a table.

/// What the application and the org receive if the user verification key cannot be used.
package struct KeyFallback: Sendable, Equatable {
  /// Why the key cannot be used.
  package enum Cause: String, Sendable, CaseIterable {
    /// No such key is enrolled.
    case notEnrolled
    /// The key is enrolled but missing from the key store.
    case lost
    /// The enrolled set has changed.
    case invalidated
    /// The person cancelled the verification.
    case cancelled
    /// The verification failed.
    case failed
    /// No method is set up to verify the person.
    case notSetUp
    /// The method is locked after too many attempts.
    case lockedOut
    /// The person did not answer in time.
    case timedOut
    /// Anything else.
    case other
  }

  /// The reason that the application receives.
  package enum Reason: String, Sendable, CaseIterable {
    case userVerificationKeyNotEnrolled
    case userVerificationCancelledByUser
    case userVerificationKeyCorruptedOrMissing
    case userVerificationFailed
  }

  /// The reason that the application receives.
  package var reason: Reason
  /// The consent that is sent to the org.
  package var consent: DeviceVocabulary.Consent
  /// The underlying error, named after a `SecurityError`; `genericError` if there is none.
  package var error: String

  /// Looks up the consequences of a cause.
  ///
  /// - Parameter isReference: whether rows 4 and 5 of §21 behave as in the reference.
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

  /// One sentence to show to the person.
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
