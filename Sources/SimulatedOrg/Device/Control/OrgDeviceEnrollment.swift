// An enrollment as the org's administrator sees it.

/// One user's enrollment on one device.
public struct OrgDeviceEnrollment: Sendable, Equatable {
  /// Its id (`pfd…`).
  public let id: String
  /// The user's login.
  public let login: String
  /// The user's id.
  public let userID: String
  /// The device's id.
  public let deviceID: String
  /// The id of the application on the device.
  public let clientInstanceID: String
  /// The authenticator it belongs to.
  public let authenticatorID: String
  /// The id of its push method (`opf…`).
  public let methodID: String
  /// Whether it may be used; the user and the device have their own statuses.
  public let status: OrgLifecycle
  /// Where notifications go; empty if it only pulls.
  public let pushToken: String
  /// `PRODUCTION` or `DEVELOPMENT`, if the device said so.
  public let apsEnvironment: String?
  /// The kinds of transactions that it accepts.
  public let transactionTypes: Set<OrgTransactionType>
  /// `kid` of the proof-of-possession key.
  public let possessionKeyID: String
  /// `kid` of the user-verification key, if there is one.
  public let verificationKeyID: String?
  /// The device's description as it was enrolled last.
  public let profile: OrgJSON
}

extension OrgState {
  func shown(_ enrollment: DeviceEnrollment) -> OrgDeviceEnrollment {
    let record = device.devices[enrollment.deviceID]
    return OrgDeviceEnrollment(
      id: enrollment.id, login: accounts[enrollment.login]?.user.login ?? enrollment.login, userID: enrollment.userID,
      deviceID: enrollment.deviceID, clientInstanceID: record?.clientInstanceID ?? "",
      authenticatorID: enrollment.authenticatorID, methodID: enrollment.methodID, status: enrollment.status,
      pushToken: enrollment.pushToken, apsEnvironment: enrollment.environment,
      transactionTypes: enrollment.transactionTypes, possessionKeyID: enrollment.possessionKey.id,
      verificationKeyID: enrollment.verificationKey?.id, profile: record?.profile ?? [:])
  }
}
