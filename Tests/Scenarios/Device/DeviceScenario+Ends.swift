// Challenges that end otherwise: spoiled, expired, answered twice, lost on the way, taken up (spec/device.md §8, §11, §12).

import DeviceAuthenticator
import FlowRecording
import SimulatedOrg

extension DeviceScenario {
  static let ends: [DeviceScenario] = [rejected, expired, twice, lost, suspended, rotated]

  /// A challenge that another key signed: nothing is asked, nothing is sent.
  static let rejected = DeviceScenario("device-rejected") { stage in
    let enrollment = try await stage.enroll()
    let challenge = try stage.challenge(enrollment) { $0.defect = .otherKey }
    let push = try stage.parse(challenge)
    let answers = DeviceAnswers()
    try await failure(-3) {
      try await push.resolve(onRemediation: answers.handle)
    }
    try expect(answers.steps.isEmpty, "the person was asked")
  }

  /// A challenge that expires while the person is asked, who answers too late.
  static let expired = DeviceScenario("device-expired") { stage in
    let enrollment = try await stage.enroll()
    let push = try stage.parse(try stage.challenge(enrollment))
    let asked = Locked<RemediationStepUserConsent?>(nil)
    try await failure(-3) {
      try await push.resolve(onRemediation: { step in
        asked.withLock { $0 = step as? RemediationStepUserConsent }
        // To the instant of the timer and no further: what comes later might come at either of two instants.
        if let milliseconds = stage.time.untilNextTimer { stage.time.advance(milliseconds: milliseconds) }
      })
    }
    asked.withLock { $0 }?.provide(.approved)
  }

  /// A challenge by push and by pull, resolved a second time after it was answered, and once more in another process.
  static let twice = DeviceScenario("device-answered-twice") { stage in
    let enrollment = try await stage.enroll()
    let challenge = try stage.challenge(enrollment)
    let pushed = try stage.parse(challenge)
    let pulled = try await enrollment.retrievePushChallenges(authenticationToken: try stage.token())
    guard let again = pulled.first else { throw Scenario.Unexpected(description: "nothing was pulled") }
    try await pushed.resolve(onRemediation: DeviceAnswers().handle)
    try await failure(-101) {
      try await again.resolve(onRemediation: DeviceAnswers(.denied).handle)
    }
    let other = try stage.with(stage.environment)
    let late = try other.parse(challenge)
    try await failure(-101) {
      try await late.resolve(onRemediation: DeviceAnswers(.denied).handle)
    }
    try expect(stage.org.challenge(id: challenge.id)?.status == .approved, "the answer does not count")
  }

  /// An answer whose fate is unknown is sent again, the same one: here, and by another process.
  static let lost = DeviceScenario("device-lost-answer") { stage in
    let enrollment = try await stage.enroll(verification: true)
    let challenge = try stage.challenge(enrollment, requirement: .required)
    stage.org.inject(Fault(.connectionClosed, path: "/verify", times: 2, reachesOrg: true))
    let push = try stage.parse(challenge)
    try await failure(-2) {
      try await push.resolve(onRemediation: DeviceAnswers().handle)
    }
    try await failure(-2) { try await push.retrySubmission() }
    let other = try stage.with(stage.environment)
    try await other.parse(challenge).retrySubmission()
    try expect(stage.org.challenge(id: challenge.id)?.status == .approved, "the answer does not count")
  }

  /// The org has suspended the device meanwhile: it takes no answer, and the enrollment says so.
  static let suspended = DeviceScenario("device-suspended") { stage in
    let enrollment = try await stage.enroll()
    let push = try stage.parse(try stage.challenge(enrollment))
    stage.org.setDevice(stage.org.enrollment(id: enrollment.enrollmentId)?.deviceID ?? "", .suspended)
    try await failure(-1) {
      try await push.resolve(onRemediation: DeviceAnswers().handle)
    }
    try expect(enrollment.state == .suspended, "the enrollment is \(enrollment.state)")
  }

  /// The org signs with another key than that in the cache, and cannot give it at first.
  static let rotated = DeviceScenario("device-new-org-key") { stage in
    let enrollment = try await stage.enroll()
    try await stage.parse(try stage.challenge(enrollment)).resolve(onRemediation: DeviceAnswers().handle)
    stage.org.rotateKeys()
    stage.org.inject(Fault(.serverError, path: "/keys"))
    let push = try stage.parse(try stage.challenge(enrollment))
    try await failure(-3) { try await push.resolve(onRemediation: DeviceAnswers().handle) }
    try await stage.parse(try stage.challenge(enrollment)).resolve(onRemediation: DeviceAnswers().handle)
  }
}
