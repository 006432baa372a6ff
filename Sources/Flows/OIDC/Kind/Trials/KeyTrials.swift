// Results for made-up keys and key sets, and how long they are cached, for the kind's tables.

import EventStore
import FlowRecording

/// Made-up keys with their results.
enum KeyTrials {
  /// The given number of bytes in base64url.
  private static func bytes(_ count: Int, first: UInt8 = 1) -> String {
    Base64URL.encode([first] + [UInt8](repeating: 1, count: count - 1))
  }

  private static let rsa: [(String, JSON?)] = [
    ("kty", "RSA"), ("kid", "1"), ("alg", "RS256"), ("use", "sig"), ("key_ops", ["sign", "verify"]),
    ("n", .string(bytes(256))), ("e", "AQAB"), ("d", "AQAB"),
  ]
  private static let curve: [(String, JSON?)] = [
    ("kty", "EC"), ("kid", "1"), ("alg", "ES256"), ("crv", "P-256"), ("x", .string(bytes(32))),
    ("y", .string(bytes(32))),
  ]

  private static let changes: [(String, JSON?)] = [
    ("use", "enc"), ("use", 7), ("use", .null), ("key_ops", ["sign"]), ("key_ops", []), ("key_ops", "verify"),
    ("n", ""), ("n", "+"), ("n", 5), ("e", ""), ("e", .null), ("kty", "oct"), ("kty", "rsa"), ("kty", "OKP"),
    ("kty", 5), ("alg", 5), ("alg", "RS384"), ("alg", "ES256"), ("kid", 5), ("n", .string(bytes(255))),
    ("n", .string(bytes(257))), ("n", .string(bytes(256, first: 0))), ("n", .string(bytes(257, first: 0))),
  ]

  private static func with(_ name: String, _ value: JSON?, in members: [(String, JSON?)]) -> JSON {
    .members(members.map { $0.0 == name ? (name, value) : $0 })
  }

  /// Points on each curve, with coordinates of each length.
  private static var points: [JSON] {
    let lengths = [(31, 31), (32, 32), (32, 31), (31, 32), (33, 33), (47, 47), (48, 48), (66, 66), (65, 66)]
    return ["P-256", "P-384", "P-521", "secp256k1"].flatMap { name in
      lengths.map { point(on: name, x: $0.0, y: $0.1) }
    }
  }

  private static func point(on name: String, x: Int, y: Int) -> JSON {
    ["kty": "EC", "crv": .string(name), "x": .string(bytes(x)), "y": .string(bytes(y))]
  }

  /// One line per key: the algorithms that it fits.
  static var keys: Set<String> {
    var documents: [JSON] = [with("x", "", in: curve), with("crv", 5, in: curve)]
    for whole in [rsa, curve] { documents += RuntimeTables.withEachLeftOut(of: whole).map { JSON.members($0) } }
    documents += changes.map { with($0.0, $0.1, in: rsa) }
    documents += points
    return Set(
      documents.map { document in
        guard let key = VerificationKey(document) else { return "\(document.text)|none" }
        let fitting = SignatureAlgorithm.allCases.filter { key.fits($0) }.map(\.rawValue)
        return "\(document.text)|\(key.json.text) \(fitting) \(key.isWeak)"
      })
  }

  /// One line per algorithm.
  static var algorithms: Set<String> {
    Set(
      SignatureAlgorithm.allCases.map { algorithm in
        let half = Base64URL.encode(algorithm.leftHalf(of: "access-1"))
        return "\(algorithm.rawValue) \(algorithm.curve ?? "RSA") \(algorithm.coordinateLength) \(half)"
      })
  }

  private static func document(_ ids: [String?]) -> JSON {
    ["keys": .array(ids.map { with("kid", $0.map(JSON.string), in: curve) })]
  }

  /// One line per key set and per ID that is looked up in it.
  static var sets: Set<String> {
    let key = JSON.members(curve)
    let crowd = [JSON](repeating: .null, count: 255) + ["1", "2"].map { with("kid", .string($0), in: curve) }
    let documents: [JSON] = [
      [:], [], "keys", .null, ["keys": "x"], ["keys": [:]], ["keys": []], ["keys": [7, .null, "text", [:], key]],
      document([nil]), document(["2", "1"]), document(["\u{e9}"]), ["keys": .array(crowd)],
    ]
    let ids = [nil, "1", "2", "", "\u{e9}", "e\u{301}"]
    return Set(
      documents.enumerated().flatMap { number, document in
        let set = KeySet(document)
        let found = ids.map { set?.holds($0) ?? false }
        return ["\(number) \(set?.json.text ?? "none")", "\(number) holds \(found)"]
      })
  }

  // MARK: The cache

  private static let issuer = "https://a.example"

  private static func asked(
    _ cache: KeyCache, _ kid: String?, of issuer: String = KeyTrials.issuer, at later: Int64
  ) -> String {
    let input = JSON.members([("issuer", .string(issuer)), ("kid", kid.map(JSON.string))])
    return cache.value(of: input, at: TrialWorld.at(later)).text
  }

  /// One line per query to a key cache.
  static var caches: Set<String> { Set(ages + pauses + crowds) }

  private static var ages: [String] {
    let times: [Int64] = [
      -1, 0, 999_999, 1_000_000, 59_999_999, 60_000_000, 3_599_999_999, 3_600_000_000, 86_398_999_999, 86_399_999_999,
      86_400_000_000, 86_400_999_999,
    ]
    let ages: [Int?] = [nil, -1, 0, 1, 60, 3_600, 86_399, 86_400, 86_401, Int.max]
    let lines = ages.enumerated().flatMap { number, age in
      let cache = KeyCache()
      cache.keep(document(["1"]), of: issuer, maxAge: age, at: TrialWorld.at(0))
      return times.map { "age \(number) \($0) \(asked(cache, "1", at: $0))" }
    }
    let endless = KeyCache()
    endless.keep(document(["1"]), of: issuer, maxAge: nil, at: Timestamp(microseconds: .min))
    let input: JSON = ["issuer": .string(issuer), "kid": "1"]
    return lines + ["far \(endless.value(of: input, at: Timestamp(microseconds: .max)).text)"]
  }

  private static var pauses: [String] {
    let cache = KeyCache()
    cache.keep(document(["1"]), of: issuer, maxAge: 600, at: TrialWorld.at(0))
    let questions: [(kid: String?, later: Int64)] = [
      ("2", 10_000_000), ("2", 10_000_000), ("3", 39_999_999), ("1", 20_000_000), ("2", 40_000_000), ("2", 39_000_000),
      ("2", 68_999_999), ("2", 69_000_000), (nil, 69_000_001),
    ]
    var lines = questions.enumerated().map { "pause \($0) \(asked(cache, $1.kid, at: $1.later))" }
    // A value that is not a key set is not kept, and a different set does not end the pause.
    cache.keep([:], of: issuer, maxAge: 600, at: TrialWorld.at(70_000_000))
    lines.append("pause kept \(asked(cache, "1", at: 70_000_000))")
    cache.keep(document(["2"]), of: issuer, maxAge: 60, at: TrialWorld.at(70_000_000))
    let more: [(kid: String?, later: Int64)] = [
      ("2", 71_000_000), ("3", 98_999_999), ("3", 99_000_000), ("2", 129_999_999), ("2", 130_000_000),
    ]
    lines += more.enumerated().map { "pause again \($0) \(asked(cache, $1.kid, at: $1.later))" }
    return lines + ["pause elsewhere \(asked(cache, "1", of: "https://b.example", at: 0))"]
  }

  private static var crowds: [String] {
    let cache = KeyCache()
    func keep(_ number: Int, at later: Int64) {
      cache.keep(document(["1"]), of: "https://\(number).example", maxAge: nil, at: TrialWorld.at(later))
    }
    func known() -> [Bool] {
      (0..<34).map { asked(cache, "1", of: "https://\($0).example", at: 50_000_000).contains("jwks") }
    }
    for number in 0..<31 { keep(number, at: Int64(number) * 1_000_000) }
    keep(31, at: 31_000_000)
    // Storing a set again evicts no other set, and makes it no longer the oldest.
    keep(0, at: 40_000_000)
    var lines = ["crowd \(known())"]
    keep(32, at: 41_000_000)
    lines.append("crowd and one \(known())")
    keep(33, at: 42_000_000)
    return lines + ["crowd and two \(known())"]
  }
}
