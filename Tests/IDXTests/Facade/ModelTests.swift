import EventStore
import FlowRecording
import Foundation
import Testing

@testable import IDX

/// What a response says, by every name of the model (idx §4-§9).
@Suite struct ModelTests {
  private func response(_ body: JSON) async throws -> (IDXScript, InteractionCodeFlow, Response) {
    let script = IDXScript(body, ION.challenge)
    let flow = script.flow()
    return (script, flow, try await flow.start())
  }

  private static let body: JSON = ION.response(
    [
      ION.form(
        "select-authenticator-authenticate", "challenge",
        [
          ION.field(
            "authenticator",
            [
              ("type", "object"), ("required", true),
              (
                "options",
                [
                  [
                    "label": "Email", "relatesTo": "$.authenticatorEnrollments.value[0]",
                    "value": ["form": ["value": [["name": "id", "value": "aut1", "mutable": false]]]],
                  ], ["label": "Phone", "relatesTo": "$.nowhere"],
                ]
              ),
              ("messages", ["value": [["message": "choose", "class": "INFO", "i18n": ["key": "k"]]]]),
            ])
        ], [("relatesTo", ["$.authenticatorEnrollments.value[0]"])]),
      ION.form("brand-new-form", nil, [], [("relatesTo", "$.currentAuthenticator")]),
      [
        "name": "redirect-idp", "type": "GOOGLE", "idp": ["id": "0oa1", "name": "Google"], "method": "GET",
        "href": "https://acme.example/sso/idps/0oa1?stateToken=02x",
      ],
    ],
    [
      ("messages", ["value": [["message": "hello", "class": "WARNING"]]]), ("expiresAt", "2020-15T17:28:11.000Z"),
      ("app", ["value": ["id": "0oa9", "label": "Shop"]]),
      ("user", ["value": ["id": "00u1", "identifier": "ann", "profile": ["firstName": "Ann", "locale": .null]]]),
      (
        "currentAuthenticator",
        [
          "value": [
            "type": "app", "key": "google_otp", "id": "aut2", "displayName": "Google", "methods": [["type": "otp"]],
            "contextualData": [
              "sharedSecret": "SECRET",
              "qrcode": ["method": "embedded", "type": "image/png", "href": "data:image/png;base64,AQID"],
            ],
            "send": ION.form("send"),
          ]
        ]
      ),
      (
        "authenticatorEnrollments",
        [
          "value": [
            [
              "type": "email", "id": "aut1", "key": "okta_email", "displayName": "Email",
              "profile": ["email": "a***@acme.example", "odd": .null],
            ],
            [
              "type": "app", "key": "okta_verify", "id": "aut3", "methods": [["type": "signed_nonce"], ["type": "x"]],
              "contextualData": ["correctAnswer": "42"],
            ],
            [
              "type": "app", "key": "duo", "id": "aut5", "methods": [["type": "duo"]],
              "contextualData": ["host": "h", "signedToken": "t", "script": "s"],
            ],
            "odd",
          ]
        ]
      ),
      (
        "authenticators",
        [
          "value": [
            [
              "type": "password", "id": "aut4", "key": "okta_password",
              "settings": ["complexity": ["minLength": 8, "minNumber": 1], "daysToExpiry": 3],
            ], ["type": "email", "id": "aut1"], ["type": "tac", "id": "aut6"],
          ]
        ]
      ),
    ])

  @Test("a response and what belongs to it")
  func whole() async throws {
    let (script, flow, response) = try await response(Self.body)
    #expect(response.expiresAt == nil)
    #expect(response.app?.label == "Shop" && response.app?.name == "")
    #expect(response.user?.username == "ann" && response.user?.profile?.firstName == "Ann")
    #expect(response.user?.profile?.locale == nil)
    #expect(response.messages.map(\.type) == [.unknown])
    #expect(response.messages.allMessages.map(\.message) == ["hello", "choose"])
    #expect(response.messages.allMessages[1].localizationKey == "k")
    #expect(response.messages.message(for: "authenticator")?.message == "choose")
    #expect(response.remediations.count == 4)
    #expect(response.remediations[1]?.type == .unknown("brand-new-form"))
    #expect(response.remediations[9] == nil)
    #expect(response.remediations.allSocialIdps.map(\.service) == [.google])
    #expect(response.remediations[.redirectIdp]?.socialIdp?.redirectUrl.query == "stateToken=02x")
    #expect(response.intent == .login)
    try await script.expectWhole(flow)
  }

  @Test("fields, options and what they are about")
  func fields() async throws {
    let (script, flow, response) = try await response(Self.body)
    let remediation = try #require(response.remediations[.selectAuthenticatorAuthenticate])
    #expect(remediation.authenticators[.email]?.id == "aut1")
    let field = try #require(remediation["authenticator"])
    #expect(field.isRequired && field.isMutable && !field.isSecret)
    #expect(field.type == "object" && field.form == nil && field.label == nil)
    #expect(remediation.form.count == 1 && remediation["stateHandle"] == nil && remediation.form[3] == nil)
    #expect(remediation.messages.isEmpty && remediation.messages.allMessages.count == 1)
    #expect(remediation.messages.allMessages.first?.field === field)
    #expect(response.messages.message(for: field)?.message == "choose")
    let options = try #require(field.options)
    #expect(options.map(\.label) == ["Email", "Phone"])
    #expect(options[0].authenticator?.displayName == "Email")
    #expect(options[1].authenticator == nil)
    field.selectedOption = options[0]
    #expect(options[0].isSelectedOption && field.selectedOption === options[0])
    field.selectedOption = field
    #expect(field.selectedOption === options[0])
    field.selectedOption = nil
    #expect(!options[0].isSelectedOption)
    field.selectedOption = options[0]
    _ = try await remediation.proceed()
    #expect(try script.lastBody["authenticator"] == ["id": "aut1"])
    try await script.expectWhole(flow)
  }

  @Test("authenticators, their order, state, methods and capabilities")
  func authenticators() async throws {
    let (_, _, response) = try await response(Self.body)
    let all = response.authenticators
    #expect(all.map(\.key) == ["google_otp", "okta_email", "okta_verify", "duo", "okta_password", nil])
    #expect(all.current?.key == "google_otp" && all.current?.state == .authenticating)
    #expect(all.enrolled.count == 3)
    #expect(all[.password]?.passwordSettings?.minLength == 8)
    #expect(all[.password]?.passwordSettings?.passwordRules == "required: minlength: 8;\nrequired: digit: 1")
    #expect(all[.password]?.passwordSettings?.daysToExpiry == 3)
    #expect(all[.email]?.profile?["email"] == "a***@acme.example")
    #expect(all[.email]?.profile?.values.count == 1)
    #expect(all[0]?.otp?.imageData == Data([1, 2, 3]) && all[0]?.otp?.sharedSecret == "SECRET")
    #expect(all[0]?.otp?.mimeType == "image/png")
    #expect(all[2]?.methods == [.signedNonce, .unknown("x")])
    #expect(all[2]?.numberChallenge?.correctAnswer == "42")
    #expect(all[3]?.duo?.host == "h")
    #expect(all[5]?.type == .unknown("tac") && all[9] == nil)
    #expect(all[0]?.capabilities.count == 2)
  }

  @Test("password rules that are written as text are read")
  func rulesAsText() async throws {
    let password: JSON = [
      "type": "password", "id": "aut4", "key": "okta_password",
      "settings": [
        "complexity": ["minLength": "8", "minNumber": 1, "minSymbol": "many", "excludeUsername": "True"],
        "daysToExpiry": "3",
      ],
    ]
    let body = ION.response([ION.form("identify")], [("currentAuthenticator", ["value": password])])
    let (_, _, response) = try await response(body)
    let settings = try #require(response.authenticators.current?.passwordSettings)
    #expect(settings.minLength == 8 && settings.minNumber == 1 && settings.minSymbol == 0)
    #expect(settings.daysToExpiry == 3 && settings.excludeUsername)
    #expect(settings.passwordRules == "required: minlength: 8;\nrequired: digit: 1")
  }

  @Test("a message is found by its field's name and by its field's path")
  func messageByPath() async throws {
    let code = ION.field("passcode", [("messages", ["value": [["message": "wrong", "class": "ERROR"]]])])
    let group = ION.field("credentials", [("form", ["value": [code]])])
    let (_, _, response) = try await response(ION.response([ION.form("challenge-authenticator", nil, [group])]))
    for name in ["passcode", "credentials.passcode"] {
      #expect(response.messages.message(for: name)?.message == "wrong", "\(name)")
    }
    for name in ["credentials", "passcode.credentials", ""] {
      #expect(response.messages.message(for: name) == nil, "\(name)")
    }
  }

  @Test(
    "the challenge of a passkey belongs to its form, with either spelling of its path",
    arguments: ["webauthnAutofillUIChallenge", "$.webauthnAutofillUIChallenge"])
  func autofill(path: String) async throws {
    let form = ION.form(
      "challenge-webauthn-autofillui-authenticator", "challenge/answer", [], [("relatesTo", [.string(path)])])
    let data: JSON = ["challenge": "AAAA", "userVerification": "preferred"]
    let body = ION.response([form], [("webauthnAutofillUIChallenge", ["value": ["challengeData": data]])])
    let (_, _, response) = try await response(body)
    let authentication = try #require(response.remediations.first?.webAuthnAuthentication)
    #expect(authentication.challenge == Data([0, 0, 0]) && authentication.userVerification == "preferred")
  }

  @Test("send is a request")
  func send() async throws {
    let (script, flow, response) = try await response(Self.body)
    _ = try await #require(response.authenticators.current?.sendable).send()
    #expect(script.transport.requests.last?.url == "https://acme.example/idp/idx/send")
    try await script.expectWhole(flow)
  }

  @Test("an immutable value stays what it is, and names with dots are found whole")
  func dots() async throws {
    let body = ION.response([
      ION.form(
        "granular-consent", "consent",
        [
          ION.field("fixed", [("value", "x"), ("mutable", false), ("visible", true)]),
          ION.field("optedScopes", [("form", ["value": [ION.field("custom3.custom4", [("value", true)])]])]),
        ])
    ])
    let (_, _, response) = try await response(body)
    let remediation = try #require(response.remediations["granular-consent"])
    #expect(remediation["optedScopes.custom3.custom4"]?.value as? Bool == true)
    #expect(remediation["optedScopes.custom3"] == nil)
    let hidden = try #require(remediation.form.allFields.first)
    hidden.value = "y"
    #expect(hidden.value as? String == "x")
  }

  @Test(
    "every sample response makes a response, and every one of its objects",
    .enabled(if: Corpus.isThere, Comment(rawValue: Corpus.missing)))
  func corpus() async throws {
    var count = 0
    for name in try Corpus.responses() {
      guard let body = try? JSON(parsing: try Corpus.body(name)), ResponseReading(body).isResponse else { continue }
      let (script, flow, response) = try await response(body)
      for remediation in response.remediations { _ = remediation.capabilities.count + remediation.form.count }
      #expect(response.authenticators.count == ResponseReading(body).authenticators.count, "\(name)")
      try await script.expectWhole(flow, name)
      count += 1
    }
    #expect(count > 200)
  }
}
