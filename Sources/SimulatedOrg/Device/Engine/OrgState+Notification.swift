// The content of a challenge for the push service (device.md §7.1).

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
