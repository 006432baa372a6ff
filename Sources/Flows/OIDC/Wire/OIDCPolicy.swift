// The allow-list for OAuth 2.0 and OpenID Connect (oidc §14): the parts of messages that may be logged.

import EventStore
package import FlowRecording

package enum OIDCPolicy {
  static let policy = MaskingPolicy(
    response: body, arguments: arguments, settings: settings, added: added,
    headers: [
      "date": .date, "age": .number, "x-okta-request-id": .identifier, "x-rate-limit-limit": .number,
      "x-rate-limit-remaining": .number, "x-rate-limit-reset": .number, "retry-after": .retryAfter,
      "content-type": .mediaType, "location": .secret("redirect"), "cache-control": .text, "www-authenticate": .text,
    ],
    query: ["error"],
    paths: [
      "oauth2", "v1", "v2", "default", "authorize", "token", "keys", "userinfo", "introspect", "revoke", "logout",
      "par",
      "device", "callback", ".well-known", "openid-configuration", "oauth-authorization-server",
    ])

  private static let settings: WireSchema = .object([
    "issuer": .setting(.url), "clientId": .setting(.text), "scopes": .setting(.text),
    "redirectUri": .setting(.text), "logoutRedirectUri": .setting(.text), "parameters": .depending(parameters),
    "clientSecret": .secret("clientSecret"), "skew": .number, "algorithms": .array(.word(algorithms)),
    "redirectSeconds": .number, "requiresIdToken": .boolean,
  ])

  /// Parameters of an authorization request that are not secret, in addition to those of the protocol (OIDC Core
  /// §3.1.2.1).
  static let options: [String: WireSchema] = [
    "prompt": .text, "display": .text, "max_age": .number, "ui_locales": .text, "acr_values": .text, "idp": .text,
    "idp_scope": .text, "login_hint": .personal, "claims": .personal, "audience": .text, "resource": .text,
    "enroll_amr_values": .text,
  ]

  /// The application's own parameters. It chose their names; their values are secret, except for known options that are
  /// not.
  private static func parameters(_ json: JSON) -> WireSchema {
    let names = (json.object?.members ?? []).map(\.key)
    return .object(
      Dictionary(names.map { ($0, options[$0] ?? .secret("parameter")) }, uniquingKeysWith: { first, _ in first }))
  }

  private static let arguments: WireSchema = .object([
    "sessionToken": .secret("sessionToken"), "parameters": .depending(parameters), "redirect": .secret("redirect"),
    "token": .secret("token"), "hint": .word(TokenHint.words), "accessToken": .secret("accessToken"),
    "refreshToken": .secret("refreshToken"), "idToken": .secret("idToken"), "subject": .secret("sub"),
    "scope": .text, "tokenId": .identifier, "persists": .boolean, "kept": .boolean, "clockSkew": .number,
    "issued": .number,
    "options": .array(
      .word(["revokeAccessToken", "revokeRefreshToken", "signOutFromOkta", "removeTokensFromStorage"])),
    "stored": storedTokens, "tokens": tokens, "issuer": .setting(.url), "clientId": .setting(.text),
    "all": .boolean, "legacy": .boolean, "call": .number, "nonce": .secret("nonce"),
  ])

  /// What the SDK adds to requests from its settings (RFC 6749 §4.1.3, RFC 7636 §4.3, RFC 7009 §2.1). The token endpoint
  /// takes the interaction code of the Identity Engine too (idx §2.4).
  package static let added: [String: WireSchema] = [
    "client_id": .text, "client_secret": .secret("clientSecret"), "scope": .text, "redirect_uri": .text,
    "state": .secret("state"), "grant_type": .text, "code": .secret("code"),
    "interaction_code": .secret("interactionCode"), "code_challenge": .identifier, "code_challenge_method": .text,
    "code_verifier": .secret("codeVerifier"), "refresh_token": .secret("refreshToken"), "token": .secret("token"),
    "token_type_hint": .text,
  ]

  /// Stored tokens, with the names of `StoredTokens.json`.
  static let storedTokens: WireSchema = .object([
    "id": .identifier, "issuer": .url, "clientId": .text, "tokenType": .text, "accessToken": .secret("accessToken"),
    "refreshToken": .secret("refreshToken"), "idToken": .secret("idToken"), "deviceSecret": .secret("deviceSecret"),
    "scope": .text, "issued": .number, "expiry": .number, "algorithms": .array(.identifier),
    "endpoints": .object([
      "authorization": .url, "token": .url, "keys": .url, "userInfo": .url, "introspection": .url, "revocation": .url,
      "endSession": .url,
    ]), "authorizationError": .text, "accessibility": .text, "clockSkew": .number,
  ])

  private static let algorithms: Set<String> = ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512"]

  /// A server's key (RFC 7517), which is public.
  package static let key: WireSchema = .object([
    "kty": .word(["RSA", "EC", "OKP", "oct"]), "alg": .identifier, "use": .word(["sig", "enc"]), "kid": .identifier,
    "n": .text, "e": .text, "crv": .identifier, "x": .identifier, "y": .identifier, "status": .identifier,
    "x5t": .identifier, "x5t#S256": .identifier, "x5c": .array(.text), "x5u": .url, "key_ops": .array(.identifier),
  ])

  // MARK: Responses

  /// The response of a token endpoint (RFC 6749 §5).
  private static let tokenMembers: [String: WireSchema] = [
    "access_token": .secret("accessToken"), "refresh_token": .secret("refreshToken"), "id_token": .secret("idToken"),
    "device_secret": .secret("deviceSecret"), "token_type": .word(["Bearer", "bearer", "DPoP"]),
    "expires_in": .number, "scope": .text, "issued_token_type": .text,
  ]
  private static let tokens: WireSchema = .object(tokenMembers)

  private static let errors: [String: WireSchema] = [
    "error": .text, "error_description": .text, "error_uri": .text, "errorCode": .errorCode, "errorSummary": .text,
    "errorLink": .errorCode, "errorId": .identifier, "errorCauses": .array(.object(["errorSummary": .text])),
    "message": .text,
  ]

  /// The response of an introspection (RFC 7662 §2.2); `token_type` and `scope` are listed above.
  private static let introspection: [String: WireSchema] = [
    "active": .boolean, "client_id": .text, "username": .personal, "exp": .number, "iat": .number, "nbf": .number,
    "sub": .secret("sub"), "aud": .array(.text), "iss": .url, "jti": .identifier, "uid": .identifier,
    "device_id": .identifier,
  ]

  /// Claims about a person (OIDC Core §5.1).
  private static let person: [String: WireSchema] = Dictionary(
    uniqueKeysWithValues: [
      "name", "given_name", "family_name", "middle_name", "nickname", "preferred_username", "profile", "picture",
      "website", "email", "gender", "birthdate", "zoneinfo", "locale", "phone_number",
    ].map { ($0, WireSchema.personal) } + [
      ("email_verified", .boolean), ("phone_number_verified", .boolean), ("updated_at", .number),
      (
        "address",
        .object([
          "formatted": .personal, "street_address": .personal, "locality": .personal, "region": .personal,
          "postal_code": .personal, "country": .personal,
        ])
      ),
    ])

  /// Codes for another device (RFC 8628 §3.2), and a pushed request (RFC 9126 §2.2).
  private static let codes: [String: WireSchema] = [
    "device_code": .secret("deviceCode"), "user_code": .secret("userCode"), "verification_uri": .url,
    "verification_url": .url, "verification_uri_complete": .secret("verificationUri"), "interval": .number,
    "request_uri": .secret("requestUri"),
  ]

  private static let members: [String: WireSchema] = [
    tokenMembers, errors, introspection, person, codes, ["keys": .array(key), "issuer": .url],
    [
      "id_token_signing_alg_values_supported": .array(.word(WireSchema.signatureAlgorithms)),
      "code_challenge_methods_supported": .array(.word(WireSchema.challengeMethods)),
    ],
  ].reduce(into: [:]) { $0.merge($1) { first, _ in first } }

  /// Any response. Names of metadata follow a pattern (RFC 8414 §2) that also covers future ones: none of them is
  /// secret, and those with a closed vocabulary are listed above.
  static let body: WireSchema = .depending { json in
    guard let object = json.object, object["issuer"]?.string != nil,
      object["jwks_uri"]?.string != nil || object["token_endpoint"]?.string != nil
    else {
      return .object(members)
    }
    var all = members
    for member in object.members where all[member.key] == nil {
      if member.key.hasSuffix("_endpoint") || member.key.hasSuffix("_uri")
        || ["service_documentation", "check_session_iframe"].contains(member.key)
      {
        all[member.key] = .url
      } else if member.key.hasSuffix("_supported") || member.key.hasPrefix("require_") {
        all[member.key] = member.value.bool == nil ? .array(.text) : .boolean
      }
    }
    return .object(all)
  }
}

/// The type of token in a request (RFC 7009 §4.1.2).
enum TokenHint {
  static let words: Set<String> = ["access_token", "refresh_token", "id_token", "device_secret"]
}
