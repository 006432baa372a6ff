// Random walks of a push authenticator, by its public API against the simulated org.

import DeviceAuthenticator
import FlowRecording
import FlowTestKit
import Foundation
import Scenarios
import SimulatedOrg
import Testing

@Suite struct DeviceWalkTests {
  private static let seed = UInt64(ProcessInfo.processInfo.environment["FLOWRECORDER_SEED"] ?? "") ?? 20_261_122

  @Test(arguments: 0..<8)
  func `two hundred random walks: no answer that the person did not give, whole logs, no secret`(part: Int) async {
    let seed = Self.seed &+ UInt64(part * 25)
    print("seeds \(seed) to \(seed + 24)")
    #expect(await FlowBattery(DeviceKind.self).walks(25, seed: seed) { FlowScenario(walking: $0) } == [])
  }
}

extension FlowScenario {
  fileprivate init(walking dice: Dice) {
    self.init("walk", secrets: [DeviceStage.pushToken], password: "") { _ in
      let scenario = DeviceScenario(
        "walk", verifications: (0..<12).map { _ in dice.pick(DeviceWalk.answers) ?? .verified }
      ) { _ in }
      let stage = try await DeviceStage(scenario)
      let findings = Locked<[String]>([])
      return Stand(
        transport: stage.environment.transport, time: stage.time,
        play: { environment in
          var walk = DeviceWalk(stage: try stage.with(environment), dice: dice)
          try await walk.go(steps: 12)
          walk.settle()
          let found = walk.findings
          findings.withLock { $0 = found }
        }, inspect: { _ in findings.withLock { $0 } }, end: { await stage.org.stop() })
    }
  }
}

/// One walk: what was enrolled, challenged and answered so far.
private struct DeviceWalk {
  static let answers: [ScriptedVerifier.Answer] = [.verified, .verified, .verified, .cancelled, .failed, .lockedOut]

  var stage: DeviceStage
  let dice: Dice
  private var challenges: [OrgChallenge] = []
  /// What the person said, by transaction.
  private let said = Locked<[String: [UserConsentResponse]]>([:])
  private(set) var findings: [String] = []

  init(stage: DeviceStage, dice: Dice) {
    self.stage = stage
    self.dice = dice
  }

  /// Takes so many steps, each of them in some direction. An authenticator's own errors are ends like any other.
  mutating func go(steps: Int) async throws {
    for _ in 0..<steps {
      do { try await step() } catch is DeviceAuthenticatorError {}
    }
  }

  private mutating func step() async throws {
    let enrollments = stage.authenticator.allEnrollments()
    guard let enrollment = dice.pick(enrollments), !dice.chance(8) else { return try await enroll() }
    switch dice.number(below: 14) {
    case 0...4: try challenge(enrollment)
    case 5...8: try await answer(enrollment)
    case 9: try await change(enrollment)
    case 10: try await end(enrollment)
    case 11: trouble(enrollment)
    case 12: stage = try stage.with(stage.environment)
    default: stage.time.advance(milliseconds: 60_000)
    }
  }

  private func enroll() async throws {
    let login = dice.chance(70) ? Scenario.login : DeviceScenario.secondLogin
    _ = try await stage.enroll(login, verification: dice.pick([true, false, nil]) ?? nil, ciba: dice.chance(30))
  }

  private mutating func challenge(_ enrollment: any AuthenticatorEnrollmentProtocol) throws {
    guard stage.org.enrollment(id: enrollment.enrollmentId)?.status == .active else { return }
    let requirements: [OrgUserVerification?] = [.required, .preferred, .discouraged, nil]
    let requirement = dice.pick(requirements)
    let (isForged, isCIBA) = (dice.chance(15), dice.chance(20))
    let made = try? stage.challenge(enrollment, requirement: requirement ?? nil) { request in
      if isForged { request.defect = .otherKey }
      if isCIBA { request.transactionType = .ciba }
    }
    if let made { challenges.append(made) }
  }

  /// A challenge that waits at the org, or that came.
  private func take(_ enrollment: any AuthenticatorEnrollmentProtocol) async throws -> (any PushChallengeProtocol)? {
    guard dice.chance(40) else { return try dice.pick(challenges).map { try stage.parse($0) } }
    let login = dice.chance(80) ? enrollment.user.name ?? "" : Scenario.login
    return dice.pick(try await enrollment.retrievePushChallenges(authenticationToken: try stage.token(login)))
  }

  /// Answers a challenge in some way.
  private func answer(_ enrollment: any AuthenticatorEnrollmentProtocol) async throws {
    guard let push = try await take(enrollment) else { return }
    let answers: [UserConsentResponse] = [.approved, .approved, .denied, .none]
    let answer = dice.pick(answers) ?? .denied
    let early = dice.chance(15) ? say(early: answer, to: push) : nil
    if dice.chance(20) { stage.org.inject(Fault(.connectionClosed, path: "/verify", reachesOrg: dice.chance(50))) }
    let isRetried = dice.chance(70)
    do {
      try await resolve(push, saying: answer)
    } catch let error as DeviceAuthenticatorError {
      // What was said before the challenge was found to be none, or could not be checked, has not counted.
      if early != nil, !isClaimed(push.transactionId) { said.withLock { $0[push.transactionId] = nil } }
      guard case .networkError = error, isRetried else { throw error }
      stage.org.clearFaults()
      try await push.retrySubmission()
    }
  }

  /// Answers before the challenge is resolved; nil if it was too late for that.
  private func say(early answer: UserConsentResponse, to push: any PushChallengeProtocol) -> UserConsentResponse? {
    guard push.userResponse == .userNotResponded else { return nil }
    push.userResponse = answer == .approved ? .userApproved : .userDenied
    guard push.userResponse != .userNotResponded else { return nil }
    let word: UserConsentResponse = answer == .approved ? .approved : .denied
    said.withLock { $0[push.transactionId, default: []].append(word) }
    return word
  }

  private func resolve(_ push: any PushChallengeProtocol, saying answer: UserConsentResponse) async throws {
    let said = said
    try await push.resolve { step in
      switch step {
      case let step as RemediationStepUserConsent:
        said.withLock { $0[push.transactionId, default: []].append(answer) }
        step.provide(answer)
        step.provide(.approved)
      case let step as RemediationStepUserVerification:
        step.provide(UserVerificationParameters(localizedReason: "Sign in?"))
      default: step.defaultProcess()
      }
    }
  }

  /// Whether the person's answer to a transaction counts from now on.
  private func isClaimed(_ transaction: String) -> Bool {
    ((try? stage.storage.transaction(id: transaction)) ?? nil) != nil
  }

  private func change(_ enrollment: any AuthenticatorEnrollmentProtocol) async throws {
    let token = try stage.token(enrollment.user.name ?? Scenario.login)
    let isOn = dice.chance(60)
    switch dice.number(below: 4) {
    case 0: try await enrollment.setUserVerification(authenticationToken: token, enable: isOn)
    case 1: try await enrollment.enableCIBATransactions(authenticationToken: token, enable: isOn)
    case 2:
      try await enrollment.updateDeviceToken(.tokenString(DeviceStage.pushToken), authenticationToken: token)
    default: _ = try await enrollment.retrieveMaintenanceToken()
    }
  }

  private func end(_ enrollment: any AuthenticatorEnrollmentProtocol) async throws {
    if dice.chance(30) { return try enrollment.deleteFromDevice() }
    try await stage.authenticator.delete(
      enrollment: enrollment, authenticationToken: try stage.token(enrollment.user.name ?? Scenario.login))
  }

  /// The org is not well, or thinks otherwise of the device.
  private func trouble(_ enrollment: any AuthenticatorEnrollmentProtocol) {
    switch dice.number(below: 5) {
    case 0: stage.org.rotateKeys()
    case 1: stage.org.inject(Fault(.serverError))
    case 2: stage.org.inject(Fault(.connectionReset))
    case 3:
      let status = dice.pick([OrgLifecycle.active, .suspended]) ?? .active
      stage.org.setDevice(stage.org.enrollment(id: enrollment.enrollmentId)?.deviceID ?? "", status)
    default: stage.org.clearFaults()
    }
  }

  /// What the org has got, held against what the person said.
  mutating func settle() {
    let said = said.withLock { $0 }
    for challenge in challenges {
      guard let settled = stage.org.challenge(id: challenge.id) else { continue }
      let words = said[challenge.id] ?? []
      let bodies = stage.org.requests.filter { $0.method == "POST" && $0.target.contains("/\(challenge.id)/") }.map(
        \.body)
      if Set(bodies).count > 1 { findings.append("\(challenge.id) was answered in \(Set(bodies).count) ways") }
      if words.count > 1 { findings.append("the person was asked \(words.count) times about \(challenge.id)") }
      switch settled.status {
      case .approved:
        if !words.contains(.approved) { findings.append("\(challenge.id) is approved, and the person said \(words)") }
      case .denied:
        if words.contains(.approved) || words.isEmpty {
          findings.append("\(challenge.id) is denied, and the person said \(words)")
        }
      case .pending, .rejected, .expired, .superseded: break
      }
    }
  }
}
