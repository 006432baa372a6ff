// Enrollments and changes that the org refuses (device.md §4.3, §4.4, §20.2): each request is good but for one thing.

import Crypto
import CryptoExtras
import Foundation
import SimulatedOrg
import Testing

@Suite struct DeviceEnrollmentRefusalTests {
  /// One member that is wrong, and the refusal.
  struct Violation: CustomTestStringConvertible, Sendable {
    var path: String
    var value: (any Sendable)?
    var status = 400
    var code = "E0000001"
    /// Part of the cause; the member's dotted path if `nil`.
    var reason: String?
    var testDescription: String { "\(path) = \(value.map { "\($0)" } ?? "left out")" }
  }

  private static let keys = "methods/push/keys/"

  static let violations: [Violation] = [
    Violation(path: "authenticatorId", value: nil), Violation(path: "device", value: nil),
    Violation(path: "authenticatorId", value: "aut0", status: 404, code: "E0000007"),
    Violation(path: "methods", value: nil), Violation(path: "methods/push", value: nil),
    Violation(path: "methods/push/pushToken", value: nil), Violation(path: "methods/push/pushToken", value: 1),
    Violation(path: "methods/push/apsEnvironment", value: "staging"),
    Violation(path: "methods/push/capabilities/transactionTypes", value: ["CIBA"]),
    Violation(path: "methods/push/capabilities/transactionTypes", value: ["LOGIN", "OTHER"]),
    Violation(path: "methods/push/capabilities/transactionTypes", value: "LOGIN"),
    Violation(path: "methods/push/keys", value: nil), Violation(path: keys + "proofOfPossession", value: nil),
    Violation(path: keys + "proofOfPossession/kid", value: ""),
    Violation(path: keys + "proofOfPossession/kty", value: "OKP"),
    Violation(path: keys + "proofOfPossession/crv", value: "P-384"),
    Violation(path: keys + "proofOfPossession/x", value: "AA"),
    Violation(path: keys + "proofOfPossession/x", value: String(repeating: "A", count: 42) + "="),
    Violation(
      path: keys + "proofOfPossession/y", value: String(repeating: "A", count: 43),
      reason: "the point is not on the curve"),
    Violation(path: keys + "proofOfPossession/d", value: "AA"),
    Violation(path: keys + "proofOfPossession/okta:kpr", value: "CLOUD"),
    Violation(path: "device/displayName", value: ""), Violation(path: "device/platform", value: nil),
    Violation(path: "device/platform", value: "AMIGA"), Violation(path: "device/osVersion", value: nil),
    Violation(path: "device/clientInstanceBundleId", value: nil),
    Violation(path: "device/clientInstanceVersion", value: nil),
    Violation(path: "device/clientInstanceDeviceSdkVersion", value: nil),
    Violation(path: "device/secureHardwarePresent", value: "yes"),
    Violation(path: "device/screenLockType", value: "LATCH"),
    Violation(path: "device/diskEncryptionType", value: "HALF"),
    Violation(path: "device/serialNumber", value: 7),
    Violation(path: "device/id", value: "guo0", reason: "clientInstanceKey"),
    Violation(path: "device/clientInstanceKey", value: nil, reason: "device.id"),
    Violation(path: "device/clientInstanceKey/kty", value: nil),
  ]

  @Test(arguments: violations)
  func `an enrollment that is wrong in one place is refused for it`(violation: Violation) async throws {
    try await withOrg { org, _ in
      let handset = try await Handset(org)
      var body = try handset.enrollment()
      body[at: violation.path] = violation.value
      let reply = try await handset.send(
        "POST", "/idp/myaccount/app-authenticators", body, authorization: "Bearer " + handset.token("manage"))
      #expect(reply.status == violation.status && reply.errorCode == violation.code)
      let reason = violation.reason ?? violation.path.replacing("/", with: ".")
      if violation.status == 400 { #expect(reply.bodyText.contains(reason), "\(reply.bodyText)") }
      #expect(org.enrollments(of: handset.login).isEmpty)
    }
  }

  @Test func `keys of one request have different ids`() async throws {
    try await withOrg { org, _ in
      let handset = try await Handset(org)
      for path in ["device/clientInstanceKey/kid", "methods/push/keys/userVerification/kid"] {
        var body = try handset.enrollment()
        body[at: path] = handset.possession.id
        let reply = try await handset.send(
          "POST", "/idp/myaccount/app-authenticators", body, authorization: "Bearer " + handset.token("manage"))
        #expect(reply.errorCode == "E0000001" && reply.bodyText.contains("kid must differ"))
      }
    }
  }

  @Test(arguments: [
    (OrgAppAuthenticator(userVerification: .required), 400, "E0000158"),
    (OrgAppAuthenticator(needsFIPSKeys: true), 400, "E0000159"),
    (OrgAppAuthenticator(needsHardwareKeys: true), 400, "E0000001"),
    (OrgAppAuthenticator(algorithms: ["RS256"]), 400, "E0000001"),
    (OrgAppAuthenticator(transactionTypes: [.login]), 400, "E0000001"),
    (OrgAppAuthenticator(isActive: false), 404, "E0000007"),
    (OrgAppAuthenticator(clients: ["other"]), 404, "E0000007"),
  ])
  func `an authenticator takes what its settings say`(
    authenticator: OrgAppAuthenticator, status: Int, code: String
  ) async throws {
    let devices = OrgDevices().with { $0.authenticators = [authenticator] }
    try await withOrg(.init(users: [People.ann], devices: devices)) { org, _ in
      var handset = try await Handset(org)
      handset.verification = nil
      let reply = try await handset.send(
        "POST", "/idp/myaccount/app-authenticators", try handset.enrollment(),
        authorization: "Bearer " + handset.token("manage"))
      #expect(reply.status == status && reply.errorCode == code, "\(reply.bodyText)")
    }
  }

  @Test func `an RSA key of enough bits is taken, and signs`() async throws {
    try await withHandset { org, handset in
      let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
      let primitives = try key.publicKey.getKeyPrimitives()
      let webKey: Body = [
        "kty": "RSA", "kid": "rsa", "n": TestToken.base64url(primitives.modulus),
        "e": TestToken.base64url(primitives.publicExponent),
      ]
      var short = webKey
      short["n"] = TestToken.base64url(primitives.modulus.prefix(128))
      let refused = try await handset.patch(["keys": ["userVerification": short]])
      #expect(refused.errorCode == "E0000001")
      let taken = try await handset.patch(["keys": ["userVerification": webKey]])
      #expect(taken.status == 200, "\(taken.bodyText)")
      let challenge = try handset.challenged()
      let token = try #require(challenge.token)
      let claims = try handset.answer(to: token, by: "userVerification", consent: "APPROVED_USER_VERIFICATION")
      let header: Body = ["alg": "RS256", "typ": "okta-pushbind+jwt", "kid": "rsa"]
      let response = try TestToken.make(header, claims) {
        try key.signature(for: SHA256.hash(data: $0), padding: .insecurePKCS1v1_5).rawRepresentation
      }
      let reply = try await handset.post(response, to: token)
      #expect(reply.status == 200, "\(reply.bodyText)")
      #expect(org.challenge(id: challenge.id)?.status == .approved)
    }
  }

  /// What is wrong with the attestation of a known device, or with the device.
  @Test(arguments: [
    ("iss", "cli0", 401, "E0000011"), ("sub", "guo0", 401, "E0000011"), ("aud", "https://other", 401, "E0000011"),
    ("exp", "0", 401, "E0000011"), ("key", "", 401, "E0000011"), ("deleted", "", 410, "E0000153"),
    ("suspended", "", 403, "E0000152"), ("instance", "", 401, "E0000011"),
  ])
  func `a known device proves that it is the one`(what: String, value: String, status: Int, code: String) async throws {
    try await withHandset { org, first in
      var second = try await Handset(org, People.bob.login)
      second.known = (first.deviceID, what == "instance" ? "cli0" : first.clientInstanceID)
      second.instance = what == "key" ? TestKey(id: first.instance.id) : first.instance
      if what == "deleted" { org.setDevice(first.deviceID, .deleted) }
      if what == "suspended" { org.setDevice(first.deviceID, .suspended) }
      var body = try second.enrollment()
      if ["iss", "sub", "aud", "exp"].contains(what) {
        body[at: "device/deviceAttestation/clientInstanceKeyAttestation"] = try second.attestation {
          $0[what] = what == "exp" ? 0 : value
        }
      }
      let reply = try await second.send(
        "POST", "/idp/myaccount/app-authenticators", body, authorization: "Bearer " + second.token("manage"))
      #expect(reply.status == status && reply.errorCode == code, "\(reply.bodyText)")
      #expect(org.enrollments(of: People.bob.login).isEmpty)
    }
  }

  @Test(arguments: [
    (["keys": ["proofOfPossession": ["kty": "EC"]]] as [String: any Sendable], "proofOfPossession"),
    (["keys": 1], "methods.push.keys"), (["capabilities": ["transactionTypes": ["CIBA"]]], "transactionTypes"),
    (["pushToken": 1], "pushToken"), (["keys": ["userVerification": ["kty": "EC"]]], "userVerification.kid"),
  ])
  func `a change that is wrong is refused, and nothing changes`(push: [String: any Sendable], reason: String)
    async throws
  {
    try await withHandset { org, handset in
      let id = handset.enrollmentID
      let before = try #require(org.enrollment(id: id))
      let reply = try await handset.patch(push)
      #expect(reply.status == 400 && reply.errorCode == "E0000001" && reply.bodyText.contains(reason))
      #expect(org.enrollment(id: id) == before)
    }
  }

  @Test func `user verification that is required cannot be removed`() async throws {
    let devices = OrgDevices().with { $0.authenticators = [.init(userVerification: .required)] }
    try await withHandset(.init(users: [People.ann], devices: devices)) { _, handset in
      let reply = try await handset.patch(["keys": ["userVerification": NSNull()]])
      #expect(reply.status == 400 && reply.errorCode == "E0000158")
    }
  }

  @Test func `media types are read with a semicolon and with a comma, and others are refused`() async throws {
    try await withHandset { _, handset in
      let path = "/idp/myaccount/app-authenticators/" + handset.enrollmentID
      let token = try handset.token("manage")
      for (type, code) in [
        ("application/merge-patch+json, okta-version=1.0.0", nil), ("application/merge-patch+json", nil),
        ("application/merge-patch+json;okta-version=1.0.0", nil), ("application/json", "E0000021"),
      ] as [(String, String?)] {
        handset.wire.headers = [("Accept", type), ("Content-Type", type), ("Authorization", "Bearer \(token)")]
        let reply = try await handset.wire.request("PATCH", path, #"{"methods":{"push":{}}}"#)
        #expect(reply.errorCode == code, "\(type)")
      }
      handset.wire.headers = [("Accept", "text/html"), ("Authorization", "Bearer \(token)")]
      let page = try await handset.wire.request("DELETE", path, nil)
      #expect(page.status == 406)
      let get = try await handset.send("GET", path, authorization: "Bearer " + token)
      #expect(get.status == 405)
    }
  }
}
