// What every kind of flow has to stand, for the push authenticator.

import DeviceAuthenticator
import EventStore
import FlowRecording
import FlowTestKit
import Foundation
import SimulatedOrg
import Testing

@Suite struct DeviceBatteryTests {
  @Test func `the kind stands the battery: spoiled answers, every input at every state, the whole state, no secret`()
    async throws
  {
    let scenario = FlowScenario(
      "enroll, pull, answer, delete", secrets: ["feedc0de-canary"], password: "feedc0de-canary",
      begin: { pushToken in
        let org = try await SimulatedOrg.start(
          OrgConfiguration(users: [OrgUser(login: Rig.login, password: "Correct-horse-1")]))
        let time = VirtualTime(
          start: Timestamp(microseconds: Int64(org.now.timeIntervalSince1970) * 1_000_000))
        return FlowScenario.Stand(
          transport: CurlTransport.standard, time: time,
          play: { environment in
            let rig = try Rig(org, environment: environment)
            let enrollment = try await rig.enroll(verification: true, ciba: true, pushToken: pushToken)
            _ = try rig.challenge(enrollment)
            let pulled = try await enrollment.retrievePushChallenges(authenticationToken: try rig.token())
            for push in pulled { try await push.resolve(onRemediation: Answers().handle) }
            try await rig.authenticator.delete(enrollment: enrollment, authenticationToken: try rig.token())
          })
      })
    #expect(await FlowBattery(DeviceKind.self, [scenario], density: 3).findings() == [])
  }

  @Test func `the kind lists each of its events once, and knows their names`() {
    let names = DeviceEvent.types.map { $0.type }
    #expect(Set(names).count == names.count && names == DeviceEvent.allCases.map(\.rawValue))
  }
}
