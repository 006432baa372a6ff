// The life of enrollments (spec/device.md §13).

import DeviceAuthenticator
import Foundation
import SimulatedOrg

extension DeviceScenario {
  private static let enrollPath = "/idp/myaccount/app-authenticators"
  private static let changePath = "/app-authenticators/"

  // MARK: Enrolling (§13.1, §13.2)

  static let enrollments: [DeviceScenario] = [
    enrolled, knownDevice, deletedDevice, refusedToken, rolledBack, policy, noHardware, verificationNeeded,
  ]

  /// A new device, with verification and CIBA.
  static let enrolled = DeviceScenario("device-enroll") { stage in
    let enrollment = try await stage.enroll(verification: true, ciba: true)
    try expect(enrollment.userVerificationEnabled && enrollment.isCIBAEnabled, "not all is on")
    try expect(try stage.keys.tags().count == 3, "there are not three keys")
  }

  /// A second person enrolls on the same device.
  static let knownDevice = DeviceScenario("device-enroll-known") { stage in
    let ids = [try await stage.enroll(), try await stage.enroll(secondLogin)].map(\.enrollmentId)
    let devices = Set(ids.map { stage.org.enrollment(id: $0)?.deviceID })
    try expect(devices.count == 1 && !devices.contains(nil), "the device is another one")
  }

  /// The org has deleted the device: it enrolls once more, as a new one.
  static let deletedDevice = DeviceScenario("device-enroll-deleted") { stage in
    let first = try await stage.enroll()
    stage.org.setDevice(stage.org.enrollment(id: first.enrollmentId)?.deviceID ?? "", .deleted)
    _ = try await stage.enroll(secondLogin)
  }

  /// A bad token on a known device is tried once more, as on a new one, and is bad still.
  static let refusedToken = DeviceScenario("device-enroll-token") { stage in
    _ = try await stage.enroll()
    stage.org.inject(
      Fault(
        .reply(status: 401, body: #"{"errorCode":"E0000011","errorSummary":"Invalid token"}"#), path: enrollPath,
        times: 2))
    try await failure(-1) { _ = try await stage.enroll(secondLogin) }
    try expect(stage.authenticator.allEnrollments().count == 1, "it was enrolled")
  }

  /// The org fails: the keys that were made are destroyed.
  static let rolledBack = DeviceScenario("device-enroll-rollback") { stage in
    stage.org.inject(Fault(.serverError, path: enrollPath))
    try await failure(-1) { _ = try await stage.enroll(verification: true) }
    stage.org.inject(Fault(.connectionReset, path: enrollPath))
    try await failure(-2) { _ = try await stage.enroll() }
    try expect(try stage.keys.tags().isEmpty, "keys are left")
  }

  /// What the org wants is asked for by itself.
  static let policy = DeviceScenario("device-policy") { stage in
    let policy = try await stage.authenticator.downloadPolicy(
      authenticationToken: try stage.token(), authenticatorConfig: stage.config)
    try expect(policy.userVerificationSetting == .preferred, "the setting is \(policy.userVerificationSetting)")
  }

  /// The org wants keys in hardware, and there is none: no key is made.
  static let noHardware = DeviceScenario("device-enroll-hardware", org(OrgAppAuthenticator(needsHardwareKeys: true))) {
    stage in
    try await failure(-3) { _ = try await stage.enroll() }
  }

  /// The org wants a key for verification, and none is offered.
  static let verificationNeeded = DeviceScenario(
    "device-enroll-verification", org(OrgAppAuthenticator(userVerification: .required))
  ) { stage in
    try await failure(-1) { _ = try await stage.enroll() }
    _ = try await stage.enroll(verification: true)
  }

  private static func org(_ authenticator: OrgAppAuthenticator) -> OrgConfiguration {
    var configuration = people
    configuration.devices = OrgDevices().with { $0.authenticators = [authenticator] }
    return configuration
  }

  // MARK: Changing (§13.3 to §13.5)

  static let changes: [DeviceScenario] = [pushToken, verificationOnOff, verificationReplaced, cibaOnOff, unchanged]

  /// The push token is another one.
  static let pushToken = DeviceScenario("device-push-token") { stage in
    let enrollment = try await stage.enroll()
    try await enrollment.updateDeviceToken(
      .tokenData(Data([0xde, 0xad, 0x00, 0x01])), authenticationToken: try stage.token())
    try expect(stage.org.enrollment(id: enrollment.enrollmentId)?.pushToken == "dead0001", "the token is the old one")
  }

  /// Verification is turned on, on again, and off.
  static let verificationOnOff = DeviceScenario("device-verification-on-off") { stage in
    let enrollment = try await stage.enroll()
    let token = try stage.token()
    for isOn in [true, true, false] {
      try await enrollment.setUserVerification(authenticationToken: token, enable: isOn)
      try expect(enrollment.userVerificationEnabled == isOn, "it is not as it was set")
    }
    try expect(try stage.keys.tags().count == 2, "the key is left")
  }

  /// The key of a verified person is lost, and a new one takes its place.
  static let verificationReplaced = DeviceScenario("device-verification-replaced") { stage in
    let enrollment = try await stage.enroll(verification: true)
    let tag = try stage.storage.enrollment(id: enrollment.enrollmentId)?.userVerificationTag ?? ""
    try stage.keys.delete(tag: tag)
    try await enrollment.setUserVerification(authenticationToken: try stage.token(), enable: true)
    try expect(
      try stage.storage.enrollment(id: enrollment.enrollmentId)?.userVerificationTag != tag, "the key is the old one")
  }

  /// CIBA is turned on and off.
  static let cibaOnOff = DeviceScenario("device-ciba-on-off") { stage in
    let enrollment = try await stage.enroll()
    for isOn in [true, false] {
      try await enrollment.enableCIBATransactions(authenticationToken: try stage.token(), enable: isOn)
      try expect(enrollment.isCIBAEnabled == isOn, "it is not as it was set")
    }
  }

  /// The org fails, the person does not want to: all is as before.
  static let unchanged = DeviceScenario("device-change-failed", verifications: [.verified, .cancelled]) { stage in
    let enrollment = try await stage.enroll()
    let token = try stage.token()
    stage.org.inject(Fault(.serverError, path: changePath))
    try await failure(-1) {
      try await enrollment.setUserVerification(authenticationToken: token, enable: true)
    }
    try await failure(-3) {
      try await enrollment.setUserVerification(authenticationToken: token, enable: true)
    }
    try expect(!enrollment.userVerificationEnabled, "it is on")
    try expect(try stage.keys.tags().count == 2, "a key is left")
  }
}
