// Results for made-up ID tokens and redirects, each with one error, for the kind's tables.

import EventStore
import FlowRecording

/// Made-up tokens and redirects with their results.
enum TokenTrials {
  private static let now: Int64 = 1_768_467_641

  private static let header = #"{"alg":"ES256","kid":"key-1"}"#

  /// The claims of a valid token.
  private static let claims = """
    {"iss":"https://acme.example/oauth2/default","sub":"00u-1","aud":"client-1","exp":1768471241,"iat":1768467641,\
    "nonce":"nonce-1","auth_time":1768467581,"acr":"two","amr":["pwd","otp"],"jti":"ID.1",\
    "at_hash":"\(hash(of: "access-1"))","ds_hash":"\(hash(of: "device-1"))"}
    """

  private static func hash(of secret: String) -> String {
    Base64URL.encode(SignatureAlgorithm.ES256.leftHalf(of: secret))
  }

  private static let expectation: IDTokenExpectation = {
    var expectation = IDTokenExpectation(
      issuer: "https://acme.example/oauth2/default", clientID: "client-1", nonce: "nonce-1",
      algorithms: ["RS256", "ES256"], skew: 300, now: Timestamp(microseconds: now * 1_000_000))
    expectation.maxAge = 600
    expectation.acrValues = ["one", "two"]
    expectation.accessToken = "access-1"
    expectation.deviceSecret = "device-1"
    return expectation
  }()

  /// Changes to one claim, or to two related claims; null removes a claim.
  private static let claimChanges: [String] =
    [
      "{}", #"{"iss":"https://other.example"}"#, #"{"iss":"http://acme.example/oauth2/default"}"#, #"{"iss":7}"#,
      #"{"sub":""}"#, #"{"sub":"\u00e9"}"#, #"{"aud":["client-1"]}"#, #"{"aud":["other","client-1"]}"#,
      #"{"aud":["other","client-1"],"azp":"client-1"}"#, #"{"azp":"other"}"#, #"{"azp":"client-1"}"#, #"{"azp":1}"#,
      #"{"aud":"other"}"#, #"{"aud":[]}"#, #"{"aud":[1]}"#, #"{"aud":1}"#, #"{"exp":"soon"}"#, #"{"exp":1.5}"#,
      #"{"exp":1768467341}"#, #"{"exp":1768467342,"iat":1768467342}"#, #"{"exp":1768467342,"iat":1768467343}"#,
      #"{"exp":253402300800}"#, #"{"exp":253402300799}"#, #"{"exp":-253402300800}"#, #"{"iat":1768467341}"#,
      #"{"iat":1768467340}"#, #"{"iat":1768467941}"#, #"{"iat":1768467942}"#, #"{"iat":"now"}"#,
      #"{"iat":1768467641.9}"#, #"{"nbf":1768467941}"#, #"{"nbf":1768467942}"#, #"{"nbf":"now"}"#,
      #"{"nonce":"other"}"#, #"{"nonce":1}"#, #"{"auth_time":1768466741}"#, #"{"auth_time":1768466740}"#,
      #"{"auth_time":1768467941}"#, #"{"auth_time":1768467942}"#, #"{"auth_time":"now"}"#, #"{"acr":"three"}"#,
      #"{"acr":1}"#, #"{"amr":"pwd"}"#, #"{"jti":1}"#, #"{"at_hash":"other"}"#, #"{"at_hash":1}"#,
      #"{"ds_hash":"other"}"#, #"{"ds_hash":null,"at_hash":"other"}"#,
    ]
    + [255, 256].map { #"{"sub":""# + String(repeating: "s", count: $0) + #""}"# }
    + (json(claims).object?.members ?? []).map { #"{""# + $0.key + #"":null}"# }

  private static let headerChanges: [String] = [
    #"{"alg":null}"#, #"{"alg":1}"#, #"{"alg":"none"}"#, #"{"alg":"RS256"}"#, #"{"alg":"RS384"}"#, #"{"alg":"HS256"}"#,
    #"{"crit":["exp"]}"#, #"{"kid":null}"#, #"{"kid":1}"#,
  ]

  private static func json(_ text: String) -> JSON { (try? JSON(parsing: Array(text.utf8)[...])) ?? .null }

  /// Returns an object in which some members are replaced.
  private static func with(_ changes: String, in text: String) -> JSON {
    guard case .object(var object) = json(text) else { return .null }
    for change in json(changes).object?.members ?? [] {
      object[change.key] = change.value == .null ? JSON?.none : change.value
    }
    return .object(object)
  }

  /// Changed expectations for the valid token.
  private static let expectationChanges: [@Sendable (inout IDTokenExpectation) -> Void] = [
    { $0.nonce = nil }, { $0.nonce = "other" }, { $0.maxAge = nil }, { $0.maxAge = 0 }, { $0.maxAge = -1 },
    { ($0.maxAge, $0.skew) = (59, 0) }, { ($0.maxAge, $0.skew) = (60, 0) }, { $0.maxAge = .max }, { $0.skew = .max },
    { $0.skew = -1 }, { $0.acrValues = nil }, { $0.acrValues = ["one"] }, { $0.accessToken = nil },
    { $0.accessToken = "other" }, { $0.deviceSecret = "other" }, { $0.algorithms = [] },
    { $0.issuer = "https://acme.example/oauth2/default/" }, { $0.clientID = "other" },
    { $0.now = Timestamp(microseconds: (now - 10_000) * 1_000_000) },
    { $0.former = .init(subject: "00u-1", issuer: "https://acme.example/oauth2/default", audience: ["client-1"]) },
    { $0.former = .init(subject: "00u-2", issuer: "https://acme.example/oauth2/default", audience: ["client-1"]) },
    { $0.former = .init(subject: "00u-1", issuer: "https://other.example", audience: ["client-1"]) },
    { $0.former = .init(subject: "00u-1", issuer: "https://acme.example/oauth2/default", audience: ["other"]) },
  ]

  /// Texts that are not tokens, or barely are.
  private static let texts = [
    "", "a", "a.b", "a.b.c", "e30.e30.", "e30.e30.AA", "e30.e30.A", "e30=.e30.AA", "e30.W10.AA", "e30.e30.A-_w",
    "e30.e30.AA.AA", "eyJhbGciOiJFUzI1NiIsImFsZyI6IkVTMjU2In0.e30.AA", "eyJraWQiOiJhYmMifQ.e30",
    "eyJraWQiOiJhYmMifQ==.e30==.AA",
    String(repeating: "A", count: IDTokenCheck.limit), String(repeating: "A", count: IDTokenCheck.limit + 1),
  ]

  private static func verdict(_ token: String, _ expectation: IDTokenExpectation) -> String {
    switch IDTokenCheck.trial(token, against: expectation) {
    case .success(let claims): claims.json.text
    case .failure(let failure): failure.json.text
    }
  }

  private static func token(_ header: JSON, _ claims: JSON) -> String {
    CompactJWS.signingInput(header: header, claims: claims) + ".c2lnbmVk"
  }

  /// One line per token: what was changed, and the result.
  static var tokens: Set<String> {
    var lines = claimChanges.enumerated().map { number, change in
      "claims \(number) " + verdict(token(with("{}", in: header), with(change, in: claims)), expectation)
    }
    var clear = expectation
    clear.issuer = "http://acme.example"
    lines.append(
      "clear " + verdict(token(with("{}", in: header), with(#"{"iss":"http://acme.example"}"#, in: claims)), clear))
    clear.issuer = "http://127.0.0.1"
    lines.append(
      "local " + verdict(token(with("{}", in: header), with(#"{"iss":"http://127.0.0.1"}"#, in: claims)), clear))
    // A refreshed token need not have a nonce.
    var refreshed = expectation
    refreshed.former = .init(
      subject: "00u-1", issuer: "https://acme.example/oauth2/default", audience: ["client-1"])
    lines.append("refreshed " + verdict(token(with("{}", in: header), with(#"{"nonce":null}"#, in: claims)), refreshed))
    lines += headerChanges.enumerated().map { number, change in
      "header \(number) " + verdict(token(with(change, in: header), with("{}", in: claims)), expectation)
    }
    lines += expectationChanges.enumerated().map { number, change in
      var changed = expectation
      change(&changed)
      return "expected \(number) " + verdict(token(with("{}", in: header), with("{}", in: claims)), changed)
    }
    lines += texts.enumerated().map { "text \($0) " + verdict($1, expectation) }
    lines += texts.enumerated().map { number, text in
      let payload = Result { try JWTReading.decode(text) }
      let read = (try? payload.get()).map { $0?.text ?? "none" } ?? "an error"
      return "read \(number) \(read.count) \(read.prefix(100)) \(JWTReading.keyID(of: text) ?? "")"
    }
    return Set(lines)
  }

  /// One line per redirect.
  static var redirects: Set<String> {
    let uri = "com.example:/callback"
    let pairs: [(redirect: String, uri: String)] = [
      ("com.example:/callback?code=c&state=s", uri), ("COM.example:/callback?state=s&code=c%20d+e%2", uri),
      ("com.example:///callback?state=s", uri), ("com.example:/other?state=s", uri), ("other:/callback?state=s", uri),
      ("com.example:/callback?state=s#part", uri), ("com.example:/callback", uri), ("", uri), (":/callback", uri),
      ("c_m:/callback", uri), ("com.example:/callback?state=t&code=c", uri),
      ("com.example:/callback?state=s&session_state=a&session_state=b", uri),
      ("com.example:/callback?a=1&a=2&state=s", "com.example:/callback?a=1&a=2"),
      ("com.example:/callback?a=1&state=s&b=1&b=1", "com.example:/callback?a=1"),
      ("com.example:/callback?state=s&state=s&code=c", uri), ("com.example:/callback?state=s&code=c&code=d", uri),
      ("com.example:/callback?error=access_denied&error_description=no%21&state=s&iss=https%3A%2F%2Facme.example", uri),
      ("https://app.example:443/cb?code=c&state=s", "https://app.example/cb"),
      ("https://APP.example/cb?code=c&state=s", "https://app.example/cb"),
      ("https://me@app.example/cb?code=c&state=s", "https://app.example/cb"),
      ("https://me@app.example/cb?code=c&state=s", "https://me@app.example/cb"),
      ("http://127.0.0.1:8080/cb?code=c&state=s", "http://127.0.0.1:80/cb"),
      ("http://127.0.0.1/cb?code=c&state=s", "http://127.0.0.1:80/cb"),
      ("https://app.example/cb?=&code&state=s&x=%zz", "https://app.example/cb"),
    ]
    return Set(
      pairs.enumerated().flatMap { number, pair in
        ["s", ""].map { state in
          let input: JSON = [
            "redirect": .string(pair.redirect), "redirectUri": .string(pair.uri), "state": .string(state),
          ]
          return "\(number) \(state) \(AuthorizationResponse.value(of: input).text)"
        }
      })
  }
}
