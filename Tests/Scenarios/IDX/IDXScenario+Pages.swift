// An org that says all that the Identity Engine has words for, page by page: authenticators, forms, fields, messages, errors.

import EventStore
import FlowRecording
import Foundation
import IDX
import SimulatedOrg

extension IDXScenario {
  static let pages: [IDXScenario] = [
    showing("idx-page-of-authenticators", authenticatorPages), showing("idx-page-of-details", detailPages),
    showing("idx-page-of-remediations", remediationPages), showing("idx-page-of-fields", fieldPages),
    showing("idx-page-of-intents", intentPages), filledForms, refusals,
    showing("idx-page-varied-authenticators", inTurns: 1) { varied(authenticatorPages(), 48, "authenticators") },
    showing("idx-page-varied-details", inTurns: 1) { varied(detailPages(), 64, "details") },
    showing("idx-page-varied-remediations", inTurns: 1) {
      varied(remediationPages() + intentPages(), 48, "remediations")
    },
    showing("idx-page-varied-fields", inTurns: 1) { varied(fieldPages(), 48, "fields") },
  ]

  /// What the org answers: an HTTP status and a body.
  typealias Page = (status: Int, body: String)

  /// A stage whose org answers what is sent to the Identity Engine page by page, the last one again and again.
  static func answering(_ stage: IDXStage, _ pages: [Page]) -> IDXStage {
    let shown = Locked(0)
    return changing(stage) { request, _ in
      guard request.url.contains("/idp/idx/") else { return .none }
      let number = shown.withLock { shown in
        defer { shown += 1 }
        return shown
      }
      let page = pages[min(number, pages.count - 1)]
      return .answer(
        HTTPResponse(
          status: page.status,
          headers: [
            HTTPField("Content-Type", "application/ion+json; okta-version=1.0.0"),
            HTTPField("X-Okta-Request-Id", "req-of-page-\(number)"),
          ], body: Array(page.body.utf8)))
    }
  }

  /// Goes from page to page by the form that each of them has for that.
  ///
  /// - Parameter size: how many pages a flow goes through; all in one unless it is given.
  static func showing(
    _ name: String, inTurns size: Int = .max, _ pages: @escaping @Sendable () -> [Page]
  ) -> IDXScenario {
    IDXScenario(name, org(.named("password"), [user()])) { stage in
      var left = pages()[...]
      while !left.isEmpty {
        try await show(Array(left.prefix(size)), stage)
        left = left.dropFirst(size)
      }
    }
  }

  private static func show(_ pages: [Page], _ stage: IDXStage) async throws {
    let flow = answering(stage, pages).begin()
    do {
      var response = try await flow.start()
      for _ in pages.dropFirst() {
        guard let next = response.remediations[.skip] else { return }
        do {
          response = try await next.proceed()
        } catch is InteractionCodeFlowError {
          // What cannot be read as a page is an error. The page before it leads on.
          continue
        }
      }
    } catch is InteractionCodeFlowError {
      // So it is if it is the first page.
    }
    withExtendedLifetime(flow) {}
  }

  /// So many pages that differ from some in a few places each. The form that leads on stays.
  private static func varied(_ pages: [Page], _ count: Int, _ name: String) -> [Page] {
    let bodies = VariedPages.of(pages.map(\.body), count, named: name) { place, json in
      json.value(at: place)?["name"]?.string == "skip"
    }
    return bodies.map { (200, $0) }
  }

  static func form(_ name: String, _ fields: String = "", more: String = "") -> String {
    """
    {"rel":["create-form"],"name":"\(name)","href":"\(Stage.orgURL)/idp/idx/\(name)","method":"POST",\
    "produces":"application/ion+json; okta-version=1.0.0"\(more.isEmpty ? "" : "," + more),\
    "value":[\(fields.isEmpty ? "" : fields + ",")\
    {"name":"stateHandle","required":true,"value":"handle-of-the-pages","visible":false,"mutable":false}],\
    "accepts":"application/json; okta-version=1.0.0"}
    """
  }

  static func page(_ forms: [String] = [], _ more: String = "", intent: String = "LOGIN", status: Int = 200) -> Page {
    (
      status,
      """
      {"version":"1.0.0","stateHandle":"handle-of-the-pages","expiresAt":"2026-01-15T10:15:30.250Z","intent":"\(intent)",\
      "remediation":{"type":"array","value":[\((forms + [form("skip")]).joined(separator: ","))]}\
      \(more.isEmpty ? "" : "," + more)}
      """
    )
  }

  private static let methods: [(kind: String, key: String, methods: [String])] = [
    ("app", "okta_verify", ["push", "signed_nonce", "totp"]), ("app", "google_otp", ["otp"]), ("app", "duo", ["duo"]),
    ("email", "okta_email", ["email"]), ("phone", "phone_number", ["sms", "voice"]),
    ("password", "okta_password", ["password"]),
    ("security_question", "security_question", ["security_question"]), ("device", "custom_app", ["signedNonce"]),
    ("security_key", "webauthn", ["webauthn"]), ("federated", "external_idp", ["idp", "federated"]),
    ("tac", "tac", ["tac"]),
  ]

  private static func authenticator(_ number: Int, more: String = "") -> String {
    let one = methods[number % methods.count]
    let goal = ["any", "recovery", "sso", "none"][number % 4]
    let list = one.methods.map { "{\"type\":\"\($0)\"}" }.joined(separator: ",")
    return """
      {"type":"\(one.kind)","key":"\(one.key)","id":"aut\(number)","displayName":"Authenticator \(number)",\
      "methods":[\(list)],"allowedFor":"\(goal)"\(more.isEmpty ? "" : "," + more)}
      """
  }

  @Sendable private static func authenticatorPages() -> [Page] {
    let all = methods.indices.map { authenticator($0) }.joined(separator: ",")
    // The same ones, and some that no other list has; a member of one is said in one place alone.
    let enrolled = methods.indices.dropFirst(3).map { authenticator($0, more: "\"profile\":{\"name\":\"Of \($0)\"}") }
    let lists = """
      "authenticators":{"type":"array","value":[\(all)]},\
      "authenticatorEnrollments":{"type":"array","value":[\(enrolled.joined(separator: ",")),\
      {"type":"phone","id":"aut99","displayName":"A second phone","methods":[{"type":"voice"}]}]}
      """
    let related = form(
      "select-authenticator-authenticate",
      more: """
        "relatesTo":["$.authenticators.value[0]","$.authenticatorEnrollments.value[2]","$.authenticators.value[5]"]
        """)
    let identify = form("identify", "{\"name\":\"identifier\",\"label\":\"Username\"}")
    let poll = form("enroll-poll", more: "\"refresh\":4000,\"relatesTo\":[\"$.enrollmentAuthenticator\"]")
    return [page([related, identify], lists)]
      + methods.indices.map { number in
        let current = authenticator(number, more: "\"profile\":{\"email\":\"a\(number)@acme.example\"}")
        let keyless = "{\"type\":\"\(methods[number].kind)\",\"id\":\"aut\(number)\"}"
        let places = [
          "\"currentAuthenticator\":{\"type\":\"object\",\"value\":\(current)}",
          "\"currentAuthenticatorEnrollment\":{\"type\":\"object\",\"value\":\(keyless)}",
          "\"recoveryAuthenticator\":{\"type\":\"object\",\"value\":\(current)}",
        ]
        let place = number % 2 == 0 ? places[0] + "," + places[1] : places[number % 3]
        return page([identify, poll, related], place + "," + lists)
      } + [
        page([poll], "\"currentAuthenticator\":{\"type\":\"object\",\"value\":\(authenticator(5))}," + lists),
        page([identify], "\"currentAuthenticator\":{\"type\":\"object\",\"value\":\(authenticator(5))}"),
        page([identify], "\"recoveryAuthenticator\":{\"type\":\"object\",\"value\":\(authenticator(5))}"),
      ]
  }

  /// What authenticators carry: settings, codes, numbers, keys.
  @Sendable private static func detailPages() -> [Page] {
    func current(_ number: Int, _ more: String) -> String {
      "\"currentAuthenticator\":{\"type\":\"object\",\"value\":\(authenticator(number, more: more))}"
    }
    let complexity = """
      "minLength":8,"minLowerCase":1,"minUpperCase":2,"minNumber":3,"minSymbol":4,"maxConsecutiveRepeatingCharacters":5,\
      "excludeAttributes":["firstName","lastName"]
      """
    let settings = """
      "settings":{"complexity":{\(complexity),"excludeUsername":true},\
      "age":{"historyCount":6,"minAgeMinutes":7},"daysToExpiry":9}
      """
    let bare = "\"settings\":{\"complexity\":{\"minLength\":8}}"
    let code = """
      "contextualData":{"qrcode":{"method":"embedded","href":"data:image/png;base64,iVBORw0KGgo=","type":"image/png"},\
      "sharedSecret":"secret-of-the-app","selectedChannel":"qrcode"}
      """
    let duo = """
      "contextualData":{"host":"api.duo.example","signedToken":"token-of-duo","script":"https://duo.example/duo.js"}
      """
    let number = "\"contextualData\":{\"correctAnswer\":\"42\"}"
    let registration = """
      "contextualData":{"activationData":{"rp":{"name":"Acme"},"user":{"id":"id-of-ann","name":"name-of-ann",\
      "displayName":"Display of Ann"},"challenge":"Y2hhbGxlbmdlLTE","attestation":"direct",\
      "authenticatorSelection":{"userVerification":"preferred"},"u2fParams":{"appid":"https://acme.example"},\
      "pubKeyCredParams":[{"type":"public-key","alg":-7},{"type":"public-key","alg":-257}]}}
      """
    let assertion = """
      "contextualData":{"challengeData":{"challenge":"Y2hhbGxlbmdlLTI","userVerification":"required",\
      "extensions":{"appid":"https://acme.example"}}}
      """
    let credentials = """
      {"name":"credentials","type":"object","form":{"value":[{"name":"attestation","visible":false},\
      {"name":"clientData","visible":false},{"name":"authenticatorData","visible":false},\
      {"name":"signatureData","visible":false},{"name":"transports","visible":false}]},"required":true}
      """
    let related = "\"relatesTo\":[\"$.currentAuthenticator\"]"
    let actions = ["send", "resend", "recover", "poll"].map { "\"\($0)\":\(form($0, more: "\"refresh\":4000"))" }
    return [
      page(
        [form("challenge-authenticator", more: related)], current(5, settings + "," + actions.joined(separator: ","))),
      page([form("reenroll-authenticator", more: related)], current(5, bare)),
      page([form("enroll-authenticator", more: related)], current(1, code)),
      page([form("challenge-authenticator", credentials, more: related)], current(2, duo)),
      page([form("challenge-poll", more: related + ",\"refresh\":2000")], current(0, number)),
      page([form("enroll-authenticator", credentials, more: related)], current(8, registration)),
      page([form("challenge-authenticator", credentials, more: related)], current(8, assertion)),
      page(
        [form("identify")],
        """
        "captcha":{"type":"object","value":{"id":"captcha-1","name":"Captcha","siteKey":"key-of-the-site","type":"HCAPTCHA"}}
        """),
      page(
        [form("identify")],
        """
        "captcha":{"type":"object","value":{"id":"captcha-2","name":"Other","siteKey":"site-2","type":"RECAPTCHA_V2"}}
        """),
    ]
  }

  @Sendable private static func remediationPages() -> [Page] {
    let names = [
      "identify", "identify-recovery", "select-identify", "select-enroll-profile", "enroll-profile",
      "select-authenticator-authenticate", "select-authenticator-enroll", "select-authenticator-unlock-account",
      "authenticator-verification-data", "authenticator-enrollment-data", "select-enrollment-channel",
      "enrollment-channel-data", "challenge-authenticator", "enroll-authenticator", "reenroll-authenticator",
      "reenroll-authenticator-warning", "reset-authenticator", "enroll-poll", "challenge-poll", "device-challenge-poll",
      "poll", "cancel-polling", "launch-authenticator", "device-apple-sso-extension", "cancel-transaction",
      "unlock-account", "cancel", "send-challenge", "resend-challenge", "send", "resend", "recover", "consent",
      "admin-consent", "email-challenge-consent", "request-activation-email", "user-code",
      "challenge-webauthn-autofillui-authenticator", "granular-consent", "profile-update", "something-new",
    ]
    let services = [
      "SAML2", "GOOGLE", "FACEBOOK", "LINKEDIN", "MICROSOFT", "OIDC", "OKTA", "IWA", "AgentlessDSSO", "X509", "APPLE",
      "OIN_SOCIAL", "ID_PROOFING",
    ]
    let providers = services.enumerated().map { number, service in
      form(
        "redirect-idp",
        more: "\"type\":\"\(service)\",\"idp\":{\"id\":\"idp-\(number)\",\"name\":\"Provider \(number)\"}")
    }
    let cancel = "\"cancel\":\(form("cancel"))"
    return [
      page(names.map { form($0) }), page(providers), page(providers, cancel), page([form("identify")], cancel),
      page([], "\"successWithInteractionCode\":\(form("issue"))"),
    ]
  }

  /// Fields of each kind, in groups and options, with what they need not say, and messages of all of them.
  @Sendable private static func fieldPages() -> [Page] {
    func messages(_ word: String, _ severity: String) -> String {
      """
      "messages":{"type":"array","value":[{"message":"About \(word)","class":"\(severity)",\
      "i18n":{"key":"key.of.\(word)"}},{"message":"More about \(word)","class":"INFO"}]}
      """
    }
    let inner = """
      {"name":"passcode","label":"Password","secret":true,"required":true,\(messages("passcode", "ERROR"))},\
      {"name":"totp","label":"Code","required":"TRUE","visible":"false","mutable":"true"},\
      {"label":"Nameless","type":"string"}
      """
    let options = """
      {"label":"Phone","value":{"form":{"value":[{"name":"id","value":"aut1","mutable":false},\
      {"name":"methodType","type":"string","options":[{"label":"SMS","value":"sms","relatesTo":"$.authenticators.value[1]"},\
      {"label":"Voice","value":"voice",\(messages("voice", "WARNING"))}],"required":true}]}},\
      "relatesTo":"$.authenticators.value[0]",\(messages("phone", "INFO"))},{"label":"Mail","value":"email"}
      """
    let fields = """
      {"name":"identifier","label":"Username","type":"string","required":true,"minLength":1,"maxLength":64,\
      \(messages("identifier", "ERROR"))},\
      {"name":"credentials","type":"object","form":{"value":[\(inner)]},"required":true},\
      {"name":"userProfile","value":{"form":{"value":[{"name":"lastName","label":"Last name","value":"Archer"},\
      {"name":"firstName","label":"First name","required":false}]}}},\
      {"name":"authenticator","type":"object","options":[\(options)]},\
      {"name":"rememberMe","label":"Keep me signed in","type":"boolean","value":"TRUE"},\
      {"name":"keepMeSignedIn","type":"boolean","value":false,"visible":false},\
      {"name":"revokeSessions","type":"boolean"},{"name":"consent","value":true,"mutable":false},\
      {"name":"captchaId","value":7,"type":"number"},{"name":"scope","value":["openid","profile"],"type":"array"},\
      {"name":"locale","value":null},{"name":"title","visible":true,"mutable":false}
      """
    let lists = "\"authenticators\":{\"type\":\"array\",\"value\":[\(authenticator(4)),\(authenticator(3))]}"
    return [
      page([form("identify", fields)], lists + "," + messages("page", "ERROR")),
      page([form("enroll-profile", fields)], lists + "," + messages("page", "INFO")),
      page([form("identify")], messages("nothing", "SOMETHING_NEW")),
    ]
  }

  @Sendable private static func intentPages() -> [Page] {
    let user = """
      "user":{"type":"object","value":{"id":"00u-of-ann","identifier":"ann@acme.example","profile":{"firstName":"Ann",\
      "lastName":"Archer","timeZone":"Europe/Vienna","locale":"de_AT"}}},\
      "app":{"type":"object","value":{"id":"0oa-of-the-app","name":"name_of_the_app","label":"Label of the app"}}
      """
    let words = [
      "ENROLL_NEW_USER", "LOGIN", "CREDENTIAL_ENROLLMENT", "CREDENTIAL_UNENROLLMENT", "CREDENTIAL_RECOVERY",
      "CREDENTIAL_MODIFY", "SOMETHING_NEW",
    ]
    let bare = "\"user\":{\"type\":\"object\",\"value\":{\"id\":\"00u-of-ann\"}}"
    return words.map { page([form("identify")], user, intent: $0) } + [page([form("identify")], bare)]
  }

  /// Forms are filled in: presets kept, changed and cleared, groups left empty, options chosen, answers that do not fit.
  static let filledForms = IDXScenario("idx-page-of-answers", org(.named("password"), [user()])) { stage in
    let fields = """
      {"name":"identifier","label":"Username","value":"ann@preset.example"},\
      {"name":"rememberMe","type":"boolean","value":"TRUE"},\
      {"name":"keepMeSignedIn","type":"boolean","value":"never"},\
      {"name":"credentials","type":"object","required":true,"form":{"value":[{"name":"passcode","secret":true},\
      {"name":"totp","secret":true}]}},\
      {"name":"userProfile","form":{"value":[{"name":"firstName"},{"name":"lastName"}]}},\
      {"form":{"value":[{"name":"city","value":"Vienna"}]}},\
      {"name":"authenticator","options":[{"label":"Phone","value":{"form":{"value":[{"name":"id","value":"aut1",\
      "mutable":false},{"name":"phoneNumber"},{"name":"methodType","options":[{"label":"SMS","value":"sms"},\
      {"label":"Voice","value":"voice"}]}]}}},{"label":"None","value":{"form":{"value":[]}}},{"label":"Mail","value":"email"}]}
      """
    let flow = answering(stage, [page([form("identify", fields)])]).begin()
    var response = try await flow.start()
    let fills: [@Sendable (Remediation) -> Void] = [
      { _ in },
      {
        $0["identifier"]?.value = "ann@acme.example"
        $0["credentials.passcode"]?.value = "Correct-Horse-7"
      },
      {
        let nothing: (any FormValue)? = nil
        $0["identifier"]?.value = nothing
        $0["credentials.totp"]?.value = "123456"
        $0["rememberMe"]?.value = "False"
      },
      {
        $0["credentials.passcode"]?.value = "Correct-Horse-7"
        $0["rememberMe"]?.value = "perhaps"
      },
      {
        $0["credentials.passcode"]?.value = "Correct-Horse-7"
        $0["keepMeSignedIn"]?.value = true
        $0["userProfile.lastName"]?.value = "Archer"
        let phone = $0["authenticator"]?.options?.first
        $0["authenticator"]?.selectedOption = phone
        phone?.form?["phoneNumber"]?.value = "+15551234567"
        phone?.form?["methodType"]?.selectedOption = phone?.form?["methodType"]?.options?.last
      },
      {
        $0["credentials.passcode"]?.value = "Correct-Horse-7"
        $0["authenticator"]?.selectedOption = $0["authenticator"]?.options?[1]
      },
      {
        $0["credentials.passcode"]?.value = "Correct-Horse-7"
        $0["authenticator"]?.selectedOption = $0["authenticator"]?.options?[2]
      },
    ]
    for fill in fills {
      guard let identify = response.remediations[.identify] else { return }
      fill(identify)
      do {
        response = try await identify.proceed()
      } catch is InteractionCodeFlowError {
        continue
      }
    }
    withExtendedLifetime(flow) {}
  }

  /// What the org answers in the place of a page: errors of each kind, and nothing that makes sense.
  static let refusals = IDXScenario("idx-page-of-errors", org(.named("password"), [user()])) { stage in
    let message =
      "{\"message\":\"The session has expired.\",\"class\":\"ERROR\",\"i18n\":{\"key\":\"idx.session.expired\"}}"
    let answers: [Page] = [
      (400, "{\"version\":\"1.0.0\",\"messages\":{\"type\":\"array\",\"value\":[\(message)]}}"),
      (401, "{\"messages\":{\"type\":\"array\",\"value\":[\(message)]}}"),
      (403, #"{"errorCode":"E0000006","errorSummary":"No permission","errorId":"oae-1","errorLink":"E0000006"}"#),
      (400, #"{"errorCode":"E0000001","errorSummary":"Validation","errorId":"oae-2","errorCauses":[]}"#),
      (400, #"{"error":"invalid_request","error_description":"The handle is not good."}"#),
      (400, #"{"error":"access_denied","errorDescription":"No.","errorId":"oae-3"}"#),
      (404, "{}"), (200, "{}"), (200, "[]"), (500, ""), (502, "<html>"), (200, ""),
      (500, "{\"version\":\"1.0.0\",\"messages\":{\"type\":\"array\",\"value\":[\(message)]}}"),
      (429, #"{"errorCode":"E0000047","errorSummary":"Too many requests"}"#),
      page([], "\"messages\":{\"type\":\"array\",\"value\":[\(message)]}", status: 400),
    ]
    // At the introspection, by a flow each, and at a form.
    for answer in answers {
      _ = try? await answering(stage, [answer]).begin().start()
      let flow = answering(stage, [page([form("identify", "{\"name\":\"identifier\"}")]), answer]).begin()
      let response = try await flow.start()
      response.remediations[.identify]?["identifier"]?.value = "ann@acme.example"
      _ = try? await response.remediations[.identify]?.proceed()
      _ = try? await flow.resume()
    }
  }
}
