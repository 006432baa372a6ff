import EventStore
import FlowRecording
import Foundation
import Scenarios
import SimulatedOrg
import Testing

@testable import Authn

/// Every object that an application can hold, at every status of every flow: printed, reflected and dumped, it shows no
/// secret that the flow knows (DESIGN §5). What is asked for by name (`stateToken`, `json`, `profile`) is given.
@Suite struct ReflectionTests {
  /// Flows that come to no status, or that the scenario begins by itself.
  private static let withoutStatus: Set<String> = ["wrong-password", "rate-limited", "step-up"]

  @Test("no object of a flow shows a secret of it", arguments: Scenario.flows.map(\.name))
  func flow(name: String) async throws {
    var scenario = try #require(Scenario.flows.first { $0.name == name })
    scenario.configuration.decorate = { _, body in Self.plant(in: body) }
    let recorder = MemoryRecorder()
    let begun = Locked<[OktaAuthStatusUnauthenticated]>([])
    let play = scenario.play
    scenario.play = { stage in
      var stage = stage
      stage.began = { start in begun.withLock { $0.append(start) } }
      return try await play(stage)
    }
    try await scenario.run(recorder: recorder)
    var seen = 0
    for session in begun.withLock({ $0.map(\.object.session) }) {
      let records = recorder.records(of: session.flow.stream)
      let secrets = secrets(of: records, session.flow.vault)
      #expect(secrets.contains("canary-undeclared-7d1e"))
      #expect(secrets.count > 1)
      for end in records.indices where records[end].event.type == "status.changed" {
        let state = AuthnCore.folding(records[...end])
        guard let status = session.status(of: state) else { continue }
        for value in Self.values(of: status) {
          seen += 1
          for text in texts(of: value) {
            for secret in secrets where text.contains(secret) {
              Issue.record("\(type(of: value)) at \(status.statusType) shows \(secret)")
            }
          }
        }
      }
    }
    #expect(seen > 0 || Self.withoutStatus.contains(name))
  }

  @Test("options show the names of what is set, and no value")
  func options() {
    var options = OktaAuthenticationOptions()
    options.apiToken = "canary-api"
    options.deviceToken = "canary-device"
    options.deviceFingerprint = "canary-print"
    options.activationToken = "canary-activation"
    options.relayState = "canary-relay"
    options.forwardedFor = "canary-address"
    for text in texts(of: options) {
      #expect(!text.contains("canary"))
      #expect(text.contains("deviceToken"))
    }
  }

  // MARK: What an application can reach

  private static func values(of status: OktaAuthStatus) -> [Any] {
    let model = status.model
    var values: [Any?] = [
      status, status.object, status.links, status.user, status.responseHandler, model, model.embedded,
      model.embedded?.policy, model.embedded?.target, model.embedded?.authentication, model.links?.next,
      model.links?.cancel, OktaError.unknownStatus(model), OktaAPIRequest.Result.success(model),
      status.object.session.flow.vault, status.object.session.flow.core,
    ]
    for factor in status.factors {
      values += [factor, factor.links, factor.links?.verify, factor.links?.enroll, factor.type, factor.provider]
      let activation: OktaFactor.Activation? =
        switch factor {
        case let factor as OktaFactorPush: factor.activation
        case let factor as OktaFactorTotp: factor.activation
        case let factor as OktaFactorOther: factor.activation
        default: nil
        }
      values += [activation, activation?.links, activation?.links?.qrcode, activation?.links?.send]
    }
    return values.compactMap { $0 }
  }

  private static func plant(in body: OrgJSON) -> OrgJSON {
    var body = body
    body["canaryKeyQx81"] = .string("canary-undeclared-7d1e")
    body["errorId"] = .string("canary-undeclared-7d1e")
    return body
  }
}
