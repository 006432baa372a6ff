import EventStore
import FlowRecording
import Foundation
import OIDC
import Testing

@testable import IDX

/// What a person types: a secret if the form says so, whatever the field is called; readable only as data about a person.
@Suite struct TypedSecretsTests {
  private static let typed = "Canary-typed-19"

  private func written(_ members: [(String, JSON)], name: String, value: any FormValue) async throws -> String {
    let script = IDXScript(ION.response([ION.form("identify", nil, [ION.field(name, members)])]), ION.challenge)
    let flow = script.flow()
    let remediation = try #require(try await flow.start().remediations[.identify])
    remediation[name]?.value = value
    _ = try await remediation.proceed()
    let sent = try script.lastBody
    #expect(sent[name] == FormValues.json(value))
    try await script.expectWhole(flow)
    return script.events(of: flow).map(\.data.text).joined(separator: "\n")
  }

  @Test(
    "what a field says is secret is, whatever it is called",
    arguments: [
      "firstName", "title", "email", "id", "scope", "identifier", "methodType", "username", "odd", "Canary-typed-19",
    ])
  func secretFields(name: String) async throws {
    let text = try await written([("label", "Password"), ("secret", true)], name: name, value: Self.typed)
    if name != Self.typed { #expect(!text.contains(Self.typed)) }
    #expect(!text.contains("secret.Canary"), "the field's name is the org's text, and no name for a placeholder")
  }

  @Test(
    "what is typed into a field of the protocol stays only if it is the protocol's word",
    arguments: ["id", "scope", "authenticatorId"])
  func publicFields(name: String) async throws {
    #expect(try await !written([], name: name, value: Self.typed).contains(Self.typed))
    #expect(try await !written([], name: name, value: 739_164).contains("739164"))
    let preset = try await written([("value", "aut0y1UsaVhfadfn7q02")], name: name, value: "aut0y1UsaVhfadfn7q02")
    #expect(preset.contains("\"preset\":true,\"value\":\"aut0y1UsaVhfadfn7q02\""))
    #expect(try await written([], name: name, value: "sms").contains("\"value\":\"sms\""))
  }

  @Test("a terminal shows what the log keeps readable, and nothing else")
  func echo() async throws {
    let names = ["firstName", "identifier", "email", "title", "passcode", "id", "scope", "odd", "answer"]
    let script = IDXScript(ION.response([ION.form("identify", nil, names.map { ION.field($0) })]))
    let remediation = try #require(try await script.flow().start().remediations[.identify])
    #expect(names.filter { remediation[$0]?.isReadableInLog == true } == ["firstName", "identifier", "email", "title"])
  }

  @Test("a login that is typed as the password too stays readable as the login")
  func loginAsPassword() async throws {
    let script = IDXScript(ION.identify)
    let flow = script.flow()
    let identify = try #require(try await flow.start().remediations[.identify])
    identify.identifier?.value = "ann@acme.example"
    script.add(ION.challenge)
    let challenge = try #require(try await identify.proceed().remediations[.challengeAuthenticator])
    challenge["credentials.passcode"]?.value = "ann@acme.example"
    guard case .object(var body) = ION.challenge else { throw ShouldHaveFailed() }
    body["user"] = ["type": "object", "value": ["identifier": "ann@acme.example"]]
    body["messages"] = ["value": [["message": "No password of ann@acme.example", "class": "ERROR"]]]
    script.add(.object(body))
    _ = try await challenge.proceed()
    #expect(try script.lastBody["credentials"]?["passcode"] == "ann@acme.example")
    try await script.expectWhole(flow)
    let texts = script.events(of: flow).map(\.data.text)
    #expect(texts.contains { $0.contains("\"value\":\"ann@acme.example\"") })
    #expect(texts.contains { $0.contains("\"value\":\"$secret.passcode.1$\"") })
    #expect(texts.contains { $0.contains("No password of ann@acme.example") })
    #expect(texts.contains { $0.contains("\"identifier\":\"ann@acme.example\"") })
  }
}
