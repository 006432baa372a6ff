import EventStore
import FlowRecording
import Foundation
import OIDC
import Testing

/// The memory of key sets (oidc §8.2).
@Suite struct KeyCacheTests {
  private let cache = KeyCache()

  private func at(_ seconds: Double) -> Timestamp { Timestamp(microseconds: Int64(seconds * 1_000_000)) }

  private func keep(_ ids: [String], of issuer: String = "https://a", maxAge: Int? = 600, at seconds: Double) throws {
    cache.keep(["keys": .array(ids.map { TestKey.p256.jwk($0) })], of: issuer, maxAge: maxAge, at: at(seconds))
  }

  /// `use` a known set, `fetch` one, or `miss`: a known set without the key, and none may be fetched.
  private func ask(_ kid: String?, of issuer: String = "https://a", at seconds: Double) -> String {
    let value = cache.value(
      of: .members([("issuer", .string(issuer)), ("kid", kid.map(JSON.string))]), at: at(seconds))
    guard let jwks = value["jwks"] else { return value["mayFetch"]?.bool == true ? "fetch" : "nothing" }
    return KeySet(jwks)?.holds(kid) == true ? "use" : "miss"
  }

  @Test func `a set is good as long as the server says, for each issuer by itself`() throws {
    #expect(ask("1", at: 0) == "fetch")
    try keep(["1"], at: 0)
    #expect(ask("1", at: 599.9) == "use" && ask(nil, at: 1) == "use")
    #expect(ask("1", at: 600) == "fetch")
    #expect(ask("1", of: "https://b", at: 1) == "fetch")
  }

  @Test func `no max-age is an hour, a negative one nothing, a huge one a day, and a clock that went back ends it`()
    throws
  {
    try keep(["1"], maxAge: nil, at: 0)
    #expect(ask("1", at: 3_599) == "use" && ask("1", at: 3_600) == "fetch")
    try keep(["1"], maxAge: -5, at: 0)
    #expect(ask("1", at: 0) == "fetch")
    try keep(["1"], maxAge: .max, at: 100)
    #expect(ask("1", at: 86_499) == "use" && ask("1", at: 86_500) == "fetch" && ask("1", at: 99) == "fetch")
    cache.keep(["keys": []], of: "https://c", maxAge: nil, at: Timestamp(microseconds: .min))
    #expect(cache.value(of: ["issuer": "https://c"], at: Timestamp(microseconds: .max))["mayFetch"] == true)
  }

  @Test func `an unknown key has the set fetched again, once in 30 seconds`() throws {
    try keep(["1"], at: 0)
    #expect(ask("2", at: 10) == "fetch")
    #expect(ask("2", at: 10) == "miss" && ask("3", at: 39.9) == "miss" && ask("1", at: 20) == "use")
    #expect(ask("2", at: 40) == "fetch")
    try keep(["1", "2"], at: 41)
    #expect(ask("2", at: 42) == "use" && ask("3", at: 43) == "miss" && ask("3", at: 71) == "fetch")
  }

  @Test func `the cache holds 32 issuers and forgets the oldest`() throws {
    for number in 0..<40 { try keep(["1"], of: "https://\(number)", at: Double(number)) }
    #expect(ask("1", of: "https://7", at: 40) == "fetch" && ask("1", of: "https://8", at: 40) == "use")
  }
}

/// Key sets as they come (RFC 7517 §5).
@Suite struct KeySetTests {
  @Test func `keys that cannot verify are left out, and private members with them`() throws {
    let set = try #require(
      KeySet([
        "keys": [
          TestKey.rsa.jwk("good", extra: [("d", "AQAB"), ("p", "AQAB")]),
          TestKey.rsa.jwk("enc", extra: [("use", "enc")]),
          ["kty": "oct", "k": "c2VjcmV0", "kid": "oct"], ["kty": "RSA", "kid": "bare"], 7, .null, [:], "text",
          ["kty": "RSA", "kid": "bad", "n": "+++", "e": "AQAB"], ["kty": "OKP", "crv": "Ed25519", "x": "AA"],
        ]
      ]))
    #expect(set.holds("good") && !set.holds("oct") && !set.holds("enc") && !set.holds("bad"))
    #expect(set.json["keys"]?.array?.count == 1 && set.json["keys"]?.array?[0]["d"] == nil)
    #expect(KeySet(set.json) == set)
  }

  @Test func `what is no key set is none`() {
    for document: JSON in [[], "keys", ["keys": "x"], [:], ["keys": ["kty": "RSA"]], .null] {
      #expect(KeySet(document) == nil)
    }
  }
}
