// Challenges as applications hold them (spec/device.md §16.2, §16.3).

public import Foundation

/// A challenge of an org.
public protocol ChallengeProtocol: AnyObject, Sendable {
  /// The transaction: the org's own log has it too.
  var transactionId: String { get }
  /// Who asks, by its own word. Believe it once `isVerified` is true.
  var originURL: URL? { get }
  /// When the challenge was made.
  var transactionTime: Date { get }
  /// What the person signs in to.
  var appInstanceName: String? { get }
  /// When the challenge ends, the allowed skew of clocks not counted.
  var expiresAt: Date { get }
  /// Whether the org's signature and all claims were checked: before, nothing may be shown as verified.
  var isVerified: Bool { get }

  /// Resolves the challenge: checks it, asks for what it needs, and answers the org.
  ///
  /// - Parameters:
  ///   - onRemediation: gets each step, one at a time. A step that is not answered leaves the challenge open until it
  ///     expires.
  ///   - onCompletion: gets the error, or nil if the org took the answer, a denial too. Called once.
  func resolve(
    onRemediation: @escaping (RemediationStep) -> Void, onCompletion: @escaping (DeviceAuthenticatorError?) -> Void)

  /// Sends the answer again whose fate is not known after a `networkError`: the same JWT, without asking or signing.
  ///
  /// - Parameter onCompletion: as of `resolve`; `duplicateChallenge` if there is no such answer.
  func retrySubmission(onCompletion: @escaping (DeviceAuthenticatorError?) -> Void)

  /// `resolve`, for asynchronous code.
  ///
  /// The end of the task gives it up. Before the person has answered, the challenge can be resolved again; from their answer
  /// on it is over here, and an answer that has left may still reach the org.
  ///
  /// - Parameter onRemediation: gets each step.
  /// - Throws: `DeviceAuthenticatorError`; `genericError` if it was given up.
  func resolve(onRemediation: @escaping @Sendable (RemediationStep) -> Void) async throws(DeviceAuthenticatorError)

  /// `retrySubmission`, for asynchronous code. The end of the task gives it up; the answer may still reach the org.
  ///
  /// - Throws: `DeviceAuthenticatorError`.
  func retrySubmission() async throws(DeviceAuthenticatorError)
}

/// A challenge that came as a notification, or was pulled.
public protocol PushChallengeProtocol: ChallengeProtocol {
  /// Where the person is, in words.
  var clientLocation: String? { get }
  /// The system that they sign in on.
  var clientOS: String? { get }
  /// What the person said. May be set before the challenge is resolved, which then asks for no consent;
  /// `userNotResponded` takes back what was said before, a button of the notification included.
  var userResponse: PushChallengeUserResponse { get set }
  /// Whether the org wants user verification.
  var userVerificationRequirement: UserVerificationChallengeRequirement { get }
  /// Numbers or words that the person compares.
  var challengeTextItems: [String] { get }
  /// What is unusual about the sign-in, in words.
  var unusualActivities: [String] { get }
}

/// A challenge that an OAuth client started (CIBA).
public protocol CIBAChallengeProtocol: PushChallengeProtocol {
  /// What the client wants confirmed, fit to be shown; nil if it says nothing.
  var cibaBindingMessage: String? { get }
}

extension ChallengeProtocol {
  /// `resolve`, as the seed document names its closures.
  public func resolve(
    onRemediationStep: @escaping (RemediationStep) -> Void,
    completion: @escaping (DeviceAuthenticatorError?) -> Void
  ) {
    resolve(onRemediation: onRemediationStep, onCompletion: completion)
  }

  /// By the form with closures: the end of the task does not end it.
  ///
  /// - Throws: the `DeviceAuthenticatorError` that the form with closures ends with.
  public func resolve(
    onRemediation: @escaping @Sendable (RemediationStep) -> Void
  ) async throws(DeviceAuthenticatorError) {
    try await Completion.wait { resolve(onRemediation: onRemediation, onCompletion: $0) }
  }

  /// By the form with closures: the end of the task does not end it.
  ///
  /// - Throws: the `DeviceAuthenticatorError` that the form with closures ends with.
  public func retrySubmission() async throws(DeviceAuthenticatorError) {
    try await Completion.wait { retrySubmission(onCompletion: $0) }
  }

  /// Resolves the challenge and gives its steps, until it is resolved; a failure ends the sequence with the error. The end of
  /// the loop, or of its task, gives it up as that of `resolve` does.
  public var remediations: AsyncThrowingStream<RemediationStep, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          try await resolve(onRemediation: { continuation.yield($0) })
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
