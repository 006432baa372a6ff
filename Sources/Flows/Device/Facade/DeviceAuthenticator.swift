// The push authenticator.

import EventStore
import FlowRecording
import Foundation

/// A push authenticator that uses the given seams.
final class DeviceAuthenticator: DeviceAuthenticatorProtocol {
  private let context: DeviceContext

  init(_ context: DeviceContext) { self.context = context }

  func downloadPolicy(
    authenticationToken: AuthToken, authenticatorConfig: DeviceAuthenticatorConfig,
    completion: @escaping (Result<any AuthenticatorPolicyProtocol, DeviceAuthenticatorError>) -> Void
  ) {
    let device = context.begin()
    let done = Delivery(device.lanes, completion)
    guard let url = authenticatorConfig.usableURL else { return done(.failure(Self.unusableURL)) }
    device.call(
      .downloadPolicy,
      [
        ("token", .string(authenticationToken.token)), ("orgURL", .string(url)),
        ("clientId", .string(authenticatorConfig.oidcClientId)),
      ]
    ) { result in
      done(result.map { core in AuthenticatorPolicy(word: core.operation?.policy?.userVerification ?? "") })
    }
  }

  func enroll(
    authenticationToken: AuthToken, authenticatorConfig: DeviceAuthenticatorConfig,
    enrollmentParameters: EnrollmentParameters,
    completion: @escaping (Result<any AuthenticatorEnrollmentProtocol, DeviceAuthenticatorError>) -> Void
  ) {
    let device = context.begin()
    let done = Delivery(device.lanes, completion)
    guard let url = authenticatorConfig.usableURL else { return done(.failure(Self.unusableURL)) }
    let arguments: [(String, JSON?)] = [
      ("token", .string(authenticationToken.token)), ("orgURL", .string(url)),
      ("clientId", .string(authenticatorConfig.oidcClientId)),
      ("pushToken", .string(enrollmentParameters.deviceToken.text)),
      ("apsEnvironment", .string(context.apsEnvironment)),
      ("userVerification", enrollmentParameters.userVerification.map(JSON.bool)),
      ("ciba", .bool(enrollmentParameters.isCIBAEnabled)),
    ]
    device.call(.enroll, arguments) { [context] result in
      done(
        result.flatMap { core in
          let id = core.operation?.enrolled?.body?["id"]?.string ?? ""
          guard let stored = context.stored(id) else { return .failure(.storageError(.itemNotFound)) }
          return .success(AuthenticatorEnrollment(stored, context))
        })
    }
  }

  func allEnrollments() -> [any AuthenticatorEnrollmentProtocol] {
    ((try? context.services.storage.enrollments()) ?? []).map { AuthenticatorEnrollment($0, context) }
  }

  func delete(
    enrollment: any AuthenticatorEnrollmentProtocol, authenticationToken: AuthToken,
    completion: @escaping (DeviceAuthenticatorError?) -> Void
  ) {
    context.delete(enrollment.enrollmentId, authenticationToken, completion)
  }

  func parsePushNotification(
    _ notification: PushNotification, allowedClockSkewInSeconds: Int
  ) throws -> any PushChallengeProtocol {
    try parse(notification, source: "push", action: nil, skew: allowedClockSkewInSeconds)
  }

  func parsePushNotificationResponse(
    _ response: PushNotificationResponse, allowedClockSkewInSeconds: Int
  ) throws -> any PushChallengeProtocol {
    try parse(
      response.notification, source: "action", action: response.actionIdentifier, skew: allowedClockSkewInSeconds)
  }

  private func parse(
    _ notification: PushNotification, source: String, action: String?, skew: Int
  ) throws(DeviceAuthenticatorError) -> any PushChallengeProtocol {
    PushChallenge.make(
      try context.received(
        version: notification.version, token: notification.challenge, keys: notification.keys, source: source,
        action: action, skew: skew))
  }

  private static var unusableURL: DeviceAuthenticatorError {
    .genericError("The org's URL cannot be used: it needs https, or http on this machine alone.")
  }
}

/// The configuration of an authenticator.
struct AuthenticatorPolicy: AuthenticatorPolicyProtocol {
  let userVerificationSetting: UserVerificationPolicySetting

  init(word: String) { userVerificationSetting = UserVerificationPolicySetting(word) }
}
