// A device is challenged and answers (device.md §4.6, §4.7, §10, §20.4).

import Foundation
import SimulatedOrg
import Testing

@Suite struct DeviceAnswerTests {
  @Test func `a device pulls a challenge, and its signed yes approves it`() async throws {
    try await withHandset { org, handset in
      let challenge = try handset.challenged()
      let list = try await handset.send(
        "GET", handset.pendingPath, authorization: "Bearer " + handset.token("maintenance.read"))
      #expect(list.status == 200)
      #expect(list.count("") == 1)
      #expect(try list.text("0.payloadVersion") == "IDXv1")
      #expect(try list.text("0.challenge") == challenge.token)
      let reply = try await handset.answer(challenge, by: "userVerification", consent: "APPROVED_USER_VERIFICATION")
      #expect(reply.status == 200 && reply.body.isEmpty)
      let settled = try #require(org.challenge(id: challenge.id))
      #expect(settled.status == .approved)
      #expect(settled.answer?.keyID == handset.verification?.id)
      #expect(settled.answer?.consent == "APPROVED_USER_VERIFICATION")
      let empty = try await handset.send("GET", handset.pendingPath, authorization: "Bearer " + handset.token("manage"))
      #expect(empty.bodyText == "[]")
    }
  }

  /// Consent, requirement, mediation and key; the status that the device gets and what becomes of the challenge.
  struct Outcome: CustomTestStringConvertible, Sendable {
    var consent: String
    var requirement: OrgUserVerification? = .preferred
    var mediation: OrgUserMediation? = .required
    var keyType = "proofOfPossession"
    var status = 200
    var becomes: OrgChallengeStatus
    var testDescription: String {
      "\(consent) \(keyType) \(requirement?.rawValue ?? "-") \(mediation?.rawValue ?? "-")"
    }
  }

  @Test(arguments: [
    Outcome(consent: "APPROVED_CONSENT_PROMPT", becomes: .approved),
    Outcome(consent: "APPROVED_CONSENT_PROMPT", requirement: nil, mediation: nil, becomes: .approved),
    Outcome(consent: "APPROVED_CONSENT_PROMPT", requirement: .required, becomes: .rejected),
    Outcome(
      consent: "APPROVED_USER_VERIFICATION", requirement: .required, keyType: "userVerification", becomes: .approved),
    Outcome(consent: "CANCELLED_USER_VERIFICATION", becomes: .approved),
    Outcome(consent: "UV_TEMPORARILY_UNAVAILABLE", becomes: .approved),
    Outcome(consent: "UV_PERMANENTLY_UNAVAILABLE", becomes: .approved),
    Outcome(consent: "UV_PERMANENTLY_UNAVAILABLE", requirement: .required, becomes: .rejected),
    Outcome(consent: "NONE", becomes: .rejected), Outcome(consent: "NONE", mediation: nil, becomes: .rejected),
    Outcome(consent: "NONE", mediation: .optional, becomes: .approved),
    Outcome(consent: "NONE", mediation: OrgUserMediation.none, becomes: .approved),
    Outcome(consent: "DENIED_CONSENT_PROMPT", status: 204, becomes: .denied),
    Outcome(consent: "DENIED_CONSENT_PROMPT", requirement: .required, status: 204, becomes: .denied),
  ])
  func `an answer decides what becomes of the challenge`(outcome: Outcome) async throws {
    try await withHandset { org, handset in
      let challenge = try handset.challenged {
        ($0.requirement, $0.mediation) = (outcome.requirement, outcome.mediation)
      }
      let reply = try await handset.answer(challenge, by: outcome.keyType, consent: outcome.consent)
      #expect(reply.status == outcome.status && reply.body.isEmpty, "\(reply.bodyText)")
      #expect(org.challenge(id: challenge.id)?.status == outcome.becomes)
    }
  }

  @Test(arguments: ["APPROVED_CONSENT_PROMPT", "DENIED_CONSENT_PROMPT"])
  func `the same answer once more gets the same status, another one is refused`(consent: String) async throws {
    try await withHandset { org, handset in
      let challenge = try handset.challenged()
      let token = try #require(challenge.token)
      let response = try handset.sign(try handset.answer(to: token, consent: consent))
      let first = try await handset.post(response, to: token)
      org.advanceClock(by: 301)
      #expect(try await handset.post(response, to: token).status == first.status)
      org.advanceClock(by: -301)
      let second = try await handset.answer(challenge)
      #expect(second.status == 400 && second.bodyText.contains("the challenge is over"))
    }
  }

  @Test func `an answer with a megabyte of signals is taken`() async throws {
    try await withHandset { org, handset in
      let challenge = try handset.challenged()
      let token = try #require(challenge.token)
      var claims = try handset.answer(to: token, consent: "APPROVED_CONSENT_PROMPT")
      claims["signalProviders"] = [["name": "edr", "signal": String(repeating: "A", count: 1 << 20)]]
      #expect(try await handset.post(try handset.sign(claims), to: token).status == 200)
      #expect(org.challenge(id: challenge.id)?.status == .approved)
    }
  }

  @Test func `an unanswered challenge expires on the org's clock`() async throws {
    try await withHandset { org, handset in
      let challenge = try handset.challenged { $0.lifetime = 60 }
      org.advanceClock(by: 60)
      #expect(org.challenge(id: challenge.id)?.status == .pending)
      org.advanceClock(by: 1)
      #expect(org.challenge(id: challenge.id)?.status == .expired)
      let reply = try await handset.answer(challenge)
      #expect(reply.status == 400 && reply.bodyText.contains("the challenge expired"))
    }
  }

  /// One answer that violates one check.
  struct Violation: CustomTestStringConvertible, Sendable {
    var name: String
    var header: @Sendable (inout Body) -> Void = { _ in }
    var claims: @Sendable (inout Body) -> Void = { _ in }
    var testDescription: String { name }

    /// A claim that has another value; the answer is refused for that claim.
    static func claim(_ path: String, _ value: (any Sendable)?, _ reason: String) -> Self {
      Self(name: reason, claims: { $0[at: path] = value })
    }
  }

  @Test(arguments: [
    Violation(name: "typ is another one", header: { $0["typ"] = "okta-devicebind+jwt" }),
    Violation(name: "kid is no key of the enrollment", header: { $0["kid"] = "nobody" }),
    Violation(name: "the signature is wrong", header: { $0["alg"] = "RS256" }),
    Violation(name: "the signature is wrong", header: { $0["alg"] = "none" }),
    Violation.claim("iss", "pfd0", "iss is another one"), .claim("sub", "00u0", "sub is another one"),
    .claim("aud", "https://other.example", "aud is another one"), .claim("tx", "ft0", "tx is another one"),
    .claim("nonce", "0", "nonce is another one"), .claim("nonce", nil, "nonce is another one"),
    .claim("methodEnrollmentId", "opf0", "methodEnrollmentId is another one"),
    .claim("exp", 0, "iat, nbf or exp does not hold now"), .claim("exp", nil, "iat, nbf or exp does not hold now"),
    .claim("iat", 4_000_000_000, "iat, nbf or exp does not hold now"),
    .claim("nbf", 4_000_000_000, "iat, nbf or exp does not hold now"), .claim("jti", nil, "jti is missing"),
    .claim("deviceSignals/id", "guo0", "deviceSignals.id is another one"),
    .claim("deviceSignals/clientInstanceId", "cli0", "deviceSignals.clientInstanceId is another one"),
    .claim("challengeResponseContext/userConsent", "YES", "userConsent is unknown"),
    .claim("challengeResponseContext/transactionType", "CIBA", "transactionType is another one"),
  ])
  func `an answer that is wrong in one place is refused for it`(violation: Violation) async throws {
    try await withHandset { org, handset in
      let challenge = try handset.challenged()
      let token = try #require(challenge.token)
      var claims = try handset.answer(to: token, consent: "APPROVED_CONSENT_PROMPT")
      violation.claims(&claims)
      let reply = try await handset.post(try handset.sign(claims, header: violation.header), to: token)
      #expect(reply.status == 400 && reply.errorCode == "E0000001")
      #expect(reply.bodyText.contains(violation.name), "\(reply.bodyText)")
      #expect(org.challenge(id: challenge.id)?.status == .pending)
      #expect(try await handset.answer(challenge).status == 200)
    }
  }

  @Test func `a key type that is not that of the key is refused`() async throws {
    try await withHandset { _, handset in
      let token = try #require(try handset.challenged().token)
      let claims = try handset.answer(to: token, by: "userVerification", consent: "APPROVED_USER_VERIFICATION")
      let response = try handset.possession.sign(
        ["alg": "ES256", "typ": "okta-pushbind+jwt", "kid": handset.possession.id], claims)
      let reply = try await handset.post(response, to: token)
      #expect(reply.status == 400 && reply.bodyText.contains("keyType is not that of the key"))
    }
  }

  @Test func `a key that was taken away signs nothing any more`() async throws {
    try await withHandset { _, handset in
      let challenge = try handset.challenged()
      let off = try await handset.patch(["keys": ["userVerification": NSNull()]])
      #expect(off.status == 200)
      let reply = try await handset.answer(challenge, by: "userVerification", consent: "APPROVED_USER_VERIFICATION")
      #expect(reply.status == 400 && reply.bodyText.contains("kid is no key of the enrollment"))
    }
  }

  @Test func `the jti of one answer is no good for another challenge`() async throws {
    try await withHandset { _, handset in
      let tokens = try [handset.challenged(), handset.challenged()].map { try #require($0.token) }
      var claims = try handset.answer(to: tokens[0], consent: "APPROVED_CONSENT_PROMPT")
      #expect(try await handset.post(try handset.sign(claims), to: tokens[0]).status == 200)
      let spent = claims["jti"]
      claims = try handset.answer(to: tokens[1], consent: "APPROVED_CONSENT_PROMPT")
      claims["jti"] = spent
      let reply = try await handset.post(try handset.sign(claims), to: tokens[1])
      #expect(reply.status == 400 && reply.bodyText.contains("jti was used before"))
    }
  }

  @Test(arguments: [
    (["challengeResponse": "x"], 400, "E0000001", "method"),
    (["method": "totp", "challengeResponse": "x"], 400, "E0000001", "must be push"),
    (["method": "push"], 400, "E0000001", "challengeResponse"),
    (["method": "push", "challengeResponse": "x.y"], 400, "E0000001", "is no signed JWT"),
    (["method": "push", "challengeResponse": "e30.e30.!"], 400, "E0000001", "is no signed JWT"),
  ])
  func `a body that is no answer is refused`(body: [String: String], status: Int, code: String, reason: String)
    async throws
  {
    try await withHandset { _, handset in
      let token = try #require(try handset.challenged().token)
      let address = try #require(TestToken.read(token).claims["verificationUri"] as? String)
      let reply = try await handset.send("POST", address, body)
      #expect(reply.status == status && reply.errorCode == code && reply.bodyText.contains(reason))
    }
  }

  @Test func `an answer to a challenge that never was is refused`() async throws {
    try await withHandset { _, handset in
      let reply = try await handset.send(
        "POST", "/idp/myaccount/app-authenticators/challenge/ft0/verify",
        ["method": "push", "challengeResponse": "e30.e30."])
      #expect(reply.status == 404 && reply.errorCode == "E0000007")
    }
  }

  @Test(arguments: [
    ("user", OrgLifecycle.suspended, 423, "E0000155"), ("user", .deleted, 410, "E0000156"),
    ("device", .suspended, 403, "E0000152"), ("device", .deleted, 410, "E0000153"),
    ("enrollment", .suspended, 423, "E0000180"), ("enrollment", .deleted, 410, "E0000154"),
  ])
  func `whoever is not active cannot answer, pull, change or leave`(
    what: String, lifecycle: OrgLifecycle, status: Int, code: String
  ) async throws {
    try await withHandset { org, handset in
      let challenge = try handset.challenged()
      switch what {
      case "user": org.setUser(handset.login, lifecycle)
      case "device": org.setDevice(handset.deviceID, lifecycle)
      default: org.setEnrollment(handset.enrollmentID, lifecycle)
      }
      let token = "Bearer " + (try handset.token("manage"))
      let path = "/idp/myaccount/app-authenticators/" + handset.enrollmentID
      for reply in [
        try await handset.answer(challenge),
        try await handset.send("GET", handset.pendingPath, authorization: token),
        try await handset.patch(["pushToken": "00"]), try await handset.send("DELETE", path, authorization: token),
      ] {
        #expect(reply.status == status && reply.errorCode == code, "\(reply.bodyText)")
      }
      #expect(org.challenge(.init(.user(login: handset.login))).isEmpty)
    }
  }
}
