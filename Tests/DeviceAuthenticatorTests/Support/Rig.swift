// An authenticator of an application against a simulated org, over real HTTP, with everything recorded.

import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import Replay
import SimulatedOrg
import Testing

/// An org, a device, and what the device recorded.
struct Rig {
  let org: SimulatedOrg
  let recorder: MemoryRecorder
  let keys: MemoryKeyStore
  let storage: MemoryEnrollmentStorage
  let verifier: ScriptedVerifier
  let time: VirtualTime
  let environment: FlowEnvironment
  let authenticator: any DeviceAuthenticatorProtocol

  static let login = "ann@acme.example"
  static let displayName = "Ann's box"

  init(
    _ org: SimulatedOrg, recorder: MemoryRecorder = MemoryRecorder(), keys: MemoryKeyStore = MemoryKeyStore(),
    storage: MemoryEnrollmentStorage = MemoryEnrollmentStorage(), verifier: ScriptedVerifier = ScriptedVerifier(),
    environment base: FlowEnvironment? = nil, seed: UInt64 = 7,
    _ configure: (DeviceAuthenticatorBuilder) -> DeviceAuthenticatorBuilder = { $0 }
  ) throws {
    self.org = org
    (self.recorder, self.keys, self.storage, self.verifier) = (recorder, keys, storage, verifier)
    // The device's clock stands at the org's.
    time = VirtualTime(start: Timestamp(microseconds: Int64(org.now.timeIntervalSince1970) * 1_000_000))
    var environment = base ?? FlowEnvironment(recorder: recorder, entropy: SeededEntropy(seed: seed), device: nil)
    environment.clock = time
    environment.timers = time
    self.environment = environment
    let config = ApplicationConfig(
      applicationName: "com.acme.app", applicationVersion: "1.2.3", applicationGroupId: "group.com.acme.app",
      applicationInstallationId: "installation-1")
    let signals = FixedSignals(
      DeviceProfile(
        displayName: "<b>\(Self.displayName)</b>", osVersion: "24.4.0", manufacturer: "Acme", model: "Box 7",
        diskEncryptionType: "FULL"))
    authenticator = try configure(
      DeviceAuthenticatorBuilder(applicationConfig: config).environment(environment).keyStore(keys)
        .enrollmentStorage(storage).userVerifier(verifier).deviceSignals(signals)
    ).create()
  }

  var config: DeviceAuthenticatorConfig {
    DeviceAuthenticatorConfig(orgURL: org.url, oidcClientId: OrgClient.sample.id)
  }

  func token(_ login: String = Rig.login) throws -> AuthToken { .bearer(try #require(org.accessToken(for: login))) }

  /// Enrolls the device for a person.
  func enroll(
    _ login: String = Rig.login, verification: Bool? = nil, ciba: Bool = false, pushToken: String = "feedc0de"
  ) async throws -> any AuthenticatorEnrollmentProtocol {
    var parameters = EnrollmentParameters(deviceToken: .tokenString(pushToken))
    if let verification { parameters.enableUserVerification(enable: verification) }
    if ciba { parameters.enableCIBATransactions(enable: true) }
    return try await authenticator.enroll(
      authenticationToken: try token(login), authenticatorConfig: config, enrollmentParameters: parameters)
  }

  /// Challenges an enrollment.
  func challenge(
    _ enrollment: any AuthenticatorEnrollmentProtocol, _ change: (inout OrgChallengeRequest) -> Void = { _ in }
  ) throws -> OrgChallenge {
    var request = OrgChallengeRequest(.enrollment(enrollment.enrollmentId))
    change(&request)
    return try #require(org.challenge(request).first)
  }

  /// The notification of a challenge.
  func notification(_ challenge: OrgChallenge) -> PushNotification {
    PushNotification(userInfo: ["payloadVersion": "IDXv1", "challenge": challenge.token ?? "", "aps": ["alert": "x"]])
  }

  /// Parses the notification of a challenge.
  func parse(_ challenge: OrgChallenge) throws -> any PushChallengeProtocol {
    try authenticator.parsePushNotification(notification(challenge))
  }

  // MARK: What was recorded

  /// The records of the flow that ended last or is under way.
  var lastFlow: [FlowRecord] { recorder.streams.last.map(recorder.records) ?? [] }

  /// The types of a flow's own events, in order.
  static func events(_ records: [FlowRecord]) -> [String] {
    records.compactMap { record in
      if case .domain(let event) = record.event { event.type } else { nil }
    }
  }

  /// The data of the last event of a type.
  static func data(_ type: String, in records: [FlowRecord]) -> JSON? {
    records.last { $0.event.type == type }?.event.data
  }

  /// Everything that was recorded, as text.
  var log: String {
    recorder.streams.flatMap(recorder.records).map {
      String(decoding: EventCoding.encode($0.event).data, as: UTF8.self)
    }
    .joined(separator: "\n")
  }

  /// What does not replay.
  func divergences() throws -> [String] {
    let flows = recorder.streams.map { RecordedFlow(stream: $0, records: recorder.records(of: $0)) }
    return try Replay.replay(Recording(name: "rig", flows: flows)).map(\.message)
  }
}

/// Plays against an org of its own, and sees at the end that everything replays.
func withRig(
  _ configuration: OrgConfiguration = OrgConfiguration(users: [
    OrgUser(login: Rig.login, password: "Correct-horse-1"),
    OrgUser(login: "bob@acme.example", password: "Correct-horse-2"),
  ]), verifier: ScriptedVerifier = ScriptedVerifier(),
  configure: (DeviceAuthenticatorBuilder) -> DeviceAuthenticatorBuilder = { $0 }, _ body: (Rig) async throws -> Void
) async throws {
  let org = try await SimulatedOrg.start(configuration)
  let rig = try Rig(org, verifier: verifier, configure)
  try await body(rig)
  #expect(try rig.divergences() == [])
}

/// What an application answers to the steps of a challenge, and which steps came.
final class Answers: Sendable {
  private let seen = Locked<[String]>([])
  private let consent: UserConsentResponse?

  /// Answers consent with this, or not at all.
  init(_ consent: UserConsentResponse? = .approved) { self.consent = consent }

  var steps: [String] { seen.withLock { $0 } }

  @Sendable func handle(_ step: RemediationStep) {
    switch step {
    case let step as RemediationStepUserConsent:
      seen.withLock { $0.append("consent") }
      if let consent { step.provide(consent) }
    case let step as RemediationStepUserVerification:
      seen.withLock { $0.append("verification") }
      step.provide(UserVerificationParameters(localizedReason: "Sign in?"))
    case let step as RemediationStepMessage: seen.withLock { $0.append("message \(step.reasonType.rawValue)") }
    default: seen.withLock { $0.append("unknown") }
    }
  }
}
