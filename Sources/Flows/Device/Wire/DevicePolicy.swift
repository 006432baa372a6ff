// The allow-list of the push authenticator (spec/device.md §18): the parts of its messages that may be logged.

import EventStore
import FlowRecording

enum DevicePolicy {
  static let policy = MaskingPolicy(
    response: .object(response), arguments: .object(arguments), settings: settings,
    headers: [
      "date": .date, "x-okta-request-id": .identifier, "x-rate-limit-limit": .number,
      "x-rate-limit-remaining": .number, "x-rate-limit-reset": .number, "retry-after": .retryAfter,
      "content-type": .mediaType, "set-cookie": .secret("cookie"),
    ],
    query: ["oauthClientId"],
    paths: [
      "idp", "myaccount", "app-authenticators", "challenge", "verify", "push", "notifications", "oauth2", "v1", "keys",
      "token", ".well-known", "okta-organization", "app-authenticator-configuration", "openid-configuration",
    ])

  private static let settings: WireSchema = .object([
    "audiences": .array(.setting(.text)), "origins": .array(.setting(.url)), "userAgent": .own, "application": .own,
    "strict": .boolean, "deleteOnSuspended": .boolean, "reference": .boolean, "plugins": .array(.own),
    "keyDiscoveryMilliseconds": .number,
    "enrollmentId": .identifier, "orgURL": .setting(.url), "clientId": .setting(.text),
  ])

  private static let arguments: [String: WireSchema] = [
    "token": .secret("accessToken"), "orgURL": .setting(.url), "clientId": .setting(.text),
    "pushToken": .secret("pushToken"), "apsEnvironment": .word(["production", "development"]),
    "userVerification": .boolean, "ciba": .boolean, "enable": .boolean, "enrollmentId": .identifier,
    "reason": .text, "cancelTitle": .text, "fallbackTitle": .text,
    "scopes": .array(.text),
    "source": .word(["push", "action", "pull"]), "payloadVersion": .identifier, "challenge": .secret("challenge"),
    "keys": .array(.word(DeviceVocabulary.payloadKeys)), "action": .identifier, "skew": .number,
    "pulledFor": .identifier, "conflict": .boolean,
    "answer": .word(["approved", "denied", "none"]), "by": .word(["step", "button", "default", "application"]),
    "call": .number,
  ]

  // MARK: Responses of the org

  private static let link: WireSchema = .object([
    "href": .url, "hints": .object(["allow": .array(.word(["GET", "POST", "PATCH", "DELETE"]))]),
  ])
  private static let signingKey: WireSchema = .object([
    "kty": .word(["RSA", "EC"]), "alg": .word(algorithms), "use": .word(["sig", "enc"]), "kid": .identifier,
    "n": .text, "e": .text, "crv": .identifier, "x": .identifier, "y": .identifier, "status": .identifier,
  ])
  private static let algorithms: Set<String> = ["RS256", "RS384", "RS512", "ES256", "HS256", "PS256"]

  private static let response: [String: WireSchema] = [
    // Organization (§4.1).
    "id": .identifier, "_links": .object(["organization": link, "alternate": link]), "pipeline": .identifier,
    "settings": .object([
      "userVerification": .identifier, "userVerificationMethods": .array(.identifier), "oauthClientId": .text,
      "appInstanceId": .identifier, "analyticsCollectionEnabled": .boolean, "bugReportingEnabled": .boolean,
      "omEnabled": .boolean,
    ]),
    // Configuration (§4.2).
    "authenticatorId": .identifier, "orgId": .identifier, "key": .identifier, "type": .identifier, "name": .text,
    "createdDate": .date, "lastUpdated": .date, "appAuthenticatorEnrollEndpoint": .url,
    "supportedMethods": .object([
      "type": .identifier, "status": .identifier,
      "settings": .object([
        "keyProtection": .identifier, "algorithms": .array(.word(algorithms)), "transactionTypes": .array(.identifier),
      ]),
    ]),
    // Enrollment (§4.3).
    "user": .object(["id": .identifier, "username": .personal]),
    "device": .object([
      "id": .identifier, "status": .identifier, "createdDate": .date, "lastUpdated": .date,
      "clientInstanceId": .identifier, "profile": .object(["displayName": .personal, "platform": .identifier]),
    ]),
    "methods": .object([
      "push": .object([
        "id": .identifier, "status": .identifier, "createdDate": .date, "lastUpdated": .date,
        "links": .object(["pending": link]), "capabilities": .object(["transactionTypes": .array(.identifier)]),
      ])
    ]),
    "links": .object(["self": link]),
    // Errors (§15.3, §4.7).
    "errorCode": .errorCode, "errorSummary": .text, "errorLink": .identifier, "errorId": .identifier,
    "errorCauses": .object(["errorSummary": .text]), "status": .identifier, "@type": .identifier,
    "reasons": .array(.text),
    // Pending challenges (§4.6).
    "payloadVersion": .identifier, "challenge": .secret("challenge"),
    // Maintenance tokens (§4.8).
    "access_token": .secret("accessToken"), "token_type": .word(["Bearer"]), "expires_in": .number,
    "refresh_token": .secret("refreshToken"), "scope": .text, "error": .identifier, "error_description": .text,
    // Keys of the org (§4.9).
    "jwks_uri": .url, "keys": signingKey,
  ].merging(WireSchema.serverMetadata) { first, _ in first }

  // MARK: Claims of a challenge

  /// The parts of a challenge that may be logged (§7.2, §18).
  static let claims: WireSchema = .object([
    "iss": .url, "aud": .text, "iat": .number, "exp": .number, "jti": .identifier, "nonce": .secret("nonce"),
    "transactionId": .identifier, "orgId": .identifier, "verificationUri": .url,
    "authenticatorEnrollmentId": .identifier, "challengeContext": context, "method": .identifier,
    "methodEnrollmentId": .identifier, "userId": .identifier, "loginHint": .personal, "userVerification": .identifier,
    "userMediation": .identifier, "authorizationServerId": .identifier, "appInstanceName": .text,
    "signals": .array(.identifier), "integrations": .object(["name": .identifier]),
    "signalProviders": .object(["name": .identifier]), "requestReferrer": .text, "keyType": .identifier,
    "keyTypes": .array(.identifier), "factorType": .identifier, "kid": .identifier, "ver": .number,
  ])

  private static let context: WireSchema = .object([
    "transactionType": .identifier, "bindingMessage": .personal, "clientOS": .text, "clientLocation": .personal,
    "transactionTime": .text, "showUserLocationInNotification": .boolean, "riskLevel": .identifier,
    "unusualActivitiesTextItems": .array(.text), "challengeTextItems": .array(.text),
  ])

  /// The header of a challenge.
  static let header: WireSchema = .object(["kid": .identifier, "typ": .identifier, "alg": .identifier])
}
