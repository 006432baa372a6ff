// Identity Engine pages with most members, for the trials of objects.

import EventStore

/// The pages.
enum ObjectPages {
  private static let base = FlowTrials.base

  private static func json(_ text: String) -> JSON { (try? JSON(parsing: Array(text.utf8))) ?? .null }

  private static func form(_ name: String, _ fields: String, more: String = "") -> String {
    #"{"rel":["create-form"],"name":"\#(name)","href":"\#(base)/idp/idx/\#(name)","method":"POST","accepts":"application/json; okta-version=1.0.0",\#(more)"value":[\#(fields)\#(fields.isEmpty ? "" : ","){"name":"stateHandle","required":true,"value":"02handle","visible":false,"mutable":false}]}"#
  }

  private static func page(_ remediations: [String], _ more: String = "") -> JSON {
    json(
      #"{"version":"1.0.0","stateHandle":"02handle","expiresAt":"2026-01-15T09:05:00.250Z","intent":"LOGIN","remediation":{"type":"array","value":[\#(remediations.joined(separator: ","))]},"#
        + (more.isEmpty ? "" : more + ",") + #""cancel":\#(form("cancel", ""))}"#)
  }

  private static let around =
    #""user":{"type":"object","value":{"id":"00u1","identifier":"ann@acme.example","profile":{"firstName":"Ann","lastName":"Lee","timeZone":"UTC","locale":"en"}}},"app":{"type":"object","value":{"id":"0oa1","label":"App","name":"app"}},"captcha":{"type":"object","value":{"id":"cap1","name":"C","siteKey":"key","type":"HCAPTCHA"}},"messages":{"type":"array","value":[{"message":"Careful.","i18n":{"key":"careful"},"class":"INFO"},{"message":"Blank.","i18n":{"key":"blank"},"class":"ERROR"}]}"#
  private static let blank =
    #""messages":{"type":"array","value":[{"message":"Blank.","i18n":{"key":"blank"},"class":"ERROR"}]}"#

  /// A form with a field of each type.
  static let fields = page(
    [
      form(
        "enroll-profile",
        #"{"name":"identifier","label":"User name","required":true,\#(blank)},{"name":"plain","type":"string","value":"preset"},{"name":"flag","type":"boolean","value":true},{"name":"number","type":"number","value":7},{"name":"list","type":"string","value":["a","b"]},{"name":"fixed","value":"f","mutable":false},{"name":"passcode","label":"Password","secret":true,\#(blank)},{"name":"userProfile","type":"object","form":{"value":[{"name":"email","label":"Mail","required":true},{"name":"age","type":"number"}]}},{"name":"choice","type":"object","options":[{"label":"One","value":"1"},{"label":"Two","value":{"form":{"value":[{"name":"inner","required":true},{"name":"id","value":"two","mutable":false}]}}}]},{"name":"given","type":"string","options":[{"label":"A","value":"a"},{"label":"B","value":"b"}]}"#
      ), form("skip", ""), form("launch-authenticator", #"{"name":"odd","type":"odd"}"#),
    ], around)

  /// Fields at several levels, some with the same name, some with a name that contains dots.
  static let nested = page([
    form(
      "enroll-profile",
      #"{"name":"a","form":{"value":[{"name":"b","form":{"value":[{"name":"c","label":"1"},{"name":"fixed","value":"f","mutable":false}]}},{"name":"z","label":"2","visible":false}]}},{"name":"a","form":{"value":[{"name":"b","form":{"value":[{"name":"d","label":"3"}]}}]}},{"name":"e.f","label":"4"},{"name":"e","form":{"value":[{"name":"f","form":{"value":[{"name":"g","label":"5"}]}},{"name":"f.h","label":"6"}]}},{"name":"user.name","label":"7"},{"name":"fixed","value":"f","mutable":false}"#
    )
  ])

  /// Groups with the same name, of which a person sees the first and some of the others.
  static let groups = page([
    form(
      "challenge-authenticator",
      ["code", "hidden", "seen", "kept"].enumerated().map { number, name in
        let more = number % 2 == 1 ? #","visible":false"# : ""
        return
          #"{"name":"credentials","type":"object"\#(more)\#(name == "kept" ? #","mutable":false"# : ""),"form":{"value":[{"name":"\#(name)"\#(more)}]}}"#
      }.joined(separator: ","))
  ])

  private static let authenticators =
    #""currentAuthenticatorEnrollment":{"type":"object","value":{"id":"pas1","key":"okta_password","type":"password","displayName":"Password","methods":[{"type":"password"}],"settings":{"daysToExpiry":5,"complexity":{"minLength":8,"minLowerCase":1,"minUpperCase":2,"minNumber":3,"minSymbol":4,"maxConsecutiveRepeatingCharacters":5,"excludeUsername":true,"excludeAttributes":["firstName"]}},"profile":{"phoneNumber":"+1 XXX","email":"a@b","n":5},"recover":\#(form("recover", "")),"send":\#(form("send", "")),"resend":\#(form("resend", "")),"poll":\#(form("poll", "").replacing(#""method":"#, with: #""refresh":4000,"method":"#))}},"authenticators":{"type":"array","value":[{"id":"pas1","key":"okta_password","type":"password","displayName":"Password","methods":[{"type":"password"}],"allowedFor":"any"},{"id":"eml1","key":"okta_email","type":"email","displayName":"Email","methods":[{"type":"email"}],"allowedFor":"recovery"},{"id":"odd1","key":"odd","type":"odd","displayName":"Odd","methods":[{"type":"odd"}],"allowedFor":"sso"}]},"authenticatorEnrollments":{"type":"array","value":[{"id":"pas1e","key":"okta_password","type":"password","displayName":"Password","methods":[{"type":"password"}]},{"id":"phn1e","key":"phone_number","type":"phone","displayName":"Phone","profile":{"phoneNumber":"+1 XXX-1337"},"methods":[{"type":"sms"},{"type":"voice"}]}]}"#

  /// A choice of authenticators, with the capabilities of the current one.
  static let choice = page(
    [
      form(
        "select-authenticator-authenticate",
        #"{"name":"authenticator","type":"object","options":[{"label":"Email","value":{"form":{"value":[{"name":"id","value":"eml1","required":true,"mutable":false},{"name":"methodType","value":"email","mutable":false}]}},"relatesTo":"$.authenticators.value[1]"},{"label":"Phone","value":{"form":{"value":[{"name":"id","value":"phn1","required":true,"mutable":false},{"name":"methodType","type":"string","required":false,"options":[{"label":"SMS","value":"sms"},{"label":"Voice","value":"voice"}]}]}},"relatesTo":"$.authenticatorEnrollments.value[1]"}]}"#
      ),
      form(
        "challenge-authenticator",
        #"{"name":"credentials","type":"object","form":{"value":[{"name":"passcode","label":"Password","secret":true}]},"required":true}"#,
        more: #""relatesTo":["$.currentAuthenticatorEnrollment"],"#),
      #"{"name":"redirect-idp","type":"GOOGLE","idp":{"id":"idp1","name":"Google"},"href":"https://acme.example/sso/idps/idp1","method":"GET"}"#,
      #"{"name":"redirect-idp","type":"ODD","idp":{"id":"idp2","name":"Odd"},"href":"https://acme.example/sso/idps/idp2","method":"GET"}"#,
    ], around + "," + authenticators)

  /// A challenge that is polled.
  static let polled = page(
    [form("challenge-poll", "", more: #""refresh":2500,"relatesTo":["$.currentAuthenticator"],"#)],
    #""currentAuthenticator":{"type":"object","value":{"id":"app1","key":"okta_verify","type":"app","displayName":"Okta Verify","methods":[{"type":"push"}],"contextualData":{"enrolledDevice":"x","challenge":{"value":{"challenge":"c"}},"correctAnswer":"42","qrcode":{"href":"data:image/png;base64,iVBORw0KGgo=","type":"image/png"},"sharedSecret":"JBSW"}}}"#
  )

  private static func credentials(_ required: [String], _ others: [String] = []) -> String {
    let fields =
      required.map { #"{"name":"\#($0)","visible":false,"required":true}"# }
      + others.map { #"{"name":"\#($0)","visible":false}"# }
    return
      #"{"name":"credentials","type":"object","required":true,"form":{"value":[\#(fields.joined(separator: ","))]}}"#
  }
  private static func passkey(_ data: String) -> String {
    #""currentAuthenticator":{"type":"object","value":{"id":"aut1","key":"webauthn","type":"security_key","displayName":"Key","methods":[{"type":"webauthn"}],"contextualData":{\#(data)}}}"#
  }

  /// A security key that is being registered.
  static let registered = page(
    [
      form(
        "enroll-authenticator", credentials(["attestation", "clientData"], ["transports", "clientExtensions"]),
        more: #""relatesTo":["$.currentAuthenticator"],"#)
    ],
    passkey(
      #""activationData":{"rp":{"name":"Acme","id":"acme.example"},"user":{"id":"00u1","name":"ann","displayName":"Ann"},"challenge":"Y2hhbGxlbmdl","attestation":"direct","pubKeyCredParams":[{"type":"public-key","alg":-7},{"alg":-257}],"authenticatorSelection":{"userVerification":"discouraged"},"u2fParams":{"appid":"https://app.acme.example"}}"#
    ))

  /// A security key that is used to sign in.
  static let asserted = page(
    [
      form(
        "challenge-authenticator", credentials(["authenticatorData", "clientData", "signatureData"], ["userHandle"]),
        more: #""relatesTo":["$.currentAuthenticator"],"#)
    ],
    passkey(
      #""challengeData":{"challenge":"Y2hhbGxlbmdl","userVerification":"required","extensions":{"appid":"https://app.acme.example"}}"#
    ))

  /// A Duo prompt.
  static let duo = page(
    [
      form(
        "challenge-authenticator", credentials(["signatureData"]), more: #""relatesTo":["$.currentAuthenticator"],"#)
    ],
    #""currentAuthenticator":{"type":"object","value":{"id":"aut1","key":"duo","type":"app","displayName":"Duo","methods":[{"type":"duo"}],"contextualData":{"host":"duo.example","signedToken":"signed-1","script":"https://duo.example/prompt.js"}}}"#
  )

  /// What few pages have: a field that cannot be changed and some without a name, authenticators without a name, one
  /// that is being recovered, and a code to scan.
  static let rare = page(
    [
      form(
        "enroll-authenticator",
        #"{"name":"identifier","label":"User name"},{"name":"frozen","label":"Frozen","mutable":false},{"label":"Only a label","value":"x"},{"type":"string"},{"name":"count","type":"number","value":12345678901234567890},{"name":"captchaVerify.captchaToken","visible":false}"#,
        more: #""relatesTo":["$.currentAuthenticator"],"#), form("identify-recovery", ""),
    ],
    #""currentAuthenticator":{"type":"object","value":{"id":"otp1","key":"google_otp","type":"app","methods":[{"type":"otp"}],"contextualData":{"qrcode":{"method":"embedded","type":"image/png","href":"data:image/png;base64,iVBORw0KGgo="},"sharedSecret":"JBSWY3DP"}}},"recoveryAuthenticator":{"type":"object","value":{"type":"password","methods":[{"type":"password"}]}},"authenticators":{"type":"array","value":[{"type":"email"},{"id":"x1"},{"id":"x2","type":"custom"}]}"#
  )

  /// A first page that asks for a password, which the org does not relate to it, beside an authenticator that it does.
  static let first = page(
    [
      form(
        "identify",
        #"{"name":"identifier","label":"User name","required":true},{"name":"credentials","type":"object","form":{"value":[{"name":"passcode","label":"Password","secret":true}]}}"#,
        more: #""relatesTo":["$.authenticators.value[0]"],"#)
    ],
    #""currentAuthenticator":{"type":"object","value":{"id":"pas1","type":"password"}},"authenticators":{"type":"array","value":[{"id":"eml1","type":"email"}]}"#
  )

  /// All pages by name.
  static let all: [(name: String, json: JSON)] = [
    ("fields", fields), ("choice", choice), ("polled", polled), ("registered", registered), ("asserted", asserted),
    ("duo", duo), ("rare", rare), ("first", first),
    ("success", FlowTrials.success), ("nothing", page([])),
  ]
}
