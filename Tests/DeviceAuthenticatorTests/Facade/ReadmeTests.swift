// The code of the seed document compiles and runs: what was written for the SDK on a phone is written for this one.

import DeviceAuthenticator
import FlowRecording
import Foundation
import SimulatedOrg
import Testing

/// An application's delegate as the document has it.
@MainActor private final class Application {
  let authenticator: any DeviceAuthenticatorProtocol
  let org: SimulatedOrg
  var log: [String] = []

  init(_ rig: Rig) {
    authenticator = rig.authenticator
    org = rig.org
  }

  func enroll(_ accessToken: String) async {
    let apnsToken = Data([0xab, 0x12])
    let enrollmentParameters = EnrollmentParameters(deviceToken: apnsToken, enableUserVerification: true)
    let authenticatorConfig = AuthenticatorConfig(orgURL: org.url, oidcClientId: OrgClient.sample.id)
    await withCheckedContinuation { continuation in
      authenticator.enroll(
        authenticationToken: AuthToken.bearer(accessToken), authenticatorConfig: authenticatorConfig,
        enrollmentParameters: enrollmentParameters
      ) { result in
        switch result {
        case .success(let enrollment): self.log.append("Enrollment created: \(enrollment)")
        case .failure(let error): self.log.append(error.localizedDescription)
        }
        continuation.resume()
      }
    }
  }

  func application(didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data, _ accessToken: String) async {
    for enrollment in authenticator.allEnrollments() {
      await withCheckedContinuation { continuation in
        enrollment.updateDeviceToken(deviceToken, authenticationToken: AuthToken.bearer(accessToken)) { error in
          if let error = error { self.log.append("Error updating APNS token: \(error)") }
          continuation.resume()
        }
      }
    }
  }

  func willPresent(_ notification: PushNotification) async {
    await withCheckedContinuation { continuation in
      if let pushChallenge = try? authenticator.parsePushNotification(notification) {
        pushChallenge.resolve(onRemediationStep: { step in
          self.handle(step)
        }) { error in
          if let error = error { self.log.append("Error resolving challenge: \(error)") }
          continuation.resume()
        }
        return
      }
      log.append("not ours")
      continuation.resume()
    }
  }

  func handle(_ remediationStep: RemediationStep) {
    switch remediationStep {
    case let consentStep as RemediationStepUserConsent:
      log.append("consent")
      consentStep.provide(.approved)
    case let verificationStep as RemediationStepUserVerification:
      log.append("verification")
      let params = UserVerificationParameters(
        localizedFallbackTitle: "Biometric transaction failed. Please use pin to proceed", localizedCancelTitle: nil,
        localizedReason: nil)
      verificationStep.provide(params)
    case let messageStep as RemediationStepMessage: log.append(messageStep.message)
    default: remediationStep.defaultProcess()
    }
  }

  func removeAll(_ accessToken: String) async {
    for enrollment in authenticator.allEnrollments() {
      await withCheckedContinuation { continuation in
        enrollment.delete(enrollment: enrollment, authenticationToken: AuthToken.bearer(accessToken)) { error in
          if let error = error { self.log.append("Error deleting enrollment: \(error)") }
          continuation.resume()
        }
      }
    }
  }
}

@Suite struct ReadmeTests {
  @Test func `the code of the document enrolls, answers and deletes, on the actor that calls`() async throws {
    try await withRig { rig in
      let accessToken = try rig.token()
      let application = await Application(rig)
      guard case .bearer(let text) = accessToken else { return }
      await application.enroll(text)
      await application.application(didRegisterForRemoteNotificationsWithDeviceToken: Data([1, 2]), text)
      let enrollment = try #require(rig.authenticator.allEnrollments().first)
      #expect(rig.org.enrollment(id: enrollment.enrollmentId)?.pushToken == "0102")
      await application.willPresent(PushNotification(userInfo: ["aps": "news"]))
      await application.willPresent(rig.notification(try rig.challenge(enrollment)))
      await application.removeAll(text)
      #expect(rig.authenticator.allEnrollments().isEmpty)
      let log = await application.log
      #expect(log.dropFirst() == ["not ours", "consent", "verification"] && log[0].hasPrefix("Enrollment created"))
      #expect(!log.joined().contains(text))
    }
  }

  @Test func `a builder of the document's names makes an authenticator`() throws {
    let applicationConfig = ApplicationConfig(
      applicationName: "TestApp", applicationVersion: "1.0.0", applicationGroupId: "group.com.company.testapp")
    applicationConfig.apsEnvironment = .development
    let authenticator: any DeviceAuthenticatorProtocol = try DeviceAuthenticatorBuilder(
      applicationConfig: applicationConfig
    ).environment(FlowEnvironment()).keyStore(MemoryKeyStore()).enrollmentStorage(MemoryEnrollmentStorage()).create()
    #expect(applicationConfig.pushSettings.apsEnvironment == .development)
    #expect((try? authenticator.parsePushNotification([:])) == nil)
    let config = AuthenticatorConfig(orgURL: try #require(URL(string: "atko.okta.com")), oidcClientId: "client_id")
    #expect(config.orgURL.absoluteString == "https://atko.okta.com" && config.authenticatorKey == "custom_app")
  }

  @Test func `steps come as a sequence too`() async throws {
    try await withRig { rig in
      let challenge = try rig.challenge(try await rig.enroll(verification: true))
      let push = try rig.parse(challenge)
      var steps: [String] = []
      for try await step in push.remediations {
        steps.append("\(type(of: step))")
        (step as? RemediationStepUserConsent)?.provide(.approved)
        (step as? RemediationStepUserVerification)?.defaultProcess()
      }
      #expect(steps == ["RemediationStepUserConsent", "RemediationStepUserVerification"])
      #expect(rig.org.challenge(id: challenge.id)?.status == .approved)
    }
  }

  @Test(arguments: [nil, "APPROVE_BUTTON", "DENY_BUTTON"] as [String?])
  func `what was said before can be taken back, and the person is asked`(action: String?) async throws {
    try await withRig { rig in
      let challenge = try rig.challenge(try await rig.enroll()) { $0.requirement = nil }
      let notification = rig.notification(challenge)
      let push =
        if let action {
          try rig.authenticator.parsePushNotificationResponse(
            PushNotificationResponse(notification: notification, actionIdentifier: action))
        } else {
          try rig.authenticator.parsePushNotification(notification)
        }
      if action == nil { push.userResponse = .userDenied }
      #expect(push.userResponse != .userNotResponded)
      push.userResponse = .userNotResponded
      #expect(push.userResponse == .userNotResponded)
      let answers = Answers()
      try await push.resolve(onRemediation: answers.handle)
      #expect(answers.steps == ["consent"] && push.userResponse == .userApproved)
      #expect(rig.org.challenge(id: challenge.id)?.status == .approved)
      #expect(DeviceKind.pushes(in: rig.lastFlow).first?.answers.map(\.word) == ["approved"])
    }
  }

  @Test func `nothing is taken back, and nothing recorded, if nothing was said`() async throws {
    try await withRig { rig in
      let push = try rig.parse(try rig.challenge(try await rig.enroll()))
      let before = rig.lastFlow.count
      push.userResponse = .userNotResponded
      #expect(rig.lastFlow.count == before && push.userResponse == .userNotResponded)
    }
  }

  @Test func `what the person said can be set before`() async throws {
    try await withRig { rig in
      let challenge = try rig.challenge(try await rig.enroll())
      let push = try rig.parse(challenge)
      push.userResponse = .userDenied
      #expect(push.userResponse == .userDenied)
      let answers = Answers()
      try await push.resolve(onRemediation: answers.handle)
      #expect(answers.steps == [] && rig.org.challenge(id: challenge.id)?.status == .denied)
    }
  }
}
