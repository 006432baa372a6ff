import EventStore
import FlowRecording
import Foundation
import Replay
import Scenarios
import SimulatedOrg
import Testing

@testable import Authn

/// SPINE trap 1: a password that is a word of the bodies must not change the sign-in. Every word is tried.
@Suite struct EveryWordAsPasswordTests {
  @Test("each word of the org's bodies as password: same bytes sent but for the password, same trail, same replay")
  func everyWord() async throws {
    let words = try await wordsOfBodies()
    #expect(words.count > 60)
    let baseline = try await play(password: Scenario.password)
    for word in words.sorted() {
      let played = try await play(password: word)
      #expect(played.trail == baseline.trail, "password \(word)")
      #expect(
        played.sent == baseline.sent.map { $0.replacingPassword(Scenario.password, with: word) }, "password \(word)")
      #expect(played.isFolded, "password \(word)")
      #expect(try Replay.replay(played.recording) == [], "password \(word)")
    }
  }

  private struct Played {
    var trail: [String]
    var sent: [Sent]
    var isFolded: Bool
    var recording: Recording
  }

  /// A sign-in with a text message, one wrong code, back, and a push: most shapes of the API in one flow.
  private func scenario(password: String, bodies: Locked<[OrgJSON]>? = nil) -> Scenario {
    let user = OrgUser(
      login: Scenario.login, password: password,
      factors: [.sms(phone: "+1-555-415-1337"), .push(device: "Ann's phone")])
    let configuration = OrgConfiguration(
      users: [user], numberChallenge: true,
      decorate: { _, body in
        bodies?.withLock { $0.append(body) }
        return body
      })
    return Scenario("words", configuration) { stage in
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

  private func play(password: String) async throws -> Played {
    let recorder = MemoryRecorder()
    let isFolded = Locked(false)
    let requests = try await scenario(password: password).run(recorder: recorder) { _, last in
      #expect(last?.statusType == .success)
      guard let session = last?.object.session else { return }
      let isAtRest = await recordsAtRest(of: session.flow, in: recorder) != nil
      isFolded.withLock { $0 = isAtRest }
    }
    let records = recorder.streams.first.map(recorder.records(of:)) ?? []
    return Played(
      trail: records.map(\.event.type), sent: requests.map(Sent.init), isFolded: isFolded.withLock { $0 },
      recording: Recording(name: "words", flows: [RecordedFlow(stream: "words", records: records)]))
  }

  private func wordsOfBodies() async throws -> Set<String> {
    let bodies = Locked<[OrgJSON]>([])
    try await scenario(password: Scenario.password, bodies: bodies).run(recorder: nil)
    var words: Set<String> = []
    for body in bodies.withLock({ $0 }) { body.collectWords(into: &words) }
    return words
  }
}

extension Sent {
  func replacingPassword(_ password: String, with other: String) -> Sent {
    var sent = self
    let quoted = JSON.string(password).text
    if let range = sent.body.range(of: "\"password\":\(quoted)") {
      sent.body.replaceSubrange(range, with: "\"password\":\(JSON.string(other).text)")
    }
    // The length of the body is that of the password's.
    sent.headers = sent.headers.map {
      $0.hasPrefix("Content-Length: ") ? "Content-Length: \(sent.body.utf8.count)" : $0
    }
    return sent
  }
}
