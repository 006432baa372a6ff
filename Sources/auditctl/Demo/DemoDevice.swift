// The authenticator of the demo: a device that is enrolled for real, and signs its answers.

import DeviceAuthenticator
import FlowRecording
import Foundation
import SimulatedOrg

/// A person's device: enrolled at the org, with its keys in memory.
struct DemoDevice {
  private let authenticator: any DeviceAuthenticatorProtocol
  private let pushes: AsyncStream<OrgPush>
  /// The token that enrolled it.
  let token: String

  /// Enrolls a device.
  ///
  /// - Throws: `DeviceAuthenticatorError`; `CommandFailure` if the org does not know the person.
  init(of login: String, at org: SimulatedOrg, _ environment: FlowEnvironment) async throws {
    guard let token = org.accessToken(for: login) else {
      throw CommandFailure(.inputOutput, "the org of the demo does not know \(login)")
    }
    self.token = token
    let config = ApplicationConfig(
      applicationName: "auditctl-demo", applicationVersion: DeviceAuthenticatorConstants.version,
      applicationGroupId: "auditctl-demo")
    authenticator = try DeviceAuthenticatorBuilder(applicationConfig: config).environment(environment)
      .keyStore(MemoryKeyStore()).enrollmentStorage(MemoryEnrollmentStorage()).create()
    let pushToken = "demo-\(login)"
    pushes = org.pushes(to: pushToken)
    _ = try await authenticator.enroll(
      authenticationToken: .bearer(token),
      authenticatorConfig: DeviceAuthenticatorConfig(orgURL: org.url, oidcClientId: OrgClient.sample.id),
      enrollmentParameters: EnrollmentParameters(deviceToken: .tokenString(pushToken)))
  }

  /// Waits for one push, and approves it.
  func approve() async throws {
    for await push in pushes {
      let challenge = try authenticator.parsePushNotification(Data(push.payload.encoded))
      return try await challenge.resolve { step in
        if let consent = step as? RemediationStepUserConsent {
          consent.provide(.approved)
        } else {
          step.defaultProcess()
        }
      }
    }
  }
}
