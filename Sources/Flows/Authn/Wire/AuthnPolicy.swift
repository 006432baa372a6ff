// The allow-list of the classic authentication API (authn §3-§9, §16): what of its messages may be in a log.

import FlowRecording

enum AuthnPolicy {
  static let policy = MaskingPolicy(
    response: response,
    arguments: .object([
      "username": .login, "password": .secret("password"), "oldPassword": .secret("oldPassword"),
      "newPassword": .secret("newPassword"), "passCode": .secret("passCode"), "nextPassCode": .secret("passCode"),
      "answer": .secret("answer"), "stateToken": .secret("stateToken"), "recoveryToken": .secret("recoveryToken"),
      "deviceToken": .secret("deviceToken"), "factorType": .word(factorTypes), "phoneNumber": .personal,
      "credentialId": .personal, "question": .identifier, "factor": .number, "relayState": .secret("relayState"),
      "payload": .secret("payload"), "link": .url, "channel": .word(["sms", "email"]),
      "token": .secret("activationToken"), "audience": .text, "deviceFingerprint": .secret("fingerprint"),
      "apiToken": .secret("apiToken"), "forwardedFor": .personal, "acceptLanguage": .text, "languagesStay": .boolean,
      "deviceOnceSent": .boolean, "sigResponse": .secret("sigResponse"),
      "phoneExtension": .personal, "rememberDevice": .boolean, "autoPush": .boolean, "updatePhone": .boolean,
      "revokeSessions": .boolean, "multiOptionalFactorEnroll": .boolean, "warnBeforePasswordExpired": .boolean,
      "allow": .array(.word(["GET", "POST", "PUT", "DELETE", "OPTIONS"])), "call": .number,
      "pollMilliseconds": .number, "pollOnceSent": .boolean,
    ]),
    settings: .object([
      "org": .setting(.url), "pollMilliseconds": .number, "retries": .number, "handler": .boolean,
      "origins": .array(.setting(.url)),
    ]),
    added: ["options": .object(["multiOptionalFactorEnroll": .boolean, "warnBeforePasswordExpired": .boolean])],
    headers: [
      "date": .date, "age": .number, "x-okta-request-id": .identifier, "x-rate-limit-limit": .number,
      "x-rate-limit-remaining": .number, "x-rate-limit-reset": .number, "retry-after": .retryAfter,
      "content-type": .mediaType, "set-cookie": .secret("cookie"),
    ],
    query: ["updatePhone", "rememberDevice", "autoPush"], paths: paths)

  /// The draws of a classic sign-in: those of the runtime, and what the application's own response handler says.
  static let draws = DrawDeclarations.standard(and: [
    .handlerStatus: .awaited(
      .object(["outcome": .word(["status", "wait", "error"]), "code": .word(errorCodes), "text": .text]))
  ])

  /// Parts of the paths of the protocol (§2).
  private static let paths: Set<String> = [
    "api", "v1", "authn", "cancel", "consent", "credentials", "change_password", "reset_password", "device", "activate",
    "factors", "webauthn", "verify", "lifecycle", "email", "sms", "call", "push", "poll", "duoCallback", "resend",
    "introspect", "previous", "recovery", "answer", "password", "token", "unlock", "skip", "SMS", "CALL", "EMAIL",
    "PUSH", "login", "step-up", "redirect", "questions", "qr", "transactions", "users", "authenticators",
  ]

  /// The cases of `OktaError`, which a handler of the application may answer with.
  private static let errorCodes: Set<String> = [
    "errorBuildingURLRequest", "connectionError", "emptyServerResponse", "invalidResponse",
    "responseSerializationError", "serverRespondedWithError", "unexpectedResponse", "wrongStatus", "alreadyInProgress",
    "unknownStatus", "internalError", "invalidParameters", "cancelled",
  ]

  // MARK: Vocabularies

  static let statuses: Set<String> = Set(
    AuthnVocabulary.statuses + [
      "FACTOR_ENROLL", "FACTOR_ENROLL_ACTIVATE", "FACTOR_REQUIRED", "FACTOR_CHALLENGE", "CONSENT_REQUIRED",
      "ADMIN_CONSENT_REQUIRED", "DEVICE_ACTIVATE", "PROFILE_REQUIRED", "POLL",
    ])
  static let factorResults: Set<String> = [
    "WAITING", "SUCCESS", "ACTIVE", "PENDING_ACTIVATION", "CANCELLED", "REJECTED", "TIMEOUT", "TIME_WINDOW_EXCEEDED",
    "PASSCODE_REPLAYED", "ERROR", "CHALLENGE", "FAILED",
  ]
  static let factorTypes: Set<String> = [
    "question", "sms", "call", "push", "token:software:totp", "token", "token:hardware", "web", "u2f", "email",
    "webauthn", "token:hotp", "password", "assertion:saml2", "assertion:oidc", "claims_provider", "signed_nonce",
    "SMS", "CALL", "EMAIL",
  ]
  static let providers: Set<String> = [
    "OKTA", "GOOGLE", "RSA", "SYMANTEC", "YUBICO", "DUO", "FIDO", "DEL_OATH", "CUSTOM", "GENERIC_SAML",
    "GENERIC_OIDC",
  ]
  static let linkNames: Set<String> = [
    "authenticate", "changePassword", "unlock", "recovery", "answer", "verify", "resetPassword", "password",
    "activate", "poll", "consent", "deviceActivate", "original", "redirect", "skip", "sms", "call", "email", "push",
    "SMS", "CALL", "EMAIL", "PUSH", "cancel",
  ]

  // MARK: Links

  private static let hints: WireSchema = .object([
    "allow": .array(.word(["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH"]))
  ])

  private static func link(href: WireSchema = .url) -> WireSchema {
    .object(["href": href, "name": .word(linkNames), "type": .text, "hints": hints])
  }

  private static let links: WireSchema = .object([
    "next": link(), "prev": link(), "cancel": link(), "skip": link(), "resend": link(), "enroll": link(),
    "verify": link(), "questions": link(), "activate": link(), "poll": link(), "complete": link(), "script": link(),
    "logo": link(), "about": link(), "terms-of-service": link(), "privacy-policy": link(), "original": link(),
    "redirect": link(), "qrcode": link(href: .secret("qrcode")), "send": link(href: .secret("link")),
  ])

  // MARK: Embedded objects

  private static let profile: WireSchema = .object([
    "phoneNumber": .personal, "phoneExtension": .personal, "email": .personal, "question": .identifier,
    "questionText": .text, "credentialId": .personal, "name": .personal, "deviceType": .text, "platform": .text,
    "version": .text, "appId": .text, "authenticatorName": .text, "user": .personal, "password": .secret("password"),
    "answer": .secret("answer"),
    // A device's keys: what they are for, not what they are.
    "keys": .object(["kid": .identifier, "kty": .identifier, "use": .identifier]),
  ])

  private static let challenge: WireSchema = .object([
    "correctAnswer": .secret("correctAnswer"), "nonce": .secret("nonce"), "timeoutSeconds": .number,
    "challenge": .secret("challenge"), "userVerification": .text,
  ])

  private static let activation: WireSchema = .object([
    "timeStep": .number, "sharedSecret": .secret("sharedSecret"), "encoding": .word(["base32", "base64"]),
    "keyLength": .number, "expiresAt": .date, "factorResult": .word(factorResults), "version": .text, "appId": .text,
    "nonce": .secret("nonce"), "timeoutSeconds": .number, "host": .text, "signature": .secret("signature"),
    "challenge": .secret("challenge"), "attestation": .word(["direct", "none", "indirect"]), "_links": links,
    "rp": .object(["name": .text]),
    "user": .object(["id": .personal, "name": .personal, "displayName": .personal]),
    "pubKeyCredParams": .object(["type": .identifier, "alg": .number]),
    "authenticatorSelection": .object(["userVerification": .text, "requireResidentKey": .boolean]),
    "u2fParams": .object(["appid": .text]),
  ])

  private static let verification: WireSchema = .object([
    "host": .text, "signature": .secret("signature"), "factorResult": .word(factorResults), "_links": links,
  ])

  private static let factor: WireSchema = .object([
    "id": .identifier, "factorType": .word(factorTypes), "provider": .word(providers), "vendorName": .text,
    "profile": profile, "status": .word(["NOT_SETUP", "ACTIVE", "PENDING_ACTIVATION"]),
    "enrollment": .word(["REQUIRED", "OPTIONAL", "NOT_REQUIRED"]), "factorResult": .word(factorResults),
    "policy": .object(["enrollment": .object(["enrolled": .number, "minimum": .number, "maximum": .number])]),
    "profiles": .object([
      "id": .identifier, "name": .text, "default": .boolean,
      "_embedded": .object([
        "features": .object(["type": .identifier, "cardinality": .object(["min": .number, "max": .number])])
      ]),
    ]),
    "_links": links,
    "_embedded": .object([
      "activation": activation, "challenge": challenge, "verification": verification,
      "phones": .object(["id": .identifier, "profile": profile, "status": .text]),
      "emails": .object(["id": .identifier, "profile": profile, "status": .text]),
    ]),
  ])

  private static let user: WireSchema = .object([
    "id": .identifier, "passwordChanged": .date,
    "profile": .object([
      "login": .personal, "firstName": .personal, "lastName": .personal, "locale": .text, "timeZone": .text,
    ]),
    "recovery_question": .object(["question": .personal]),
  ])

  private static let policyObject: WireSchema = .object([
    "allowRememberDevice": .boolean, "rememberDeviceByDefault": .boolean, "rememberDeviceLifetimeInMinutes": .number,
    "factorsPolicyInfo": .map(.object(["autoPushEnabled": .boolean])),
    "expiration": .object(["passwordExpireDays": .number]),
    "complexity": .object([
      "minLength": .number, "minLowerCase": .number, "minUpperCase": .number, "minNumber": .number,
      "minSymbol": .number, "excludeUsername": .boolean, "excludeAttributes": .array(.identifier),
    ]),
    "age": .object(["minAgeMinutes": .number, "historyCount": .number]),
  ])

  private static let embedded: WireSchema = .object([
    "user": user, "factor": factor, "factors": factor, "policy": policyObject, "challenge": challenge,
    "target": .object([
      "type": .word(["APP"]), "name": .text, "label": .text, "clientId": .identifier, "_links": links,
    ]),
    "authentication": .object([
      "protocol": .word(["SAML2.0", "SAML1.1", "WS-FED", "OAUTH2.0"]),
      "issuer": .object(["id": .identifier, "name": .text, "uri": .url]),
      "client": .object(["id": .identifier, "name": .text, "_links": links]),
    ]),
    "factorTypes": .object(["factorType": .word(factorTypes), "_links": links]),
    "scopes": .object(["name": .text, "displayName": .text, "description": .text]),
    "request": .object(["ip": .personal, "userAgent": .text]), "deviceActivationStatus": .identifier,
    "userCode": .secret("userCode"), "usingDeviceFlow": .boolean,
  ])

  private static let response: WireSchema = .object([
    "status": .word(statuses), "stateToken": .secret("stateToken"), "sessionToken": .secret("sessionToken"),
    "recoveryToken": .secret("recoveryToken"), "expiresAt": .date, "type": .word(["SESSION_STEP_UP"]),
    "recoveryType": .word(["PASSWORD", "UNLOCK", "ACCOUNT_ACTIVATION"]), "relayState": .secret("relayState"),
    "factorType": .word(factorTypes), "factorResult": .word(factorResults), "factorResultMessage": .text,
    "challengeType": .word(["FACTOR", "FACTOR_TYPE"]), "_embedded": embedded, "_links": links,
    "errorCode": .errorCode, "errorSummary": .text, "errorLink": .errorCode, "errorId": .identifier,
    "errorCauses": errorCause, "errorCause": errorCause,
    // The list of security questions (§2, operation 26) is an array of these.
    "question": .identifier, "questionText": .text,
  ])

  private static let errorCause: WireSchema = .object([
    "errorSummary": .text, "domain": .text, "location": .text, "locationType": .text, "reason": .text,
  ])
}
