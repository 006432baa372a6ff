import EventStore
import FlowRecording
import Foundation
import IDX
import Scenarios
import SimulatedOrg
import Testing

/// Fields that are not shown but must be filled in: by name they are reached, and nothing that only travels back is.
@Suite struct HiddenFieldTests {
  private func stage(_ policy: OrgPolicy) async throws -> IDXStage {
    try await IDXStage(
      OrgConfiguration(users: [OrgUser(login: Scenario.login, password: Scenario.password)], policy: policy))
  }

  @Test("an org with a captcha is signed in to")
  func captcha() async throws {
    let policy = try #require(OrgPolicy.named("password-one-page")).with {
      $0.captcha = OrgPolicy.Captcha(siteKey: "site-key-7", token: "solved-by-a-person")
    }
    let stage = try await stage(policy)
    let flow = stage.begin()
    var response = try await flow.start()
    let captcha = try #require(response.captcha)
    #expect(captcha.type == .hCaptcha && captcha.siteKey == "site-key-7" && captcha.name == "Puzzle")

    var remediation = try #require(response.remediations[.identify])
    remediation["identifier"]?.value = Scenario.login
    remediation["credentials.passcode"]?.value = Scenario.password
    await #expect(throws: InteractionCodeFlowError.missingRequiredParameter(name: "captchaVerify.captchaToken")) {
      try await remediation.proceed()
    }
    remediation["captchaVerify.captchaToken"]?.value = "made by a program"
    response = try await remediation.proceed()
    #expect(!response.isLoginSuccessful && response.messages.first?.type == .error)

    remediation = try #require(response.remediations[.identify])
    remediation["identifier"]?.value = Scenario.login
    remediation["credentials.passcode"]?.value = Scenario.password
    remediation["captchaVerify"]?["captchaToken"]?.value = "solved-by-a-person"
    response = try await remediation.proceed()
    #expect(response.isLoginSuccessful && response.captcha == nil)
    #expect(try await response.exchangeCode().tokenType == "Bearer")
    await stage.org.stop()
  }

  @Test("hidden fields are found by name, and iteration, count and positions show visible ones only")
  func visibility() async throws {
    let policy = try #require(OrgPolicy.named("password-one-page")).with {
      $0.captcha = OrgPolicy.Captcha(token: "solved")
      $0.remembersDevice = false
    }
    let stage = try await stage(policy)
    let form = try #require(try await stage.begin().start().remediations[.identify]).form
    #expect(form.map(\.name) == ["identifier", "credentials", "captchaVerify"] && form.count == 3)
    let group = try #require(form["captchaVerify"]?.form)
    #expect(group.isEmpty && group[0] == nil && group["captchaToken"]?.isRequired == true)
    #expect(group["captchaId"] == nil && form["stateHandle"] == nil)
    await stage.org.stop()
  }

  @Test("a consent is given by its field's value", arguments: ["consent", "granular-consent"])
  func consent(policy: String) async throws {
    let stage = try await stage(try #require(OrgPolicy.named(policy)))
    var response = try await stage.begin().start()
    while response.remediations["consent"] == nil, response.remediations["granular-consent"] == nil {
      response = try await IDXScenario.step(try #require(response.remediations.first), of: response, on: stage)
    }
    let remediation = try #require(response.remediations.first)
    remediation["consent"]?.value = true
    response = try await remediation.proceed()
    #expect(response.isLoginSuccessful)
    #expect(try await response.exchangeCode().scope?.contains("openid") == true)
    await stage.org.stop()
  }

  private func enrolment(_ hidden: [String]) -> JSON {
    let fields = ["attestation", "clientData"] + hidden
    return ION.response(
      [
        ION.form(
          "enroll-authenticator", "challenge/answer",
          [
            ION.field(
              "credentials",
              [
                ("type", "object"), ("required", true),
                ("form", ["value": .array(fields.map { ION.field($0, [("required", true), ("visible", false)]) })]),
              ])
          ], [("relatesTo", ["$.currentAuthenticator"])])
      ],
      [
        (
          "currentAuthenticator",
          [
            "value": [
              "type": "security_key", "key": "webauthn", "id": "aut1",
              "contextualData": [
                "activationData": [
                  "challenge": "AAAA", "user": ["name": "ann", "displayName": "Ann", "id": "u1"],
                  "rp": ["id": "acme.example"],
                ]
              ],
            ]
          ]
        )
      ])
  }

  @Test("a security key is registered with all that the form wants")
  func webAuthn() async throws {
    let script = IDXScript(enrolment(["transports", "clientExtensions"]), ION.identify)
    let flow = script.flow()
    let remediation = try #require(try await flow.start().remediations[.enrollAuthenticator])
    let registration = try #require(remediation.webAuthnRegistration)
    try registration.register(
      attestation: Data([1]), clientJSON: Data([2]), transports: ["usb", "nfc"], clientExtensions: #"{"credProps":{}}"#)
    _ = try await remediation.proceed()
    let sent = try script.lastBody["credentials"]
    #expect(sent?["attestation"] == "AQ==" && sent?["clientData"] == "Ag==")
    #expect(sent?["transports"] == .string(#"["usb","nfc"]"#))
    #expect(sent?["clientExtensions"] == .string(#"{"credProps":{}}"#))
    try await script.expectWhole(flow)
  }

  @Test("a security key that reports neither transports nor extensions is registered, whether the form asks or not")
  func webAuthnDefaults() async throws {
    let hidden = [["transports", "clientExtensions"], []]
    for names in hidden {
      let script = IDXScript(enrolment(names), ION.identify)
      let flow = script.flow()
      let remediation = try #require(try await flow.start().remediations[.enrollAuthenticator])
      try #require(remediation.webAuthnRegistration).register(attestation: Data([1]), clientJSON: Data([2]))
      _ = try await remediation.proceed()
      let sent = try script.lastBody["credentials"]
      #expect(sent?["transports"] == (names.isEmpty ? nil : "[]"))
      #expect(sent?["clientExtensions"] == (names.isEmpty ? nil : "{}"))
    }
  }

  @Test("a field takes a list of values")
  func lists() async throws {
    let form = ION.form(
      "enroll-profile", "enroll/new",
      [
        ION.field("hobbies", [("type", "array")]), ION.field("numbers", [("type", "array")]),
        ION.field("preset", [("type", "array"), ("value", ["a", "b"])]),
      ])
    let script = IDXScript(ION.response([form]), ION.identify)
    let flow = script.flow()
    let remediation = try #require(try await flow.start().remediations[.enrollProfile])
    #expect(remediation["preset"]?.value as? [String] == ["a", "b"])
    remediation["hobbies"]?.value = ["chess", "tea"]
    remediation["numbers"]?.value = [1, 2]
    _ = try await remediation.proceed()
    #expect(try script.lastBody["hobbies"] == ["chess", "tea"])
    #expect(try script.lastBody["numbers"] == [1, 2])
    #expect(try script.lastBody["preset"] == ["a", "b"])
    try await script.expectWhole(flow)
  }
}
