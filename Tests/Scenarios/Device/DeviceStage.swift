// Where a scenario of the push authenticator plays.

public import DeviceAuthenticator
public import FlowRecording
import Foundation
public import SimulatedOrg

/// A stage with an org and an authenticator of an application: repeatable keys, storage in memory, a person whose
/// answers are known in advance.
public struct DeviceStage: Sendable {
  /// The org.
  public let org: SimulatedOrg
  /// The virtual time of clock and timers.
  public let time: VirtualTime
  /// The seams, without those of the device.
  public let environment: FlowEnvironment
  /// The authenticator's keys.
  public let keys: SeededKeyStore
  /// What outlives a flow.
  public let storage: MemoryEnrollmentStorage
  /// The verifier that is asked for a PIN.
  public let verifier: ScriptedVerifier
  /// Whether an enrollment that the org calls suspended is deleted here when it is deleted there.
  public let deletesSuspended: Bool
  /// The authenticator.
  public let authenticator: any DeviceAuthenticatorProtocol

  /// Sets a stage.
  ///
  /// - Parameters:
  ///   - scenario: what will be played.
  ///   - recorder: where flows are written; nil records nothing.
  ///   - seed: of the client's entropy and keys.
  public init(_ scenario: DeviceScenario, recorder: (any Recorder)? = nil, seed: UInt64 = 7) async throws {
    let stage = try await Stage(scenario.configuration, recorder: recorder, seed: seed)
    var environment = stage.environment
    environment.device = nil
    try self.init(
      org: stage.org, time: stage.time, environment: environment, keys: SeededKeyStore(seed: seed),
      storage: MemoryEnrollmentStorage(), verifier: ScriptedVerifier(answers: scenario.verifications),
      deletesSuspended: scenario.deletesSuspended)
  }

  /// Sets the stage of a device over an org that plays already.
  ///
  /// - Parameters:
  ///   - org: the org.
  ///   - time: the virtual time of clock and timers.
  ///   - environment: the seams, without those of the device.
  ///   - seed: of the keys.
  public init(over org: SimulatedOrg, time: VirtualTime, environment: FlowEnvironment, seed: UInt64) throws {
    try self.init(
      org: org, time: time, environment: environment, keys: SeededKeyStore(seed: seed),
      storage: MemoryEnrollmentStorage(), verifier: ScriptedVerifier(), deletesSuspended: true)
  }

  private init(
    org: SimulatedOrg, time: VirtualTime, environment: FlowEnvironment, keys: SeededKeyStore,
    storage: MemoryEnrollmentStorage, verifier: ScriptedVerifier, deletesSuspended: Bool
  ) throws {
    (self.org, self.time, self.environment) = (org, time, environment)
    (self.keys, self.storage, self.verifier, self.deletesSuspended) = (keys, storage, verifier, deletesSuspended)
    let config = ApplicationConfig(
      applicationName: "com.acme.app", applicationVersion: "1.2.3", applicationGroupId: "group.com.acme.app",
      applicationInstallationId: "installation-1")
    let signals = FixedSignals(
      DeviceProfile(
        displayName: "Ann's box", osVersion: "24.4.0", manufacturer: "Acme", model: "Box 7",
        diskEncryptionType: "FULL"))
    authenticator = try DeviceAuthenticatorBuilder(applicationConfig: config).environment(environment).keyStore(keys)
      .enrollmentStorage(storage).userVerifier(verifier).deviceSignals(signals).deleteOnSuspended(deletesSuspended)
      .create()
  }

  /// The same stage with other seams, and an authenticator of its own over the same keys and storage: another process.
  public func with(_ environment: FlowEnvironment) throws -> DeviceStage {
    try DeviceStage(
      org: org, time: time, environment: environment, keys: keys, storage: storage, verifier: verifier,
      deletesSuspended: deletesSuspended)
  }

  /// How the authenticator reaches the org.
  public var config: DeviceAuthenticatorConfig {
    DeviceAuthenticatorConfig(orgURL: URL(string: Stage.orgURL) ?? org.url, oidcClientId: OrgClient.sample.id)
  }

  /// An access token of a person.
  public func token(_ login: String = Scenario.login) throws -> AuthToken {
    guard let token = org.accessToken(for: login) else { throw Scenario.Unexpected(description: "no user \(login)") }
    return .bearer(token)
  }

  /// Enrolls the device for a person.
  public func enroll(
    _ login: String = Scenario.login, verification: Bool? = nil, ciba: Bool = false, pushToken: String = Self.pushToken
  ) async throws -> any AuthenticatorEnrollmentProtocol {
    var parameters = EnrollmentParameters(deviceToken: .tokenString(pushToken))
    if let verification { parameters.enableUserVerification(enable: verification) }
    if ciba { parameters.enableCIBATransactions(enable: true) }
    return try await authenticator.enroll(
      authenticationToken: try token(login), authenticatorConfig: config, enrollmentParameters: parameters)
  }

  /// The push token that a device enrolls with; a secret.
  public static let pushToken = "feedc0de-canary"

  /// Challenges an enrollment.
  public func challenge(
    _ enrollment: any AuthenticatorEnrollmentProtocol, requirement: OrgUserVerification? = nil,
    _ change: (inout OrgChallengeRequest) -> Void = { _ in }
  ) throws -> OrgChallenge {
    var request = OrgChallengeRequest(.enrollment(enrollment.enrollmentId), requirement: requirement)
    change(&request)
    guard let challenge = org.challenge(request).first else {
      throw Scenario.Unexpected(description: "the org does not challenge \(enrollment.enrollmentId)")
    }
    return challenge
  }

  /// The notification of a challenge.
  public func notification(_ challenge: OrgChallenge) -> PushNotification {
    PushNotification(userInfo: [
      "payloadVersion": "IDXv1", "challenge": challenge.token ?? "", "aps": ["alert": "Sign in?"],
    ])
  }

  /// Parses the notification of a challenge.
  public func parse(_ challenge: OrgChallenge) throws -> any PushChallengeProtocol {
    try authenticator.parsePushNotification(notification(challenge))
  }
}

/// What an application answers to the steps of a challenge, and which steps came.
public final class DeviceAnswers: Sendable {
  private let seen = Locked<[String]>([])
  private let consent: UserConsentResponse

  /// Answers consent with this.
  public init(_ consent: UserConsentResponse = .approved) { self.consent = consent }

  /// The steps, first to last.
  public var steps: [String] { seen.withLock { $0 } }

  /// Answers a step.
  @Sendable public func handle(_ step: RemediationStep) {
    if let step = step as? RemediationStepUserConsent {
      seen.withLock { $0.append("consent") }
      step.provide(consent)
    } else if let step = step as? RemediationStepUserVerification {
      seen.withLock { $0.append("verification") }
      step.provide(UserVerificationParameters(localizedReason: "Sign in?"))
    } else if let step = step as? RemediationStepMessage {
      seen.withLock { $0.append(step.reasonType.rawValue) }
    }
  }
}
