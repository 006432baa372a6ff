// A handle for an enrollment; it shows what is currently stored.

import EventStore
import FlowRecording
import Foundation

/// An enrollment on this device.
final class AuthenticatorEnrollment: AuthenticatorEnrollmentProtocol, CustomReflectable {
  let context: DeviceContext
  /// The enrollment as it was when the handle was created; shown once it is no longer stored.
  private let last: StoredEnrollment

  init(_ stored: StoredEnrollment, _ context: DeviceContext) {
    last = stored
    self.context = context
  }

  private var stored: StoredEnrollment { context.stored(last.id) ?? last }

  var enrollmentId: String { last.id }
  var organization: Organization { Organization(id: last.orgID, url: last.orgURL) }
  var user: User { User(id: last.userID, name: last.userName) }
  var userVerificationEnabled: Bool { stored.userVerificationTag != nil }
  var isCIBAEnabled: Bool { stored.transactionTypes.contains(DeviceVocabulary.ciba) }
  var state: EnrollmentState {
    EnrollmentState(rawValue: ServerError.meaning(of: stored.serverErrorCode).rawValue) ?? .active
  }

  func updateDeviceToken(
    _ token: DeviceToken, authenticationToken: AuthToken, completion: @escaping (DeviceAuthenticatorError?) -> Void
  ) {
    run(.updateDeviceToken, authenticationToken, [("pushToken", .string(token.text))], completion)
  }

  func setUserVerification(
    authenticationToken: AuthToken, enable: Bool, completion: @escaping (DeviceAuthenticatorError?) -> Void
  ) {
    run(.setUserVerification, authenticationToken, [("enable", .bool(enable))], completion)
  }

  func enableCIBATransactions(
    authenticationToken: AuthToken, enable: Bool, completion: @escaping (DeviceAuthenticatorError?) -> Void
  ) {
    run(.enableCIBATransactions, authenticationToken, [("enable", .bool(enable))], completion)
  }

  func delete(
    enrollment: any AuthenticatorEnrollmentProtocol, authenticationToken: AuthToken,
    completion: @escaping (DeviceAuthenticatorError?) -> Void
  ) {
    context.delete(enrollment.enrollmentId, authenticationToken, completion)
  }

  func deleteFromDevice() throws {
    _ = try context.begin().wait(.deleteFromDevice, [("enrollmentId", .string(last.id))]).get()
  }

  func retrieveMaintenanceToken(
    scopes: [String], completion: @escaping (Result<Oauth2Credential, DeviceAuthenticatorError>) -> Void
  ) {
    let device = context.begin()
    let done = Delivery(device.lanes, completion)
    device.call(
      .retrieveMaintenanceToken,
      [("enrollmentId", .string(last.id)), ("scopes", .array(scopes.map(JSON.string)))]
    ) { [device] result in
      done(
        result.map { core in
          let body = device.flow.vault.reveal(core.operation?.answers[.token]?.body ?? [:])
          return Oauth2Credential(
            access_token: body["access_token"]?.string ?? "", token_type: body["token_type"]?.string ?? "",
            expires_in: body["expires_in"]?.int, refresh_token: body["refresh_token"]?.string,
            scope: body["scope"]?.string)
        })
    }
  }

  func retrievePushChallenges(
    authenticationToken: AuthToken, allowedClockSkewInSeconds: Int,
    completion: @escaping (Result<[any PushChallengeProtocol], DeviceAuthenticatorError>) -> Void
  ) {
    let device = context.begin()
    let done = Delivery(device.lanes, completion)
    let arguments: [(String, JSON?)] = [
      ("enrollmentId", .string(last.id)), ("token", .string(authenticationToken.token)),
    ]
    device.call(.retrievePushChallenges, arguments) { [device, context, last] result in
      let pending = result.map { device.flow.vault.reveal($0.operation?.answers[.pending]?.body ?? []).array ?? [] }
      context.pulled(pending, for: last.id, skew: allowedClockSkewInSeconds) { done($0) }
    }
  }

  private func run(
    _ call: DeviceCall, _ token: AuthToken, _ arguments: [(String, JSON?)],
    _ completion: @escaping (DeviceAuthenticatorError?) -> Void
  ) {
    let device = context.begin()
    let done = Delivery(device.lanes, completion)
    device.call(call, [("enrollmentId", .string(last.id)), ("token", .string(token.token))] + arguments) { result in
      switch result {
      case .success: done(nil)
      case .failure(let error): done(error)
      }
    }
  }

  /// IDs and state, but no secrets.
  var description: String {
    "AuthenticatorEnrollment(\(enrollmentId), \(organization.url), user \(user.id), \(state.rawValue)"
      + (userVerificationEnabled ? ", user verification" : "") + (isCIBAEnabled ? ", CIBA" : "") + ")"
  }
  /// The same values as `description`.
  var customMirror: Mirror { Mirror(self, children: ["enrollmentId": enrollmentId, "state": state]) }
}

extension DeviceContext {
  /// Deletes an enrollment at the org, then on this device.
  func delete(
    _ id: String, _ token: AuthToken, _ completion: @escaping (DeviceAuthenticatorError?) -> Void
  ) {
    let device = begin()
    let done = Delivery(device.lanes, completion)
    device.call(.delete, [("enrollmentId", .string(id)), ("token", .string(token.token))]) { result in
      switch result {
      case .success: done(nil)
      case .failure(let error): done(error)
      }
    }
  }
}
