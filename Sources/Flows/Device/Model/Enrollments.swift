// Enrollments and authenticators, as applications see them (spec/device.md §16).

/// The enrollment of this device for one person at one org. Its description shows IDs but no secrets.
public protocol AuthenticatorEnrollmentProtocol: AnyObject, Sendable, CustomStringConvertible {
  /// The ID that the org gave the enrollment.
  var enrollmentId: String { get }
  /// The org.
  var organization: Organization { get }
  /// The person.
  var user: User { get }
  /// Whether a user verification key is enrolled.
  var userVerificationEnabled: Bool { get }
  /// Whether the enrollment accepts CIBA challenges.
  var isCIBAEnabled: Bool { get }
  /// The state of the enrollment, according to the org's last response.
  var state: EnrollmentState { get }

  /// Changes the push token that the org sends notifications to. Requires the scope `maintenance.manage` or `manage`.
  func updateDeviceToken(
    _ token: DeviceToken, authenticationToken: AuthToken, completion: @escaping (DeviceAuthenticatorError?) -> Void)
  /// Enrolls or removes the user verification key. Requires the scope `manage`. The verifier asks the person before a
  /// key is created.
  func setUserVerification(
    authenticationToken: AuthToken, enable: Bool, completion: @escaping (DeviceAuthenticatorError?) -> Void)
  /// Enables or disables CIBA challenges.
  func enableCIBATransactions(
    authenticationToken: AuthToken, enable: Bool, completion: @escaping (DeviceAuthenticatorError?) -> Void)
  /// Fetches the pending challenges for this enrollment, except for those already answered.
  func retrievePushChallenges(
    authenticationToken: AuthToken, allowedClockSkewInSeconds: Int,
    completion: @escaping (Result<[any PushChallengeProtocol], DeviceAuthenticatorError>) -> Void)
  /// Gets a maintenance token without asking the person. It allows fetching pending challenges and changing the push
  /// token and CIBA.
  ///
  /// - Parameters:
  ///   - scopes: the scopes to request; if empty, the maintenance scope.
  ///   - completion: receives the token or an error.
  func retrieveMaintenanceToken(
    scopes: [String], completion: @escaping (Result<Oauth2Credential, DeviceAuthenticatorError>) -> Void)
  /// Deletes the enrollment at the org, then on this device. If the org does not confirm that it is gone, it remains in
  /// both places.
  func delete(
    enrollment: any AuthenticatorEnrollmentProtocol, authenticationToken: AuthToken,
    completion: @escaping (DeviceAuthenticatorError?) -> Void)
  /// Deletes the enrollment on this device only. The org continues to challenge a device that can no longer answer,
  /// which may lock the person out.
  ///
  /// - Throws: `DeviceAuthenticatorError`.
  func deleteFromDevice() throws
}

/// An authenticator's configuration.
public protocol AuthenticatorPolicyProtocol: Sendable {
  /// Whether the org requires user verification.
  var userVerificationSetting: UserVerificationPolicySetting { get }
}

/// The push authenticator of an application.
///
/// Completions are called once, on the actor that made the call, and never before the call has returned.
public protocol DeviceAuthenticatorProtocol: AnyObject, Sendable {
  /// Fetches an authenticator's configuration without storing it.
  func downloadPolicy(
    authenticationToken: AuthToken, authenticatorConfig: DeviceAuthenticatorConfig,
    completion: @escaping (Result<any AuthenticatorPolicyProtocol, DeviceAuthenticatorError>) -> Void)
  /// Enrolls this device for the person whose access token is passed. If this fails, the created keys are destroyed.
  func enroll(
    authenticationToken: AuthToken, authenticatorConfig: DeviceAuthenticatorConfig,
    enrollmentParameters: EnrollmentParameters,
    completion: @escaping (Result<any AuthenticatorEnrollmentProtocol, DeviceAuthenticatorError>) -> Void)
  /// Returns all enrollments on this device, or an empty array if the storage cannot be read.
  func allEnrollments() -> [any AuthenticatorEnrollmentProtocol]
  /// Deletes an enrollment at the org, then on this device.
  func delete(
    enrollment: any AuthenticatorEnrollmentProtocol, authenticationToken: AuthToken,
    completion: @escaping (DeviceAuthenticatorError?) -> Void)
  /// Reads a notification.
  ///
  /// - Parameters:
  ///   - notification: the notification as it was received.
  ///   - allowedClockSkewInSeconds: the accepted difference between the org's clock and this one; negative values count
  ///     as 0.
  /// - Returns: the challenge, which is not verified yet.
  /// - Throws: `DeviceAuthenticatorError`; `pushNotRecognized` if the notification does not belong to this product.
  func parsePushNotification(_ notification: PushNotification, allowedClockSkewInSeconds: Int) throws
    -> any PushChallengeProtocol
  /// Reads a notification that the person has answered or opened.
  func parsePushNotificationResponse(_ response: PushNotificationResponse, allowedClockSkewInSeconds: Int) throws
    -> any PushChallengeProtocol
}
