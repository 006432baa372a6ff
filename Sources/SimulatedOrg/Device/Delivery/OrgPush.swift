// A challenge on its way to a device (device.md §7.1).

/// A notification as the push service would carry it.
public struct OrgPush: Sendable, Equatable {
  /// Where it goes: the token that the enrollment gave.
  public let pushToken: String
  /// The enrollment that is challenged.
  public let enrollmentID: String
  /// The challenge, which is the transaction.
  public let challengeID: String
  /// `payloadVersion`, `challenge` and `aps`.
  public let payload: OrgJSON
}

extension OrgState {
  /// The notification of a challenge.
  func push(_ challenge: DeviceChallenge, to enrollment: DeviceEnrollment) -> OrgPush {
    var payload = challenge.payload
    let wantsVerification = challenge.requirement == .required && enrollment.verificationKey != nil
    payload["aps"] = [
      "alert": ["title": "Sign-in request", "body": .string(configuration.devices.applicationName)],
      "category": wantsVerification ? "OKTA_PUSH_UV_CHALLENGE" : "OKTA_PUSH_CHALLENGE",
    ]
    return OrgPush(
      pushToken: enrollment.pushToken, enrollmentID: enrollment.id, challengeID: challenge.id, payload: payload)
  }
}
