// Identity Engine sign-ins that continue at random, for the tables of the kind.

import EventStore
import FlowRecording
import OIDC

/// Sign-ins with made-up pages, calls, and settings.
enum IDXWalks {
  private typealias World = WalkWorld<IDXCore>

  static var all: Set<String> { Set(world.walks(500, steps: 14)) }

  private static let issuer = FlowTrials.base + "/oauth2/default"
  private static let json = HTTPField("Content-Type", "application/ion+json; okta-version=1.0.0")

  private static let pages: [JSON] =
    [FlowTrials.identify, ObjectPages.choice, ObjectPages.polled] + ObjectPages.all.map(\.json) + [ObjectPages.groups]

  private static let metadata: [JSON] = [
    [
      "issuer": .string(issuer), "token_endpoint": .string(issuer + "/v1/token"),
      "jwks_uri": .string(issuer + "/v1/keys"), "id_token_signing_alg_values_supported": ["ES256", "RS256"],
    ],
    ["issuer": .string(issuer)], ["issuer": "https://b.example", "jwks_uri": "https://b.example/keys"], [:],
    ["issuer": .string(issuer), "jwks_uri": "http://acme.example/keys"],
  ]

  private static let tokens: [JSON] = [
    [
      "access_token": "access-1", "token_type": "Bearer", "expires_in": 3600, "id_token": "e30.e30.c2ln",
      "refresh_token": "refresh-1", "scope": "openid",
    ],
    FlowTrials.token, ["token_type": "Bearer"], ["access_token": "a", "token_type": "MAC"],
    ["error": "invalid_grant", "error_description": "why"], ["error": "slow_down"],
  ]

  private static let refusals: [World.Answer] = [
    (429, [:], [HTTPField("Retry-After", "3")]), (429, [:], [HTTPField("X-Okta-Request-Id", "id-1")]),
    (429, ["errorCode": "E0000047"], [HTTPField("Retry-After", "3601"), HTTPField("X-Okta-Request-Id", "id-2")]),
    (400, ["error": "slow_down"], []), (400, ["error": "access_denied", "error_description": "why"], []),
    (401, ["errorCode": "E0000011", "errorSummary": "No."], []), (500, nil, []), (503, [:], []), (204, nil, []),
    (302, nil, [HTTPField("Location", "https://b.example/")]), (200, ["interaction_handle": ""], []), (200, [], []),
    (400, ObjectPages.fields, [json]), (403, FlowTrials.success, [json]),
  ]

  private static func answers(to sent: RequestSent) -> [World.Answer] {
    let path = URLParts(sent.url)?.path ?? ""
    let bodies: [JSON] =
      if path.hasSuffix("/interact") {
        [["interaction_handle": "handle-1"]]
      } else if path.hasSuffix("/token") {
        tokens
      } else if path.hasSuffix("/openid-configuration") {
        metadata
      } else if path.hasSuffix("/keys") {
        [["keys": []], ["keys": [["kty": "RSA", "kid": "key-1"]]], [:]]
      } else {
        pages
      }
    let usual: [World.Answer] = bodies.map { (200, $0, [json]) }
    return usual + usual + refusals
  }

  private static let fills: [JSON] = [
    [], [["at": "0", "value": "ann"]], [["at": "0", "value": "ann"], ["at": "1", "value": true]],
    [["at": "0/0", "value": "Correct-Horse-7"]], [["at": "0", "option": 0]],
    [["at": "0", "option": 1], ["at": "0:1/1", "option": 1], ["at": "0:1/0", "value": "x"]],
    [["at": "0", "value": .null], ["at": "2", "value": 5], ["at": "9", "value": "lost"]],
    [
      ["at": "0", "value": "ann"], ["at": "6", "value": "123456"], ["at": "7/0", "value": "a@acme.example"],
      ["at": "8", "option": 1], ["at": "8:1/0", "value": "inner"], ["at": "9", "option": 0],
    ],
  ]

  private static let calls: [(name: String, arguments: JSON)] = [
    ("start", [:]), ("start", ["state": "state-2", "nonce": "nonce-2", "omitDeviceToken": true, "max_age": 60]),
    ("start", ["recovery_token": "r", "parameters": ["acr_values": "urn:a", "own": "value-1"]]),
    (
      "restore",
      [
        "interaction_handle": "handle-2", "state": "state-2", "code_verifier": "v", "code_challenge": "c",
        "max_age": 60, "nonce": "nonce-3",
      ]
    ),
    ("reset", [:]), ("resume", [:]), ("resume", [:]), ("exchangeCode", [:]), ("exchangeCode", [:]),
    (
      "exchangeRedirect",
      [
        "redirect": "com.acme:/callback?interaction_code=code-2&state=state-1", "state": "state-1",
        "interaction_code": "code-2",
      ]
    ),
    ("exchangeRedirect", ["redirect": "com.acme:/callback?state=other", "state": "other"]),
    ("startPolling", ["name": "challenge-poll"]), ("startPolling", ["kind": "app"]), ("stopPolling", [:]),
    ("dance", [:]), ("release", [:]), ("proceed", ["form": "remediation/9", "name": "identify"]),
  ]

  /// Each form of the page, filled in each way, and the other calls.
  private static func calls(on core: IDXCore) -> [(name: String, arguments: JSON)] {
    let reading = ResponseReading(core.current?.body ?? [:])
    let references =
      reading.remediations.indices.map { FormReference.remediation($0) } + [.cancel]
      + reading.authenticators.indices.flatMap { place in
        ["send", "resend", "poll", "recover"].map { FormReference.authenticator(place, $0) }
      }
    let forms = references.flatMap { reference -> [(name: String, arguments: JSON)] in
      guard let form = reading.form(reference) else { return [] }
      return fills.map { fields in
        (
          "proceed",
          ["form": .string(reference.text), "name": form.name.map(JSON.string) ?? .null, "fields": fields]
        )
      }
    }
    return calls + forms
  }

  private static var world: World {
    let drawn: [DrawKind: [JSON]] = [
      .userAgent: ["agent"], .jitter: [123, 999, 0], .state: ["state-1"],
      .pkce: [["verifier": "verifier-1", "challenge": "challenge-1"]], .deviceToken: ["device-1"],
      .oidcKnown: [[:], ["document": metadata[0]]],
      .oidcKeys: [["kid": "key-1", "mayFetch": true], ["jwks": ["keys": []], "mayFetch": false], [:]],
      .oidcRemember: [true],
    ]
    return World(
      settings: [
        ("issuer", [.string(issuer), .string(FlowTrials.base), "https://acme.example:8443/oauth2/a", "nowhere"]),
        ("clientId", ["client-7"]), ("scope", ["openid profile", "email", "openid offline_access"]),
        ("redirectUri", ["com.acme:/callback", "https://app.example/cb"]),
        (
          "idToken",
          [
            ["algorithms": ["ES256"], "skew": 300], ["algorithms": ["RS256", "ES256"], "skew": 0], nil,
            ["algorithms": [], "skew": 77],
          ]
        ),
        ("origins", [nil, ["https://b.example"], ["https://acme.example:8443", 5]]),
        ("deviceToken", [nil, "device-0"]), ("clientSecret", [nil, "client-secret-1"]),
        ("userAgentHeader", [nil, true]), ("parameters", [nil, ["acr_values": "urn:b", "own": "value-2"]]),
      ],
      opening: ("start", [:]), calls: calls(on:), answers: { _, _, sent in answers(to: sent) },
      draws: { kind, _, _ in
        (drawn[kind] ?? []).map { .success($0) } + [.failure(DrawFailure(.missing, "nothing draws it"))]
      },
      decisions: { _ in
        [
          .success(["claims": ["sub": "00u-1"]]), .success(["failure": ["claim": "aud", "rule": "mismatch"]]),
          .success([:]), .failure(DrawFailure(.failed, "why")), .success(["document": metadata[0]]),
        ]
      },
      state: { "\($0.json.text) \($0.isAuthenticating)" })
  }
}
