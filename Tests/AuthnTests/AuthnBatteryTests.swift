import EventStore
import FlowRecording
import FlowTestKit
import Foundation
import Scenarios
import SimulatedOrg
import Testing

@testable import Authn

/// What every kind of flow has to stand, over the sign-ins of the classic API.
@Suite struct AuthnBatteryTests {
  @Test("spoiled answers, every input at every state, the whole state: each flow stands it", arguments: Scenario.flows)
  func battery(scenario: Scenario) async {
    let density = ProcessInfo.processInfo.environment["FLOWRECORDER_LONG"] == "1" ? 1 : 2
    let battery = FlowBattery(AuthnKind.self, [FlowScenario(scenario)], density: density)
    #expect(await battery.findings() == [])
  }

  @Test("each word of the org's bodies as password: same bytes sent but for the password, same trail, same replay")
  func everyWord() async {
    let scenario = FlowScenario("words", password: Scenario.password) { password in
      try await FlowScenario.stand(Self.words(password))
    }
    #expect(await FlowBattery(AuthnKind.self, [scenario]).everyWord(atLeast: 60) == [])
  }

  /// A sign-in with a text message, one wrong code, back, and a push: most shapes of the API in one flow.
  private static func words(_ password: String) -> Scenario {
    let user = OrgUser(
      login: Scenario.login, password: password,
      factors: [.sms(phone: "+1-555-415-1337"), .push(device: "Ann's phone")])
    return Scenario("words", OrgConfiguration(users: [user], numberChallenge: true)) { stage in
      let start = try await stage.begin().authenticate(username: Scenario.login, password: password)
      let required = try #require(start as? OktaAuthStatusFactorRequired)
      let sms = try #require(required.availableFactors.first { $0.type == .sms })
      let challenge = try #require(try await required.selectFactor(sms) as? OktaAuthStatusFactorChallenge)
      do throws(OktaError) {
        _ = try await challenge.verifyFactor(passCode: "nonsense", answerToSecurityQuestion: nil)
      } catch { #expect(error.description.contains("Server responded")) }
      let back = try #require(try await challenge.returnToPreviousStatus() as? OktaAuthStatusFactorRequired)
      let push = try #require(back.availableFactors.first { $0.type == .push })
      let waiting = try #require(try await back.selectFactor(push) as? OktaAuthStatusFactorChallenge)
      stage.org.answerPush(for: Scenario.login, .approve, afterPolls: 2)
      return try await stage.firingTimers {
        try await waiting.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
      }
    }
  }
}

extension FlowScenario {
  /// A scenario of the classic API for the battery.
  init(_ scenario: Scenario) {
    self.init(scenario.name, password: Scenario.password) { _ in try await Self.stand(scenario) }
  }

  static func stand(_ scenario: Scenario) async throws -> Stand {
    let stage = try await Stage(scenario.configuration)
    let begun = Locked<[OktaAuthStatusUnauthenticated]>([])
    return Stand(
      transport: stage.environment.transport, time: stage.time,
      play: { environment in
        var played = stage
        played.environment = environment
        played.began = { start in begun.withLock { $0.append(start) } }
        let scene = played
        // A rate limit makes the SDK wait.
        try await scene.firingTimers { _ = try await scenario.play(scene) }
      },
      inspect: { recorder in
        var findings: [String] = []
        for start in begun.withLock({ $0 })
        where await recordsAtRest(of: start.object.session.flow, in: recorder) == nil {
          findings.append("the log does not fold to what is live")
        }
        return findings
      },
      end: { await stage.org.stop() })
  }
}
