// The keys that orgs sign with: how long they are kept, and what they have signed.

import EventStore
import FlowRecording

extension HostTables {
  private static let second: Int64 = 1_000_000

  private static func key(_ kid: String, _ modulus: String = "n") -> JSON {
    ["kid": .string(kid), "n": .string(modulus)]
  }

  private static func look(_ issuer: String, _ kid: String, _ microseconds: Int64, in cache: OrgKeyCache) -> String {
    let value = cache.value(
      of: ["issuer": .string(issuer), "kid": .string(kid)], at: HostSamples.time(microseconds: microseconds))
    return line("\(issuer) \(kid) \(microseconds)", value.text)
  }

  /// Which org keys are known, and whether they may be fetched.
  static var orgKeys: [String] {
    let (cache, start) = (OrgKeyCache(), HostSamples.time())
    cache.keep([key("k1", "a1"), key("k2", "a2"), ["n": "x"], ["kid": 5]], of: "a", lookingFor: "k1", at: start)
    cache.keep([key("k1", "b1")], of: "b", lookingFor: "k9", at: start)
    cache.keep([key("k", "1"), key("k", "2"), key("z", "3")], of: "c", lookingFor: "k", at: start)
    cache.keep([key("k", "1"), key("k", "2")], of: "d", lookingFor: "z", at: start)
    let looks: [(issuer: String, kid: String, after: Int64)] = [
      ("a", "k1", 0), ("a", "k2", 0), ("a", "k3", 0), ("b", "k1", 0), ("b", "k2", 0), ("b", "k9", 0),
      ("b", "k9", 30 * second - 1), ("b", "k9", 30 * second), ("b", "k9", -1), ("c", "k", 0), ("c", "z", 0),
      ("c", "y", 0), ("d", "k", 0), ("d", "z", 0), ("e", "k", 0), ("", "", 0), ("a", "k1", -1),
      ("a", "k1", 3_600 * second), ("a", "k1", 3_600 * second + 1), ("b", "k1", 3_600 * second + 1),
    ]
    var lines = looks.map { look($0.issuer, $0.kid, $0.after, in: cache) }
    lines.append(line("nothing", cache.value(of: [:], at: start).text))
    // An issuer's current keys replace its earlier ones.
    cache.keep([key("k3", "a3")], of: "a", lookingFor: "k3", at: HostSamples.time(10))
    cache.keep([key("k9", "b9")], of: "b", lookingFor: "k9", at: HostSamples.time(20))
    let again = [("a", "k1"), ("a", "k3"), ("b", "k1"), ("b", "k9"), ("b", "k8"), ("c", "k")]
    lines += again.map { issuer, kid in "later " + look(issuer, kid, 20 * second, in: cache) }
    return lines + crowded + missed
  }

  /// As many keys as fit, and one more.
  private static var crowded: [String] {
    [31, 32, 33, 40].flatMap { (count: Int) -> [String] in
      let cache = OrgKeyCache()
      cache.keep([key("before")], of: "a", lookingFor: "before", at: HostSamples.time())
      let keys = (0..<count).map { key("k\($0)") }
      cache.keep(keys, of: "b", lookingFor: "k5", at: HostSamples.time())
      let looked = ["k0", "k1", "k2", "k5", "k7", "k8", "k9", "k\(count - 1)"].map { look("b", $0, 0, in: cache) }
      return [line("\(count)", look("a", "before", 0, in: cache))] + looked
    }
  }

  /// As many misses as are kept, and one more, which removes those that no longer matter.
  private static var missed: [String] {
    let cache = OrgKeyCache()
    for number in 0..<31 { cache.keep([], of: "i\(number)", lookingFor: "k", at: HostSamples.time()) }
    var lines: [String] = []
    let (times, looks): ([Int64], [(String, Int64)]) = (
      [29, 30, 30], [("i0", 1), ("i30", 1), ("j0", 30), ("j1", 31)]
    )
    for (number, after) in times.enumerated() {
      cache.keep([], of: "j\(number)", lookingFor: "k", at: HostSamples.time(after))
      lines += looks.map { issuer, seconds in
        "missed \(number) " + look(issuer, "k", seconds * second, in: cache)
      }
    }
    return lines
  }

  /// Whether a key has signed a token.
  static var signatures: [String] {
    let (key, token) = (HostSamples.key, HostSamples.signed())
    let modulus = Base64URL.decode(HostSamples.modulus) ?? []
    let (short, odd) = (Array(modulus.dropFirst()), Array(modulus.dropLast()) + [1])
    let numbers: [JSON] = [short, [0] + modulus, [0] + short, odd].map { ["n": .string(Base64URL.encode($0))] }
    let changes: [JSON] = [
      [:], ["kid": "other"], ["kid": nil], ["kty": "EC"], ["kty": nil], ["use": nil], ["use": "enc"], ["n": nil],
      ["n": 5], ["n": "*"], ["e": nil], ["e": "Aw"], ["alg": "RS512"],
    ]
    var trials: [(String, String, [JSON])] = (changes + numbers).map { change in
      ("key \(change.text)", token, [HostSamples.with(change, in: key)])
    }
    for algorithm in ["RS256", "RS384", "RS512", "none"] {
      trials.append(("by \(algorithm)", HostSamples.signed(algorithm), [key]))
    }
    let others: [(String, String, [JSON])] = [
      ("unsigned", HostSamples.token(), [key]), ("altered", token + "A", [key]), ("nothing", "", [key]),
      ("no keys", token, []), ("another first", token, [HostSamples.with(["kty": "EC"], in: key), key]),
      ("another key", token, [HostSamples.with(["kid": "key-0"], in: key), key]),
    ]
    let lines = (trials + others).map { name, token, keys in
      line(name, outcome { await TokenVerifier.value(token: token, kid: "key-1", keys: keys) }?.text)
    }
    let thumbprint = PublicKey(x: Array(1...32), y: Array(33...63)).thumbprint
    return lines + [line("thumbprint", thumbprint)]
  }
}
