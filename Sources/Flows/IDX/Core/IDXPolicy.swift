// The allow-list of the Identity Engine (idx §4, §7, §17): the parts of its messages that may be logged.

import EventStore
import FlowRecording
import OIDC

enum IDXPolicy {
  static let policy = MaskingPolicy(
    response: response, arguments: arguments, settings: settings, added: added,
    headers: [
      "date": .date, "age": .number, "x-okta-request-id": .identifier, "x-rate-limit-limit": .number,
      "x-rate-limit-remaining": .number, "x-rate-limit-reset": .number, "retry-after": .retryAfter,
      "content-type": .mediaType, "cache-control": .text, "set-cookie": .secret("cookie"),
    ],
    query: ["error", "type"], paths: IDXVocabulary.paths)

  private static let settings: WireSchema = .object([
    "issuer": .setting(.url), "clientId": .setting(.text), "scope": .setting(.text), "redirectUri": .setting(.text),
    "origins": .array(.setting(.url)),
    "deviceToken": .secret("deviceToken"), "clientSecret": .secret("clientSecret"),
    "parameters": .depending(parameters), "userAgentHeader": .boolean, "source": .text,
    "idToken": .object(["algorithms": .array(.word(algorithms)), "skew": .number]),
  ])

  private static let algorithms: Set<String> = ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512"]

  /// The options of interact, from `start` or from the application's configuration.
  static let options: [String: WireSchema] = [
    "recovery_token": .secret("recoveryToken"), "activation_token": .secret("activationToken"), "max_age": .number,
    "acr_values": .text, "nonce": .secret("nonce"),
  ]

  /// The application's own parameters. It chose their names; their values are secret, except for known options that are
  /// not.
  private static func parameters(_ json: JSON) -> WireSchema {
    let names = (json.object?.members ?? []).map(\.key)
    return .object(
      Dictionary(names.map { ($0, options[$0] ?? .secret("parameter")) }, uniquingKeysWith: { first, _ in first }))
  }

  private static let arguments: WireSchema = .object(
    options.merging([
      "state": .secret("state"),
      "parameters": .depending(parameters), "omitDeviceToken": .boolean,
      "interaction_handle": .secret("interactionHandle"), "code_verifier": .secret("codeVerifier"),
      "code_challenge": .identifier, "flow": .text,
      "redirect": .text, "interaction_code": .secret("interactionCode"), "error": .text, "error_description": .text,
      "form": .place(FormReference.words), "kind": .word(IDXVocabulary.kinds),
      "name": .word(IDXVocabulary.remediations),
      "call": .number,
      "fields": .array(.depending(fill)),
    ]) { first, _ in first })

  /// What the SDK adds to requests: handles and, from its settings, what the exchange for tokens needs (idx §3).
  private static let added = OIDCPolicy.added.merging([
    "interactionHandle": .secret("interactionHandle"), "stateHandle": .secret("stateHandle"), "rememberMe": .boolean,
    "credentials": .object(["passcode": .secret("passcode")]),
  ]) { _, own in own }

  /// A field that the application filled in, as in a `call.made`.
  private static func fill(_ json: JSON) -> WireSchema {
    let field = FieldReading(json)
    let (name, isPreset) = (field.ownName, json["preset"] == true)
    let value: WireSchema = .depending {
      FieldValue.filled($0, name: name, isSecret: field.isSecret, isPreset: isPreset)
    }
    return .object([
      "at": .place([]), "name": .text, "secret": .boolean, "preset": .boolean, "option": .number, "value": value,
    ])
  }

  // MARK: Forms

  private static func field(_ json: JSON) -> WireSchema {
    let field = FieldReading(json)
    let name = field.name
    let isSecret = field.isSecret
    return .object([
      "name": .word(IDXVocabulary.fields), "label": .text, "type": .word(IDXVocabulary.fieldTypes),
      "required": .boolean, "secret": .boolean, "visible": .boolean, "mutable": .boolean, "relatesTo": .text,
      "value": .depending { value in
        if value["form"]?.object != nil { return .object(["form": nested]) }
        return FieldValue.schema(of: value, name: name, isSecret: isSecret)
      },
      "form": nested, "options": .array(.depending(IDXPolicy.field)), "messages": messages, "minLength": .number,
      "maxLength": .number, "hint": .text, "desc": .text, "descKey": .text, "customLabel": .boolean,
      "format": .text, "id": .identifier, "inputType": .text,
    ])
  }

  private static var nested: WireSchema { .object(["value": .array(.depending(field))]) }

  private static let words: WireSchema = .array(.identifier)

  static let form: WireSchema = .object([
    "rel": words, "name": .word(IDXVocabulary.remediations), "href": .url,
    "method": .word(["GET", "POST", "PUT", "PATCH", "DELETE"]), "value": .array(.depending(field)),
    "accepts": .mediaType,
    "produces": .mediaType, "relatesTo": .array(.text), "refresh": .number, "type": .word(IDXVocabulary.services),
    "idp": .object(["id": .identifier, "name": .text]),
    "scopes": .array(.object(["name": .text, "label": .text, "value": .text, "desc": .text])),
    "customExpiredPasswordName": .text, "customExpiredPasswordURL": .url,
  ])

  private static let message: WireSchema = .object([
    "message": .text, "class": .word(["ERROR", "INFO", "WARNING"]),
    "i18n": .object(["key": .text, "params": .array(.text)]), "links": .array(.object(["url": .url, "label": .text])),
    "deviceRemediation": wrapped(
      .object([
        "remediationPath": .text, "action": .text, "remediationType": .identifier, "displayName": .text,
        "fallback": .object(["type": .identifier, "href": .url]),
      ])),
  ])
  private static let messages: WireSchema = .object(["type": .identifier, "value": .array(message)])

  private static func wrapped(_ value: WireSchema) -> WireSchema { .object(["type": .identifier, "value": value]) }

  // MARK: Authenticators

  private static let profile: WireSchema = .object([
    "email": .personal, "secondaryEmail": .personal, "phoneNumber": .personal, "deviceName": .personal,
    "question": .personal, "questionKey": .identifier, "name": .personal, "firstName": .personal,
    "lastName": .personal, "timeZone": .text, "locale": .text, "login": .personal, "provider": .text,
    "transports": .text, "aaguid": .identifier, "idpAppInstanceId": .identifier,
  ])

  private static let challenge: WireSchema = wrapped(
    .object([
      "challengeMethod": .word([
        "LOOPBACK", "CUSTOM_URI", "UNIVERSAL_LINK", "APP_LINK", "APPLE_SSO_EXTENSION", "CHROME_DTC",
      ]),
      "domain": .text, "httpsDomain": .text, "ports": .array(.number), "probeTimeoutMillis": .number,
      "challengeRequest": .secret("challengeRequest"), "href": .secret("challenge"), "downloadHref": .url,
      "cancel": form,
    ]))

  /// The options for a security key or passkey (idx §8.11): how it must verify the person is readable, but the data
  /// that it signs is not.
  private static let passkey: WireSchema = .object([
    "challenge": .secret("challenge"), "userVerification": .identifier, "attestation": .identifier, "rpId": .text,
    "rp": .object(["id": .text, "name": .text]),
    "user": .object(["id": .personal, "name": .personal, "displayName": .personal]),
    "authenticatorSelection": .object([
      "userVerification": .identifier, "authenticatorAttachment": .identifier, "residentKey": .identifier,
      "requireResidentKey": .boolean,
    ]),
    "pubKeyCredParams": .array(.object(["type": .identifier, "alg": .number])), "timeout": .number,
    "u2fParams": .object(["appid": .url]), "extensions": .object(["appid": .url]),
  ])

  private static let contextualData: WireSchema = .object([
    "useEmailMagicLink": .boolean, "otp": .secret("otp"), "selectedChannel": .word(IDXVocabulary.channels),
    "qrcode": .object(["href": .secret("qrcode"), "method": .word(["embedded"]), "type": .text]),
    "email": .personal, "phoneNumber": .personal, "sharedSecret": .secret("sharedSecret"),
    "samedevice": .object(["orgUrl": .url, "downloadHref": .url, "platform": .text, "securityLevel": .text]),
    "devicebootstrap": .object(["platform": .text, "enrolledDevices": .array(.personal)]),
    "correctAnswer": .secret("correctAnswer"), "challenge": challenge,
    "questions": .array(.object(["questionKey": .identifier, "question": .text])), "questionKeys": words,
    "enrolledQuestion": .object(["questionKey": .identifier, "question": .personal]),
    "activationData": passkey, "challengeData": passkey,
    "host": .text, "signedToken": .secret("signedToken"), "script": .text, "integrationType": .identifier,
    "idpAppInstanceId": .identifier,
  ])

  private static let authenticator: WireSchema = .object([
    "type": .word(IDXVocabulary.kinds), "key": .word(IDXVocabulary.keys), "id": .identifier, "displayName": .text,
    "methods": .array(.object(["type": .word(IDXVocabulary.methods), "methodType": .word(IDXVocabulary.methods)])),
    "profile": profile,
    "settings": .object([
      "complexity": .object([
        "minLength": .number, "minLowerCase": .number, "minUpperCase": .number, "minNumber": .number,
        "minSymbol": .number, "maxConsecutiveRepeatingCharacters": .number, "excludeUsername": .boolean,
        "excludeAttributes": words, "excludeFirstName": .boolean, "excludeLastName": .boolean,
        "useADComplexityRequirements": .boolean,
      ]),
      "age": .object(["historyCount": .number, "minAgeMinutes": .number]), "daysToExpiry": .number,
    ]),
    "contextualData": contextualData, "send": form, "resend": form, "poll": form, "recover": form, "cancel": form,
    "enrollmentId": .identifier, "authenticatorId": .identifier, "credentialId": .identifier, "nickname": .personal,
    "deviceKnown": .boolean, "logoUri": .url, "description": .text, "provider": .text, "authenticatorName": .text,
    "allowedFor": .word(["any", "recovery", "sso", "none"]), "transports": .text, "catalogKey": .identifier,
    "gracePeriod": .object(["type": .identifier, "remainingSkips": .number, "expiry": .date]),
  ])

  // MARK: The complete answer

  private static let redirect: WireSchema = .object([
    "name": .word(IDXVocabulary.remediations), "href": .url, "rel": words, "method": .identifier,
  ])

  private static let user: WireSchema = .object([
    "id": .identifier, "identifier": .personal, "profile": profile, "passwordChanged": .date,
  ])

  private static let authentication: WireSchema = .object([
    "protocol": .text, "issuer": .object(["name": .text, "uri": .url, "id": .identifier]),
    "request": .object([
      "max_age": .number, "scope": .text, "display": .text, "response_type": .identifier, "redirect_uri": .text,
      "state": .secret("state"), "code_challenge_method": .identifier, "nonce": .secret("nonce"),
      "code_challenge": .identifier, "response_mode": .identifier,
    ]),
  ])

  private static let client: WireSchema = .object([
    "browser": .text, "os": .text,
    "location": .object([
      "country": .personal, "countryISO": .personal, "city": .personal, "postal": .personal, "latitude": .personal,
      "longitude": .personal, "state": .personal,
    ]),
  ])

  private static let response: WireSchema = .object(
    [
      "version": .identifier, "stateHandle": .secret("stateHandle"), "expiresAt": .date,
      "intent": .word(IDXVocabulary.intents),
      "step": .identifier, "remediation": wrapped(.array(form)), "messages": messages,
      "currentAuthenticator": wrapped(authenticator), "currentAuthenticatorEnrollment": wrapped(authenticator),
      "enrollmentAuthenticator": wrapped(authenticator), "recoveryAuthenticator": wrapped(authenticator),
      "authenticators": wrapped(.array(authenticator)), "authenticatorEnrollments": wrapped(.array(authenticator)),
      "user": wrapped(user), "app": wrapped(.object(["id": .identifier, "name": .text, "label": .text])),
      "cancel": form, "successWithInteractionCode": form, "success": redirect, "failure": redirect,
      "terminal": wrapped(.object(["name": .text, "message": message])), "authenticatorChallenge": challenge,
      "webauthnAutofillUIChallenge": wrapped(.object(["challengeData": passkey])),
      "captcha": wrapped(.object(["id": .identifier, "name": .text, "siteKey": .text, "type": .identifier])),
      "deviceEnrollment": wrapped(
        .object([
          "name": .text, "platform": .text, "vendor": .text, "enrollmentLink": .url, "signInUrl": .url,
          "orgName": .text,
          "challengeMethod": .text,
        ])),
      "authentication": wrapped(authentication), "client": wrapped(client),
      "uiDisplay": wrapped(.object(["label": .text, "buttonLabel": .text])), "context": form,
      // Members of interact, the token endpoint, the server's metadata, and errors.
      "interaction_handle": .secret("interactionHandle"), "access_token": .secret("accessToken"),
      "refresh_token": .secret("refreshToken"), "id_token": .secret("idToken"),
      "device_secret": .secret("deviceSecret"),
      "token_type": .word(["Bearer", "bearer", "DPoP"]), "expires_in": .number, "scope": .text, "error": .text,
      "error_description": .text,
      "errorDescription": .text, "errorCode": .errorCode, "errorSummary": .text, "errorLink": .errorCode,
      "errorId": .identifier, "errorCauses": .array(.object(["errorSummary": .text])), "message": .text,
      "keys": .array(OIDCPolicy.key),
    ].merging(WireSchema.serverMetadata) { first, _ in first })
}
