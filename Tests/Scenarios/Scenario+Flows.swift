// Every flow of the classic API that the org plays, beside those of the golden recordings.

import Authn
import FlowRecording
import SimulatedOrg

extension Scenario {
  /// All flows, golden ones first.
  public static let flows: [Scenario] = golden + passwords + enrolments + factors + recoveries + others

  static func signIn(_ stage: Stage, password: String = Scenario.password) async throws -> OktaAuthStatus {
    try await stage.begin().authenticate(username: login, password: password)
  }

  static func lastCode(_ stage: Stage) throws -> String {
    guard let code = stage.org.outbox.last?.code else { throw Unexpected(description: "no code was sent") }
    return code
  }

  static func factor<Factor: OktaFactor>(_ factors: [OktaFactor], _ type: Factor.Type) throws -> Factor {
    guard let factor = factors.compactMap({ $0 as? Factor }).first else {
      throw Unexpected(description: "\(type) is not offered")
    }
    return factor
  }

  static func expect(_ condition: Bool, _ what: String) throws {
    if !condition { throw Unexpected(description: "expected \(what)") }
  }

  static func offering(_ kinds: OrgFactorOffer.Kind..., required: Bool = true) -> OrgConfiguration {
    OrgConfiguration(
      users: [
        OrgUser(
          login: login, password: password, mfaRequired: required,
          offers: kinds.map { OrgFactorOffer($0, required: required) })
      ])
  }
}
