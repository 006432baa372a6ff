import EventStore
import FlowRecording
import Foundation
import Replay
import Scenarios
import SimulatedOrg
import Testing

@testable import IDX

/// Random walks: any remediation that is offered, filled in well or badly. Always a response or a typed error, always
/// foldable, always replayable.
@Suite(.serialized) struct IDXWalkTests {
  private static let seed = UInt64(ProcessInfo.processInfo.environment["FLOWRECORDER_SEED"] ?? "") ?? 20_261_121

  @Test("two hundred walks through all policies", arguments: Array(0..<8))
  func walks(part: Int) async throws {
    for number in 0..<25 {
      let seed = Self.seed &+ UInt64(part * 25 + number)
      let policy = OrgPolicy.named[(part * 25 + number) % OrgPolicy.named.count]
      try await walk(policy, seed: seed)
    }
  }

  private func walk(_ policy: OrgPolicy, seed: UInt64) async throws {
    let title = "\(policy.name), seed \(seed)"
    let users = [
      OrgUser(
        login: Scenario.login, password: Scenario.password,
        factors: [
          .email(address: Scenario.login), .sms(phone: "+1 415-555-0199"), .push(device: "Ann's phone"),
          .question(key: "disliked_food", answer: "teddy"), .webauthn(name: "Ann's key"),
        ]), OrgUser(login: "bob@acme.example", password: Scenario.password),
    ]
    let recorder = MemoryRecorder()
    let stage = try await IDXStage(OrgConfiguration(users: users, policy: policy), recorder: recorder, seed: seed)
    let entropy = SeededEntropy(seed: seed)
    let flow = stage.begin()
    do {
      try await wander(flow, on: stage, entropy)
    } catch is InteractionCodeFlowError {
    } catch is CancellationError {
    } catch {
      Issue.record("\(title) ends in \(error)")
    }
    let records = await recordsAtRest(of: flow, in: recorder, title)
    let recording = Recording(name: title, flows: [RecordedFlow(stream: flow.flowID, records: records)])
    for divergence in try Replay.replay(recording) { Issue.record("\(divergence.message)") }
    await stage.org.stop()
  }

  private func wander(_ flow: InteractionCodeFlow, on stage: IDXStage, _ entropy: SeededEntropy) async throws {
    func chance(_ percent: UInt64) -> Bool { entropy.next() % 100 < percent }
    func pick<Element>(_ list: [Element]) -> Element? {
      list.isEmpty ? nil : list[Int(entropy.next() % UInt64(list.count))]
    }
    var response = try await flow.start()
    for _ in 0..<14 {
      if response.isLoginSuccessful {
        _ = try await response.exchangeCode()
        return
      }
      var actions: [@Sendable () async throws -> Response] = []
      let held = response
      for authenticator in response.authenticators {
        if let resendable = authenticator.resendable {
          actions.append { try await stage.firingTimers { try await resendable.resend() } }
        }
        if let recoverable = authenticator.recoverable {
          actions.append { try await stage.firingTimers { try await recoverable.recover() } }
        }
        if let sendable = authenticator.sendable {
          actions.append { try await stage.firingTimers { try await sendable.send() } }
        }
      }
      let person = IDXPerson(
        login: chance(85) ? Scenario.login : pick(["nobody@acme.example", "bob@acme.example", ""]) ?? "",
        password: chance(85) ? Scenario.password : "Wrong-Horse-9",
        choices: pick([["Email"], ["Phone", "SMS"], []]) ?? [])
      for remediation in response.remediations where remediation.pollable == nil {
        try person.fill(remediation, of: response, at: stage.org)
        if chance(12) { spoil(remediation.form, entropy) }
        // A rate limit makes the SDK wait.
        actions.append { try await stage.firingTimers { try await remediation.proceed() } }
      }
      if let pollable = response.remediations.compactMap(\.pollable).first
        ?? response.authenticators.compactMap(\.pollable).first, chance(50)
      {
        let answer = pick(PushAnswer.allCases) ?? .approve
        let opens = chance(50)
        actions.append {
          stage.org.answerPush(for: Scenario.login, answer, afterPolls: 2)
          if opens { stage.org.openMagicLink(for: Scenario.login) }
          return try await Self.poll(pollable, stage) ?? held
        }
      }
      guard let action = chance(50) ? actions.first : pick(actions) else { return }
      do {
        response = try await action()
      } catch is InteractionCodeFlowError {
        // The response is still there; another way may be open.
        if chance(30) { response = try await stage.firingTimers { try await flow.resume() } }
      }
    }
  }

  /// Polls for at most five rounds, and gives up then.
  private static func poll(_ pollable: Capability.Pollable, _ stage: IDXStage) async throws -> Response? {
    try await withThrowingTaskGroup(of: Response?.self) { group in
      group.addTask {
        do { return try await pollable.startPolling() } catch is CancellationError { return nil }
      }
      group.addTask {
        for _ in 0..<5 {
          guard await stage.time.waitForTimers() else { return nil }
          stage.time.advance(milliseconds: 4000)
        }
        pollable.stopPolling()
        return nil
      }
      while let result = try await group.next() {
        if let result {
          group.cancelAll()
          return result
        }
      }
      return nil
    }
  }

  private func spoil(_ form: Remediation.Form, _ entropy: SeededEntropy) {
    let values: [any FormValue] = ["", "x", 17, true, -0.5, String(repeating: "é", count: 300), "$secret.passcode.1$"]
    for field in form {
      if let inner = field.form { spoil(inner, entropy) }
      if entropy.next() % 3 == 0 { field.value = values[Int(entropy.next() % UInt64(values.count))] }
      if entropy.next() % 5 == 0 { field.selectedOption = nil }
    }
  }
}
