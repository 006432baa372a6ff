// Handles for a challenge: they show its state and pass on what the application asks for.

import EventStore
import FlowRecording
import Foundation

/// A challenge that the application passed in. All handles for a transaction share one state.
class PushChallenge: PushChallengeProtocol, CustomStringConvertible, CustomReflectable, @unchecked Sendable {
  // `@unchecked`: the only stored property is immutable and `Sendable`; the one subclass adds none.
  private let session: ChallengeSession

  init(_ session: ChallengeSession) { self.session = session }

  /// Creates a handle of the right type.
  static func make(_ session: ChallengeSession) -> PushChallenge {
    session.work?.challenge?.transactionType == DeviceVocabulary.ciba
      ? CIBAChallenge(session) : PushChallenge(session)
  }

  var claims: Challenge { session.challenge }

  var isReference: Bool { session.device.flow.core.settings.isReference }

  var transactionId: String { claims.transactionID }
  var originURL: URL? { URL(string: claims.issuer) }
  var transactionTime: Date { Date(timeIntervalSince1970: Double(claims.issuedAt)) }
  var expiresAt: Date { Date(timeIntervalSince1970: Double(claims.expiresAt)) }
  var appInstanceName: String? { claims.appInstanceName }
  var clientLocation: String? { claims.clientLocation }
  var clientOS: String? { claims.clientOS }
  var isVerified: Bool { session.work?.isVerified ?? false }
  var challengeTextItems: [String] { texts("challengeTextItems") }
  var unusualActivities: [String] { texts("unusualActivitiesTextItems") }
  var userVerificationRequirement: UserVerificationChallengeRequirement {
    UserVerificationChallengeRequirement(rawValue: claims.requirement.rawValue) ?? .none
  }

  private func texts(_ name: String) -> [String] { (claims.context[name]?.array ?? []).compactMap(\.string) }

  var userResponse: PushChallengeUserResponse {
    get {
      switch session.work?.answer {
      case nil: .userNotResponded
      case "approved": .userApproved
      case .some: .userDenied
      }
    }
    set { session.respond(newValue) }
  }

  func resolve(
    onRemediation: @escaping (RemediationStep) -> Void, onCompletion: @escaping (DeviceAuthenticatorError?) -> Void
  ) {
    session.resolve(onRemediation, onCompletion)
  }

  func retrySubmission(onCompletion: @escaping (DeviceAuthenticatorError?) -> Void) { session.retry(onCompletion) }

  func resolve(
    onRemediation: @escaping @Sendable (RemediationStep) -> Void
  ) async throws(DeviceAuthenticatorError) {
    let session = session
    let error = await session.device.session.value { deliver in session.resolve(onRemediation, deliver) }
    if let error { throw error }
  }

  func retrySubmission() async throws(DeviceAuthenticatorError) {
    let session = session
    let error = await session.device.session.value { deliver in session.retry(deliver) }
    if let error { throw error }
  }

  /// The transaction ID, and whether the challenge is verified.
  var description: String { "PushChallenge(\(transactionId), \(isVerified ? "verified" : "not verified"))" }
  /// The same values as `description`.
  var customMirror: Mirror { Mirror(self, children: ["transactionId": transactionId, "isVerified": isVerified]) }
}

/// A challenge started by an OAuth client (CIBA).
final class CIBAChallenge: PushChallenge, CIBAChallengeProtocol, @unchecked Sendable {
  var cibaBindingMessage: String? {
    claims.bindingMessage.flatMap { BindingMessage.shown($0, asReference: isReference) }
  }
}
