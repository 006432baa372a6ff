// What an application says to a challenge by every form that there is (spec/device.md §9.1).

import DeviceAuthenticator
import FlowRecording
import SimulatedOrg

extension DeviceScenario {
  /// The words of a prompt; the person's answer before it is asked for; and steps that the application does not know.
  static let forms = DeviceScenario("device-forms") { stage in
    let enrollment = try await stage.enroll(verification: true)
    let first = try stage.challenge(enrollment) {
      $0.requirement = .required
      $0.textItems = ["42", "7"]
      $0.context = ["unusualActivitiesTextItems": ["new device", "new place"]]
    }
    try await stage.parse(first).resolve(onRemediation: { step in
      (step as? RemediationStepUserConsent)?.provide(.approved)
      (step as? RemediationStepUserVerification)?.provide(
        UserVerificationParameters(
          localizedFallbackTitle: "By password", localizedCancelTitle: "Not now", localizedReason: "Sign in to Acme"))
    })
    try expect(stage.org.challenge(id: first.id)?.status == .approved, "the approval does not count")
    for (response, becomes) in [
      (PushChallengeUserResponse.userApproved, OrgChallengeStatus.approved), (.userDenied, .denied),
    ] {
      let challenge = try stage.challenge(enrollment, requirement: .required)
      let push = try stage.parse(challenge)
      push.userResponse = response
      try await push.resolve(onRemediation: { $0.defaultProcess() })
      try expect(stage.org.challenge(id: challenge.id)?.status == becomes, "\(response) does not count")
    }
    let last = try stage.challenge(enrollment, requirement: .required)
    try await stage.parse(last).resolve(onRemediation: { $0.defaultProcess() })
    try expect(stage.org.challenge(id: last.id)?.status == .denied, "who does not know the step has not denied")
  }
}
