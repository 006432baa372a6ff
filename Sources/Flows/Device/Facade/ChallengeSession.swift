// One challenge, shared by its handles, and the table that finds it again if it is delivered twice.

import EventStore
import FlowRecording
import Foundation

/// One challenge and its flow. Everything that it reports comes from the flow's state.
final class ChallengeSession: Sendable {
  let device: DeviceFlow

  init(_ device: DeviceFlow) { self.device = device }

  var work: ChallengeWork? { device.flow.core.challenge }

  /// The contents of the challenge, with secrets in clear.
  var challenge: Challenge {
    let challenge = work?.challenge ?? Challenge(header: [:], claims: [:])
    return Challenge(header: challenge.header, claims: device.flow.vault.reveal(challenge.claims))
  }

  /// Passes the notification to the flow and waits for the result of the checks.
  func receive(_ arguments: [(String, JSON?)]) -> Result<DeviceCore, DeviceAuthenticatorError> {
    device.wait(.receive, arguments)
  }

  /// Sets the person's answer before the challenge is resolved, or withdraws it.
  func respond(_ response: PushChallengeUserResponse) {
    // An answer can be withdrawn only if there is one and it has not taken effect.
    let canTakeBack = work?.phase == .parsed && work?.answer != nil
    let answer: JSON? =
      switch response {
      case .userApproved: "approved"
      case .userDenied: "denied"
      case .userNotResponded: canTakeBack ? "none" : Optional.none
      }
    guard let answer else { return }
    device.call(.respond, [("answer", answer), ("by", "application")]) { _ in }
  }

  /// Resolves the challenge. The closures run on the caller's actor.
  @discardableResult
  func resolve(
    _ onStep: @escaping (RemediationStep) -> Void, _ onEnd: @escaping (DeviceAuthenticatorError?) -> Void
  ) -> CallToken {
    let step = Delivery(device.lanes, onStep)
    let end = Delivery(device.lanes, onEnd)
    return device.call(
      .resolve, [],
      heard: { [self] event, _ in
        if let next = self.step(event) { step(next) }
      },
      returned: { [self] in end(error(of: $0)) })
  }

  /// Sends the same answer again.
  @discardableResult
  func retry(_ onEnd: @escaping (DeviceAuthenticatorError?) -> Void) -> CallToken {
    let end = Delivery(device.lanes, onEnd)
    return device.call(.retrySubmission, []) { [self] in end(error(of: $0)) }
  }

  private func error(of result: Result<DeviceCore, DeviceAuthenticatorError>) -> DeviceAuthenticatorError? {
    switch result {
    case .success: nil
    case .failure(let error): error
    }
  }

  /// The step that an event becomes for the application.
  private func step(_ event: DomainEvent) -> RemediationStep? {
    let challenge = PushChallenge.make(self)
    switch DeviceEvent(event) {
    case .consentRequested:
      guard let stored = work?.enrollment else { return nil }
      return RemediationStepUserConsent(challenge, AuthenticatorEnrollment(stored, device.context)) { [device] in
        device.call(.provideConsent, [("answer", .string($0.rawValue)), ("by", .string($1))]) { _ in }
      }
    case .verificationRequested:
      return RemediationStepUserVerification(challenge) { [device] parameters in
        device.call(
          .provideVerification,
          [
            ("reason", parameters.localizedReason.map(JSON.string)),
            ("cancelTitle", parameters.localizedCancelTitle.map(JSON.string)),
            ("fallbackTitle", parameters.localizedFallbackTitle.map(JSON.string)),
          ]
        ) { _ in }
      }
    case .keyFallback: return message(event.data, challenge)
    case .challengeReceived, .challengeParsed, .challengeRejected, .challengeDuplicated, .challengeVerified,
      .challengeResolved, .challengeFailed, .challengeExpired, .consentGiven, .verificationCompleted,
      .signalsCollected, .responseSigned, .submissionUnknown, .submissionRetried, .stepIgnored, .challengesPulled,
      .keyFetched, .keyFetchFailed, .enrollmentStarted, .enrollmentPolicyLoaded, .enrollmentKeysCreated,
      .enrollmentDeviceReset, .enrollmentCompleted, .enrollmentFailed, .enrollmentRolledBack, .enrollmentUpdated,
      .enrollmentDeleted, .enrollmentStateChanged, .maintenanceTokenObtained, .maintenanceTokenFailed, nil:
      return nil
    }
  }

  /// The message for the application about a key that could not be used.
  private func message(_ data: JSON, _ challenge: PushChallenge) -> RemediationStep? {
    guard let reason = RemediationStepMessage.ReasonType(rawValue: data["reason"]?.string ?? "") else { return nil }
    let message = data["message"]?.string ?? ""
    let name = data["error"]?.string ?? ""
    let error: DeviceAuthenticatorError =
      name == "genericError" ? .genericError(message) : .securityError(SecurityError(case: name, message))
    return RemediationStepMessage(challenge, .nonFatalError, reason, message, error)
  }
}

/// Finds the challenge of a transaction as long as the application holds it.
final class ChallengeDesk: Sendable {
  private struct Held {
    weak var session: ChallengeSession?
  }
  private struct Shelf {
    var held: [String: Held] = [:]
    /// The number of entries at which released challenges are removed. It is set to twice the number that remained, so
    /// that the amortized cost per entry is constant.
    var sweep = 64
  }
  private let shelf = Locked(Shelf())
  /// Notifications are read one at a time, so that two simultaneous deliveries become one challenge.
  private let order = NSLock()

  func inOrder<Result>(_ body: () throws -> Result) rethrows -> Result {
    order.lock()
    defer { order.unlock() }
    return try body()
  }

  subscript(transaction: String) -> ChallengeSession? {
    get { shelf.withLock { $0.held[transaction]?.session } }
    set {
      shelf.withLock { shelf in
        if shelf.held.count >= shelf.sweep {
          shelf.held = shelf.held.filter { $0.value.session != nil }
          shelf.sweep = max(64, 2 * shelf.held.count)
        }
        shelf.held[transaction] = Held(session: newValue)
      }
    }
  }
}
