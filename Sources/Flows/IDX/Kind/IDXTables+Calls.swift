// What each call decides while something else is in progress, and which forms are sent where.

import EventStore
import FlowRecording
import OIDC

extension IDXKind {
  static var decided: Set<String> { Set(crossing + choosing) }

  private typealias Driven = DrivenCore<IDXCore>

  private static let base = FlowTrials.base
  private static let issuer = base + "/oauth2/default"

  /// The settings of a flow.
  static let settings: JSON = [
    "issuer": .string(issuer), "clientId": "client-7", "scope": "openid profile", "redirectUri": "com.acme:/callback",
    "idToken": ["algorithms": ["ES256"], "skew": 300],
  ]

  /// A flow at its beginning.
  private static func fresh(_ more: [(String, JSON?)] = []) -> Driven {
    fresh(with: .members((settings.object?.members ?? []).map { ($0.key, Optional($0.value)) } + more))
  }

  /// A flow at its beginning, with these settings.
  static func fresh(with settings: JSON) -> DrivenCore<IDXCore> {
    let drawn: [DrawKind: JSON] = [
      .userAgent: "agent", .jitter: 123, .state: "state-1",
      .pkce: ["verifier": "verifier-1", "challenge": "challenge-1"], .deviceToken: "device-1", .oidcKnown: [:],
      .oidcKeys: ["kid": "key-1", "mayFetch": true], .oidcRemember: true,
    ]
    return Driven(settings) { kind in
      drawn[kind].map { .success($0) } ?? .failure(DrawFailure(.missing, "nothing draws \(kind.rawValue)"))
    }
  }

  /// A flow whose sign-in shows a page.
  static func shown(_ page: JSON, _ more: [(String, JSON?)] = []) -> DrivenCore<IDXCore> {
    var flow = fresh(more)
    flow.call("start")
    flow.answer(["interaction_handle": "handle-1"])
    flow.answer(page)
    flow.hold()
    return flow
  }

  // MARK: Pages

  private static func page(_ remediations: JSON, _ more: [(String, JSON?)] = []) -> JSON {
    .members(
      [
        ("version", "1.0.0"), ("stateHandle", "02h"), ("expiresAt", "2026-01-15T09:05:00.000Z"), ("intent", "LOGIN"),
        ("remediation", ["type": "array", "value": remediations]),
        ("cancel", ["name": "cancel", "href": .string(base + "/idp/idx/cancel"), "method": "POST", "value": []]),
      ] + more)
  }

  private static let fields: JSON = [
    ["name": "identifier", "label": "Username", "required": true], ["name": "rememberMe", "type": "boolean"],
    ["name": "stateHandle", "value": "02h", "mutable": false],
  ]

  private static func form(
    _ name: String, _ href: JSON? = nil, method: JSON? = "POST", accepts: JSON? = nil, refresh: JSON? = nil
  ) -> JSON {
    .members([
      ("name", .string(name)), ("href", href ?? .string("\(base)/idp/idx/\(name)")), ("method", method),
      ("accepts", accepts), ("refresh", refresh), ("value", fields),
    ])
  }

  static let identify = page(
    [form("identify"), form("challenge-poll", refresh: 2000)],
    [
      (
        "currentAuthenticator",
        [
          "type": "object",
          "value": [
            "type": "app", "id": "aut1",
            "poll": [
              "name": "poll", "href": .string(base + "/idp/idx/poll"), "method": "POST", "refresh": 4000, "value": [],
            ],
          ],
        ]
      )
    ])

  static let success = page(
    [],
    [
      (
        "successWithInteractionCode",
        [
          "name": "issue", "href": .string(issuer + "/v1/token"), "method": "POST",
          "value": [
            ["name": "grant_type", "value": "interaction_code"], ["name": "interaction_code", "value": "code-1"],
            ["name": "client_id", "value": "client-7"], ["name": "code_verifier", "required": true],
          ],
        ]
      )
    ])

  static let tokens: JSON = [
    "access_token": "access-1", "token_type": "Bearer", "expires_in": 3600, "id_token": "e30.e30.c2ln",
    "refresh_token": "refresh-1",
  ]
  static let metadata: JSON = [
    "issuer": .string(issuer), "token_endpoint": .string(issuer + "/v1/token"),
    "jwks_uri": .string(issuer + "/v1/keys"), "id_token_signing_alg_values_supported": ["ES256", "RS256"],
  ]

  // MARK: Calls

  private static let entries: JSON = [["at": "0", "name": "identifier", "value": "ann"]]

  private static let restoring: JSON = [
    "interaction_handle": "handle-2", "state": "state-2", "code_verifier": "v", "code_challenge": "c", "max_age": 60,
  ]
  private static let submitting: JSON = ["form": "remediation/0", "name": "identify", "fields": entries]
  private static let remediation: JSON = ["name": "challenge-poll"]
  private static let authenticator: JSON = ["kind": "app"]
  private static let redirected: JSON = [
    "redirect": "com.acme:/callback?interaction_code=code-2&state=state-1", "state": "state-1",
    "interaction_code": "code-2",
  ]

  static let trials: [(call: String, arguments: JSON)] = [
    ("start", [:]), ("start", ["state": "state-2", "nonce": "nonce-2", "omitDeviceToken": true]),
    ("restore", restoring), ("reset", [:]), ("resume", [:]), ("proceed", submitting),
    ("proceed", ["form": "cancel", "name": "cancel"]), ("proceed", ["form": "remediation/9", "name": "identify"]),
    ("startPolling", remediation), ("startPolling", authenticator), ("startPolling", [:]), ("stopPolling", [:]),
    ("exchangeCode", [:]), ("exchangeRedirect", redirected),
    (
      "exchangeRedirect",
      [
        "redirect": "com.acme:/callback?error=access_denied&state=state-1", "state": "state-1",
        "error": "access_denied",
      ]
    ),
    ("odd", [:]),
  ]

  /// States by name: what is in progress, or was before.
  static var states: [(name: String, flow: DrivenCore<IDXCore>)] {
    var all: [(name: String, flow: Driven)] = []
    func add(_ name: String, _ flow: Driven, _ change: (inout Driven) -> Void = { _ in }) {
      var flow = flow
      change(&flow)
      all.append((name, flow))
    }
    let (page, done) = (shown(identify), shown(success))
    add("at the beginning", fresh())
    add("starting", fresh()) { $0.call("start") }
    add("introspecting", fresh()) {
      $0.call("start")
      $0.answer(["interaction_handle": "handle-1"])
    }
    add("not introspected", fresh()) {
      $0.call("start")
      $0.answer(["interaction_handle": "handle-1"])
      $0.lose(.timedOut)
    }
    add("on a page", page)
    add("on an earlier page", page) {
      $0.call("proceed", submitting)
      $0.answer(success)
    }
    add("at the end", shown(IDXKind.page([], [("messages", ["type": "array", "value": [["message": "No."]]])])))
    add("proceeding", page) { $0.call("proceed", submitting) }
    add("refused", page) {
      $0.call("proceed", submitting)
      $0.answer(["error": "access_denied"], 500)
    }
    add("given up", page) {
      $0.call("proceed", submitting)
      $0.giveUp()
    }
    add("limited", page) {
      $0.call("proceed", submitting)
      $0.answer([:], 429, [HTTPField("Retry-After", "3"), HTTPField("X-Okta-Request-Id", "id-1")])
    }
    add("sent again", page) {
      $0.call("proceed", submitting)
      $0.answer([:], 429, [HTTPField("X-Okta-Request-Id", "id-1")])
      $0.fire()
    }
    for (name, arguments) in [("a remediation", remediation), ("an authenticator", authenticator)] {
      add("waiting to poll \(name)", page) { $0.call("startPolling", arguments) }
      add("polling \(name)", page) {
        $0.call("startPolling", arguments)
        $0.fire()
      }
      add("between polls of \(name)", page) {
        $0.call("startPolling", arguments)
        $0.fire()
        $0.answer(identify)
      }
      add("after a lost poll of \(name)", page) {
        $0.call("startPolling", arguments)
        $0.fire()
        $0.lose(.connectionLost)
      }
      add("slowed down while polling \(name)", page) {
        $0.call("startPolling", arguments)
        $0.fire()
        $0.answer(["error": "slow_down"], 400)
      }
    }
    add("exchanging", done) { $0.call("exchangeCode") }
    add("with metadata missing", done) {
      $0.call("exchangeCode")
      $0.answer(tokens)
    }
    add("with keys missing", done) {
      $0.call("exchangeCode")
      $0.answer(tokens)
      $0.answer(metadata)
    }
    add("being checked", done) {
      $0.call("exchangeCode")
      $0.answer(tokens)
      $0.answer(metadata)
      $0.answer(["keys": []])
    }
    add("given up while being checked", done) {
      $0.call("exchangeCode")
      $0.answer(tokens)
      $0.answer(metadata)
      $0.answer(["keys": []])
      $0.giveUp()
    }
    add("discovering", done) { $0.call("exchangeRedirect", redirected) }
    add("exchanging a redirect", done) {
      $0.call("exchangeRedirect", redirected)
      $0.answer(metadata)
    }
    add("restored", fresh()) { $0.call("restore", restoring) }
    add("reset", page) { $0.call("reset") }
    return all
  }

  /// Each call in each state, and what follows if the flow is then answered.
  private static var crossing: [String] {
    let verdict: JSON = ["claims": ["sub": "00u-1"]]
    return states.flatMap { name, flow in
      let state = "\(name)|\(flow.core.json.text) \(flow.core.isAuthenticating)"
      return [state]
        + trials.enumerated().map { number, trial in
          var flow = flow
          var steps = [flow.call(trial.call, trial.arguments), flow.answer(identify), flow.answer(success)]
          steps += [flow.fire(), flow.decide(.success(verdict)), flow.answer(tokens)]
          steps.append(StableHash.text(flow.core.json.text))
          return "\(name), \(number)|\(steps)"
        }
    }
  }

  // MARK: Forms

  /// Forms that are sent or refused, with an entry and without.
  private static var choosing: [String] {
    let hrefs: [JSON] = [
      "https://b.example/idp/idx/x", "http://acme.example/idp/idx/x", "https://acme.example:8443/idp/idx/x",
      "https://ACME.example:443/idp/idx/x", "/idp/idx/x", "", 5, "https://acme.example/idp/idx/challenge/answer",
    ]
    let methods: [JSON?] = [nil, "post", "PUT", "patch", "DELETE", "GET", "get", "HEAD", "TRACE", "", 5]
    let types: [JSON] = [
      "", "application/json; okta-version=1.0.0", "application/x-www-form-urlencoded", "text/plain",
      "Application/X-WWW-Form-Urlencoded; charset=UTF-8", "text/\u{e9}", "a\tb", 5,
    ]
    let forms =
      [form("identify")] + hrefs.map { form("identify", $0) } + methods.map { form("identify", method: $0) }
      + types.map { form("identify", accepts: $0) }
    let origins: [[(String, JSON?)]] = [
      [], [("origins", ["https://b.example"])],
      [("userAgentHeader", true), ("deviceToken", "device-0"), ("clientSecret", "client-secret-1")],
    ]
    return origins.enumerated().flatMap { place, origins in
      forms.enumerated().flatMap { number, form -> [String] in
        let beginning = shown(page([form]), origins)
        return [entries, []].map { fields in
          var flow = beginning
          let sent = flow.call("proceed", ["form": "remediation/0", "name": "identify", "fields": fields])
          let limited = flow.answer([:], 429, [HTTPField("Retry-After", "3")])
          return "\(place) \(number) \(fields.array?.count ?? 0)|\(sent)|\(limited)|\(flow.fire())"
        }
      }
    }
  }
}
