// A device as these tests play it: keys of its own, the requests of device.md, nothing of the org's code.

import Crypto
import Foundation
import SimulatedOrg
import Testing

/// An application on a device, with one user's enrollment.
struct Handset {
  let org: SimulatedOrg
  let wire: WireClient
  let login: String
  var possession = TestKey(id: UUID().uuidString)
  var verification: TestKey? = TestKey(id: UUID().uuidString)
  var instance = TestKey(id: UUID().uuidString)
  var pushToken = "0badcafe"
  var transactionTypes = ["LOGIN", "CIBA"]
  var installation = UUID().uuidString
  /// A device that the org knows already.
  var known: (id: String, clientInstance: String)?
  var enrollmentID = ""
  var userID = ""
  var deviceID = ""
  var clientInstanceID = ""
  var methodID = ""
  var pendingPath = ""

  static let version = "application/json; okta-version=1.0.0"

  init(_ org: SimulatedOrg, _ login: String = People.ann.login) async throws {
    (self.org, self.login) = (org, login)
    wire = try await WireClient(org)
  }

  /// Seconds on the org's clock.
  var now: Int { Int(org.now.timeIntervalSince1970) }

  /// An access token of the user.
  func token(_ scopes: String...) throws -> String {
    let names = scopes.map { "okta.myAccount.appAuthenticator." + $0 }
    return try #require(org.accessToken(for: login, scopes: names))
  }

  /// Sends a request with the headers of the specification.
  func send(
    _ method: String, _ target: String, _ body: Body? = nil, authorization: String? = nil
  ) async throws -> WireReply {
    let type = method == "PATCH" ? "application/merge-patch+json; okta-version=1.0.0" : Self.version
    wire.headers = [("Accept", type)]
    if body != nil { wire.headers.append(("Content-Type", type)) }
    if let authorization { wire.headers.append(("Authorization", authorization)) }
    let text = try body.map { try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) }
    return try await wire.request(method, target, text.map { String(decoding: $0, as: UTF8.self) })
  }

  // MARK: Enrollment

  /// The body of an enrollment.
  func enrollment() throws -> Body {
    var device: Body = [
      "displayName": "build-host-7", "platform": "LINUX", "osVersion": "24.4.0", "manufacturer": "ACME",
      "model": "Box", "secureHardwarePresent": false, "screenLockType": "PASSCODE",
      "clientInstanceBundleId": "com.acme.app", "clientInstanceVersion": "1.0.0",
      "clientInstanceDeviceSdkVersion": "DeviceAuthenticator 1.0.0", "authenticatorAppKey": installation,
    ]
    if let known {
      device["id"] = known.id
      device["clientInstanceId"] = known.clientInstance
      device["deviceAttestation"] = ["clientInstanceKeyAttestation": try attestation()]
    } else {
      device["clientInstanceKey"] = instance.webKey
    }
    var keys: Body = ["proofOfPossession": possession.webKey]
    if let verification { keys["userVerification"] = verification.webKey }
    return [
      "authenticatorId": "aut1simulatedapp0000", "device": device,
      "methods": [
        "push": [
          "pushToken": pushToken, "apsEnvironment": "production",
          "capabilities": ["transactionTypes": transactionTypes], "keys": keys,
        ]
      ],
    ]
  }

  /// What proves that this is the device that the org knows.
  func attestation(_ change: (inout Body) -> Void = { _ in }) throws -> String {
    var claims = times([
      "iss": known?.clientInstance ?? "", "aud": org.url.absoluteString, "sub": known?.id ?? "",
    ])
    change(&claims)
    return try instance.sign(["alg": "ES256", "typ": "", "kid": instance.id], claims)
  }

  /// Enrolls, and keeps the ids that the org gave.
  mutating func enroll() async throws -> WireReply {
    let reply = try await send(
      "POST", "/idp/myaccount/app-authenticators", try enrollment(), authorization: "Bearer " + token("manage"))
    #expect(reply.status == 200, "\(reply.bodyText)")
    enrollmentID = try reply.text("id")
    userID = try reply.text("user.id")
    deviceID = try reply.text("device.id")
    clientInstanceID = try reply.text("device.clientInstanceId")
    methodID = try reply.text("methods.push.id")
    pendingPath = try reply.text("methods.push.links.pending.href")
    return reply
  }

  /// A device that is enrolled.
  static func enrolled(
    _ org: SimulatedOrg, _ login: String = People.ann.login, _ change: (inout Handset) -> Void = { _ in }
  ) async throws -> Handset {
    var handset = try await Handset(org, login)
    change(&handset)
    _ = try await handset.enroll()
    return handset
  }

  func patch(_ push: Body, scope: String = "manage") async throws -> WireReply {
    try await send(
      "PATCH", "/idp/myaccount/app-authenticators/\(enrollmentID)", ["methods": ["push": push]],
      authorization: "Bearer " + token(scope))
  }

  // MARK: Tokens

  /// Claims with the times that a device writes.
  func times(_ claims: Body) -> Body {
    claims.merging(["iat": now, "exp": now + 300, "nbf": now - 300, "jti": UUID().uuidString]) { old, _ in old }
  }

  /// `SSWS` authentication by a key of the enrollment.
  func selfSigned(
    by key: TestKey? = nil, header: (inout Body) -> Void = { _ in }, claims change: (inout Body) -> Void = { _ in }
  ) throws -> String {
    let key = key ?? possession
    var head: Body = ["alg": "ES256", "typ": "okta-enrollmentupdate+jwt", "kid": key.id]
    var claims = times(["iss": enrollmentID, "aud": org.url.absoluteString, "sub": userID, "kid": key.id])
    header(&head)
    change(&claims)
    return "SSWS " + (try key.sign(head, claims))
  }

  // MARK: Challenges

  /// Challenges this enrollment; the challenge as the org keeps it.
  func challenged(_ change: (inout OrgChallengeRequest) -> Void = { _ in }) throws -> OrgChallenge {
    var request = OrgChallengeRequest(.enrollment(enrollmentID))
    change(&request)
    return try #require(org.challenge(request).first)
  }

  /// The claims of an answer to a challenge JWT.
  func answer(to challenge: String, by type: String = "proofOfPossession", consent: String) throws -> Body {
    let asked = try TestToken.read(challenge).claims
    return times([
      "iss": enrollmentID, "aud": asked["iss"] as? String ?? "", "sub": userID,
      "tx": asked["transactionId"] as? String ?? "", "nonce": asked["nonce"] as? String ?? "",
      "methodEnrollmentId": methodID, "keyType": type, "amr": type == "userVerification" ? ["fpt"] : [],
      "deviceSignals": ["id": deviceID, "clientInstanceId": clientInstanceID, "platform": "LINUX"],
      "challengeResponseContext": [
        "userConsent": consent,
        "transactionType": (asked["challengeContext"] as? Body)?["transactionType"] as? String ?? "LOGIN",
      ], "integrations": [], "signalProviders": [],
    ])
  }

  /// Signs claims with the key they name.
  func sign(_ claims: Body, header: (inout Body) -> Void = { _ in }) throws -> String {
    let isVerified = claims["keyType"] as? String == "userVerification"
    let key = isVerified ? try #require(verification) : possession
    var head: Body = ["alg": "ES256", "typ": "okta-pushbind+jwt", "kid": key.id]
    header(&head)
    return try key.sign(head, claims)
  }

  /// Posts an answer to the address that the challenge names.
  func post(_ response: String, to challenge: String) async throws -> WireReply {
    let address = try #require(TestToken.read(challenge).claims["verificationUri"] as? String)
    return try await send("POST", address, ["method": "push", "challengeResponse": response])
  }

  /// Answers a challenge as a good device does.
  func answer(
    _ challenge: OrgChallenge, by type: String = "proofOfPossession", consent: String = "APPROVED_CONSENT_PROMPT"
  ) async throws -> WireReply {
    let token = try #require(challenge.token)
    return try await post(try sign(try answer(to: token, by: type, consent: consent)), to: token)
  }
}

/// Starts an org, hands it and a good device over, and stops it whatever happens.
func withHandset<R>(
  _ configuration: OrgConfiguration = .init(users: [People.ann, People.bob]),
  _ change: (inout Handset) -> Void = { _ in }, _ body: (SimulatedOrg, Handset) async throws -> R
) async throws -> R {
  try await withOrg(configuration) { org, _ in try await body(org, Handset.enrolled(org, People.ann.login, change)) }
}
