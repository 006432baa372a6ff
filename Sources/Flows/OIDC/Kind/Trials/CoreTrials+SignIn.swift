// Sign-ins with made-up inputs: metadata, authorizations, tokens, and ID token checks.

import EventStore
import FlowRecording

extension CoreTrials {
  private static let session = Input.begin(.signInWithSessionToken, ["sessionToken": "session-1"])
  private static let redirected = Input.answer(302, .null, [("Location", "http://127.0.0.1:8080/callback?code=1")])
  private static let identified: JSON = [
    "access_token": "access-1", "token_type": "Bearer", "expires_in": 60, "id_token": "identity-1",
    "device_secret": "device-1", "refresh_token": "refresh-1",
  ]

  /// One line per input for a sign-in.
  static var signIns: Set<String> {
    var all = beginnings
    all += discoveries
    all += authorizations
    all += redirects
    all += tokens
    all += checks
    all += expectations
    return Set(all)
  }

  // MARK: The beginning

  private static var beginnings: [String] {
    let arguments: JSON = [
      "sessionToken": "s", "refreshToken": "r", "token": "t", "hint": "access_token", "accessToken": "a",
      "idToken": "i", "options": ["signOutFromOkta"], "tokenId": "id-0", "tokens": ["access_token": "a"],
      "issuer": .string(issuer), "clientId": "c", "legacy": true,
    ]
    var all: [String] = []
    for call in OIDCCall.allCases {
      all += lines("begin \(call.rawValue)", [.begin(call)])
      all += lines("begin with all \(call.rawValue)", [.begin(call, arguments)])
    }
    all += lines("no issuer", [session], settings: [("issuer", "http://acme.example")])
    all += lines("of tomorrow", [.call("dance", [:]), .call("giveUp", ["call": 1]), .call("release", [:])])
    all += lines("given up", [session, .call("giveUp", ["call": 9]), .call("giveUp", ["call": 1])])
    all += lines("let go of", [session, .call("release", [:]), .reply(200)])
    let busy: [Input] = [session, .begin(.renew), .begin(.resume), .begin(.cancel), .begin(.cancel), redirected]
    all += lines("busy", busy)
    return all
  }

  private static var discoveries: [String] {
    var changes: [Members] = [[]]
    for name in ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"] {
      let wrong: [Members] = [[(name, nil)], [(name, 5)], [(name, "")]]
      changes += wrong
    }
    let ofOAuth: [Input] = changes.map { .reply(200, with($0, in: metadata)) }
    changes = [
      [("issuer", "https://b.example")], [("issuer", .string("\(issuer)/"))],
      [("code_challenge_methods_supported", ["plain"])], [("code_challenge_methods_supported", [])],
      [("code_challenge_methods_supported", nil)],
    ]
    let more: [Input] = changes.map { .reply(200, with($0, in: metadata)) }
    let headers = [("Cache-Control", "max-age=60"), ("Date", "Thu, 15 Jan 2026 09:00:00 GMT")]
    let others: [Input] = [
      .reply(404), .reply(200), .reply(200, []), .reply(500), .reply(204), .lost(.timedOut),
      .answer(200, with([], in: metadata), headers),
    ]
    let shared: [Input] = [.drawn([:]), .drawn(["document": with([], in: metadata)]), .undrawn(.failed, nil)]
    var all = lines("discovery", [session], then: ofOAuth, brings: [:])
    all += lines("discovery of more", [session], then: more, brings: [:])
    all += lines("discovery fails", [session], then: others, brings: [:])
    all += lines("metadata", [session, .reply(404)], then: ofOAuth, brings: [:])
    all += lines("metadata fails", [session, .reply(404)], then: [.reply(404), .reply(200, [:])], brings: [:])
    all += lines("shared", [session], then: shared, brings: [.oidcKnown: .success(["wait": true])])
    all += lines("unknown", [session], brings: [.oidcKnown: .failure(DrawFailure(.failed))])
    return all
  }

  // MARK: Authorization

  private static var authorizations: [String] {
    let location = [("location", "com.acme:/cb")]
    let statuses: [Input] = [300, 301, 302, 303, 304, 307, 308, 309].map { .answer($0, .null, location) }
    let error: JSON = ["error": "invalid_request", "error_description": "why"]
    let others: [Input] = [
      .reply(302), .answer(302, .null, [("Location", "")]), .answer(200, .null, [("x-okta-request-id", "r")]),
      .answer(400, error, [("X-Okta-Request-Id", "r")]), .reply(400), .reply(401, error), .reply(429, error),
      .reply(500, error), .lost(.tlsFailed), .fired, .drawn("x"),
    ]
    let given: JSON = ["sessionToken": "s", "parameters": ["login_hint": "bob", "nonce": "n"]]
    let insecure = knowing([("authorization_endpoint", "http://acme.example/authorize")])
    var all = lines("authorization", [session], then: statuses)
    all += lines("authorization fails", [session], then: others)
    all += lines("insecure", [session], brings: insecure)
    all += lines("no endpoint", [session], brings: knowing([("authorization_endpoint", "")]))
    all += lines("less", [session], settings: [("parameters", nil), ("scopes", "openid a")])
    all += lines("more", [.begin(.signInWithSessionToken, given)])
    return all
  }

  private static var redirects: [String] {
    let verdicts: [Members] = [
      [], [("iss", .string(issuer))], [("iss", "https://b.example")], [("error", "access_denied")],
      [("ours", false), ("place", "b.example/cb")], [("ours", nil)], [("repeated", "code")],
      [("state", "different")], [("state", "missing")], [("error", "access_denied"), ("error_description", "no")],
      [("code", nil)], [("code", "")], [("iss", "https://b.example"), ("error", "e")],
    ]
    var all: [String] = []
    for (number, verdict) in verdicts.enumerated() {
      let said = with(verdict, in: [("ours", true), ("state", "equal"), ("code", "code-1")])
      // For some of them, it matters whether the server declares that it identifies itself.
      let marks = number < 4 ? [false, true] : [false]
      for isNamed in marks {
        let named: Members = [("authorization_response_iss_parameter_supported", .bool(isNamed))]
        let brings = knowing(named, [.oidcRedirect: .success(said)])
        all += lines("redirect \(number) \(isNamed)", [session, redirected], brings: brings)
      }
    }
    return all
  }

  // MARK: Tokens

  private static var tokens: [String] {
    let bodies: [JSON] = [
      [:], ["access_token": ""], ["access_token": "a", "token_type": "MAC"], ["token_type": "MAC"],
      ["access_token": "a"], ["access_token": "a", "id_token": ""], identified, [], .null,
    ]
    let replies: [Input] = bodies.map { .reply(200, $0) }
    let error: JSON = ["error": "invalid_grant", "error_description": "why"]
    let challenge = [("WWW-Authenticate", "Bearer error=\"invalid_client\", error_description=\"who\"")]
    let refusals: [Input] = [
      .reply(400, error), .reply(399, error), .reply(401, error), .reply(429, error), .reply(499, error),
      .reply(500, error), .reply(503), .reply(400, ["errorSummary": "sum"]), .answer(401, .null, challenge),
      .answer(401, error, challenge), .answer(400, error, [("X-Okta-Request-Id", "r")]), .lost(.connectionLost),
    ]
    let begun: [Input] = [session, redirected]
    var all = lines("token", begun, then: replies)
    all += lines("token refused", begun, then: refusals)
    all += lines("no ID token", begun, then: replies, settings: [("requiresIdToken", nil)])
    all += lines("secret", begun + [.reply(200, identified)], settings: [("clientSecret", "s")])
    let adopted: [JSON] = [
      ["tokens": ["access_token": "a", "scope": "s"]], ["tokens": ["access_token": "a", "token_type": "MAC"]],
      ["tokens": identified, "nonce": "n"],
    ]
    for (number, arguments) in adopted.enumerated() {
      all += lines(
        "adopted \(number)", [.begin(.adopt, arguments), .reply(200, ["keys": []]), .drawn(["claims": [:]])])
    }
    return all
  }

  /// The check of the ID token, and the server's keys.
  private static var checks: [String] {
    let before: [Input] = [session, redirected, .reply(200, identified)]
    let verdicts: [Input] = [
      .drawn(["claims": ["sub": "s"]]), .drawn(["claims": 5]), .drawn([:]),
      .drawn(["failure": ["claim": "aud", "rule": "mismatch"]]), .undrawn(.failed, "why"), .undrawn(.failed, nil),
    ]
    let keys: Input = .reply(200, ["keys": [["kty": "RSA"]]])
    let documents: [Input] = [
      keys, .reply(200, [:]), .reply(200, ["keys": "x"]), .reply(404), .lost(.timedOut),
      .answer(200, ["keys": []], [("Cache-Control", "max-age=60")]),
    ]
    var all = lines("keys", before, then: documents)
    all += lines("check", before + [keys], then: verdicts)
    let kept: [JSON] = [["mayFetch": false], ["jwks": ["keys": []], "mayFetch": true], ["mayFetch": 1], [:], .null]
    for (number, value) in kept.enumerated() {
      all += lines("kept \(number)", before, brings: knowing([], [.oidcKeys: .success(value)]))
    }
    all += lines("no keys", before, brings: knowing([("jwks_uri", "http://acme.example/keys")]))
    return all
  }

  /// The values that an ID token is checked against, depending on the parameters of the sign-in.
  private static var expectations: [String] {
    let claims = [
      #"{"id_token":{"acr":{"essential":true,"values":["a","b"]}}}"#,
      #"{"id_token":{"acr":{"essential":true,"value":"a"}}}"#, #"{"id_token":{"acr":{"essential":true}}}"#,
      #"{"id_token":{"acr":{"essential":false,"values":["a"]}}}"#, #"{"id_token":{"acr":null}}"#,
      #"{"userinfo":{"acr":{"essential":true,"value":"a"}}}"#, "nothing",
    ]
    var parameters: [JSON] = claims.map { ["claims": .string($0)] }
    parameters += [["max_age": "60"], ["max_age": 60], ["max_age": "soon"], ["acr_values": "a"], ["max_age": "0"]]
    let ends: [Input] = [redirected, .reply(200, identified), .reply(200, ["keys": [], "more": 1])]
    var all: [String] = []
    for (number, given) in parameters.enumerated() {
      let begun = Input.begin(.signInWithSessionToken, ["sessionToken": "s", "parameters": given])
      all += lines("expected \(number)", [begun] + ends).suffix(2)
    }
    let supported: [JSON?] = [nil, ["ES256", "PS256"], [], ["none"], "RS256"]
    for (number, names) in supported.enumerated() {
      let brings = knowing([("id_token_signing_alg_values_supported", names)])
      all += lines("signed \(number)", [session] + ends, brings: brings).suffix(2)
    }
    return all
  }
}
