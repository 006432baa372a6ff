import EventStore
import FlowRecording
import OIDC
import Testing

/// The claims of ID tokens, each rule of oidc §8.1 with a token that breaks it alone.
@Suite struct IDTokenCheckTests {
  static let keys = KeySet(["keys": [TestKey.rsa.jwk(), TestKey.p256.jwk("key-2")]])

  static func expectation(_ change: (inout IDTokenExpectation) -> Void = { _ in }) -> IDTokenExpectation {
    var expectation = IDTokenExpectation(
      issuer: TokenMaker.issuer, clientID: "client-1", nonce: "nonce-canary",
      now: Timestamp(microseconds: Int64(TokenMaker.now) * 1_000_000))
    expectation.accessToken = TokenMaker.accessToken
    change(&expectation)
    return expectation
  }

  static func check(
    _ maker: TokenMaker, _ change: (inout IDTokenExpectation) -> Void = { _ in }
  ) async throws -> Result<IDTokenClaims, IDTokenFailure> {
    await IDTokenCheck.check(maker.token(), keys: try #require(keys), against: expectation(change))
  }

  static func failure(
    _ maker: TokenMaker, _ change: (inout IDTokenExpectation) -> Void = { _ in }
  ) async throws -> String {
    switch try await check(maker, change) {
    case .success: return "accepted"
    case .failure(let failure):
      for canary in ["canary", maker.token()] { #expect(!"\(failure) \(failure.json.text)".contains(canary)) }
      return "\(failure.claim) \(failure.rule.rawValue)"
    }
  }

  @Test func `a good token of RS256 and one of ES256 are accepted, and their claims are those of the protocol`()
    async throws
  {
    let claims = try await Self.check(TokenMaker()).get()
    #expect(claims.issuer == TokenMaker.issuer && claims.audience == ["client-1"] && claims.id == "ID.1")
    #expect(claims.methods == ["pwd", "otp"] && claims.context == "urn:okta:loa:2fa:any" && claims.keyID == "key-1")
    #expect(IDTokenClaims(json: claims.json) == claims)
    #expect(!"\(claims)".contains("canary") && !String(reflecting: claims).contains("canary"))
    var curve = TokenMaker().header("alg", "ES256").header("kid", "key-2")
    curve.key = .p256
    #expect(try await Self.failure(curve) == "alg algorithm")
    #expect(try await Self.failure(curve) { $0.algorithms = ["RS256", "ES256"] } == "accepted")
  }

  /// Claim, its JSON (none for a claim that is left out), and what the check says. `TokenMaker.now` is 1795348800.
  private static let rows: [[String]] = [
    ["iss", "", "iss missing"],
    ["iss", "7", "iss wrongType"],
    ["iss", "null", "iss wrongType"],
    ["iss", #""https://acme.example/oauth2/default/""#, "iss mismatch"],
    ["iss", #""https://evil.example""#, "iss mismatch"],
    ["aud", "", "aud missing"],
    ["aud", "[]", "aud missing"],
    ["aud", "[7]", "aud wrongType"],
    ["aud", "7", "aud wrongType"],
    ["aud", #""client-2""#, "aud mismatch"],
    ["aud", #"["client-2"]"#, "aud mismatch"],
    ["aud", #"["client-1"]"#, "accepted"],
    ["aud", #"["client-1","client-2"]"#, "azp missing"],
    ["azp", #""client-2""#, "azp mismatch"],
    ["azp", "7", "azp wrongType"],
    ["azp", #""client-1""#, "accepted"],
    ["exp", "", "exp missing"],
    ["exp", #""1795352400""#, "exp wrongType"],
    ["exp", "1795348500", "exp expired"],
    ["exp", "1795348501", "iat order"],
    ["exp", "9223372036854775807", "exp wrongType"],
    ["exp", "1e400", "exp wrongType"],
    ["iat", "", "iat missing"],
    ["iat", "1795349101", "iat skewed"],
    ["iat", "1795349100", "accepted"],
    ["iat", "1795348499", "iat skewed"],
    ["iat", "1795348500", "accepted"],
    ["iat", "-1e300", "iat wrongType"],
    ["iat", "1795348800.9", "accepted"],
    ["nbf", "1795349101", "nbf skewed"],
    ["nonce", "", "nonce missing"],
    ["nonce", #""""#, "nonce mismatch"],
    ["nonce", #""nonce-canarY""#, "nonce mismatch"],
    ["nonce", "7", "nonce wrongType"],
    ["sub", "", "sub missing"],
    ["sub", #""""#, "sub missing"],
    ["sub", #""zoë""#, "sub malformed"],
    ["at_hash", #""EN9PvSfRnJ9qwbHAFRGqMW""#, "at_hash mismatch"],
    ["at_hash", "", "accepted"],
    ["at_hash", #""""#, "at_hash mismatch"],
    ["auth_time", #""yesterday""#, "auth_time wrongType"],
    ["acr", "3", "acr wrongType"],
  ]

  @Test(arguments: rows) func `a claim that breaks a rule is named with the rule`(row: [String]) async throws {
    let value: JSON? = row[1].isEmpty ? Optional.none : try JSON(parsing: Array(row[1].utf8))
    #expect(try await Self.failure(TokenMaker().with(row[0], value)) == row[2])
  }

  @Test func `a subject has at most 255 characters`() async throws {
    let most = String(repeating: "s", count: 255)
    #expect(try await Self.failure(TokenMaker().with("sub", .string(most))) == "accepted")
    #expect(try await Self.failure(TokenMaker().with("sub", .string(most + "s"))) == "sub malformed")
  }

  @Test func `of several audiences one is the client, and the token says that it is for it`() async throws {
    let several = TokenMaker().with("aud", ["client-1", "client-2"])
    #expect(try await Self.failure(several.with("azp", "client-1")) == "accepted")
    #expect(try await Self.failure(several.with("azp", "client-2")) == "azp mismatch")
  }

  @Test func `an issuer that is no https URL is refused, but for one on this machine`() async throws {
    let open = "http://acme.example"
    #expect(try await Self.failure(TokenMaker().with("iss", .string(open))) { $0.issuer = open } == "iss insecure")
    let local = "http://127.0.0.1:8080"
    #expect(try await Self.failure(TokenMaker().with("iss", .string(local))) { $0.issuer = local } == "accepted")
  }

  @Test func `a device secret is held against ds_hash`() async throws {
    let maker = TokenMaker().with("ds_hash", "EN9PvSfRnJ9qwbHAFRGqMw")
    #expect(try await Self.failure(maker) { $0.deviceSecret = TokenMaker.accessToken } == "accepted")
    #expect(try await Self.failure(maker) { $0.deviceSecret = "another" } == "ds_hash mismatch")
  }

  @Test func `a sign-in that must be fresh is`() async throws {
    func outcome(_ seconds: Int?) async throws -> String {
      let time = seconds.map { JSON.int(TokenMaker.now - $0) }
      return try await Self.failure(TokenMaker().with("auth_time", time)) { $0.maxAge = 100 }
    }
    #expect(try await outcome(400) == "accepted")
    #expect(try await outcome(401) == "auth_time tooOld")
    #expect(try await outcome(-301) == "auth_time skewed")
    #expect(try await outcome(nil) == "auth_time missing")
    #expect(try await Self.failure(TokenMaker()) { $0.maxAge = .max } == "accepted")
    #expect(try await Self.failure(TokenMaker()) { $0.skew = .max } == "accepted")
  }

  @Test func `a context that was asked for is one of those`() async throws {
    #expect(try await Self.failure(TokenMaker()) { $0.acrValues = ["urn:okta:loa:2fa:any"] } == "accepted")
    #expect(try await Self.failure(TokenMaker()) { $0.acrValues = ["phr"] } == "acr mismatch")
    #expect(try await Self.failure(TokenMaker().with("acr", nil)) { $0.acrValues = ["phr"] } == "acr missing")
  }

  @Test func `a refreshed token is of the same user, server and client, and needs no nonce`() async throws {
    func outcome(
      _ maker: TokenMaker, subject: String = "00u-subject-canary", issuer: String = TokenMaker.issuer,
      audience: [String] = ["client-1"]
    ) async throws -> String {
      try await Self.failure(maker) {
        $0.former = IDTokenExpectation.Former(subject: subject, issuer: issuer, audience: audience)
      }
    }
    #expect(try await outcome(TokenMaker().with("nonce", nil)) == "accepted")
    #expect(try await outcome(TokenMaker().with("nonce", "other")) == "nonce mismatch")
    #expect(try await outcome(TokenMaker(), subject: "00u-other") == "sub mismatch")
    #expect(try await outcome(TokenMaker(), issuer: "https://acme.example") == "iss mismatch")
    #expect(try await outcome(TokenMaker(), audience: ["client-1", "api"]) == "aud mismatch")
  }

  @Test func `a failure names claim, expected and actual, cut and without controls`() async throws {
    let long = "https://evil.example/\u{1B}[31m" + String(repeating: "x", count: 200)
    guard case .failure(let failure) = try await Self.check(TokenMaker().with("iss", .string(long))) else {
      Issue.record("accepted")
      return
    }
    #expect(failure.expected == TokenMaker.issuer)
    #expect(failure.actual?.count == 101 && failure.actual?.contains("\u{1B}") == false)
    #expect(failure.description.hasPrefix("iss of the ID token differs: expected https://acme.example/oauth2/default"))
    #expect(IDTokenFailure(json: failure.json) == failure)
  }
}
