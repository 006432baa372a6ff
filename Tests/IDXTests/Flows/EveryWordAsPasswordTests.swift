import EventStore
import FlowRecording
import Foundation
import Replay
import Scenarios
import SimulatedOrg
import Testing

@testable import IDX

/// SPINE trap 1 for the Identity Engine: a password that is a word of the bodies must not change the sign-in. Every word is
/// tried.
@Suite struct IDXEveryWordAsPasswordTests {
  @Test("each word of the org's bodies as password: same bytes sent but for the password, same trail, same replay")
  func everyWord() async throws {
    let bodies = Locked<[OrgJSON]>([])
    try await scenario(password: Scenario.password, bodies: bodies).run(recorder: nil)
    var words: Set<String> = []
    for body in bodies.withLock({ $0 }) { body.collectWords(into: &words) }
    #expect(words.count > 200)
    let baseline = try await play(password: Scenario.password)
    #expect(baseline.sent.count { $0.contains(JSON.string(Scenario.password).text) } == 1)
    try await FaultSweep.each(words.sorted()) { word in
      let played: Played
      do {
        played = try await play(password: word)
      } catch InteractionCodeFlowError.invalidUrl where word.contains("://") {
        // A URL of the org that goes on below the password is a secret as a whole, and where it leads cannot be checked:
        // refused before anything is sent there.
        return
      } catch {
        Issue.record("password \(word): \(error)")
        return
      }
      #expect(played.trail == baseline.trail, "password \(word)")
      #expect(played.sent == baseline.sent.map { Self.replacingPassword(in: $0, with: word) }, "password \(word)")
      let divergences = try Replay.replay(played.recording)
      #expect(divergences == [], "password \(word)")
    }
  }

  private struct Played {
    var trail: [String]
    var sent: [String]
    var recording: Recording
  }

  /// A sign-in that begins anew once, with a text message mistyped once and a push: most shapes of the API in one flow.
  private func scenario(password: String, bodies: Locked<[OrgJSON]>? = nil) -> IDXScenario {
    let user = OrgUser(
      login: Scenario.login, password: password,
      factors: [.sms(phone: "+1 415-555-0199"), .push(device: "Ann's phone")])
    var configuration = OrgConfiguration(
      users: [user],
      decorate: { _, body in
        bodies?.withLock { $0.append(body) }
        return body
      })
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

  private func play(password: String) async throws -> Played {
    let recorder = MemoryRecorder()
    let begun = Locked<InteractionCodeFlow?>(nil)
    var scenario = scenario(password: password)
    let play = scenario.play
    scenario.play = { stage in
      var stage = stage
      stage.began = { flow in begun.withLock { $0 = flow } }
      try await play(stage)
    }
    let requests = try await scenario.run(recorder: recorder)
    let flow = try #require(begun.withLock { $0 })
    let records = await recordsAtRest(of: flow, in: recorder, "password \(password)")
    return Played(
      trail: records.map(\.event.type),
      sent: requests.map { "\($0.method) \($0.target) \(String(decoding: $0.body, as: UTF8.self))" },
      recording: Recording(name: "words", flows: [RecordedFlow(stream: flow.flowID, records: records)]))
  }

  private static func replacingPassword(in sent: String, with word: String) -> String {
    sent.replacingOccurrences(
      of: "\"passcode\":\(JSON.string(Scenario.password).text)", with: "\"passcode\":\(JSON.string(word).text)")
  }
}
