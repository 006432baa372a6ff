// Enrollments and authenticators as applications hold them (spec/device.md §16).

/// A device's enrollment for one person of one org. Printed, it shows ids and no secret.
public protocol AuthenticatorEnrollmentProtocol: AnyObject, Sendable, CustomStringConvertible {
  /// The enrollment's id at the org.
  var enrollmentId: String { get }
  /// The org.
  var organization: Organization { get }
  /// The person.
  var user: User { get }
  /// Whether a key of a verified person is enrolled.
  var userVerificationEnabled: Bool { get }
  /// Whether CIBA challenges are taken.
  var isCIBAEnabled: Bool { get }
  /// What the org last said of it.
  var state: EnrollmentState { get }

  /// Changes where the org sends notifications. Needs the scope `maintenance.manage` or `manage`.
  func updateDeviceToken(
    _ token: DeviceToken, authenticationToken: AuthToken, completion: @escaping (DeviceAuthenticatorError?) -> Void)
  /// Enrolls a key of a verified person, or removes it. Needs the scope `manage`. The verifier asks the person before a
  /// key is made.
  func setUserVerification(
    authenticationToken: AuthToken, enable: Bool, completion: @escaping (DeviceAuthenticatorError?) -> Void)
  /// Takes CIBA challenges, or takes them no more.
  func enableCIBATransactions(
    authenticationToken: AuthToken, enable: Bool, completion: @escaping (DeviceAuthenticatorError?) -> Void)
  /// Fetches the challenges that wait for this enrollment. Those that were answered are left out.
  func retrievePushChallenges(
    authenticationToken: AuthToken, allowedClockSkewInSeconds: Int,
    completion: @escaping (Result<[any PushChallengeProtocol], DeviceAuthenticatorError>) -> Void)
  /// Gets a token without asking the person: for pending challenges, the push token and CIBA.
  ///
  /// - Parameters:
  ///   - scopes: the scopes; the one for maintenance if there are none.
  ///   - completion: gets the token, or why there is none.
  func retrieveMaintenanceToken(
    scopes: [String], completion: @escaping (Result<Oauth2Credential, DeviceAuthenticatorError>) -> Void)
  /// Removes the enrollment from the org, then from this device. It stays in both if the org does not say that it is gone.
  func delete(
    enrollment: any AuthenticatorEnrollmentProtocol, authenticationToken: AuthToken,
    completion: @escaping (DeviceAuthenticatorError?) -> Void)
  /// Removes the enrollment from this device alone. The org goes on challenging a device that cannot answer: the person
  /// may be locked out.
  ///
  /// - Throws: `DeviceAuthenticatorError`.
  func deleteFromDevice() throws
}

/// An authenticator's configuration.
public protocol AuthenticatorPolicyProtocol: Sendable {
  /// Whether the org wants user verification.
  var userVerificationSetting: UserVerificationPolicySetting { get }
}

/// The push authenticator of an application.
///
/// Completions are called once, on the actor that the call was made from, and never from inside the call.
public protocol DeviceAuthenticatorProtocol: AnyObject, Sendable {
  /// Fetches an authenticator's configuration. Stores nothing.
  func downloadPolicy(
    authenticationToken: AuthToken, authenticatorConfig: DeviceAuthenticatorConfig,
    completion: @escaping (Result<any AuthenticatorPolicyProtocol, DeviceAuthenticatorError>) -> Void)
  /// Enrolls this device for the person whose access token it is. Keys that were made are destroyed if it fails.
  func enroll(
    authenticationToken: AuthToken, authenticatorConfig: DeviceAuthenticatorConfig,
    enrollmentParameters: EnrollmentParameters,
    completion: @escaping (Result<any AuthenticatorEnrollmentProtocol, DeviceAuthenticatorError>) -> Void)
  /// All enrollments of this device; none if the storage cannot be read.
  func allEnrollments() -> [any AuthenticatorEnrollmentProtocol]
  /// Removes an enrollment from the org, then from this device.
  func delete(
    enrollment: any AuthenticatorEnrollmentProtocol, authenticationToken: AuthToken,
    completion: @escaping (DeviceAuthenticatorError?) -> Void)
  /// Reads a notification.
  ///
  /// - Parameters:
  ///   - notification: as it came.
  ///   - allowedClockSkewInSeconds: how far the org's clock may be off; negative counts as none.
  /// - Returns: the challenge, not verified.
  /// - Throws: `DeviceAuthenticatorError`; `pushNotRecognized` for a notification that is not ours.
  func parsePushNotification(_ notification: PushNotification, allowedClockSkewInSeconds: Int) throws
    -> any PushChallengeProtocol
  /// Reads a notification that a person has answered or opened.
  func parsePushNotificationResponse(_ response: PushNotificationResponse, allowedClockSkewInSeconds: Int) throws
    -> any PushChallengeProtocol
}
