// What a challenge asks of the application while it is resolved (spec/device.md §9.1).

import FlowRecording

/// A step of a challenge that is being resolved. Steps come one at a time.
public class RemediationStep: @unchecked Sendable {
  // `@unchecked`: the class is open for subclasses of this module alone, and all that they store is immutable.

  /// The challenge: a `CIBAChallengeProtocol` if an OAuth client started it.
  public let challenge: any PushChallengeProtocol

  init(_ challenge: any PushChallengeProtocol) { self.challenge = challenge }

  /// Does what is right for an application that does not know the step. For a consent step that is no answer, which
  /// counts as a denial.
  public func defaultProcess() {}
}

/// The person must be asked whether it is they who sign in. Comes once, and first.
public final class RemediationStepUserConsent: RemediationStep, @unchecked Sendable {
  /// The enrollment that is meant.
  public let enrollment: any AuthenticatorEnrollmentProtocol
  private let answer: @Sendable (UserConsentResponse, String) -> Void

  init(
    _ challenge: any PushChallengeProtocol, _ enrollment: any AuthenticatorEnrollmentProtocol,
    answer: @escaping @Sendable (UserConsentResponse, String) -> Void
  ) {
    self.enrollment = enrollment
    self.answer = answer
    super.init(challenge)
  }

  /// Says what the person said. The first answer counts; later ones are recorded as ignored.
  public func provide(_ response: UserConsentResponse) { answer(response, "step") }

  /// `.none`: the org gets a signed denial.
  public override func defaultProcess() { answer(.none, "default") }
}

/// The person is about to be verified: by PIN, by finger, by what the verifier has.
public final class RemediationStepUserVerification: RemediationStep, @unchecked Sendable {
  private let answer: @Sendable (UserVerificationParameters) -> Void

  init(_ challenge: any PushChallengeProtocol, answer: @escaping @Sendable (UserVerificationParameters) -> Void) {
    self.answer = answer
    super.init(challenge)
  }

  /// Gives the words of the prompt, and lets it appear.
  public func provide(_ parameters: UserVerificationParameters) { answer(parameters) }

  /// The SDK's own words.
  public override func defaultProcess() { answer(UserVerificationParameters()) }
}

/// Something is worth saying and stops nothing: a key could not be used, and another one signs.
public final class RemediationStepMessage: RemediationStep, @unchecked Sendable {
  /// How grave it is.
  public enum MessageType: String, Sendable, Hashable {
    /// Nothing went wrong.
    case information
    /// Something did, and the challenge goes on.
    case nonFatalError
  }

  /// Why the key of a verified person could not be used (§9.3).
  public enum ReasonType: String, Sendable, Hashable, CaseIterable {
    /// None is enrolled.
    case userVerificationKeyNotEnrolled
    /// The person cancelled.
    case userVerificationCancelledByUser
    /// It is gone, or the enrolled set has changed. Enroll it again.
    case userVerificationKeyCorruptedOrMissing
    /// The person was not verified.
    case userVerificationFailed
  }

  /// How grave it is.
  public let messageType: MessageType
  /// Why.
  public let reasonType: ReasonType
  /// One sentence for the person.
  public let message: String
  /// The error behind it.
  public let error: DeviceAuthenticatorError?

  init(
    _ challenge: any PushChallengeProtocol, _ type: MessageType, _ reason: ReasonType, _ message: String,
    _ error: DeviceAuthenticatorError?
  ) {
    messageType = type
    reasonType = reason
    self.message = message
    self.error = error
    super.init(challenge)
  }
}
