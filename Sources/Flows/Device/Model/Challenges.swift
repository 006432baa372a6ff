// Challenges, as applications see them (spec/device.md §16.2, §16.3).

public import Foundation

/// A challenge from an org.
public protocol ChallengeProtocol: AnyObject, Sendable {
  /// The ID of the transaction, which also appears in the org's own log.
  var transactionId: String { get }
  /// The URL of the requester, as the requester reports it. Do not rely on it before `isVerified` is true.
  var originURL: URL? { get }
  /// When the challenge was created.
  var transactionTime: Date { get }
  /// The name of the application that the person signs in to.
  var appInstanceName: String? { get }
  /// When the challenge expires, without the allowed clock skew.
  var expiresAt: Date { get }
  /// Whether the org's signature and all claims were checked. Until then, do not show anything as verified.
  var isVerified: Bool { get }

  /// Resolves the challenge: checks it, asks for whatever it needs, and sends the answer to the org.
  ///
  /// - Parameters:
  ///   - onRemediation: receives each step, one at a time. If a step is not answered, the challenge stays open until it
  ///     expires.
  ///   - onCompletion: called once, with an error, or with `nil` if the org accepted the answer, including a denial.
  func resolve(
    onRemediation: @escaping (RemediationStep) -> Void, onCompletion: @escaping (DeviceAuthenticatorError?) -> Void)

  /// Sends an answer again that may not have arrived because of a `networkError`. It is the same JWT; the person is not
  /// asked and nothing is signed again.
  ///
  /// - Parameter onCompletion: called as for `resolve`, with `duplicateChallenge` if there is no such answer.
  func retrySubmission(onCompletion: @escaping (DeviceAuthenticatorError?) -> Void)

  /// The async form of `resolve`.
  ///
  /// Cancelling the task cancels the call. Before the person has answered, the challenge can be resolved again. After
  /// their answer, the challenge is over on this device, and an answer that was already sent may still reach the org.
  ///
  /// - Parameter onRemediation: receives each step.
  /// - Throws: `DeviceAuthenticatorError`; `genericError` if it was cancelled.
  func resolve(onRemediation: @escaping @Sendable (RemediationStep) -> Void) async throws(DeviceAuthenticatorError)

  /// The async form of `retrySubmission`. Cancelling the task cancels the call; the answer may still reach the org.
  ///
  /// - Throws: `DeviceAuthenticatorError`.
  func retrySubmission() async throws(DeviceAuthenticatorError)
}

/// A challenge that arrived in a notification or was pulled.
public protocol PushChallengeProtocol: ChallengeProtocol {
  /// The location of the person who signs in, in words.
  var clientLocation: String? { get }
  /// The operating system that the person signs in on.
  var clientOS: String? { get }
  /// The person's answer. If it is set before the challenge is resolved, resolving does not ask for consent.
  /// `userNotResponded` withdraws an earlier answer, including one given by a button of the notification.
  var userResponse: PushChallengeUserResponse { get set }
  /// Whether the org requires user verification.
  var userVerificationRequirement: UserVerificationChallengeRequirement { get }
  /// Numbers or words for the person to compare.
  var challengeTextItems: [String] { get }
  /// What is unusual about the sign-in, in words.
  var unusualActivities: [String] { get }
}

/// A challenge started by an OAuth client (CIBA).
public protocol CIBAChallengeProtocol: PushChallengeProtocol {
  /// The client's binding message, made safe to display; `nil` if there is none.
  var cibaBindingMessage: String? { get }
}

extension ChallengeProtocol {
  /// The same as `resolve`, with the parameter names of the original API.
  public func resolve(
    onRemediationStep: @escaping (RemediationStep) -> Void,
    completion: @escaping (DeviceAuthenticatorError?) -> Void
  ) {
    resolve(onRemediation: onRemediationStep, onCompletion: completion)
  }

  /// Calls the form with closures. Cancelling the task does not cancel the call.
  ///
  /// - Throws: the `DeviceAuthenticatorError` that the form with closures ends with.
  public func resolve(
    onRemediation: @escaping @Sendable (RemediationStep) -> Void
  ) async throws(DeviceAuthenticatorError) {
    try await Completion.wait { resolve(onRemediation: onRemediation, onCompletion: $0) }
  }

  /// Calls the form with closures. Cancelling the task does not cancel the call.
  ///
  /// - Throws: the `DeviceAuthenticatorError` that the form with closures ends with.
  public func retrySubmission() async throws(DeviceAuthenticatorError) {
    try await Completion.wait { retrySubmission(onCompletion: $0) }
  }

  /// Resolves the challenge and yields its steps until it is resolved; on failure, the sequence throws the error.
  /// Ending the loop or its task cancels the call, as for `resolve`.
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
