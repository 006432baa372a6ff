// The vectors of spec/device.md §22.

import DeviceAuthenticator
import EventStore
import FlowRecording
import Testing

@Suite struct VectorTests {
  private func bytes(_ hex: String) -> [UInt8] {
    var out: [UInt8] = []
    var rest = hex[...]
    while !rest.isEmpty {
      out.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
      rest = rest.dropFirst(2)
    }
    return out
  }

  private func challenge() throws -> Challenge {
    guard case .challenge(let challenge) = ChallengeReading(token: Vectors.challenge) else {
      throw CheckFailure.jwt("P3", "the vector is no challenge")
    }
    return challenge
  }

  @Test func `the challenge of the vectors reads as what it says`() throws {
    let challenge = try challenge()
    #expect(challenge.transactionID == "ftVectorTransaction000000000000001" && challenge.transactionType == "CIBA")
    #expect(challenge.requirement == .preferred && challenge.keyID == "sim-rs256-1")
    #expect(challenge.names(of: "signals") == ["id", "displayName", "platform", "osVersion"])
    #expect(BindingMessage.shown(try #require(challenge.bindingMessage)) == "Pay 100% of €42?")
  }

  @Test func `the challenge is good up to and including its end with the skew, to the microsecond`() throws {
    let challenge = try challenge()
    #expect(challenge.timeAndForm(at: 1_700_000_600_000_000, skew: 300) == nil)
    #expect(challenge.timeAndForm(at: 1_700_000_600_000_001, skew: 300)?.check == "V1")
    #expect(challenge.timeAndForm(at: 1_699_999_700_000_000, skew: 300) == nil)
    #expect(challenge.timeAndForm(at: 1_699_999_699_999_999, skew: 300)?.check == "V3")
    // A negative skew counts as none.
    #expect(challenge.timeAndForm(at: 1_700_000_300_000_000, skew: -5) == nil)
    #expect(challenge.timeAndForm(at: 1_700_000_300_000_001, skew: -5)?.check == "V1")
  }

  @Test func `the org's key verifies the challenge; any changed byte, another kid or a short key does not`()
    async throws
  {
    let keys = try #require(try JSON(parsing: Array(Vectors.orgKeys.utf8))["keys"]?.array)
    func result(_ token: String, _ kid: String, _ keys: [JSON]) async -> String? {
      await TokenVerifier.value(token: token, kid: kid, keys: keys)["result"]?.string
    }
    #expect(await result(Vectors.challenge, "sim-rs256-1", keys) == "verified")
    #expect(await result(Vectors.challenge, "sim-rs256-2", keys) == "noKey")
    let parts = Vectors.challenge.split(separator: ".").map(String.init)
    for part in 0..<3 {
      for place in stride(from: 0, to: parts[part].count, by: 37) {
        var changed = parts
        var letters = Array(changed[part])
        letters[place] = letters[place] == "A" ? "B" : "A"
        changed[part] = String(letters)
        #expect(await result(changed.joined(separator: "."), "sim-rs256-1", keys) != "verified", "\(part) \(place)")
      }
    }
    let short: JSON = [["kty": "RSA", "kid": "sim-rs256-1", "n": "rSsmPX3pyAX-Kf3c", "e": "AQAB"]]
    #expect(await result(Vectors.challenge, "sim-rs256-1", short.array ?? []) == "weakKey")
  }

  @Test func `a key whose x begins with zero keeps its 32 bytes, and has the thumbprint of the vectors`() throws {
    let jwk = try JSON(parsing: Array(Vectors.deviceKey.utf8))
    let x = try #require(Base64URL.decode(jwk["x"]?.string ?? ""))
    let key = PublicKey(x: x, y: try #require(Base64URL.decode(jwk["y"]?.string ?? "")))
    // One that lost its zero is padded again.
    let cut = PublicKey(x: Array(x.drop { $0 == 0 }), y: key.y)
    for key in [key, cut] {
      #expect(key.jwk(tag: "T", protection: .software)["x"] == jwk["x"])
      #expect(key.thumbprint == "nghrP7umetmf46x9m58iY3FmolZCHntIPT3J8acPxrQ")
    }
  }

  @Test func `a signature in DER becomes 64 bytes, each half padded`() throws {
    #expect(JOSESignature.raw(fromDER: bytes(Vectors.der)) == bytes(Vectors.raw))
    #expect(CompactJWS(Vectors.answer)?.signature == bytes(Vectors.raw))
    for end in 0..<bytes(Vectors.der).count {
      #expect(JOSESignature.raw(fromDER: Array(bytes(Vectors.der)[..<end])) == nil)
    }
  }

  @Test func `the answer's claims are those of the vectors`() throws {
    let expected = try #require(CompactJWS(Vectors.answer))
    let challenge = try challenge()
    let signals = DeviceRequests.signals(
      ["displayName": "build-host-7", "platform": "LINUX", "osVersion": "24.04", "model": "not asked for"],
      deviceID: "guoVectorDevice0001", clientInstanceID: "cliVectorClient0001", asked: challenge.names(of: "signals"))
    let answer = DeviceTokens.Answer(
      enrollmentID: "pfdVectorEnroll00001", userID: "00uVectorUser000001", methodID: "opfVectorMethod00001",
      key: "8F0B6C1E-0000-4000-8000-000000000001", keyType: .proofOfPossession, consent: .approved, methods: [],
      signals: signals)
    let jwt = DeviceTokens.response(
      to: challenge, answer, at: 1_700_000_010, id: "5D2A1F60-0000-4000-8000-000000000002")
    #expect(jwt.header == expected.header)
    #expect(jwt.claims.sorted == expected.claims.sorted)
  }

  @Test func `texts of the wire come out as the vectors say`() {
    #expect(DeviceTexts.stripTags("<b>Bob's</b> box") == "Bob's box")
    #expect(DeviceTexts.hex([0xde, 0xad, 0x00, 0x01]) == "dead0001")
    #expect(DeviceTexts.orgURL("tenant.okta.com") == "https://tenant.okta.com")
    #expect(DeviceTexts.orgURL("https://tenant.okta.com/a/b") == "https://tenant.okta.com")
    #expect(DeviceTexts.orgURL("http://127.0.0.1:8080") == "http://127.0.0.1:8080")
    #expect(DeviceTexts.orgURL("http://tenant.okta.com") == nil)
    #expect(DeviceTexts.orgURL("https://user@tenant.okta.com") == nil)
    #expect(BindingMessage.shown("Did you make a $300 purchase%2E?") == "Did you make a $300 purchase.?")
    #expect(BindingMessage.shown("100% sure") == "100% sure")
    #expect(BindingMessage.shown("a\u{202E}b\u{7}c") == "abc")
    #expect(DeviceTexts.token("a b/ü") == "a_b__" && DeviceTexts.token("") == "unknown")
  }
}
