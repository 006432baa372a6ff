// Shorter and async forms of the same calls.

public import Foundation

extension AuthenticatorEnrollmentProtocol {
  /// Calls `updateDeviceToken` with the bytes of a push token.
  public func updateDeviceToken(
    _ token: Data, authenticationToken: AuthToken, completion: @escaping (DeviceAuthenticatorError?) -> Void
  ) {
    updateDeviceToken(.tokenData(token), authenticationToken: authenticationToken, completion: completion)
  }

  /// Calls `retrievePushChallenges` with an allowed clock skew of five minutes.
  public func retrievePushChallenges(
    authenticationToken: AuthToken,
    completion: @escaping (Result<[any PushChallengeProtocol], DeviceAuthenticatorError>) -> Void
  ) {
    retrievePushChallenges(
      authenticationToken: authenticationToken, allowedClockSkewInSeconds: 300, completion: completion)
  }

  /// Calls `retrieveMaintenanceToken` with the maintenance scope.
  public func retrieveMaintenanceToken(
    completion: @escaping (Result<Oauth2Credential, DeviceAuthenticatorError>) -> Void
  ) {
    retrieveMaintenanceToken(scopes: [], completion: completion)
  }

  /// The async form of `updateDeviceToken`.
  ///
  /// - Throws: the `DeviceAuthenticatorError` that the form with a completion ends with.
  public func updateDeviceToken(
    _ token: DeviceToken, authenticationToken: AuthToken
  ) async throws(DeviceAuthenticatorError) {
    try await Completion.wait {
      updateDeviceToken(token, authenticationToken: authenticationToken, completion: $0)
    }
  }

  /// The async form of `setUserVerification`.
  ///
  /// - Throws: the `DeviceAuthenticatorError` that the form with a completion ends with.
  public func setUserVerification(
    authenticationToken: AuthToken, enable: Bool
  ) async throws(DeviceAuthenticatorError) {
    try await Completion.wait {
      setUserVerification(authenticationToken: authenticationToken, enable: enable, completion: $0)
    }
  }

  /// The async form of `enableCIBATransactions`.
  ///
  /// - Throws: the `DeviceAuthenticatorError` that the form with a completion ends with.
  public func enableCIBATransactions(
    authenticationToken: AuthToken, enable: Bool
  ) async throws(DeviceAuthenticatorError) {
    try await Completion.wait {
      enableCIBATransactions(authenticationToken: authenticationToken, enable: enable, completion: $0)
    }
  }

  /// The async form of `retrievePushChallenges`.
  ///
  /// - Throws: the `DeviceAuthenticatorError` that the form with a completion ends with.
  public func retrievePushChallenges(
    authenticationToken: AuthToken, allowedClockSkewInSeconds: Int = 300
  ) async throws(DeviceAuthenticatorError) -> [any PushChallengeProtocol] {
    try await Completion.value {
      retrievePushChallenges(
        authenticationToken: authenticationToken, allowedClockSkewInSeconds: allowedClockSkewInSeconds, completion: $0)
    }
  }

  /// The async form of `retrieveMaintenanceToken`.
  ///
  /// - Throws: the `DeviceAuthenticatorError` that the form with a completion ends with.
  public func retrieveMaintenanceToken(
    scopes: [String] = []
  ) async throws(DeviceAuthenticatorError) -> Oauth2Credential {
    try await Completion.value { retrieveMaintenanceToken(scopes: scopes, completion: $0) }
  }
}

extension DeviceAuthenticatorProtocol {
  /// Calls `parsePushNotification` with an allowed clock skew of five minutes.
  ///
  /// - Throws: `DeviceAuthenticatorError`; `pushNotRecognized` if the notification does not belong to this product.
  public func parsePushNotification(_ notification: PushNotification) throws -> any PushChallengeProtocol {
    try parsePushNotification(notification, allowedClockSkewInSeconds: 300)
  }

  /// Calls `parsePushNotification` with the dictionary of a notification.
  ///
  /// - Throws: `DeviceAuthenticatorError`; `pushNotRecognized` if the notification does not belong to this product.
  public func parsePushNotification(
    _ userInfo: [String: any Sendable], allowedClockSkewInSeconds: Int = 300
  ) throws -> any PushChallengeProtocol {
    try parsePushNotification(
      PushNotification(userInfo: userInfo), allowedClockSkewInSeconds: allowedClockSkewInSeconds)
  }

  /// Calls `parsePushNotification` with the bytes of a JSON object.
  ///
  /// - Throws: `DeviceAuthenticatorError`; `pushNotRecognized` if the notification does not belong to this product.
  public func parsePushNotification(
    _ json: Data, allowedClockSkewInSeconds: Int = 300
  ) throws -> any PushChallengeProtocol {
    try parsePushNotification(PushNotification(json: json), allowedClockSkewInSeconds: allowedClockSkewInSeconds)
  }

  /// Calls `parsePushNotificationResponse` with an allowed clock skew of five minutes.
  ///
  /// - Throws: `DeviceAuthenticatorError`; `pushNotRecognized` if the notification does not belong to this product.
  public func parsePushNotificationResponse(
    _ response: PushNotificationResponse
  ) throws -> any PushChallengeProtocol {
    try parsePushNotificationResponse(response, allowedClockSkewInSeconds: 300)
  }

  /// The async form of `downloadPolicy`.
  ///
  /// - Throws: the `DeviceAuthenticatorError` that the form with a completion ends with.
  public func downloadPolicy(
    authenticationToken: AuthToken, authenticatorConfig: DeviceAuthenticatorConfig
  ) async throws(DeviceAuthenticatorError) -> any AuthenticatorPolicyProtocol {
    try await Completion.value {
      downloadPolicy(
        authenticationToken: authenticationToken, authenticatorConfig: authenticatorConfig, completion: $0)
    }
  }

  /// The async form of `enroll`.
  ///
  /// - Throws: the `DeviceAuthenticatorError` that the form with a completion ends with.
  public func enroll(
    authenticationToken: AuthToken, authenticatorConfig: DeviceAuthenticatorConfig,
    enrollmentParameters: EnrollmentParameters
  ) async throws(DeviceAuthenticatorError) -> any AuthenticatorEnrollmentProtocol {
    try await Completion.value {
      enroll(
        authenticationToken: authenticationToken, authenticatorConfig: authenticatorConfig,
        enrollmentParameters: enrollmentParameters, completion: $0)
    }
  }

  /// The async form of `delete`.
  ///
  /// - Throws: the `DeviceAuthenticatorError` that the form with a completion ends with.
  public func delete(
    enrollment: any AuthenticatorEnrollmentProtocol, authenticationToken: AuthToken
  ) async throws(DeviceAuthenticatorError) {
    try await Completion.wait {
      delete(enrollment: enrollment, authenticationToken: authenticationToken, completion: $0)
    }
  }
}
