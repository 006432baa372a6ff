// The checks P1 to P6 and H1 to H9 (spec/device.md §8.1, §8.2), one row each.

import DeviceAuthenticator
import EventStore
import FlowRecording
import Testing

@Suite struct ChallengeCheckTests {
  private static let claims: [(String, JSON)] = [
    ("iss", "https://org.example"), ("aud", .string(DeviceVocabulary.challengeAudience)), ("iat", 1_700_000_000),
    ("exp", 1_700_000_300), ("nonce", "n-1"), ("transactionId", "ft1"), ("orgId", "00o1"), ("userId", "00u1"),
    ("verificationUri", "https://org.example/idp/myaccount/app-authenticators/challenge/ft1/verify"),
    ("authenticatorEnrollmentId", "pfd1"), ("method", "push"), ("challengeContext", ["transactionType": "LOGIN"]),
  ]

  private static func claims(_ name: String? = nil, _ value: JSON? = nil) -> JSON {
    .members(claims.map { $0.0 == name ? ($0.0, value) : ($0.0, Optional($0.1)) })
  }

  private static func token(_ claims: JSON, _ header: JSON = ["alg": "RS256", "typ": "okta-pushbind+jwt", "kid": "k"])
    -> String
  {
    CompactJWS.signingInput(header: header, claims: claims) + ".AAAA"
  }

  private func check(_ reading: ChallengeReading) -> String? {
    if case .failure(let failure, _) = reading { "\(failure.check) \(failure.kind.rawValue)" } else { nil }
  }

  @Test func `a notification of another kind is not ours`() {
    let token: JSON = .string(Self.token(Self.claims()))
    #expect(check(ChallengeReading(version: "IDXv1", challenge: token)) == nil)
    for version: JSON? in [nil, "IDXv2", "idxv1", 1, .null] {
      #expect(check(ChallengeReading(version: version, challenge: token)) == "P1 pushNotRecognized")
    }
    for challenge: JSON? in [nil, 1, .null, ["a": 1]] {
      #expect(check(ChallengeReading(version: "IDXv1", challenge: challenge)) == "P2 pushNotRecognized")
    }
  }

  @Test func `a token that is no JWT, of another type or family fails P3`() {
    for token in ["", "a", "a.b", "a.b.c", "e30.e30", "e30.e30.AA=", "e30.W10.AAAA", Self.token(Self.claims()) + ".x"] {
      #expect(check(ChallengeReading(token: token)) == "P3 jwtError", "\(token)")
    }
    let headers: [JSON] = [
      ["alg": "RS256", "typ": "JWT"], ["alg": "XX256"], ["typ": "okta-pushbind+jwt"], ["alg": 1], [:],
    ]
    for header in headers {
      #expect(check(ChallengeReading(token: Self.token(Self.claims(), header))) == "P3 jwtError")
    }
    let bind: JSON = ["alg": "RS256", "typ": "okta-devicebind+jwt"]
    #expect(check(ChallengeReading(token: Self.token(Self.claims(), bind))) == "P3 pushNotRecognized")
    // Without a type, and in any case.
    for header: JSON in [["alg": "RS256"], ["alg": "none", "typ": "OKTA-PushBind+JWT"]] {
      #expect(check(ChallengeReading(token: Self.token(Self.claims(), header))) == nil)
    }
  }

  @Test(arguments: ["orgId", "nonce", "verificationUri", "iss", "aud", "iat", "exp", "transactionId"])
  func `a required claim that is missing or of another type fails P4`(name: String) {
    for value: JSON? in [nil, .null, [:], ["a"], true, .number("1.5")] {
      #expect(check(ChallengeReading(token: Self.token(Self.claims(name, value)))) == "P4 jwtError", "\(name)")
    }
  }

  @Test func `times may be decimal texts, the URL must be one, and context and enrollment must be there`() {
    #expect(check(ChallengeReading(token: Self.token(Self.claims("exp", "1700000300")))) == nil)
    #expect(check(ChallengeReading(token: Self.token(Self.claims("verificationUri", "/verify")))) == "P5 jwtError")
    for (name, value): (String, JSON?) in [
      ("challengeContext", nil), ("challengeContext", "x"), ("authenticatorEnrollmentId", nil),
      ("authenticatorEnrollmentId", 1),
    ] {
      #expect(check(ChallengeReading(token: Self.token(Self.claims(name, value)))) == "P6 internalError")
    }
  }

  private func belongs(
    _ name: String? = nil, _ value: JSON? = nil, org: String = "https://org.example", origins: [String] = [],
    pulledFor: String? = nil, ciba: Bool = false, server: JSON? = nil
  ) -> String? {
    var claims = Self.claims(name, value).object
    if let server { claims?["authorizationServerId"] = server }
    let challenge = Challenge(header: ["alg": "RS256", "kid": "k"], claims: claims.map(JSON.object) ?? .null)
    return challenge.belongs(
      to: ChallengeExpectation(
        orgURL: org, orgID: "00o1", userID: "00u1", transactionTypes: ciba ? ["LOGIN", "CIBA"] : ["LOGIN"],
        audiences: ["0oa1"], origins: origins, pulledFor: pulledFor))?.check
  }

  @Test func `an issuer is the org however its host and port are written, and its path is exact`() {
    for org in ["https://Org.example", "https://org.example:443", "https://ORG.example:443/"] {
      #expect(belongs(org: org) == nil && belongs("iss", "https://org.example/", org: org) == nil, "\(org)")
      #expect(belongs("iss", "https://id.example", org: org) == "H1", "\(org)")
      #expect(belongs("iss", "https://org.example/oauth2/Aus1", org: org, server: "Aus1") == nil, "\(org)")
      #expect(belongs("iss", "https://org.example/oauth2/Aus1", org: org, server: "aus1") == "H1", "\(org)")
    }
    #expect(belongs("iss", "https://ID.example:443", origins: ["https://id.example"]) == nil)
    for issuer: JSON in [
      "https://org.example:444", "http://org.example", "https://org.example/path", "https://org.example?x",
      "https://org.example#x", "https://me@org.example", "org.example", "",
    ] {
      #expect(belongs("iss", issuer) == "H1", "\(issuer)")
    }
  }

  @Test func `a challenge that is for another org, person, application or enrollment is refused`() {
    #expect(belongs() == nil && belongs("iss", "https://org.example/") == nil && belongs("aud", "0oa1") == nil)
    #expect(belongs("userId", nil) == nil && belongs(pulledFor: "pfd1") == nil)
    #expect(belongs("iss", "https://evil.example") == "H1" && belongs("iss", "https://org.example.evil") == "H1")
    #expect(belongs("iss", "https://id.example") == "H1")
    #expect(belongs("iss", "https://id.example", origins: ["https://id.example"]) == nil)
    #expect(belongs("aud", "0oa2") == "H2" && belongs("orgId", "00o2") == "H3" && belongs("userId", "00u2") == "H4")
    for url: JSON in [
      "https://evil.example/verify", "http://org.example/verify", "https://org.example:444/verify",
      "https://org.example@evil.example/verify", "https://user@org.example/verify",
    ] {
      #expect(belongs("verificationUri", url) == "H5", "\(url)")
    }
    #expect(belongs("method", "signed_nonce") == "H6" && belongs("method", nil) == "H6")
    #expect(belongs("challengeContext", ["transactionType": "CIBA"]) == "H8")
    #expect(belongs("challengeContext", ["transactionType": "CIBA"], ciba: true) == nil)
    #expect(belongs(pulledFor: "pfd2") == "H9")
  }

  @Test(arguments: ["none", "HS256", "HS512", "ES256", "PS256", "RS1"])
  func `an algorithm that is not RSA with PKCS 1 is refused before any key is looked up`(algorithm: String) {
    let challenge = Challenge(header: ["alg": .string(algorithm), "kid": "k"], claims: Self.claims())
    #expect(challenge.timeAndForm(at: 1_700_000_000_000_000, skew: 300)?.check == "V2")
    let bare = Challenge(header: ["alg": "RS256"], claims: Self.claims())
    #expect(bare.timeAndForm(at: 1_700_000_000_000_000, skew: 300)?.check == "V4")
  }

  @Test func `times at the edge of what a number holds do not trap`() {
    for seconds in [Int.max, Int.min, 0, -1] {
      for name in ["exp", "iat"] {
        let challenge = Challenge(header: ["alg": "RS256"], claims: Self.claims(name, .int(seconds)))
        for now in [Int64.max, .min, 0] { _ = challenge.timeAndForm(at: now, skew: .max) }
        #expect(challenge.claims[name] == .int(seconds))
      }
    }
  }
}
