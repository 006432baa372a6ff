import EventStore
import FlowRecording
import Foundation
import Scenarios
import SimulatedOrg
import Testing

@testable import Authn

/// DESIGN §5: nothing secret of any flow is in what is written: neither what the org gave out nor what was typed.
@Suite struct FlowSecretsTests {
  private static let secretNames: Set<String> = [
    "stateToken", "sessionToken", "recoveryToken", "sharedSecret", "signature", "nonce", "correctAnswer", "password",
    "oldPassword", "newPassword", "passCode", "nextPassCode", "answer", "token", "deviceToken", "relayState",
  ]

  @Test("no token, code, password or answer of a flow is in its log", arguments: Scenario.flows.map(\.name))
  func nothingIsWritten(name: String) async throws {
    var scenario = try #require(Scenario.flows.first { $0.name == name })
    let secrets = Locked<Set<String>>([])
    scenario.configuration.decorate = { _, body in
      Self.collect(body, secrets)
      return body
    }
    let recorder = MemoryRecorder()
    let requests = try await scenario.run(recorder: recorder) { stage, _ in
      for message in stage.org.outbox { secrets.withLock { _ = $0.insert(message.code) } }
    }
    for request in requests {
      guard let body = try? JSONSerialization.jsonObject(with: Data(request.body)) else { continue }
      Self.collect(body, secrets)
    }
    let written = recorder.streams.flatMap(recorder.records(of:)).map { $0.event.data.text }.joined(separator: "\n")
    let found = secrets.withLock { $0 }.filter { $0.utf8.count >= 6 }
    #expect(!found.isEmpty)
    for secret in found { #expect(!written.contains(secret), "\(secret) was written") }
  }

  private static func collect(_ json: OrgJSON, _ secrets: Locked<Set<String>>) {
    switch json {
    case .object(let members):
      for member in members {
        if secretNames.contains(member.name), case .string(let text) = member.value {
          secrets.withLock { _ = $0.insert(text) }
        }
        if member.name == "qrcode", case .string(let href)? = member.value["href"] {
          secrets.withLock { _ = $0.insert(href) }
        }
        collect(member.value, secrets)
      }
    case .array(let elements): for element in elements { collect(element, secrets) }
    case .string, .int, .bool, .null: break
    }
  }

  private static func collect(_ json: Any, _ secrets: Locked<Set<String>>) {
    guard let object = json as? [String: Any] else { return }
    for (key, value) in object {
      if secretNames.contains(key), let text = value as? String { secrets.withLock { _ = $0.insert(text) } }
      collect(value, secrets)
    }
  }
}
