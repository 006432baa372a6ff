// Results for signed ID tokens, depending on the server's keys, for the kind's tables.

import EventStore
import FlowRecording

/// Signed tokens, with the keys for checking them and the results.
enum SignatureTrials {
  private struct Trial: Sendable {
    var name: String
    var token: String
    var keys: [JSON]
    var algorithms = SignatureAlgorithm.allCases.map(\.rawValue)
  }

  // MARK: Keys and tokens

  private static func curve(
    _ name: String, _ point: (x: String, y: String), _ id: String? = "key-1", _ more: [(String, JSON?)] = []
  ) -> JSON {
    let numbers: [(String, JSON?)] = [
      ("kid", id.map(JSON.string)), ("kty", "EC"), ("crv", .string(name)), ("x", .string(point.x)),
      ("y", .string(point.y)),
    ]
    return .members(numbers + more)
  }

  /// The key that signed most of the tokens.
  static func key(_ id: String? = "key-1", _ more: [(String, JSON?)] = []) -> JSON {
    curve("P-256", SignedTexts.es256, id, more)
  }

  private static func rsa(_ modulus: String, _ id: String? = "key-1", _ more: [(String, JSON?)] = []) -> JSON {
    let numbers: [(String, JSON?)] = [
      ("kid", id.map(JSON.string)), ("kty", "RSA"), ("n", .string(modulus)), ("e", "AQAB"),
    ]
    return .members(numbers + more)
  }

  /// A point that is not on its curve, so that the key verifies nothing.
  private static func noKey(_ number: Int) -> JSON {
    let one = Base64URL.encode([UInt8](repeating: 1, count: 32))
    return curve("P-256", (x: one, y: one), "other-\(number)")
  }

  private static func text(_ header: String, _ claims: String) -> String {
    Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
  }

  private static func token(_ name: String, _ signature: String? = nil) -> String {
    text(#"{"alg":"\#(name)","kid":"key-1"}"#, SignedTexts.plainClaims) + "."
      + (signature ?? SignedTexts.signatures[name] ?? "")
  }

  /// A token with all claims that are compared.
  static let whole = text(#"{"alg":"ES256","kid":"key-1"}"#, SignedTexts.claims) + "." + SignedTexts.ofClaims
  /// A token that names no key.
  private static let bare = text(#"{"alg":"ES256"}"#, SignedTexts.plainClaims) + "." + SignedTexts.withoutID

  // MARK: Trials

  private static var trials: [Trial] {
    let (es256, rs256) = (token("ES256"), token("RS256"))
    let points: [(name: String, curve: String, point: (x: String, y: String))] = [
      ("ES256", "P-256", SignedTexts.es256), ("ES384", "P-384", SignedTexts.es384),
      ("ES512", "P-521", SignedTexts.es512),
    ]
    var trials = points.map { Trial(name: $0.name, token: token($0.name), keys: [curve($0.curve, $0.point)]) }
    for name in ["RS256", "RS384", "RS512"] {
      trials.append(Trial(name: name, token: token(name), keys: [rsa(SignedTexts.modulus)]))
    }
    let uses: [(String, JSON?)] = [
      ("use", "sig"), ("use", "enc"), ("key_ops", ["verify"]), ("key_ops", ["encrypt"]), ("alg", "ES256"),
      ("alg", "ES384"),
    ]
    for (number, use) in uses.enumerated() {
      trials.append(Trial(name: "use \(number)", token: es256, keys: [key("key-1", [use])]))
    }
    let sets: [(name: String, keys: [JSON])] = [
      ("none", []), ("unnamed", [key(nil)]), ("other", [key("key-2")]), ("two", [key("key-2"), key()]),
      ("twice", [noKey(1), curve("P-256", (x: SignedTexts.es256.y, y: SignedTexts.es256.x)), key()]),
      ("RSA", [rsa(SignedTexts.modulus)]), ("other curve", [curve("P-384", SignedTexts.es384)]),
      ("not on the curve", [curve("P-256", (x: SignedTexts.es256.y, y: SignedTexts.es256.x))]),
    ]
    trials += sets.map { Trial(name: "set \($0.name)", token: es256, keys: $0.keys) }
    for count in [0, 1, 15, 16] {
      let others = (0..<count).map { noKey($0) }
      trials.append(Trial(name: "bare behind \(count)", token: bare, keys: others + [key("any")]))
    }
    trials.append(Trial(name: "bare, unnamed", token: bare, keys: [rsa(SignedTexts.modulus), key(nil)]))
    let short = Base64URL.encode([UInt8](repeating: 1, count: 255))
    let more = [
      Trial(name: "weak", token: rs256, keys: [rsa(short)]),
      Trial(name: "weak and strong", token: rs256, keys: [rsa(short), rsa(SignedTexts.modulus)]),
      Trial(
        name: "of another algorithm", token: token("RS384", SignedTexts.signatures["RS256"]),
        keys: [rsa(SignedTexts.modulus)]),
      Trial(name: "of other claims", token: token("ES256", SignedTexts.ofClaims), keys: [key()]),
      Trial(name: "no signature", token: token("ES256", ""), keys: [key()]),
      Trial(name: "not allowed", token: es256, keys: [key()], algorithms: ["RS256"]),
      Trial(name: "malformed", token: "a.b.c", keys: [key()]),
      Trial(name: "whole", token: whole, keys: [key()]),
    ]
    return trials + more
  }

  private static func lines(of trials: [Trial]) async -> [String] {
    var lines: [String] = []
    for trial in trials {
      guard let keys = KeySet(["keys": .array(trial.keys)]) else { continue }
      let expectation = IDTokenExpectation(
        issuer: "https://acme.example", clientID: "client-1", algorithms: trial.algorithms, now: TrialWorld.at(0))
      switch await IDTokenCheck.check(trial.token, keys: keys, against: expectation) {
      case .success(let claims): lines.append("\(trial.name) \(claims.json.text)")
      case .failure(let failure): lines.append("\(trial.name) \(failure.json.text)")
      }
    }
    return lines
  }

  /// One line per token: its claims, or why it is rejected.
  static var signatures: Set<String> {
    let trials = trials
    return Set(TrialWorld.value { await lines(of: trials) } ?? ["no verdict"])
  }

  // MARK: Draws

  /// The values that a token is checked against, as input of the draw.
  private static let input: [(String, JSON?)] = [
    ("token", .string(whole)), ("jwks", ["keys": [key()]]), ("issuer", "https://acme.example"),
    ("clientId", "client-1"), ("nonce", "nonce-1"), ("algorithms", ["ES256"]), ("skew", 300), ("maxAuthAge", 60),
    ("acrValues", ["one", "two"]), ("accessToken", "access-1"), ("deviceSecret", "device-1"),
    ("formerToken", .string(whole)), ("now", .number("\(TrialWorld.now)")), ("fetched", true), ("maxAge", 60),
  ]

  /// The claims of the previous token, with a nonce.
  private static func former(_ nonce: JSON) -> JSON {
    ["iss": "https://acme.example", "sub": "00u-1", "aud": "client-1", "nonce": nonce]
  }

  private static let inputChanges: [[(String, JSON?)]] = [
    [("nonce", "other")], [("nonce", nil)], [("accessToken", "other")], [("deviceSecret", "other")],
    [("acrValues", ["one"])], [("acrValues", ["one", 5])], [("clientId", "other")], [("issuer", "https://b.example")],
    [("jwks", [:])], [("jwks", ["keys": []])], [("fetched", false)], [("fetched", 1)], [("maxAge", 0)],
    [("algorithms", ["RS256"])], [("algorithms", [5, "ES256"])],
    [("now", .number("\(TrialWorld.now + 3_901_000_000)"))],
    [("now", .number("1.5"))], [("skew", nil), ("now", .number("\(TrialWorld.now + 301_000_000)"))],
    [("skew", nil), ("now", .number("\(TrialWorld.now + 300_000_000)"))],
    [("maxAuthAge", 59), ("skew", 0)], [("maxAuthAge", 60), ("skew", 0)],
    [("formerToken", .string(TrialWorld.token(["iss": "https://acme.example", "sub": "00u-2", "aud": ["client-1"]])))],
    [("formerToken", .string(TrialWorld.token(["iss": "https://acme.example", "sub": "00u-1", "aud": ["client-2"]])))],
    [("formerToken", .string(TrialWorld.token(["iss": "https://b.example", "sub": "00u-1", "aud": "client-1"])))],
    [("nonce", nil), ("formerToken", .string(TrialWorld.token(former("nonce-2"))))],
    [("nonce", nil), ("formerToken", .string(TrialWorld.token(former(5))))],
    [("formerToken", .string(TrialWorld.token(former("nonce-2"))))],
    [("formerToken", .string(TrialWorld.token(["sub": "00u-1"])))], [("formerToken", "a.b")], [("formerToken", "a")],
  ]

  private static func with(_ changes: [(String, JSON?)]) -> JSON {
    .members(input.filter { member in !changes.contains { $0.0 == member.0 } } + changes)
  }

  /// One line per input of the draw that checks a token: the verdict, and whether the keys are cached afterward. The
  /// token has expired by the clock, but not by the time of the input.
  static var verdicts: Set<String> {
    let over: Int64 = 3_901_000_000
    var inputs = RuntimeTables.withEachLeftOut(of: input).map { JSON.members($0) }
    inputs += inputChanges.map { with($0) }
    return Set(
      inputs.enumerated().map { number, input in
        let environment = TrialWorld.environment(later: over)
        let result = TrialWorld.value { await TokenValidation.verdict(input, environment) }
        let asked: JSON = ["issuer": "https://acme.example"]
        let isKnown = [0, 59_999_999, 60_000_000, 3_600_000_000].map { (later: Int64) in
          environment[KeyCacheSeam.self].value(of: asked, at: TrialWorld.at(over + later))["jwks"] != nil
        }
        return "\(number) \(TrialWorld.text(result)) \(isKnown)"
      })
  }

  /// One line per input of the draw that looks up keys.
  static var lookUps: Set<String> {
    let environment = TrialWorld.environment(later: 5_000_000)
    environment[KeyCacheSeam.self].keep(
      ["keys": [key()]], of: "https://acme.example", maxAge: 60, at: TrialWorld.at(0))
    let inputs: [JSON] = [
      ["issuer": "https://acme.example", "token": .string(whole)], ["issuer": "https://acme.example"],
      ["issuer": "https://acme.example", "token": .string(bare)],
      ["issuer": "https://b.example", "token": .string(whole)], ["token": .string(whole)], [:],
      ["issuer": "https://acme.example", "token": "eyJraWQiOiJhYmMifQ.e30.AA"],
      ["issuer": "https://acme.example", "token": "eyJraWQiOiJhYmMifQ.e30.AA"],
      ["issuer": "https://acme.example", "token": 5],
    ]
    return Set(
      inputs.enumerated().map { "\($0) \(TrialWorld.text(TokenValidation.keys($1, environment)))" })
  }
}
