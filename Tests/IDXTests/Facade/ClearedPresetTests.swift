import EventStore
import FlowRecording
import Foundation
import Testing

@testable import IDX

/// A preset of the org that the application takes back is not sent (idx §6).
@Suite struct ClearedPresetTests {
  private static let fields = [
    ION.field("rememberMe", [("type", "boolean"), ("value", true)]), ION.field("nickName", [("value", "Annie")]),
    ION.field("otp", [("value", "739164"), ("secret", true)]),
    ION.field("needed", [("value", "preset"), ("required", true)]),
    ION.field("fixed", [("value", "as it came"), ("mutable", false)]),
    ION.field(
      "userProfile", [("form", ["value": [ION.field("city", [("value", "Paris")]), ION.field("title")]])]),
    ION.field(
      "authenticator",
      [
        (
          "options",
          [["label": "Phone", "value": ["form": ["value": [ION.field("channel", [("value", "sms")])]]]]]
        )
      ]),
  ]

  private func remediation(_ script: IDXScript) async throws -> (InteractionCodeFlow, Remediation) {
    let flow = script.flow()
    let response = try await flow.start()
    return (flow, try #require(response.remediations[.identify]))
  }

  private var script: IDXScript { IDXScript(ION.response([ION.form("identify", nil, Self.fields)]), ION.challenge) }

  @Test("a preset that is set to nil is left out, in groups and options too, and the log says so")
  func cleared() async throws {
    let script = script
    let (flow, remediation) = try await remediation(script)
    for name in ["rememberMe", "nickName", "otp", "userProfile.city", "fixed"] { remediation[name]?.value = nil }
    let choice = try #require(remediation["authenticator"])
    choice.selectedOption = choice.options?.first
    choice.selectedOption?["channel"]?.value = nil
    _ = try await remediation.proceed()
    #expect(
      try script.lastBody.sorted
        == ["fixed": "as it came", "needed": "preset", "stateHandle": .string(ION.stateHandle)])
    try await script.expectWhole(flow)
    let fields = script.events(of: flow).compactMap { event -> JSON? in
      if case .callMade(let made) = event, made.call == "proceed" { made.arguments["fields"] } else { nil }
    }
    #expect(fields.first?.array?.filter { $0["value"] == .null }.count == 5)
    let filled = script.events(of: flow).compactMap { event -> [String]? in
      if case .domain(let event) = event { RemediationChanged(event)?.filled } else { nil }
    }
    #expect(filled.last == ["authenticator"])
  }

  @Test("what is set again after nil is sent")
  func setAgain() async throws {
    let script = script
    let (flow, remediation) = try await remediation(script)
    remediation["nickName"]?.value = nil
    remediation["nickName"]?.value = "Ann"
    _ = try await remediation.proceed()
    #expect(try script.lastBody["nickName"] == "Ann")
    #expect(try script.lastBody["rememberMe"] == true)
    try await script.expectWhole(flow)
  }

  @Test("a required preset that is set to nil is missing, before anything is sent")
  func required() async throws {
    let script = script
    let (flow, remediation) = try await remediation(script)
    remediation["needed"]?.value = nil
    #expect(try await idxFailure { try await remediation.proceed() } == .missingRequiredParameter(name: "needed"))
    #expect(script.transport.requests.count == 2)
    try await script.expectWhole(flow)
  }
}
