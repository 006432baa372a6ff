// Operations on tokens that continue at random, for the tables of the kind.

import EventStore
import FlowRecording

/// Sign-ins and other operations with made-up answers, calls, and settings.
enum OIDCWalks {
  private typealias World = WalkWorld<OIDCCore>

  static var all: Set<String> { Set(world.walks(500, steps: 14)) }

  private static let issuer = CoreTrials.issuer
  private static let metadata = CoreTrials.with([], in: CoreTrials.metadata)

  private static let identified: JSON = [
    "access_token": "access-1", "token_type": "Bearer", "expires_in": 60, "id_token": "identity-1",
    "device_secret": "device-1", "refresh_token": "refresh-1", "scope": "openid",
  ]

  private static let refusals: [World.Answer] = [
    (400, ["error": "invalid_grant", "error_description": "why"], [HTTPField("X-Okta-Request-Id", "r")]),
    (401, nil, [HTTPField("WWW-Authenticate", "Bearer error=\"invalid_token\"")]), (404, nil, []), (500, nil, []),
    (400, ["error": "authorization_pending"], []), (400, ["error": "slow_down"], []),
    (400, ["error": "expired_token"], []), (400, ["error": "access_denied"], []),
    (429, ["error": "x"], [HTTPField("Retry-After", "7")]), (200, nil, []), (200, [], []), (204, nil, []),
  ]

  private static func answers(to sent: RequestSent) -> [World.Answer] {
    let path = URLParts(sent.url)?.path ?? ""
    let usual: [World.Answer] =
      if path.contains("/.well-known/") {
        [
          (200, metadata, [HTTPField("Cache-Control", "max-age=60")]),
          (200, CoreTrials.with([("code_challenge_methods_supported", ["plain"])], in: CoreTrials.metadata), []),
          (200, CoreTrials.with([("issuer", "https://b.example")], in: CoreTrials.metadata), []),
        ]
      } else if path.hasSuffix("/device/authorize") {
        [
          (
            200,
            [
              "device_code": "code-2", "user_code": "ABCD", "verification_uri": "https://acme.example/activate",
              "verification_uri_complete": "https://acme.example/activate?user_code=ABCD", "expires_in": 600,
              "interval": 5,
            ], []
          ), (200, ["device_code": "code-3", "user_code": "A", "verification_uri": "https://acme.example/"], []),
        ]
      } else if path.hasSuffix("/authorize") {
        [
          (302, nil, [HTTPField("Location", "http://127.0.0.1:8080/callback?code=1")]),
          (303, nil, [HTTPField("Location", "com.acme:/cb")]), (200, ["html": 1], []),
        ]
      } else if path.hasSuffix("/keys") {
        [(200, ["keys": [["kty": "RSA", "kid": "key-1"]]], [HTTPField("Date", "Thu, 15 Jan 2026 09:00:00 GMT")])]
      } else if path.hasSuffix("/introspect") {
        [(200, ["active": true, "sub": "s"], []), (200, ["active": false], [])]
      } else if path.hasSuffix("/userinfo") {
        [(200, ["sub": "00u-1", "name": "Ann"], []), (200, ["sub": "00u-2"], [])]
      } else if path.hasSuffix("/revoke") {
        [(200, nil, [])]
      } else {
        [(200, identified, []), (200, ["access_token": "a", "token_type": "Bearer"], [])]
      }
    return usual + usual + usual + refusals
  }

  private static let given: [JSON] = [
    [
      "sessionToken": "s", "refreshToken": "r", "token": "t", "hint": "access_token", "accessToken": "a",
      "idToken": "i", "options": ["signOutFromOkta", "revokeAccessToken", "revokeRefreshToken"], "tokenId": "id-0",
      "persists": true, "subject": "00u-1", "clockSkew": 5, "stored": ["id": "id-0"], "legacy": true,
      "tokens": identified, "nonce": "n", "redirect": "http://127.0.0.1:8080/callback?code=1&state=state-1",
    ],
    [:], ["refreshToken": "r", "scope": "a b", "kept": true, "tokenId": "id-0", "persists": true],
    ["sessionToken": "s", "parameters": ["login_hint": "bob", "max_age": "60", "nonce": "n"]],
    ["accessToken": "a", "subject": "00u-1"], ["token": "t", "hint": "refresh_token"],
    ["idToken": "i", "options": []], ["tokens": ["access_token": "a", "scope": "s"]],
  ]

  private static var world: World {
    let drawn: [DrawKind: [Result<JSON, DrawFailure>]] = [
      .oidcKnown: [.success(["document": metadata]), .success([:]), .success(["wait": true])],
      .oidcRedirect: [
        .success(["ours": true, "state": "equal", "code": "code-1"]), .success(["ours": true, "state": "missing"]),
        .success(["ours": true, "state": "equal", "error": "access_denied"]), .success(["ours": false]),
      ],
      .oidcKeys: [
        .success(["kid": "key-1", "mayFetch": true]), .success(["jwks": ["keys": []], "mayFetch": true]), .success([:]),
      ],
      .tokensRead: [
        .success(["tokens": ["id": "id-0", "issuer": .string(issuer), "clientId": "client-1", "refresh_token": "r"]]),
        .success([:]), .failure(DrawFailure(.failed, "why")),
      ],
    ]
    return World(
      settings: CoreTrials.settings.map { name, value in (name, [value] + (others[name] ?? [nil])) } + [
        ("clientSecret", [nil, "secret-1"])
      ],
      opening: (OIDCCall.signInWithSessionToken.rawValue, given[0]),
      calls: { _ in
        OIDCCall.allCases.flatMap { call in given.map { (call.rawValue, $0) } } + [("dance", [:]), ("release", [:])]
      },
      answers: { _, _, sent in answers(to: sent) },
      draws: { kind, _, _ in drawn[kind] ?? [TrialStage.usually(kind)] },
      decisions: { draw in
        let usual: JSON = draw.kind == .oidcValidate ? ["claims": ["sub": "00u-1"]] : ["document": metadata]
        return [
          .success(usual), .success(["tokens": identified, "lease": 1]), .success(true),
          .success(["failure": ["claim": "aud", "rule": "mismatch"]]),
          .success("http://127.0.0.1:8080/callback?code=1"),
          .failure(DrawFailure(.cancelled)), .failure(DrawFailure(.failed, "why")), .success([:]), .success(.null),
        ]
      },
      state: { core in
        let tokens = StoredTokens(of: core, revealedBy: Vault())?.json.text ?? "no tokens"
        return "\(core.json.text) \(tokens) \(core.awaitsRedirect) \(core.skew) \(core.isUnderWay)"
      })
  }

  /// The other values of settings.
  private static let others: [String: [JSON?]] = [
    "issuer": ["https://acme.example", "https://acme.example:8443/oauth2/a", "http://acme.example", nil],
    "scopes": ["openid", "offline_access device_sso openid", nil], "redirectUri": ["com.acme:/cb", nil],
    "skew": [0, 77, nil], "requiresIdToken": [false, nil], "redirectSeconds": [1, nil],
    "parameters": [["max_age": "60", "acr_values": "urn:a"], nil],
  ]
}
