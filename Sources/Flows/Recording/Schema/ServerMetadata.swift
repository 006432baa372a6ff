extension WireSchema {
  /// The members of an authorization server's metadata (RFC 8414 §2, OpenID Connect Discovery 1.0 §3): any client may
  /// fetch the document, so it contains no secrets; and its words (`code`, `fragment`, `openid`) occur in many other
  /// places, which would all be masked if they were treated as secrets here.
  public static let serverMetadata: [String: WireSchema] = Dictionary(
    uniqueKeysWithValues: [
      "issuer", "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "registration_endpoint",
      "introspection_endpoint", "revocation_endpoint", "end_session_endpoint", "device_authorization_endpoint",
      "backchannel_authentication_endpoint", "pushed_authorization_request_endpoint", "jwks_uri",
      "check_session_iframe", "service_documentation", "op_policy_uri", "op_tos_uri",
    ].map { ($0, .url) }
      + [
        "response_types_supported", "response_modes_supported", "grant_types_supported", "subject_types_supported",
        "scopes_supported", "token_endpoint_auth_methods_supported",
        "token_endpoint_auth_signing_alg_values_supported", "acr_values_supported", "display_values_supported",
        "claims_supported", "claim_types_supported", "claims_locales_supported", "ui_locales_supported",
        "introspection_endpoint_auth_methods_supported",
        "revocation_endpoint_auth_methods_supported", "request_object_signing_alg_values_supported",
        "backchannel_token_delivery_modes_supported", "dpop_signing_alg_values_supported",
        "backchannel_authentication_request_signing_alg_values_supported",
      ].map { ($0, .array(.text)) }
      + decisive
      + [
        "request_parameter_supported", "request_uri_parameter_supported", "claims_parameter_supported",
        "require_request_uri_registration", "require_pushed_authorization_requests",
        "authorization_response_iss_parameter_supported", "frontchannel_logout_supported",
        "frontchannel_logout_session_supported", "backchannel_logout_supported", "backchannel_logout_session_supported",
      ].map { ($0, .boolean) })

  /// The members that flows base decisions on.
  private static let decisive: [(String, WireSchema)] = [
    ("id_token_signing_alg_values_supported", .array(.word(signatureAlgorithms))),
    ("code_challenge_methods_supported", .array(.word(challengeMethods))),
  ]

  /// The methods of RFC 7636 §4.2, which flows also base decisions on.
  package static let challengeMethods: Set<String> = ["S256", "plain"]

  /// The algorithms of RFC 7518 §3.1 and similar ones. Flows base decisions on them, so a password of the same name
  /// must not change them.
  package static let signatureAlgorithms: Set<String> = [
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "ES256K", "EdDSA", "HS256",
    "HS384", "HS512", "none",
  ]
}
