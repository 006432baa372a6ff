import EventStore
import FlowRecording
import FlowTestKit
import Foundation
import Scenarios
import SimulatedOrg
import Testing

@testable import IDX

/// What every kind of flow has to stand, over the sign-ins by the Identity Engine.
@Suite struct IDXBatteryTests {
  @Test(
    "spoiled answers, every input at every state, the whole state: each flow stands it", arguments: IDXScenario.golden)
  func battery(scenario: IDXScenario) async {
    let density = ProcessInfo.processInfo.environment["FLOWRECORDER_LONG"] == "1" ? 1 : 4
    #expect(await FlowBattery(IDXKind.self, [FlowScenario(scenario)], density: density).findings() == [])
  }

  @Test("each word of the org's bodies as password: same bytes sent but for the password, same trail, same replay")
  func everyWord() async {
    var scenario = FlowScenario("words", password: Scenario.password) { password in
      try await FlowScenario.stand(Self.words(password))
    }
    // A URL of the org that goes on below the password is a secret as a whole, and where it leads cannot be checked:
    // refused before anything is sent there.
    scenario.mayRefuse = { password, error in
      guard password.contains("://"), case InteractionCodeFlowError.invalidUrl = error else { return false }
      return true
    }
    for finding in await FlowBattery(IDXKind.self, [scenario]).everyWord(atLeast: 200) { Issue.record("\(finding)") }
  }

  /// A sign-in that starts again once, with a text message mistyped once and a push: most shapes of the API in one
  /// flow.
  private static func words(_ password: String) -> IDXScenario {
    let user = OrgUser(
      login: Scenario.login, password: password,
      factors: [.sms(phone: "+1 415-555-0199"), .push(device: "Ann's phone")])
    var configuration = OrgConfiguration(users: [user])
    configuration.policy = OrgPolicy.named("three-factors") ?? .standard
    return IDXScenario("words", configuration) { stage in
      let person = IDXPerson(password: password, choices: ["SMS"])
      var response = try await stage.begin().start()
      response = try await response.cancel()
      var isMistyped = false
      while !response.isLoginSuccessful {
        let remediation = try #require(response.remediations.first)
        if response.authenticators.current?.type == .phone, remediation.type == .challengeAuthenticator, !isMistyped {
          isMistyped = true
          remediation["credentials.passcode"]?.value = "nonsense"
          response = try await remediation.proceed()
          #expect(!response.messages.allMessages.isEmpty)
          continue
        }
        response = try await IDXScenario.step(remediation, of: response, on: stage, as: person)
      }
      _ = try await response.exchangeCode()
    }
  }
}

extension FlowScenario {
  /// A scenario of the Identity Engine for the battery.
  init(_ scenario: IDXScenario) {
    self.init(scenario.name, password: Scenario.password) { _ in try await Self.stand(scenario) }
  }

  static func stand(_ scenario: IDXScenario) async throws -> Stand {
    let stage = try await IDXStage(scenario.configuration)
    let begun = Locked<[InteractionCodeFlow]>([])
    return Stand(
      transport: stage.environment.transport, time: stage.time,
      play: { environment in
        var played = stage
        played.environment = environment
        played.began = { flow in begun.withLock { $0.append(flow) } }
        let scene = played
        // A rate limit makes the SDK wait.
        try await scene.firingTimers { try await scenario.play(scene) }
      },
      inspect: { recorder in
        var findings: [String] = []
        for flow in begun.withLock({ $0 }) where await recordsAtRest(of: flow.session.flow, in: recorder) == nil {
          findings.append("the log does not fold to what is live")
        }
        return findings
      },
      end: { await stage.org.stop() })
  }
}
