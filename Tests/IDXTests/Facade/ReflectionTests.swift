import EventStore
import FlowRecording
import Foundation
import OIDC
import Scenarios
import SimulatedOrg
import Testing

@testable import IDX

/// Every object that an application can hold, at every response of every scenario: printed, reflected and dumped, it shows
/// no secret that the flow knows (DESIGN §5). What is asked for by name (a field's value, `sharedSecret`) is given.
@Suite struct IDXReflectionTests {
  @Test("no object of a flow shows a secret of it", arguments: IDXScenario.golden)
  func scenario(scenario: IDXScenario) async throws {
    var scenario = scenario
    scenario.configuration.decorate = { path, body in path.contains("/idp/idx/") ? Self.plant(in: body) : body }
    let recorder = MemoryRecorder()
    let begun = flowsBegun(by: &scenario)
    try await scenario.run(recorder: recorder)
    var seen = 0
    for flow in begun.withLock({ $0 }) {
      let (session, records) = await (flow.session, recordsAtRest(of: flow, in: recorder, scenario.name))
      let vault = session.flow.vault
      // What the log shows by itself, as a word of a closed vocabulary, is no secret; nor is what the objects' own types are
      // called.
      let written = records.map { $0.event.data.text }.joined(separator: "\n")
      let secrets = secrets(of: records, vault).filter { !written.contains($0) && $0 != "Application" }
      #expect(secrets.contains("canary-undeclared-7d1e") && secrets.count > 3)
      var values: [Any] = [flow, session, vault, session.flow.core, flow.client, flow.context as Any]
      if let token = session.flow.core.token.flatMap({ Token($0, revealedBy: vault) }) { values.append(token) }
      for end in records.indices where records[end].event.type == "remediation.changed" {
        let response = Response(IDXCore.folding(records[...end]), session)
        seen += 1
        values += Self.values(of: response)
      }
      for value in values {
        for text in texts(of: value) {
          for secret in secrets where text.contains(secret) {
            Issue.record("\(type(of: value)) shows \(secret)")
          }
        }
      }
    }
    #expect(seen > 0)
  }

  @Test("a form that is filled in shows no value that was typed")
  func typed() async throws {
    let configuration = OrgConfiguration(
      users: [IDXScenario.everyone], policy: OrgPolicy.named("password") ?? .standard)
    let scenario = IDXScenario("typed", configuration) { stage in
      let response = try await stage.begin().start()
      let remediation = try #require(response.remediations[.identify])
      let field = try #require(remediation["identifier"])
      field.value = "canary-typed-5c2"
      for value in Self.values(of: response) {
        for text in texts(of: value) { #expect(!text.contains("canary-typed-5c2"), "\(type(of: value))") }
      }
    }
    try await scenario.run(recorder: nil)
  }

  // MARK: What an application can reach

  private static func values(of response: Response) -> [Any] {
    var values: [Any] = [
      response, response.remediations, response.authenticators, response.messages, response.intent,
      response.app as Any, response.user as Any, response.user?.profile as Any, response.origin,
    ]
    for message in response.messages.allMessages { values += [message, message.type] }
    for remediation in response.remediations {
      values += [remediation, remediation.type, remediation.form, remediation.authenticators]
      values += remediation.capabilities.map { $0 as Any }
      for field in remediation.form { add(field, to: &values) }
    }
    for authenticator in response.authenticators {
      values += [authenticator, authenticator.type, authenticator.state, authenticator.methods as Any]
      values += authenticator.capabilities.map { $0 as Any }
    }
    return values
  }

  private static func add(_ field: Remediation.Form.Field, to values: inout [Any]) {
    values += [field, field.messages]
    if let form = field.form {
      values.append(form)
      for field in form { add(field, to: &values) }
    }
    for option in field.options ?? [] { add(option, to: &values) }
  }

  private static func plant(in body: OrgJSON) -> OrgJSON {
    var body = body
    body["canaryKeyQx81"] = .string("canary-undeclared-7d1e")
    body["errorId"] = .string("canary-undeclared-7d1e")
    return body
  }
}
