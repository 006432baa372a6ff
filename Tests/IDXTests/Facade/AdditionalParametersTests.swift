import EventStore
import FlowRecording
import Foundation
import Testing

@testable import IDX

/// Parameters of the application's own that go to interact (idx §2.3, §11.3).
@Suite struct AdditionalParametersTests {
  private static let standard = [
    "acr_values": "urn:okta:loa:2fa:any", "max_age": "300", "nonce": "nonce-of-mine", "recovery_token": "recover-me",
    "activation_token": "activate-me",
  ]

  private func flow(_ script: IDXScript, _ parameters: [String: String]) throws -> InteractionCodeFlow {
    InteractionCodeFlow(
      issuer: try #require(URL(string: IDXScript.issuer)), clientId: "0oa1client", scopes: "openid profile",
      redirectUri: try #require(URL(string: IDXScript.redirect)), additionalParameters: parameters,
      environment: script.environment)
  }

  @Test("the standard names go to interact")
  func standardNames() async throws {
    let script = IDXScript(ION.identify)
    let flow = try flow(script, Self.standard.merging(["login_hint": "ann"]) { first, _ in first })
    _ = try await flow.start()
    let sent = IDXScript.form(script.transport.requests.first)
    for (name, value) in Self.standard { #expect(sent[name] == value, "\(name)") }
    #expect(sent["login_hint"] == "ann")
    try await script.expectWhole(flow)
    let written = script.events(of: flow).map(\.data.text).joined()
    for secret in ["nonce-of-mine", "recover-me", "activate-me"] { #expect(!written.contains(secret)) }
    #expect(written.contains("urn:okta:loa:2fa:any"))
  }

  @Test("what start is given counts more, and what the protocol says itself stays")
  func precedence() async throws {
    let script = IDXScript(ION.identify)
    let flow = try flow(
      script,
      Self.standard.merging(["client_id": "evil", "code_challenge_method": "plain", "state": "fixed"]) { first, _ in
        first
      })
    _ = try await flow.start(options: [.acrValues: "phr", .state: "state-of-start"])
    let sent = IDXScript.form(script.transport.requests.first)
    #expect(sent["acr_values"] == "phr")
    #expect(sent["max_age"] == "300")
    #expect(sent["client_id"] == "0oa1client")
    #expect(sent["code_challenge_method"] == "S256")
    #expect(sent["state"] == "state-of-start")
    let body = String(decoding: script.transport.requests.first?.body ?? [], as: UTF8.self)
    #expect(body.components(separatedBy: "acr_values=").count == 2)
    try await script.expectWhole(flow)
  }

  @Test("Okta.plist may have them, numbers too")
  func propertyList() async throws {
    let values: [String: any Sendable] = [
      "issuer": IDXScript.issuer, "clientId": "0oa1client", "scopes": "openid", "redirectUri": IDXScript.redirect,
      "acr_values": "phr", "max_age": 300, "nonce": "nonce-of-mine",
    ]
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("okta-\(UUID().uuidString).plist")
    try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let script = IDXScript(ION.identify)
    let flow = try script.environment.run { try InteractionCodeFlow(plist: url) }
    _ = try await flow.start()
    let sent = IDXScript.form(script.transport.requests.first)
    #expect(sent["acr_values"] == "phr")
    #expect(sent["max_age"] == "300")
    #expect(sent["nonce"] == "nonce-of-mine")
  }
}
