import EventStore
import FlowRecording
import Foundation
import Scenarios
import SimulatedOrg
import Testing

@testable import IDX

/// DESIGN §2 rule 1 for the Identity Engine: a response is a function of the folded state and the vault, so that one rebuilt
/// from the log is the live one with placeholders where secrets were.
@Suite struct RebuiltResponseTests {
  @Test("rebuilt from the log, each response is the live one", arguments: IDXScenario.golden)
  func rebuilt(scenario: IDXScenario) async throws {
    var scenario = scenario
    let recorder = MemoryRecorder()
    let begun = flowsBegun(by: &scenario)
    try await scenario.run(recorder: recorder)
    var seen = 0
    for flow in begun.withLock({ $0 }) {
      let records = await recordsAtRest(of: flow, in: recorder, scenario.name)
      let vault = flow.session.flow.vault
      let other = IDXSession(settings: [:], resumes: nil, environment: FlowEnvironment())
      for end in records.indices where records[end].event.type == "remediation.changed" {
        seen += 1
        let state = IDXCore.folding(records[...end])
        let (live, rebuilt) = (Response(state, flow.session), Response(state, other))
        #expect(facts(of: rebuilt).map { vault.reveal($0) } == facts(of: live))
        #expect(vault.reveal(state.current?.body ?? [:]).text.contains("$secret.") == false)
      }
    }
    #expect(seen > 0)
  }

  /// What a response says, one line each.
  private func facts(of response: Response) -> [String] {
    var facts = [
      "\(response)", "\(response.intent)", "\(response.isLoginSuccessful) \(response.canCancel) \(response.isTerminal)",
      "\(response.expiresAt?.timeIntervalSince1970 ?? 0)", "\(response.app?.label ?? "")",
      "\(response.user?.username ?? "")",
    ]
    facts += response.messages.allMessages.map { "\($0.type) \($0.localizationKey ?? "") \($0.message)" }
    for authenticator in response.authenticators {
      facts.append("\(authenticator) \(authenticator.key ?? "") \(authenticator.methods ?? [])")
      facts += kinds(of: authenticator.capabilities)
      facts += [authenticator.numberChallenge?.correctAnswer].compactMap { $0 }
    }
    for remediation in response.remediations {
      facts.append("\(remediation) \(remediation.type) \(remediation.href?.absoluteString ?? "")")
      facts += kinds(of: remediation.capabilities)
      facts += remediation.authenticators.map { "\($0)" }
      for field in remediation.form { facts += self.facts(of: field) }
    }
    return facts
  }

  /// The types of capabilities, but for those that are read out of a secret (an image, a challenge): without the vault there
  /// is nothing to read.
  private func kinds(of capabilities: [Any]) -> [String] {
    capabilities.filter {
      !($0 is Capability.OTP || $0 is Capability.WebAuthnRegistration || $0 is Capability.WebAuthnAuthentication)
    }.map { "\(type(of: $0))" }
  }

  private func facts(of field: Remediation.Form.Field) -> [String] {
    var facts = ["\(field.name ?? "") \(field.label ?? "") \(field.type ?? "") \(field.isRequired) \(field.isSecret)"]
    if let value = field.value { facts.append("\(value)") }
    for option in field.options ?? [] { facts += self.facts(of: option) }
    if let form = field.form { for inner in form { facts += self.facts(of: inner) } }
    return facts
  }
}
