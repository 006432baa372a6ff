import FlowRecording
import Foundation
import OIDC
import Testing

@testable import IDX

/// `Okta.plist` (idx §11.3).
@Suite struct PropertyListTests {
  private func file(_ values: [String: any Sendable]) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("okta-\(UUID().uuidString).plist")
    try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0).write(to: url)
    return url
  }

  private static let whole: [String: any Sendable] = [
    "issuer": "https://acme.example/oauth2/default", "clientId": "0oa1client", "scopes": "openid  profile",
    "redirectUri": "com.example.app:/callback", "login_hint": "ann", "logoutRedirectUri": "",
  ]

  @Test("a flow is made as a property list says, and the log says the same")
  func made() async throws {
    let script = IDXScript(ION.identify)
    let url = try file(Self.whole)
    defer { try? FileManager.default.removeItem(at: url) }
    let flow = try script.environment.run { try InteractionCodeFlow(plist: url) }
    #expect(flow.client.clientId == "0oa1client")
    #expect(flow.client.scopes == "openid profile")
    #expect(flow.additionalParameters == ["login_hint": "ann"])
    _ = try await flow.start()
    #expect(IDXScript.form(script.transport.requests.first)["login_hint"] == "ann")
    try await script.expectWhole(flow)
  }

  @Test("keys may be in snake, camel and Pascal case, scopes a list")
  func cases() throws {
    let values: [String: Any] = [
      "issuer_url": "https://acme.example", "ClientId": "c", "Scopes": ["openid", "email"], "redirect_uri": "app:/cb",
      "client_secret": "s",
    ]
    let read = try PropertyListConfiguration(values, source: "Okta.plist")
    #expect(read.scopes == "openid email")
    #expect(read.clientSecret == "s")
    #expect(read.additionalParameters == nil)
  }

  @Test("the error names what is missing or wrong", arguments: ["issuer", "clientId", "scopes", "redirectUri"])
  func missing(key: String) throws {
    var values = Self.whole
    values[key] = ""
    #expect(throws: PropertyListConfigurationError.missingConfigurationValues) {
      try PropertyListConfiguration(values, source: "x")
    }
  }

  @Test("a file that is not there, is none, or has odd values")
  func odd() throws {
    let nowhere = URL(fileURLWithPath: "/nowhere/Okta.plist")
    #expect(throws: PropertyListConfigurationError.invalidPropertyList(url: nowhere)) {
      try InteractionCodeFlow(plist: nowhere)
    }
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("okta-\(UUID().uuidString).plist")
    try Data("no list".utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    #expect(throws: PropertyListConfigurationError.self) { try InteractionCodeFlow(plist: url) }
    var values = Self.whole
    values["issuer"] = 7
    #expect(throws: PropertyListConfigurationError.invalidConfiguration(name: "issuer", value: nil)) {
      try PropertyListConfiguration(values, source: "x")
    }
    values["issuer"] = "no url"
    #expect(throws: PropertyListConfigurationError.invalidConfiguration(name: "issuer", value: "no url")) {
      try PropertyListConfiguration(values, source: "x")
    }
    #expect(throws: PropertyListConfigurationError.defaultPropertyListNotFound) { try InteractionCodeFlow() }
  }
}
