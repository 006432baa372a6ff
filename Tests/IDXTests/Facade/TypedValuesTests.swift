import EventStore
import FlowRecording
import Foundation
import OIDC
import Scenarios
import SimulatedOrg
import Testing

@testable import IDX

/// Booleans and numbers reach the org as what they are, whatever their field is called, and numbers that may be codes
/// stay out of the log.
@Suite struct TypedValuesTests {
  private static let names = ["email", "locale", "otp", "code", "identifier", "passcode", "consent", "anything"]

  private func send(
    _ fields: [JSON], _ fill: (Remediation) -> Void
  ) async throws -> (body: JSON, written: String) {
    let script = IDXScript(ION.response([ION.form("identify", nil, fields)]), ION.challenge)
    let flow = script.flow()
    let response = try await flow.start()
    let remediation = try #require(response.remediations[.identify])
    fill(remediation)
    _ = try await remediation.proceed()
    let body = try script.lastBody
    try await script.expectWhole(flow)
    return (body, script.events(of: flow).map(\.data.text).joined(separator: "\n"))
  }

  @Test("a boolean that is set is sent as a boolean", arguments: names)
  func setBoolean(name: String) async throws {
    for isSecret in [false, true] {
      let field = ION.field(name, [("type", "boolean"), ("secret", .bool(isSecret))])
      for value in [true, false] {
        let sent = try await send([field]) { $0[name]?.value = value }
        #expect(sent.body[name] == .bool(value))
      }
      let sent = try await send([field]) { $0[name]?.value = "TRUE" }
      #expect(sent.body[name] == true)
    }
  }

  @Test("a boolean preset is sent back as a boolean", arguments: names)
  func presetBoolean(name: String) async throws {
    let sent = try await send([ION.field(name, [("type", "boolean"), ("value", true)])]) { _ in }
    #expect(sent.body[name] == true)
  }

  @Test("a text in a boolean field is refused before anything is sent, also where it is a secret", arguments: names)
  func noBoolean(name: String) async throws {
    let script = IDXScript(ION.response([ION.form("identify", nil, [ION.field(name, [("type", "boolean")])])]))
    let flow = script.flow()
    let remediation = try #require(try await flow.start().remediations[.identify])
    remediation[name]?.value = "perhaps"
    #expect(
      try await idxFailure { try await remediation.proceed() } == .invalidParameterValue(name: name, type: "boolean"))
    #expect(script.transport.requests.count == 2)
    try await script.expectWhole(flow)
  }

  @Test("a number is sent as a number", arguments: names)
  func number(name: String) async throws {
    let sent = try await send([ION.field(name)]) { $0[name]?.value = 739_164 }
    #expect(sent.body[name] == 739_164)
    let isReadable = ["email", "locale", "identifier"].contains(name)
    #expect(sent.written.contains("739164") == isReadable)
  }

  @Test("a text of a secret name stays secret", arguments: ["otp", "code", "passcode"])
  func secretText(name: String) async throws {
    let sent = try await send([ION.field(name)]) { $0[name]?.value = "739164" }
    #expect(sent.body[name] == "739164")
    #expect(!sent.written.contains("739164"))
  }

  @Test("scope by scope: consent to the scope email, given or not", arguments: [true, false])
  func granularConsent(allows: Bool) async throws {
    let recorder = MemoryRecorder()
    let policy = try #require(OrgPolicy.named("granular-consent"))
    let stage = try await IDXStage(
      OrgConfiguration(users: [IDXScenario.everyone], policy: policy), recorder: recorder)
    let flow = InteractionCodeFlow(
      issuer: try #require(URL(string: Stage.orgURL + "/oauth2/default")), clientId: OrgClient.sample.id,
      scopes: "openid profile email", redirectUri: try #require(URL(string: OrgClient.sample.redirectURIs[0])),
      environment: stage.environment)
    do {
      let token = try await IDXScenario.lead(from: try await flow.start(), on: stage) { response in
        if !allows { response.remediations["granular-consent"]?["optedScopes.email"]?.value = false }
      }
      let scopes = token?.scope?.split(separator: " ").map(String.init)
      #expect(scopes == (allows ? ["openid", "profile", "email"] : ["openid", "profile"]))
    } catch {
      await stage.org.stop()
      throw error
    }
    await stage.org.stop()
  }
}
