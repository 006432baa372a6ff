import Crypto
import EventStore
import FlowRecording
import Foundation
import OIDC
import Testing

/// Form, header and signature of ID tokens, and the attacks on them (RFC 8725).
@Suite struct TokenSignatureTests {
  private func outcome(_ token: String, keys: [JSON] = [TestKey.rsa.jwk()], algorithms: [String] = ["RS256"])
    async throws
    -> String
  {
    let set = try #require(KeySet(["keys": .array(keys)]))
    let expectation = IDTokenCheckTests.expectation { $0.algorithms = algorithms }
    switch await IDTokenCheck.check(token, keys: set, against: expectation) {
    case .success: return "accepted"
    case .failure(let failure):
      #expect(!failure.description.contains("canary"))
      return "\(failure.claim) \(failure.rule.rawValue)"
    }
  }

  @Test func `a token without a signature, or with a shared secret, is refused whatever is allowed`() async throws {
    let all = ["RS256", "none", "None", "HS256"]
    for name in ["none", "None", "nOnE"] {
      let token = TokenMaker().header("alg", .string(name)).token(signature: [])
      #expect(try await outcome(token, algorithms: all) == "alg algorithm")
    }
    // The classic confusion: the public key, as bytes and as text, taken for a secret.
    let maker = TokenMaker().header("alg", "HS256")
    for secret in [TestKey.rsa.modulus, Array(TestKey.rsa.jwk().text.utf8)] {
      let code = HMAC<SHA256>.authenticationCode(for: Data(maker.input.utf8), using: SymmetricKey(data: secret))
      #expect(try await outcome(maker.token(signature: Array(code)), algorithms: all) == "alg algorithm")
      // The same code under a name of RSA is no signature.
      let disguised = TokenMaker().input + "." + Base64URL.encode(Array(code))
      #expect(try await outcome(disguised, algorithms: all) == "signature signature")
    }
  }

  @Test func `a header that lacks alg, or has another type of it, is refused`() async throws {
    #expect(try await outcome(TokenMaker().header("alg", nil).token()) == "alg missing")
    #expect(try await outcome(TokenMaker().header("alg", 5).token()) == "alg wrongType")
    #expect(try await outcome(TokenMaker().header("alg", "RS255").token()) == "alg algorithm")
    #expect(try await outcome(TokenMaker().header("alg", "RS384").token()) == "alg algorithm")
    #expect(try await outcome(TokenMaker().header("kid", 5).token()) == "kid wrongType")
  }

  @Test func `an extension that must be understood is refused`() async throws {
    #expect(try await outcome(TokenMaker().header("crit", ["b64"]).header("b64", false).token()) == "crit critical")
    #expect(try await outcome(TokenMaker().header("crit", []).token()) == "crit critical")
  }

  @Test func `a key in the token itself counts for nothing`() async throws {
    var forged = TokenMaker().header("alg", "ES256").header("jwk", TestKey.p256.jwk())
    forged.key = .p256
    #expect(try await outcome(forged.token(), algorithms: ["RS256", "ES256"]) == "kid unknownKey")
  }

  @Test func `the key is found by its id, and a token without one is tried with each that fits`() async throws {
    let good = TokenMaker().token()
    #expect(try await outcome(good, keys: [TestKey.rsa.jwk("other")]) == "kid unknownKey")
    #expect(try await outcome(good, keys: []) == "kid unknownKey")
    #expect(try await outcome(good, keys: [TestKey.rsa.jwk(nil)]) == "kid unknownKey")
    let bare = TokenMaker().header("kid", nil).token()
    let keys = [TestKey.p256.jwk("a"), TestKey.shortRSA.jwk("b"), TestKey.rsa.jwk("c")]
    #expect(try await outcome(bare, keys: keys) == "accepted")
    #expect(try await outcome(bare, keys: [TestKey.p256.jwk("a")]) == "kid unknownKey")
  }

  @Test func `a key that is for something else does not verify`() async throws {
    let good = TokenMaker().token()
    for (name, value) in [
      ("use", "enc" as JSON), ("use", 7), ("key_ops", ["encrypt"]), ("alg", "RS512"), ("alg", "RSA-OAEP"),
    ] {
      #expect(try await outcome(good, keys: [TestKey.rsa.jwk(extra: [(name, value)])]) == "kid unknownKey")
    }
    for (name, value) in [("use", "sig" as JSON), ("key_ops", ["verify"]), ("alg", "RS256"), ("x5t", "AA")] {
      #expect(try await outcome(good, keys: [TestKey.rsa.jwk(extra: [(name, value)])]) == "accepted")
    }
  }

  @Test func `a short RSA key counts for nothing, and another key's signature neither`() async throws {
    var short = TokenMaker()
    short.key = .shortRSA
    #expect(try await outcome(short.token(), keys: [TestKey.shortRSA.jwk()]) == "kid weakKey")
    #expect(try await outcome(short.token()) == "signature signature")
    #expect(try await outcome(TokenMaker().token(signature: [])) == "signature signature")
    #expect(try await outcome(TokenMaker().token(signature: Array(repeating: 0, count: 256))) == "signature signature")
  }

  @Test func `a point that is not of its curve is no key`() async throws {
    var maker = TokenMaker().header("alg", "ES256")
    maker.key = .p256
    let zero = Base64URL.encode(Array(repeating: UInt8(0), count: 32))
    for point in [("P-256", zero, zero), ("P-256", "AA", "AA"), ("P-384", zero, zero), ("secp256k1", zero, zero)] {
      let jwk: JSON = [
        "kid": "key-1", "kty": "EC", "crv": .string(point.0), "x": .string(point.1), "y": .string(point.2),
      ]
      #expect(try await outcome(maker.token(), keys: [jwk], algorithms: ["ES256"]) != "accepted")
    }
    #expect(try await outcome(maker.token(), keys: [TestKey.p256.jwk()], algorithms: ["ES256"]) == "accepted")
    let raw = TestKey.p256.sign(maker.input)
    #expect(
      try await outcome(maker.token(signature: raw + [0]), keys: [TestKey.p256.jwk()], algorithms: ["ES256"])
        == "signature signature")
  }

  @Test func `what is no compact JWT is refused`() async throws {
    let good = TokenMaker().token()
    let parts = good.split(separator: ".").map(String.init)
    let bad = [
      "", ".", "..", "...", parts[0], "\(parts[0]).\(parts[1])", good + ".", good + "=", good + ".AA.AA", " " + good,
      "\(parts[0])=.\(parts[1]).\(parts[2])", "W10.\(parts[1]).\(parts[2])", "\(parts[0]).W10.\(parts[2])",
      "\(parts[0]).!!!.\(parts[2])", "e30", "bnVsbA.bnVsbA.",
    ]
    for token in bad { #expect(try await outcome(token) == "token malformed", "\(token.count)") }
    let huge = String(repeating: "A", count: IDTokenCheck.limit + 1)
    #expect(try await outcome(huge) == "token tooLong")
    #expect(try await outcome(String(repeating: ".", count: IDTokenCheck.limit)) == "token malformed")
    let deep = Base64URL.encode(Array((String(repeating: "[", count: 20_000)).utf8))
    #expect(try await outcome("\(deep).\(deep).AA") == "token malformed")
  }

  @Test func `a member that stands twice is refused in header and claims`() async throws {
    var twice = TokenMaker()
    twice.claims.append(("sub", "00u-other-canary"))
    #expect(try await outcome(twice.token()) == "sub duplicate")
    twice = TokenMaker()
    twice.header.append(("alg", "none"))
    #expect(try await outcome(twice.token()) == "alg duplicate")
  }

  @Test func `no change of a character of a good token is accepted`() async throws {
    let good = Array(TokenMaker().token().utf8)
    var accepted = 0
    for index in stride(from: 0, to: good.count, by: 3) {
      var bytes = good
      bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      if try await outcome(String(decoding: bytes, as: UTF8.self)) == "accepted" { accepted += 1 }
    }
    #expect(accepted == 0)
  }

  @Test func `each claim and each member of the header is signed`() async throws {
    let good = TokenMaker()
    let signature = good.key.sign(good.input)
    for (name, value) in good.claims {
      for other in [nil, value == "x" ? "y" as JSON : "x"] {
        let token = good.with(name, other).token(signature: signature)
        #expect(try await outcome(token) == "signature signature", "\(name)")
      }
    }
    #expect(try await outcome(good.header("typ", "JWT").token(signature: signature)) == "signature signature")
  }
}
