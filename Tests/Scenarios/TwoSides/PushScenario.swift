// A push as both of its sides see it: the sign-in that waits for it, and the device that answers it, each with a log of its
// own that knows nothing of the other.

import Authn
public import DeviceAuthenticator
public import FlowRecording
import Foundation
import IDX
import SimulatedOrg

/// A sign-in whose push a device answers.
public struct PushScenario: Sendable, CustomStringConvertible {
  /// The scenario's name. Its golden recordings have it in front of `-sign-in` and `-device`.
  public var name: String
  /// What the person says on the device.
  public var answer: UserConsentResponse
  private let isIdentityEngine: Bool

  /// The name.
  public var description: String { name }
  /// The kind of the flow that signs in.
  public var kind: String { isIdentityEngine ? "idx/" : "authn/" }

  /// The scenarios of `Recordings/`: approved and denied, at the classic API and at the Identity Engine.
  public static let golden: [PushScenario] = [
    PushScenario(name: "both-classic-approved", answer: .approved, isIdentityEngine: false),
    PushScenario(name: "both-classic-denied", answer: .denied, isIdentityEngine: false),
    PushScenario(name: "both-engine-approved", answer: .approved, isIdentityEngine: true),
    PushScenario(name: "both-engine-denied", answer: .denied, isIdentityEngine: true),
  ]

  /// Plays it.
  ///
  /// - Parameters:
  ///   - signIn: where the sign-in is written.
  ///   - device: where the device's flows are written.
  public func run(signIn: any Recorder, device: any Recorder) async throws {
    if isIdentityEngine {
      try await engine(signIn, device)
    } else {
      try await classic(signIn, device)
    }
  }

  private static let person = OrgUser(
    login: Scenario.login, password: Scenario.password, factors: [.push(device: "Ann's phone")])

  // MARK: The sign-in

  private func classic(_ signIn: any Recorder, _ device: any Recorder) async throws {
    let stage = try await Stage(OrgConfiguration(users: [Self.person], stateTokenLifetime: 600), recorder: signIn)
    let authenticator = try await Self.device(over: stage.org, stage.time, stage.environment, device)
    let challenge = try await Scenario.challenge(stage, factor: OktaFactorPush.self)
    let last = try await answered(authenticator, stage.firingTimers) {
      try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    }
    let result = (last as? OktaAuthStatusFactorChallenge)?.factorResult
    let isRight = answer == .approved ? last.statusType == .success : result == .rejected
    await stage.org.stop()
    try Self.expect(isRight, "the sign-in ends at \(last.statusType.raw)")
  }

  private func engine(_ signIn: any Recorder, _ device: any Recorder) async throws {
    let stage = try await IDXStage(
      OrgConfiguration(users: [Self.person], policy: .named("codes-only") ?? .standard), recorder: signIn)
    let authenticator = try await Self.device(over: stage.org, stage.time, stage.environment, device)
    var response = try await stage.begin().start()
    while response.remediations[.challengePoll] == nil, let first = response.remediations[0] {
      response = try await IDXScenario.step(first, of: response, on: stage)
    }
    guard let pollable = response.remediations[.challengePoll]?.pollable else {
      throw Scenario.Unexpected(description: "nothing to poll: \(response)")
    }
    response = try await answered(authenticator, stage.firingTimers) { try await pollable.startPolling() }
    if response.isLoginSuccessful { _ = try await response.exchangeCode() }
    let isRight = response.isLoginSuccessful == (answer == .approved)
    await stage.org.stop()
    try Self.expect(isRight, "the sign-in ends otherwise: \(response)")
  }

  // MARK: The device

  /// A device of the person, enrolled.
  private static func device(
    over org: SimulatedOrg, _ time: VirtualTime, _ environment: FlowEnvironment, _ recorder: any Recorder
  ) async throws -> (stage: DeviceStage, enrollment: any AuthenticatorEnrollmentProtocol) {
    var environment = environment
    environment.recorder = recorder
    environment.entropy = SeededEntropy(seed: 11)
    environment.device = nil
    let stage = try DeviceStage(over: org, time: time, environment: environment, seed: 11)
    return (stage, try await stage.enroll(verification: true))
  }

  /// Waits for a push, which is answered two seconds after it came and before the next poll.
  private func answered<Result: Sendable>(
    _ device: (stage: DeviceStage, enrollment: any AuthenticatorEnrollmentProtocol),
    _ firingTimers: (@escaping @Sendable () async throws -> Result) async throws -> Result,
    while waiting: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let stage = device.stage
    let signIn = Task { try await waiting() }
    _ = await stage.time.waitForTimers()
    stage.org.advanceClock(by: 2)
    stage.time.advance(milliseconds: 2_000)
    let pulled = try await device.enrollment.retrievePushChallenges(authenticationToken: try stage.token())
    guard let push = pulled.first else { throw Scenario.Unexpected(description: "no push reaches the device") }
    try await push.resolve(onRemediation: DeviceAnswers(answer).handle)
    return try await firingTimers { try await signIn.value }
  }

  private static func expect(_ condition: Bool, _ text: @autoclosure () -> String) throws {
    guard condition else { throw Scenario.Unexpected(description: text()) }
  }
}
