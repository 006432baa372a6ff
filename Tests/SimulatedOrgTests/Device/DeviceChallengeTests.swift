// The challenges that the org makes (device.md §4.9, §7, §20.3, §20.5).

import Crypto
import Foundation
import SimulatedOrg
import Testing

@Suite struct DeviceChallengeTests {
  /// The key set behind an issuer, found as a device finds it.
  private func keys(_ wire: WireClient, _ issuer: String = "") async throws -> WireReply {
    wire.headers = [("Accept", "application/json")]
    let discovery = try await wire.get(issuer + "/.well-known/openid-configuration")
    return try await wire.get(try discovery.text("jwks_uri"))
  }

  @Test func `a challenge says what was asked, and the org signed it`() async throws {
    try await withHandset { org, handset in
      let challenge = try handset.challenged {
        $0.transactionType = .ciba
        ($0.bindingMessage, $0.requirement, $0.mediation) = ("Pay%20100%25", .required, .optional)
        ($0.signals, $0.integrations, $0.signalProviders) = (["udid"], ["mdm"], ["edr"])
        ($0.context, $0.textItems) = (["riskLevel": "HIGH", "clientOS": .null], ["42"])
        ($0.lifetime, $0.applicationName) = (60, "Shop")
      }
      let token = try #require(challenge.token)
      let (header, claims) = try TestToken.read(token)
      #expect(header["typ"] as? String == "okta-pushbind+jwt" && header["alg"] as? String == "RS256")
      #expect(header["kid"] as? String == org.signingKeyID())
      let texts = [
        "iss": org.url.absoluteString, "aud": OrgDevices.Audience.value, "jti": challenge.id,
        "transactionId": challenge.id,
        "orgId": "00o1simulatedorg0000", "appInstanceName": "Shop", "method": "push",
        "methodEnrollmentId": handset.methodID, "authenticatorEnrollmentId": handset.enrollmentID,
        "userMediation": "OPTIONAL", "userVerification": "REQUIRED", "userId": handset.userID,
        "verificationUri":
          org.url.absoluteString + "/idp/myaccount/app-authenticators/challenge/\(challenge.id)/verify",
      ]
      for (name, value) in texts { #expect(claims[name] as? String == value, "\(name)") }
      #expect(claims["iat"] as? Int == handset.now && claims["exp"] as? Int == handset.now + 60)
      #expect(claims["signals"] as? [String] == ["udid"])
      #expect((claims["integrations"] as? [Body])?.first?["name"] as? String == "mdm")
      #expect((claims["signalProviders"] as? [Body])?.first?["name"] as? String == "edr")
      let context = try #require(claims["challengeContext"] as? Body)
      #expect(context["transactionType"] as? String == "CIBA" && context["bindingMessage"] as? String == "Pay%20100%25")
      #expect(context["riskLevel"] as? String == "HIGH" && context["clientOS"] == nil)
      #expect(context["challengeTextItems"] as? [String] == ["42"])
      #expect(try await TestToken.isSigned(token, by: keys(handset.wire)))
      #expect(try await !TestToken.isSigned(token, by: keys(handset.wire, "/oauth2/default")))
    }
  }

  @Test func `a custom authorization server signs with keys of its own`() async throws {
    try await withHandset { org, handset in
      let token = try #require(try handset.challenged { $0.signer = .authorizationServer("aus1") }.token)
      let claims = try TestToken.read(token).claims
      #expect(claims["authorizationServerId"] as? String == "aus1")
      #expect(claims["iss"] as? String == org.url.absoluteString + "/oauth2/aus1")
      #expect(try await TestToken.isSigned(token, by: keys(handset.wire, "/oauth2/aus1")))
      #expect(try await !TestToken.isSigned(token, by: keys(handset.wire)))
      let challenge = try #require(org.challenges.first)
      #expect(try await handset.answer(challenge).status == 200)
    }
  }

  @Test func `keys rotate, and the one before stays only if it is kept`() async throws {
    try await withHandset { org, handset in
      let first = try #require(try handset.challenged().token)
      org.rotateKeys()
      let second = try #require(try handset.challenged().token)
      #expect(try TestToken.read(first).header["kid"] as? String != TestToken.read(second).header["kid"] as? String)
      #expect(try await TestToken.isSigned(first, by: keys(handset.wire)))
      #expect(try await TestToken.isSigned(second, by: keys(handset.wire)))
      org.rotateKeys(keepingPrevious: false)
      let third = try #require(try handset.challenged().token)
      #expect(try await !TestToken.isSigned(second, by: keys(handset.wire)))
      #expect(try await !TestToken.isSigned(first, by: keys(handset.wire)))
      #expect(try await TestToken.isSigned(third, by: keys(handset.wire)))
      // Who was asked under an old key can still answer.
      #expect(try await handset.answer(try #require(org.challenges.first)).status == 200)
    }
  }

  @Test func `the audience is the client if the org says so`() async throws {
    let devices = OrgDevices().with { $0.audience = .client }
    try await withHandset(.init(users: [People.ann], devices: devices)) { _, handset in
      let token = try #require(try handset.challenged().token)
      #expect(try TestToken.read(token).claims["aud"] as? String == OrgClient.sample.id)
    }
  }

  @Test func `a user's devices are all asked, but only those that take the kind`() async throws {
    try await withHandset { org, first in
      let second = try await Handset.enrolled(org, People.ann.login) { $0.transactionTypes = ["LOGIN"] }
      let ids = { (type: OrgTransactionType) in
        org.challenge(.init(.user(login: "ANN@acme.example"), transactionType: type)).map(\.enrollmentID)
      }
      #expect(ids(.login) == [first.enrollmentID, second.enrollmentID])
      #expect(ids(.ciba) == [first.enrollmentID])
      #expect(org.challenge(.init(.user(login: "nobody"))).isEmpty)
      #expect(org.challenge(.init(.enrollment("pfd0"))).isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `a newer challenge takes the place of the one before if the org says so`(supersedes: Bool) async throws {
    let devices = OrgDevices().with { $0.supersedesPending = supersedes }
    try await withHandset(.init(users: [People.ann], devices: devices)) { org, handset in
      let others = [
        try handset.challenged { $0.client = "other" }, try handset.challenged { $0.transactionType = .ciba },
      ]
      let old = try handset.challenged()
      _ = try handset.challenged()
      #expect(org.challenge(id: old.id)?.status == (supersedes ? .superseded : .pending))
      for other in others { #expect(org.challenge(id: other.id)?.status == .pending) }
      let reply = try await handset.answer(old)
      #expect(reply.status == (supersedes ? 400 : 200))
    }
  }

  /// A defect, and what is then true of the token.
  struct Defective: CustomTestStringConvertible, Sendable {
    var defect: OrgChallengeDefect
    var isSigned = false
    var holds: @Sendable (_ header: Body, _ claims: Body, _ now: Int) -> Bool = { _, _, _ in true }
    var testDescription: String { "\(defect)" }

    static func claim(_ name: String, _ value: OrgJSON?, _ text: String?) -> Self {
      Self(defect: .claim(name, value), isSigned: true) { _, claims, _ in claims[name] as? String == text }
    }
  }

  static let defective: [Defective] =
    [
      Defective(defect: .wrongSignature), Defective(defect: .otherKey),
      Defective(defect: .unknownKey) { header, _, _ in header["kid"] as? String == "sim-unknown-rs256" },
      Defective(defect: .unsigned) { header, _, _ in header["alg"] as? String == "none" },
      Defective(defect: .sharedSecret) { header, _, _ in header["alg"] as? String == "HS256" },
      Defective(defect: .header("typ", "okta-devicebind+jwt"), isSigned: true) { header, _, _ in
        header["typ"] as? String == "okta-devicebind+jwt"
      },
      Defective(defect: .header("kid", nil)) { header, _, _ in header["kid"] == nil },
      Defective(defect: .expired(), isSigned: true) { _, claims, now in claims["exp"] as? Int == now - 3600 },
      Defective(defect: .early(), isSigned: true) { _, claims, now in claims["iat"] as? Int == now + 3600 },
      .claim("iss", "https://other.example", "https://other.example"), .claim("aud", "other", "other"),
      .claim("orgId", "00o0", "00o0"), .claim("userId", "00u0", "00u0"), .claim("method", "totp", "totp"),
      .claim("verificationUri", "https://other.example/verify", "https://other.example/verify"),
      .claim("challengeContext", nil, nil), .claim("nonce", 7, nil), .claim("exp", "soon", "soon"),
    ]
    + ["iss", "aud", "iat", "exp", "nonce", "transactionId", "orgId", "verificationUri", "authenticatorEnrollmentId"]
    .map {
      .claim($0, nil, nil)
    }

  @Test(arguments: defective)
  func `a challenge is wrong in the one way that was ordered`(defective: Defective) async throws {
    try await withHandset { org, handset in
      for byRequest in [true, false] {
        if !byRequest { org.spoilChallenges(defective.defect) }
        let spoiled = try handset.challenged { if byRequest { $0.defect = defective.defect } }
        let token = try #require(spoiled.token)
        let (header, claims) = try TestToken.read(token)
        #expect(defective.holds(header, claims, handset.now), "\(header) \(claims)")
        #expect(try await TestToken.isSigned(token, by: keys(handset.wire)) == defective.isSigned)
        let good = try #require(try handset.challenged().token)
        #expect(try await TestToken.isSigned(good, by: keys(handset.wire)))
        let differing = try TestToken.read(good).claims.keys.sorted().filter { claims[$0] == nil }
        if case .claim(let name, nil) = defective.defect {
          #expect(differing == [name])
        } else {
          #expect(differing == [])
        }
      }
    }
  }

  @Test func `a forged HS256 is right under the public modulus`() async throws {
    try await withHandset { _, handset in
      let token = try #require(try handset.challenged { $0.defect = .sharedSecret }.token)
      let all = try #require(try await keys(handset.wire).value("keys") as? [Body])
      let key = try #require(all.first { $0["kty"] as? String == "RSA" }?["n"] as? String)
      let parts = token.split(separator: ".")
      let right = HMAC<SHA256>.authenticationCode(
        for: Data(parts[0...1].joined(separator: ".").utf8), using: SymmetricKey(data: try TestToken.bytes(key)))
      #expect(try TestToken.bytes(parts[2]) == Data(right))
    }
  }

  @Test func `a replayed challenge is the one before it, and other payloads are as ordered`() async throws {
    try await withHandset { _, handset in
      let first = try handset.challenged()
      let second = try handset.challenged { $0.defect = .replayed }
      #expect(second.id != first.id && second.payload == first.payload)
      let version = try handset.challenged { $0.defect = .payloadVersion("IDXv9") }
      #expect(version.payload["payloadVersion"] == "IDXv9")
      let number = try handset.challenged { $0.defect = .payload(7) }
      #expect(number.payload["challenge"] == 7 && number.token == nil)
    }
  }
}
