// What every kind of flow has to stand, for the push authenticator.

import DeviceAuthenticator
import FlowRecording
import FlowTestKit
import Foundation
import Scenarios
import SimulatedOrg
import Testing

@Suite struct DeviceBatteryTests {
  /// No text is typed, so that there is no word of the org's bodies to try in its place.
  @Test(arguments: DeviceScenario.golden)
  func `the kind stands the battery: spoiled answers, every input at every state, the whole state, no secret`(
    scenario: DeviceScenario
  ) async {
    let density = ProcessInfo.processInfo.environment["FLOWRECORDER_LONG"] == "1" ? 1 : 6
    #expect(await FlowBattery(DeviceKind.self, [FlowScenario(scenario)], density: density).findings() == [])
  }

  @Test func `the kind lists each of its events once, and knows their names`() {
    let names = DeviceKind.declarations.map { $0.type }
    #expect(Set(names).count == names.count && names == DeviceEvent.allCases.map(\.rawValue))
  }
}

extension FlowScenario {
  /// A scenario of the push authenticator for the battery.
  fileprivate init(_ scenario: DeviceScenario) {
    self.init(scenario.name, secrets: [DeviceStage.pushToken], password: "") { _ in
      let stage = try await DeviceStage(scenario)
      return Stand(
        transport: stage.environment.transport, time: stage.time,
        play: { environment in try await scenario.play(try stage.with(environment)) },
        end: { await stage.org.stop() })
    }
  }
}
