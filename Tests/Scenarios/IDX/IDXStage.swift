// Where a scenario of the Identity Engine plays.

import Dispatch
public import FlowRecording
import Foundation
public import IDX
import OIDC
public import SimulatedOrg

/// A stage with an org that plays the Identity Engine.
public struct IDXStage: Sendable {
  private let stage: Stage
  /// The org.
  public var org: SimulatedOrg { stage.org }
  /// The virtual time of clock and timers.
  public var time: VirtualTime { stage.time }
  /// The seams.
  public var environment: FlowEnvironment
  /// Kept, so that a flow does not end in the log before the scenario does.
  private let flows = Locked<[InteractionCodeFlow]>([])
  /// Called with each flow that begins on the stage.
  public var began: (@Sendable (InteractionCodeFlow) -> Void)?

  /// Sets a stage.
  ///
  /// - Parameters:
  ///   - configuration: the org's; its base URL is set here.
  ///   - recorder: where flows are written; nil records nothing.
  ///   - seed: of the client's entropy.
  public init(_ configuration: OrgConfiguration, recorder: (any Recorder)? = nil, seed: UInt64 = 7) async throws {
    stage = try await Stage(configuration, recorder: recorder, seed: seed)
    environment = stage.environment
    environment.device = FixedDevice(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF") ?? UUID())
    // Each org has keys of its own.
    environment[MetadataCacheSeam.self] = MetadataCache()
    environment[KeyCacheSeam.self] = KeyCache()
  }

  /// Begins a flow against the org.
  public func begin() -> InteractionCodeFlow {
    let flow = InteractionCodeFlow(
      issuer: URL(string: Stage.orgURL + "/oauth2/default") ?? org.url, clientId: OrgClient.sample.id,
      scopes: "openid profile offline_access",
      redirectUri: URL(string: OrgClient.sample.redirectURIs[0]) ?? org.url, environment: environment)
    flows.withLock { $0.append(flow) }
    began?(flow)
    return flow
  }

  /// Runs an operation and lets every timer that it sets fire at once, until it is over.
  public func firingTimers<Result: Sendable>(
    during operation: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await stage.firingTimers(during: operation)
  }
}
