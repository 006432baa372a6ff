// Renewals, queries about tokens, sign-outs, and the store, with made-up inputs.

import EventStore
import FlowRecording

extension CoreTrials {
  static let stored: JSON = [
    "id": "id-0", "issuer": .string(issuer), "clientId": "client-1", "accessToken": "access-0",
    "refreshToken": "refresh-0", "idToken": "identity-0", "issued": 1_000, "expiry": 2_000, "accessibility": "first",
    "endpoints": ["token": "https://acme.example/old", "endSession": "https://acme.example/out"],
    "authorizationError": "invalid_grant",
  ]
  static let held: Members = [
    ("refreshToken", "refresh-0"), ("accessToken", "access-0"), ("idToken", "identity-0"), ("scope", "openid"),
    ("tokenId", "id-0"), ("stored", stored), ("issued", 1_000), ("persists", true), ("clockSkew", 5_000_000),
  ]
  private static let date = [("Date", "Thu, 15 Jan 2026 09:00:00 GMT")]

  /// One line per input for an operation on tokens.
  static var operations: Set<String> {
    var all = renewed
    all += unchecked
    all += asked
    all += signOuts
    all += keeping
    all += limits
    return Set(all)
  }

  // MARK: Renewal

  private static var renewed: [String] {
    let (keeping, bare) = (with([], in: held), with([("persists", nil)], in: held))
    let claims: [Input] = [
      .drawn(["tokens": .null]), .drawn([:]), .drawn(["tokens": stored]), .drawn(.null), .undrawn(.cancelled, nil),
      .undrawn(.failed, "unsafe: why"), .undrawn(.missing, "unavailable: why"),
    ]
    let (whole, less): (JSON, JSON) = (
      ["access_token": "access-1", "refresh_token": "refresh-1", "scope": "s", "expires_in": 60],
      ["access_token": "access-1", "token_type": "bearer"]
    )
    let identified: JSON = ["access_token": "access-1", "id_token": "identity-1"]
    let error: JSON = ["error": "invalid_grant", "error_description": "why"]
    let claimed: [Input] = [.begin(.renew, keeping), .drawn(["tokens": .null])]
    let ends: [Input] = [.drawn(true), .undrawn(.failed, "system 28: why"), .undrawn(.failed, nil)]
    var all = lines("claim", [.begin(.renew, keeping)], then: claims)
    all += lines("claim of kept", [.begin(.renew, with([("kept", true)], in: held))])
    all += lines("renewed", claimed + [.answer(200, whole, date)], then: ends)
    all += lines("renewed less", claimed + [.reply(200, less), .drawn(true)])
    let checked: [Input] = [.reply(200, identified), .reply(200, ["keys": []]), .drawn(["claims": [:]])]
    all += lines("renewed identity", claimed + checked)
    all += lines(
      "refused", claimed, then: [.reply(400, error), .reply(500, error), .lost(.timedOut), .reply(200, [:])])
    all += lines("not stored", [.begin(.renew, bare)], then: [.answer(200, whole, date), .reply(200, less)])
    for name in ["refreshToken", "scope", "stored", "tokenId", "clockSkew", "issued"] {
      let begun = Input.begin(.renew, with([(name, nil)], in: held))
      all += lines("without \(name)", [begun, .drawn(["tokens": .null]), .reply(200, less), .drawn(true)])
    }
    all += lines("empty", [.begin(.renew, with([("refreshToken", ""), ("persists", 1)], in: held))])
    all += lines("leads", [.begin(.renew, keeping), .drawn([:]), .reply(200, with([], in: metadata))], brings: [:])
    return all
  }

  /// Renewals whose ID token cannot be checked, and the renewals of a process that follows one.
  private static var unchecked: [String] {
    let (keeping, bare) = (with([], in: held), with([("persists", nil)], in: held))
    let whole: Members = [
      ("access_token", "access-1"), ("id_token", "identity-1"), ("refresh_token", "refresh-1"), ("expires_in", 60),
    ]
    let brought: [Input] = [.begin(.renew, keeping), .drawn(["tokens": .null]), .reply(200, with([], in: whole))]
    let fails: [Input] = [.reply(503), .reply(403, ["error": "e"]), .reply(200, [:]), .lost(.timedOut)]
    let ends: [Input] = [.drawn(true), .undrawn(.failed, "system 28: why"), .begin(.cancel)]
    let verdicts: [Input] = [.undrawn(.failed, nil), .drawn(["failure": ["claim": "aud", "rule": "mismatch"]])]
    var all = lines("unchecked", brought, then: fails)
    all += lines("unchecked and stored", brought + [.reply(503)], then: ends)
    all += lines("unchecked without keys", brought + [.reply(200, ["keys": []])], then: verdicts)
    all += lines("unchecked, no endpoint", brought, brings: knowing([("jwks_uri", "http://acme.example/keys")]))
    all += lines("unchecked, not stored", [.begin(.renew, bare), .reply(200, with([], in: whole))], then: fails)
    for token: JSON? in ["", nil] {
      let body = with([("refresh_token", token)], in: whole)
      all += lines("unchecked, kept \(token == nil)", Array(brought.prefix(2)) + [.reply(200, body), .reply(503)])
    }
    let newer: [Members] = [
      [("refreshToken", "refresh-9"), ("clockSkew", 7_000_000)],
      [("accessToken", "access-9"), ("refreshToken", "refresh-9"), ("clockSkew", 7_000_000)],
      [("accessToken", nil), ("refreshToken", "refresh-9")],
    ]
    let members = (stored.object?.members ?? []).map { ($0.key, JSON?.some($0.value)) }
    for (number, changes) in newer.enumerated() {
      let found = Input.drawn(["tokens": with(changes, in: members)])
      let less: JSON = ["access_token": "access-1"]
      all += lines("behind \(number)", [.begin(.renew, keeping), found, .reply(200, less), .drawn(true)])
    }
    return all
  }

  // MARK: Queries

  private static var asked: [String] {
    let about: JSON = ["token": "t", "hint": "access_token", "tokenId": "id-0"]
    let answers: [Input] = [
      .reply(200, ["active": true]), .reply(200, ["active": false]), .reply(200, [:]), .reply(200, ["active": "true"]),
      .reply(200), .reply(401, ["error": "invalid_client"]), .lost(.cannotConnect),
    ]
    var all = lines("introspect", [.begin(.introspect, about)], then: answers)
    all += lines("revoke", [.begin(.revoke, about)], then: answers)
    all += lines("introspect bare", [.begin(.introspect, ["token": "t"]), .reply(200, ["active": true])])
    all += lines("revoke bare", [.begin(.revoke, ["token": "t"]), .reply(200)])
    let user: JSON = ["accessToken": "access-1", "subject": "00u-1", "tokenId": "id-0"]
    let people: [Input] = [
      .reply(200, ["sub": "00u-1"]), .reply(200, ["sub": "00u-2"]), .reply(200, [:]), .reply(200, ["sub": 5]),
      .answer(200, .null, [("Content-Type", "Application/JWT; a=b")]),
      .answer(400, .null, [("Content-Type", "application/jwt")]),
      .answer(200, ["sub": "00u-1"], [("Content-Type", "application/json")]), .reply(401),
      .answer(401, .null, [("WWW-Authenticate", "Bearer error=invalid_token")]),
    ]
    all += lines("user", [.begin(.getUser, user)], then: people)
    all += lines("user bare", [.begin(.getUser, ["accessToken": "a"])], then: [.reply(200, [:]), .reply(200)])
    let names = ["introspection_endpoint", "revocation_endpoint", "userinfo_endpoint", "end_session_endpoint"]
    let none: Members = names.map { ($0, nil) }
    let out: JSON = ["options": ["signOutFromOkta"], "idToken": "i"]
    let calls: [(OIDCCall, JSON)] = [(.introspect, about), (.revoke, about), (.getUser, user), (.signOut, out)]
    for (call, arguments) in calls {
      for place in [issuer, "https://acme.example", "https://acme.example/other"] {
        let settings: Members = [("issuer", .string(place)), ("logoutRedirectUri", "http://127.0.0.1/out")]
        let inputs: [Input] = [.begin(call, arguments), .drawn("http://127.0.0.1:5/out")]
        all += lines("usual \(call.rawValue) \(place)", inputs, settings: settings, brings: knowing(none))
      }
      let insecure: Members = names.map { ($0, .string("http://acme.example/x")) }
      all += lines("insecure \(call.rawValue)", [.begin(call, arguments), .drawn(.null)], brings: knowing(insecure))
    }
    return all
  }

  // MARK: Sign-outs

  private static var signOuts: [String] {
    let parts = ["revokeAccessToken", "revokeRefreshToken", "signOutFromOkta", "removeTokensFromStorage"]
    let whole: Members = [
      ("options", .array(parts.map(JSON.string))), ("idToken", "identity-0"), ("accessToken", "access-0"),
      ("refreshToken", "refresh-0"), ("tokenId", "id-0"),
    ]
    let begun = Input.begin(.signOut, with([], in: whole))
    let resumed = Input.begin(.resume, ["redirect": "com.acme:/out?state=s"])
    let good: [Input] = [.reply(200), .reply(200), .drawn(.null), resumed, .drawn(1)]
    let bad: [Input] = [
      .reply(500), .reply(400, ["error": "e"]), .undrawn(.missing, nil), .begin(.cancel), .undrawn(.failed, "damaged"),
    ]
    var all = lines("out", [begun] + good)
    for index in good.indices {
      var inputs = good
      inputs[index] = bad[index]
      all += lines("out but \(index)", [begun] + inputs)
    }
    all += lines("out by nothing", [begun, .lost(.timedOut), .reply(403), .drawn(.null), .fired])
    for name in ["idToken", "accessToken", "refreshToken", "options", "tokenId"] {
      all += lines("out without \(name)", [.begin(.signOut, with([(name, nil)], in: whole)), .reply(200)])
    }
    for part in parts + ["other"] {
      let begun = Input.begin(.signOut, with([("options", [.string(part)])], in: whole))
      all += lines("out by \(part)", [begun, .reply(200)])
      all += lines("out by unknown \(part)", [begun, .reply(500)], brings: [:])
    }
    let verdicts: [JSON] = [
      ["ours": false, "place": "x"], ["ours": true, "state": "different"],
      ["ours": true, "state": "equal", "error": "e"],
    ]
    for (number, verdict) in verdicts.enumerated() {
      let brings = knowing([], [.oidcRedirect: .success(verdict)])
      all += lines("out to \(number)", [begun] + good, brings: brings).suffix(3)
    }
    let nowhere: Members = [("logoutRedirectUri", nil)]
    all += lines("out to nowhere", [begun], settings: nowhere)
    return all
  }

  // MARK: The store

  private static var keeping: [String] {
    let arguments: JSON = [
      "stored": stored, "tokenId": "id-0", "issuer": .string(issuer), "clientId": "c", "legacy": true, "more": 1,
    ]
    let failures: [DrawFailure] = [DrawFailure(.failed, "unsafe: why"), DrawFailure(.invalidated)]
    let inputs: [JSON] = [arguments, [:]]
    var all: [String] = []
    for call in [OIDCCall.store, .read, .clear, .clearAll] {
      for (number, given) in inputs.enumerated() {
        all += lines("\(call.rawValue) \(number)", [.begin(call, given), .begin(call)])
      }
      for (number, failure) in failures.enumerated() {
        let brings: Brought = [
          .tokensKeep: .failure(failure), .tokensRead: .failure(failure), .tokensClear: .failure(failure),
        ]
        all += lines("\(call.rawValue) failing \(number)", [.begin(call, arguments)], brings: brings)
      }
    }
    all += lines("odd count", [.begin(.clear, arguments)], brings: [.tokensClear: .success("x")])
    return all
  }

  // MARK: Rate limits

  private static var limits: [String] {
    let begun = Input.begin(.introspect, ["token": "t"])
    func limited(_ seconds: Int, _ id: String? = nil) -> Input {
      var headers = [("Retry-After", "\(seconds)")]
      if let id { headers.append(("X-Okta-Request-Id", id)) }
      return .answer(429, .null, headers)
    }
    let waits: [Input] = [0, 1, 59, 60, 61].map { limited($0) }
    var all = lines("limit", [begun], then: waits + [.reply(429), .answer(503, .null, [("Retry-After", "1")])])
    let often: [Input] = [
      begun, limited(1, "first"), .fired, limited(2, "second"), .fired, limited(3), .fired, limited(4), .fired,
    ]
    all += lines("often", often)
    all += lines("long", [begun, limited(40), .fired, limited(20), .fired, limited(1), .fired])
    all += lines("too long", [begun, limited(40), .fired, limited(21)])
    all += lines("at last", [begun, limited(1), .fired, .reply(200, ["active": true])])
    let names = [("X-Rate-Limit-Limit", "0"), ("X-Rate-Limit-Remaining", "0"), ("X-Rate-Limit-Reset", "1768467700")]
    let crowded = Input.answer(429, .null, names + date)
    all += lines("crowded", [begun, crowded, .fired, crowded, .fired, crowded, .fired, crowded, .fired])
    all += lines("crowded late", [begun, limited(57), .fired, crowded, .fired, crowded])
    let both: [Input] = [begun, limited(50, "first"), .fired, .reply(200, with([], in: metadata)), limited(50), .fired]
    all += lines("another request", both, brings: [:])
    all += lines("canceled", [begun, limited(1), .begin(.cancel), .fired])
    let device: [Input] = [.begin(.signInOnDevice), limited(1), .fired]
    all += lines("device", device + [.reply(200, ["device_code": "d", "user_code": "u", "verification_uri": "v"])])
    return all
  }
}
