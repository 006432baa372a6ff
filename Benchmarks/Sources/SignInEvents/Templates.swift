// Shapes of docs/EVENTS.md, with what a browser and an org add to them. Texts are our own; ids are holes.

extension EventTemplate {
  /// Headers of a request to the org.
  private static let requestHeaders = """
    [["Accept","application/json"],["Content-Type","application/json"],["Accept-Language","‹L›,en;q=0.8"],
    ["User-Agent","‹a›"],
    ["X-Device-Fingerprint","‹F›"],["traceparent","‹T›"],
    ["Cookie","DT=$secret.cookie.1$; JSESSIONID=$secret.cookie.2$; t=default; proximity_‹F›=$secret.cookie.3$"]]
    """

  /// Headers of an answer.
  private static let responseHeaders = """
    [["Date","‹D›"],["Content-Type","application/json"],["X-Okta-Request-Id","‹R›"],["traceparent","‹T›"],
    ["X-Rate-Limit-Limit","600"],["X-Rate-Limit-Remaining","‹n›"],["X-Rate-Limit-Reset","‹E›"],
    ["Set-Cookie","JSESSIONID=$secret.cookie.2$; Path=/; Secure; HttpOnly"],["Cache-Control","no-cache, no-store"],
    ["Pragma","no-cache"],["Expires","0"],["Vary","Accept-Encoding"],["X-Content-Type-Options","nosniff"],
    ["Strict-Transport-Security","max-age=315360000; includeSubDomains"],["Server","nginx"]]
    """

  private static let user = """
    "user":{"id":"‹U›","passwordChanged":"2026-08-16T09:00:00.000Z","profile":{"login":"‹u›","firstName":"‹f›",
    "lastName":"‹l›","locale":"‹L›","timeZone":"‹Z›"}}
    """

  /// What an answer says of a factor, and what the status after it does: a flow has some of these.
  static let factors: [(EventTemplate, EventTemplate)] = [
    ("sms", "OKTA", #""phoneNumber":"+1 XXX-XXX-‹p›""#), ("call", "OKTA", #""phoneNumber":"+1 XXX-XXX-‹p›""#),
    (
      "push", "OKTA",
      """
      "credentialId":"‹u›","deviceType":"SmartPhone_Android","keys":[{"kty":"PKIX","use":"sig","kid":"default"}],
      "name":"‹d›","platform":"ANDROID","version":"34"
      """
    ),
    ("token:software:totp", "GOOGLE", #""credentialId":"‹u›""#), ("token:hardware", "YUBICO", #""credentialId":"‹I›""#),
    ("question", "OKTA", #""question":"disliked_food","questionText":"What is the food you least liked as a child?""#),
    ("email", "OKTA", #""email":"‹f›...@acme.example""#),
    ("webauthn", "FIDO", #""credentialId":"‹I›‹I›","authenticatorName":"‹d›""#),
  ].map { type, provider, profile in
    let answer = """
      {"id":"‹i›","factorType":"\(type)","provider":"\(provider)","vendorName":"\(provider)","profile":{\(profile)},
      "_links":{"verify":{"href":"https://acme.example/api/v1/authn/factors/‹i›/verify","hints":{"allow":["POST"]}}}}
      """
    return (
      EventTemplate("", answer),
      EventTemplate("", #"{"type":"\#(type)","provider":"\#(provider)","id":"‹i›"}"#)
    )
  }

  static let started = EventTemplate(
    "flow.started",
    """
    {"kind":"authn","sdk":"FlowRecorder/0.1.0","settings":{"org":"https://acme.example","pollMilliseconds":5000},
    "device":"‹d›","fingerprint":"‹F›"}
    """)

  static let callMade = EventTemplate(
    "call.made", #"{"call":"selectFactor","arguments":{"factor":1,"rememberDevice":true,"autoPush":false},"on":5}"#)

  static let callAuthenticate = EventTemplate(
    "call.made", #"{"call":"authenticate","arguments":{"username":"‹u›","password":"$secret.password.1$"}}"#)

  static let drawMade = EventTemplate(
    "draw.made", #"{"kind":"userAgent","ordinal":0,"value":"‹a›"}"#)

  static let requestAuthn = EventTemplate(
    "request.sent",
    """
    {"method":"POST","url":"https://acme.example/api/v1/authn/factors/‹i›/verify?rememberDevice=true","headers":
    """ + requestHeaders + """
      ,"body":{"autoPush":false,"fid":"‹i›","rememberDevice":true,"stateToken":"$secret.stateToken.1$",
      "context":{"deviceToken":"‹F›","requestId":"‹R›"}}}
      """)

  static let responseAuthn = EventTemplate(
    "response.received",
    #"{"status":200,"headers":"# + responseHeaders + """
      ,"body":{"stateToken":"$secret.stateToken.1$","expiresAt":"‹t›","status":"MFA_CHALLENGE","factorResult":"WAITING",
      "challengeType":"FACTOR","_embedded":{
      """ + user + """
        ,"factors":[‹x›]
        ,"policy":{"allowRememberDevice":true,"rememberDeviceLifetimeInMinutes":15,"rememberDeviceByDefault":false,
        "factorsPolicyInfo":{"‹i›":{"autoPushEnabled":true}}}},"_links":{"next":{"name":"poll","href":
        "https://acme.example/api/v1/authn/factors/‹i›/verify","hints":{"allow":["POST"]}},
        "cancel":{"href":"https://acme.example/api/v1/authn/cancel","hints":{"allow":["POST"]}},
        "prev":{"href":"https://acme.example/api/v1/authn/previous","hints":{"allow":["POST"]}},
        "resend":[{"name":"push","href":"https://acme.example/api/v1/authn/factors/‹i›/verify/resend",
        "hints":{"allow":["POST"]}}]}}}
        """)

  static let statusChanged = EventTemplate(
    "status.changed",
    """
    {"status":"MFA_CHALLENGE","previous":"MFA_REQUIRED","summary":{"user":"‹u›","userId":"‹U›","factors":[‹y›],
    "links":["cancel","next:poll","prev","resend:push"],"expiresAt":"‹t›","stateToken":"$secret.stateToken.1$",
    "policy":{"allowRememberDevice":true,"rememberDeviceLifetimeInMinutes":15},"transaction":"‹R›",
    "challenge":{"factor":"‹i›","sentAt":"‹t›","device":"‹d›","correlation":"‹T›"}}}
    """)

  static let callReturned = EventTemplate("call.returned", #"{"call":7,"outcome":"status"}"#)

  static let requestIDX = EventTemplate(
    "request.sent",
    """
    {"method":"POST","url":"https://acme.example/idp/idx/challenge/answer?requestId=‹R›","headers":
    """ + requestHeaders + """
      ,"body":{"credentials":{"passcode":"$secret.passCode.1$"},"stateHandle":"$secret.stateHandle.1$",
      "authenticator":{"id":"‹i›","methodType":"push"}}}
      """)

  /// A form of one remediation.
  private static func remediation(_ name: String, _ path: String, _ fields: String) -> String {
    """
    {"rel":["create-form"],"name":"\(name)","href":"https://acme.example/idp/idx/\(path)","method":"POST",
    "produces":"application/ion+json; okta-version=1.0.0","value":[\(fields),
    {"name":"stateHandle","required":true,"value":"$secret.stateHandle.1$","visible":false,"mutable":false}],
    "accepts":"application/json; okta-version=1.0.0"}
    """
  }

  /// An authenticator in the lists of an answer, and as a choice in a form: a flow has some of these.
  static let authenticators: [(EventTemplate, EventTemplate)] = [
    ("phone_number", "Phone", ["sms", "voice"]), ("okta_verify", "Okta Verify", ["push", "signed_nonce", "totp"]),
    ("google_otp", "Google Authenticator", ["otp"]), ("okta_email", "Email", ["email"]),
    ("okta_password", "Password", ["password"]), ("webauthn", "Security Key or Biometric", ["webauthn"]),
    ("security_question", "Security Question", ["security_question"]), ("rsa_token", "RSA SecurID", ["otp"]),
  ].map { key, name, methods in
    let list = methods.map { #"{"type":"\#($0)"}"# }.joined(separator: ",")
    let answer = """
      {"type":"app","key":"\(key)","id":"‹i›","displayName":"\(name)","credentialId":"‹I›","profile":{
      "deviceName":"‹d›","phoneNumber":"+1 XXX-XXX-‹p›"},"methods":[\(list)],"allowedFor":"any"}
      """
    let option = """
      {"label":"\(name)","value":{"form":{"value":[{"name":"id","required":true,"value":"‹i›","mutable":false},
      {"name":"methodType","required":false,"value":"\(methods[0])","mutable":false}]}},
      "relatesTo":"$.authenticatorEnrollments.value[0]"}
      """
    return (EventTemplate("", answer), EventTemplate("", option))
  }

  private static let remediations: [String] = [
    remediation(
      "challenge-authenticator", "challenge/answer",
      #"{"name":"credentials","type":"object","form":{"value":[{"name":"passcode","label":"Enter code"}]},"required":true}"#
    ),
    remediation(
      "challenge-poll", "authenticators/poll",
      #"{"name":"autoChallenge","type":"boolean","label":"Send push automatically","required":false,"value":true}"#),
    remediation(
      "select-authenticator-authenticate", "challenge",
      #"{"name":"authenticator","type":"object","options":[‹w›]}"#),
    remediation("unlock-account", "unlock-account", #"{"name":"identifier","label":"Username","value":"‹u›"}"#),
  ]

  static let responseIDX = EventTemplate(
    "response.received",
    [
      #"{"status":200,"headers":"#, responseHeaders,
      #","body":{"version":"1.0.0","stateHandle":"$secret.stateHandle.1$","expiresAt":"‹t›","intent":"LOGIN","#,
      #""remediation":{"type":"array","value":["#, remediations.joined(separator: ","),
      #"]},"currentAuthenticator":{"type":"object","value":"#,
      #"{"type":"app","key":"okta_verify","id":"‹i›","displayName":"Okta Verify","methods":[{"type":"push"}]}"#,
      #"},"authenticators":{"type":"array","value":[‹z›]},"authenticatorEnrollments":{"type":"array","value":[‹z›"#,
      #"]},"user":{"type":"object","value":{"id":"‹U›","identifier":"‹u›","profile":{"firstName":"‹f›","#,
      #""lastName":"‹l›","timeZone":"‹Z›","locale":"‹L›"}}},"cancel":"#,
      remediation("cancel", "cancel", #"{"name":"reason","required":false}"#),
      #","app":{"type":"object","value":{"name":"oidc_client","label":"Acme","id":"0oa5kq2v9aBcDeFgH5d7"}}}}"#,
    ].joined())

  static let remediationChanged = EventTemplate(
    "remediation.changed",
    """
    {"intent":"LOGIN","user":"‹u›","remediations":["challenge-authenticator","challenge-poll",
    "select-authenticator-authenticate","unlock-account"],"current":{"key":"okta_verify","id":"‹i›","methods":["push",
    "signed_nonce","totp"],"device":"‹d›"},"enrollments":[‹y›],"expiresAt":"‹t›",
    "stateHandle":"$secret.stateHandle.1$","messages":[],"transaction":"‹R›"}
    """)

  static let noteAdded = EventTemplate("note.added", #"{"text":"shown: approve ‹n› on ‹d›, request ‹R›"}"#)

  static let tokenIssued = EventTemplate(
    "token.issued",
    """
    {"kind":"bearer","scope":["openid","profile","email","offline_access"],"expiresIn":3600,"issuedAt":"‹t›",
    "subject":"‹U›","client":"0oa5kq2v9aBcDeFgH5d7","id":"‹I›","accessToken":"$secret.accessToken.1$",
    "refreshToken":"$secret.refreshToken.1$","idToken":"$secret.idToken.1$"}
    """)

  static let ended = EventTemplate(
    "flow.ended", #"{"outcome":"success","user":"‹u›","session":"$secret.sessionToken.1$"}"#)
}
