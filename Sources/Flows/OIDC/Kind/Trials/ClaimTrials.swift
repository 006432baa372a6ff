// How recorded claims and failures are read, and how tokens are treated at the limits of the rules, for the kind's
// tables.

import EventStore
import FlowRecording

/// Claims, failures, and JWTs, with what is read from them.
enum ClaimTrials {
  private static let claims: JSON = [
    "iss": "https://acme.example", "sub": "00u-1", "aud": ["client-1", "client-2"], "exp": 1_768_471_241,
    "iat": 1_768_467_641, "auth_time": 1_768_467_581, "amr": ["pwd", "otp"], "acr": "two", "jti": "ID.1",
    "alg": "ES256", "kid": "key-1",
  ]

  /// The contexts that the parameter `claims` requests, and whether one of them must be satisfied.
  static var contexts: Set<String> {
    let wanted: JSON = ["id_token": ["acr": ["essential": true, "values": ["one", "two"], "value": "three"]]]
    let lines = RuntimeTables.changes(of: wanted) { json in
      OIDCCore.essentialContexts(.string(json.text))?.text ?? "none"
    }
    let others = ["", "no JSON", #"{"id_token":{"acr":{"values":["one"]}}}"#, #"{"id_token":{"acr":null}}"#].map {
      text in
      "\(text) \(OIDCCore.essentialContexts(.string(text))?.text ?? "none")"
    }
    return Set(lines + others)
  }

  /// One line for recorded claims with each of them changed.
  static var recorded: Set<String> {
    let lines = RuntimeTables.changes(of: claims) { json in
      guard let claims = IDTokenClaims(json: json) else { return "none" }
      return "\(claims.json.text) \(claims) \(Mirror(reflecting: claims).children.count)"
    }
    let mixed: JSON = ["claim": "aud", "rule": "mismatch", "expected": "one", "actual": "two"]
    let failures = RuntimeTables.changes(of: mixed) { json in
      IDTokenFailure(json: json).map { "\($0.json.text) \($0)" } ?? "none"
    }
    var all = lines.map { "claims \($0)" }
    all += failures.map { "failure \($0)" }
    all += shown
    return Set(all)
  }

  /// Token values as quoted in failures.
  private static var shown: [String] {
    let letters = [99, 100, 101].map { String(repeating: "\u{fc}", count: $0) }
    let odd = ["", "a\u{0}b\u{1b}[31mc\u{7f}\u{85}", "\u{202e}x\u{200b}\u{feff}", "a\nb", "\u{2028}\u{e000}"]
    return (letters + odd).enumerated().flatMap { number, text in
      let failure = IDTokenFailure(text, .mismatch, expected: text, actual: text)
      let one = IDTokenFailure("aud", .expired, expected: text)
      return ["shown \(number) \(failure.json.text)", "shown \(number) of one \(one) \(failure)"]
    }
  }

  // MARK: Limits

  private static let whole: [(String, JSON?)] = [
    ("iss", "https://acme.example"), ("sub", "00u-1"), ("aud", "client-1"), ("exp", 1_768_471_241),
    ("iat", 1_768_467_641),
  ]

  private static func verdict(_ changes: [(String, JSON?)], _ change: (inout IDTokenExpectation) -> Void) -> String {
    let members = whole.filter { member in !changes.contains { $0.0 == member.0 } } + changes
    var expectation = IDTokenExpectation(
      issuer: "https://acme.example", clientID: "client-1", algorithms: ["ES256"], now: TrialWorld.at(0))
    change(&expectation)
    switch IDTokenCheck.trial(TrialWorld.token(.members(members)), against: expectation) {
    case .success(let claims): return claims.json.text
    case .failure(let failure): return failure.json.text
    }
  }

  /// One line for each token at a limit that the other token trials do not cover.
  static var borders: Set<String> {
    let two = IDTokenExpectation.Former(
      subject: "00u-1", issuer: "https://acme.example", audience: ["client-1", "client-2"])
    var lines: [String] = []
    func add(_ changes: [(String, JSON?)], _ change: (inout IDTokenExpectation) -> Void = { _ in }) {
      lines.append("\(lines.count) \(verdict(changes, change))")
    }
    add([])
    add([("sub", "\u{7f}")])
    add([("sub", "\u{80}")])
    add([("aud", ["client-1", 5])])
    for end in [-29_788_484_359, -29_788_484_358] { add([("exp", .int(end))]) { $0.skew = .max } }
    add([("exp", .number("1768467641.5")), ("iat", .number("1768467641.5"))])
    add([("auth_time", .number("-1.5"))]) { $0.maxAge = 5 }
    for second in 1_768_467_640...1_768_467_642 {
      add([("auth_time", .int(second))]) { ($0.maxAge, $0.skew) = (0, 0) }
      for name in ["iat", "exp", "nbf"] { add([(name, .int(second))]) { $0.skew = 0 } }
    }
    add([("amr", [1, "pwd", .null])])
    add([("amr", [])])
    add([("jti", "ID.1"), ("acr", "\u{e9}")])
    add([("acr", "\u{e9}")]) { $0.acrValues = ["e\u{301}"] }
    add([("acr", "\u{e9}")]) { $0.acrValues = ["one", "\u{e9}"] }
    add([]) { $0.acrValues = [] }
    for nonce in ["n", ""] { add([("nonce", .string(nonce))]) { $0.nonce = "" } }
    add([("iss", "https://acme.\u{e9}xample")]) { $0.issuer = "https://acme.e\u{301}xample" }
    for issuer in ["http://[::1]:5", "http://127.0.0.1.example", "acme"] {
      add([("iss", .string(issuer))]) { $0.issuer = issuer }
    }
    let audiences: [JSON] = [
      "client-1", ["client-2", "client-1"], ["client-1", "client-2", "client-3"], ["client-2"],
    ]
    for audience in audiences {
      for party in [nil, "client-1", "client-2"] as [JSON?] {
        add([("aud", audience), ("azp", party)]) { $0.former = two }
      }
    }
    for name in ["at_hash", "ds_hash"] {
      for algorithm in SignatureAlgorithm.allCases {
        let hash = Base64URL.encode(algorithm.leftHalf(of: "secret"))
        add([(name, .string(hash))]) { ($0.accessToken, $0.deviceSecret) = ("secret", "secret") }
      }
      add([(name, "x")])
    }
    return Set(lines)
  }

  // MARK: JWTs that are not verified

  /// One line for each JWT: what the application reads from it, and until when it is valid.
  static var readings: Set<String> {
    let payloads = [
      "{}", #"{"a":"b","n":5,"f":1.5,"t":true,"l":[1,null,"x"],"z":null}"#, "[]", "5", "{", #"{"exp":1768467642}"#,
      #"{"exp":1768467641.99}"#, #"{"exp":1768467642.5}"#, #"{"exp":1e400}"#, #"{"exp":1e18}"#, #"{"exp":1e19}"#,
      #"{"exp":"1768467642"}"#, #"{"exp":-1}"#, #"{"kid":"a"}"#,
    ]
    let texts = payloads.map { "e30." + Base64URL.encode(Array($0.utf8)) + ".AA" } + ["", ".", "e30", "e30.e30", "a.!"]
    return Set(
      texts.enumerated().flatMap { number, text in
        let said = Result { try OktaAuthStateManager.decodeJWT(text) }
        let values = (try? said.get()) ?? [:]
        let shown = values.keys.sorted().map { "\($0)=\(values[$0] ?? "")" }
        let lines = [0, 999_999, 1_000_000, 1_500_000].map { (later: Int64) in "\(later) \(life(of: text, later))" }
        return ["\(number) \((try? said.get()) == nil) \(shown)"] + lines.map { "\(number) \($0)" }
      })
  }

  /// What tokens with an ID token report about it at a given time.
  private static func life(of identity: String, _ later: Int64) -> String {
    var tokens = StoredTokens(
      id: "id", issuer: "https://acme.example", clientID: "client", tokenType: "Bearer", accessToken: nil, issued: 0)
    tokens.idToken = identity
    let manager = OktaAuthStateManager(
      authState: OktaAuthState(tokens), environment: TrialWorld.environment(later: later))
    let error = manager.validateToken(idToken: identity).map { "\($0)" } ?? "valid"
    return "\(manager.idToken == nil) \(manager.isStale) \(error) \((try? manager.isValidToken(idToken: nil)) ?? false)"
  }
}
