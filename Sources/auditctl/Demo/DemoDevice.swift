// The device of one person of the demo: the real push authenticator, with a log of its own.

import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg

/// An enrolled device, which answers the pushes that the org sends it.
struct DemoDevice: Sendable {
  private let authenticator: any DeviceAuthenticatorProtocol
  private let pushes: AsyncStream<OrgPush>
  private let pushToken: String

  /// Enrolls a device for a person.
  init(of login: String, at org: SimulatedOrg, recorder: LogRecorder) async throws {
    pushToken = "demo-" + UUID().uuidString
    pushes = org.pushes(to: pushToken)
    let config = ApplicationConfig(
      applicationName: "auditctl", applicationVersion: DeviceAuthenticatorConstants.version,
      applicationGroupId: "auditctl", applicationInstallationId: UUID().uuidString)
    authenticator = try DeviceAuthenticatorBuilder(applicationConfig: config)
      .environment(FlowEnvironment(recorder: recorder)).keyStore(MemoryKeyStore())
      .enrollmentStorage(MemoryEnrollmentStorage()).create()
    guard let token = org.accessToken(for: login) else {
      throw CommandFailure(.malformed, "the org of the demo does not know \(login)")
    }
    _ = try await authenticator.enroll(
      authenticationToken: .bearer(token),
      authenticatorConfig: DeviceAuthenticatorConfig(orgURL: org.url, oidcClientId: OrgClient.sample.id),
      enrollmentParameters: EnrollmentParameters(deviceToken: .tokenString(pushToken)))
  }

  /// What must not be in a log.
  var secrets: [DemoSecret] { [DemoSecret(kind: "push token", value: pushToken)] }

  /// Answers the next push, once the org has asked the sign-in to wait that many times.
  ///
  /// - Returns: what went wrong, or nil.
  func answer(
    _ consent: UserConsentResponse, after count: Int, of waiting: AsyncStream<Void>
  ) async -> String? {
    do {
      for await push in pushes {
        let challenge = try authenticator.parsePushNotification([
          "payloadVersion": push.payload["payloadVersion"]?.string ?? "",
          "challenge": push.payload["challenge"]?.string ?? "",
        ])
        var left = count
        for await _ in waiting {
          left -= 1
          if left <= 0 { break }
        }
        try await challenge.resolve { ($0 as? RemediationStepUserConsent)?.provide(consent) }
        return nil
      }
      return "no push came"
    } catch {
      return "the device: \(error)"
    }
  }
}
