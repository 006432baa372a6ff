// The steps that a challenge needs from the application while it is resolved (spec/device.md §9.1).

import FlowRecording

/// A step of a challenge that is being resolved. Steps are delivered one at a time.
public class RemediationStep: @unchecked Sendable {
  // `@unchecked`: only this module can subclass it, and all stored properties are immutable.

  /// The challenge; a `CIBAChallengeProtocol` if an OAuth client started it.
  public let challenge: any PushChallengeProtocol

  init(_ challenge: any PushChallengeProtocol) { self.challenge = challenge }

  /// Performs the default action, for an application that does not know the step. For a consent step this gives no
  /// answer, which counts as a denial.
  public func defaultProcess() {}
}

/// Asks the person to confirm that it is they who sign in. This step is delivered once, before any other.
public final class RemediationStepUserConsent: RemediationStep, @unchecked Sendable {
  /// The enrollment that the challenge is for.
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

  /// Passes on the person's answer. The first answer counts; later ones are recorded as ignored.
  public func provide(_ response: UserConsentResponse) { answer(response, "step") }

  /// Answers `.none`: the org receives a signed denial.
  public override func defaultProcess() { answer(.none, "default") }
}

/// The person is about to be verified, for example by PIN or fingerprint, depending on the verifier.
public final class RemediationStepUserVerification: RemediationStep, @unchecked Sendable {
  private let answer: @Sendable (UserVerificationParameters) -> Void

  init(_ challenge: any PushChallengeProtocol, answer: @escaping @Sendable (UserVerificationParameters) -> Void) {
    self.answer = answer
    super.init(challenge)
  }

  /// Sets the texts of the prompt and displays it.
  public func provide(_ parameters: UserVerificationParameters) { answer(parameters) }

  /// Displays the prompt with the SDK's default texts.
  public override func defaultProcess() { answer(UserVerificationParameters()) }
}

/// A message that does not stop the challenge: a key could not be used, and another key signs instead.
public final class RemediationStepMessage: RemediationStep, @unchecked Sendable {
  /// The severity of a message.
  public enum MessageType: String, Sendable, Hashable {
    /// Nothing went wrong.
    case information
    /// An error occurred, but the challenge continues.
    case nonFatalError
  }

  /// Why the user verification key could not be used (§9.3).
  public enum ReasonType: String, Sendable, Hashable, CaseIterable {
    /// No such key is enrolled.
    case userVerificationKeyNotEnrolled
    /// The person cancelled the verification.
    case userVerificationCancelledByUser
    /// The key is missing, or the enrolled set has changed. It must be enrolled again.
    case userVerificationKeyCorruptedOrMissing
    /// The verification of the person failed.
    case userVerificationFailed
  }

  /// The severity of the message.
  public let messageType: MessageType
  /// Why the key could not be used.
  public let reasonType: ReasonType
  /// One sentence to show to the person.
  public let message: String
  /// The underlying error.
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
