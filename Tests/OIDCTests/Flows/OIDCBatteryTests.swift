// What every kind of flow has to stand, for tokens.

import FlowRecording
import FlowTestKit
import Foundation
import OIDC
import Scenarios
import Testing

@Suite struct OIDCBatteryTests {
  @Test(arguments: OIDCScenario.golden)
  func `the kind stands the battery: spoiled answers, every input at every state, the whole state, no secret`(
    scenario: OIDCScenario
  ) async {
    let density = ProcessInfo.processInfo.environment["FLOWRECORDER_LONG"] == "1" ? 1 : 3
    #expect(await FlowBattery(OIDCKind.self, [FlowScenario(scenario)], density: density).findings() == [])
  }

  @Test func `the kind lists each of its events once`() {
    let names = OIDCKind.events.map { $0.type }
    #expect(Set(names).count == names.count && names.contains("token.refreshed"))
  }
}

extension FlowScenario {
  /// A scenario of tokens for the battery.
  fileprivate init(_ scenario: OIDCScenario) {
    self.init(scenario.name, secrets: OIDCScenario.secrets, transport: { scenario.provider() }) { environment in
      try await scenario.play(try OIDCStage(environment))
    }
  }
}
