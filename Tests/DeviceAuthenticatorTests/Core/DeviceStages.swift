import DeviceAuthenticator
import EventStore
import FlowRecording
import FlowTestKit

/// Flows of the authenticator as far as their core goes, with neither org, keys nor storage.
enum DeviceStages {
  typealias Stage = CoreStage<DeviceCore>
  typealias Input = StageInput<DeviceCore>

  static let org = "https://org.example"

  // MARK: What is stored and sent

  static let enrollment = StoredEnrollment(
    id: "pfd1", orgID: "00o1", orgURL: org, userID: "00u1", userName: "ann@acme.example", deviceID: "guo1",
    methodID: "opf1", pendingURL: org + "/pending", proofOfPossessionTag: "POP", userVerificationTag: "UV",
    transactionTypes: ["LOGIN"], clientID: "client")

  static func stored(verificationKey: JSON? = "available", transaction: JSON? = nil) -> JSON {
    .members([
      ("enrollment", enrollment.json),
      ("device", ["orgID": "00o1", "id": "guo1", "clientInstanceID": "cli1", "clientInstanceTag": "CI"]),
      ("verificationKey", verificationKey), ("transaction", transaction),
    ])
  }

  /// Issued at the stage's time, for five minutes.
  static let challenge: JSON = [
    "header": ["kid": "key-1", "typ": "okta-pushbind+jwt", "alg": "RS256"],
    "claims": [
      "iss": .string(org), "aud": "okta.63c081db-1f13-5084-882f-e79e1e5e2da7", "iat": 1_767_225_600,
      "exp": 1_767_225_900, "jti": "ft1", "nonce": "nonce", "transactionId": "ft1", "orgId": "00o1",
      "verificationUri": .string(org + "/verify/ft1"), "authenticatorEnrollmentId": "pfd1", "method": "push",
      "methodEnrollmentId": "opf1", "userId": "00u1", "userVerification": "PREFERRED",
      "challengeContext": ["transactionType": "LOGIN"],
    ], "fingerprint": "f",
  ]

  /// The same with another claim, or without it.
  static func challenge(with name: String, _ value: JSON?) -> JSON {
    let claims = (challenge["claims"]?.object?.members ?? []).filter { $0.key != name }.map {
      ($0.key, $0.value as JSON?)
    }
    return .members([
      ("header", challenge["header"]), ("claims", .members(claims + [(name, value)])),
      ("fingerprint", challenge["fingerprint"]),
    ])
  }

  static let policy: JSON = [
    [
      "authenticatorId": "aut1", "orgId": "00o1", "key": "custom_app",
      "appAuthenticatorEnrollEndpoint": .string(org + "/enroll"),
      "supportedMethods": [["type": "push", "status": "ACTIVE", "settings": ["keyProtection": "ANY"]]],
      "settings": ["userVerification": "PREFERRED"],
    ]
  ]

  static let enrolled: JSON = [
    "id": "pfd1", "authenticatorId": "aut1", "user": ["id": "00u1", "username": "ann@acme.example"],
    "device": ["id": "guo1", "status": "ACTIVE", "clientInstanceId": "cli1"],
    "methods": ["push": ["id": "opf1", "links": ["pending": ["href": .string(org + "/pending")]]]],
  ]

  static func keys(_ roles: String...) -> JSON {
    [
      "keys": .array(
        roles.map { ["tag": .string("T-" + $0), "role": .string($0), "jwk": ["kty": "EC"], "thumbprint": "t"] })
    ]
  }

  // MARK: Stages

  static func stage(
    _ stored: JSON = stored(), jwk: JSON? = nil, settings: JSON = [:], read: JSON = challenge
  ) -> Stage {
    var stage = Stage(settings: settings)
    stage.brings = [
      .deviceRead: read, .deviceStored: stored, .deviceOrgKey: .members([("jwk", jwk), ("mayFetch", true)]),
      .deviceFacts: ["protection": "SOFTWARE", "device": ["displayName": "box", "platform": "LINUX"]],
      .uuid: "uuid",
    ]
    return stage
  }

  static func call(_ stage: inout Stage, _ name: DeviceCall, _ arguments: JSON = [:]) {
    stage.take(.callMade(CallMade(call: name.rawValue, arguments: arguments)))
  }

  static let notification: JSON = [
    "source": "push", "payloadVersion": "IDXv1", "challenge": "jwt", "keys": ["challenge", "payloadVersion"],
    "skew": 300,
  ]

  // MARK: Inputs

  private static let arguments: [DeviceCall: JSON] = [
    .downloadPolicy: ["token": "t", "orgURL": .string(org), "clientId": "client"],
    .enroll: [
      "token": "t", "orgURL": .string(org), "clientId": "client", "pushToken": "p", "userVerification": true,
    ],
    .updateDeviceToken: ["enrollmentId": "pfd1", "token": "t", "pushToken": "p"],
    .setUserVerification: ["enrollmentId": "pfd1", "token": "t", "enable": true],
    .enableCIBATransactions: ["enrollmentId": "pfd1", "token": "t", "enable": true],
    .delete: ["enrollmentId": "pfd1", "token": "t"], .deleteFromDevice: ["enrollmentId": "pfd1"],
    .retrieveMaintenanceToken: ["enrollmentId": "pfd1"],
    .retrievePushChallenges: ["enrollmentId": "pfd1", "token": "t"], .receive: notification,
    .respond: ["answer": "approved", "by": "application"], .resolve: [:],
    .provideConsent: ["answer": "approved", "by": "step"], .provideVerification: ["reason": "Sign in?"],
    .retrySubmission: [:],
  ]

  static let calls: [Input] = DeviceCall.allCases.map { .call($0.rawValue, arguments[$0] ?? [:]) }

  static func brought(_ name: String, _ outcome: Result<JSON, DrawFailure>) -> Input {
    Input("brought \(name)") { $0.bring(outcome) }
  }

  static let brought: [Input] = [
    brought("done", .success(["done": true])), brought("claimed", .success(["claimed": true])),
    brought("claimed elsewhere", .success(["claimed": false, "isSame": true, "stage": "asked"])),
    brought("claimed for another challenge", .success(["claimed": false, "isSame": false, "stage": "asked"])),
    brought("a right signature", .success(["result": "verified", "thumbprint": "t"])),
    brought("a bad signature", .success(["result": "badSignature", "thumbprint": "t"])),
    brought("no such key", .success(["result": "noKey"])), brought("a weak key", .success(["result": "weakKey"])),
    brought("a person", .success(["outcome": "verified", "method": "pin"])),
    brought("a person who cancels", .success(["outcome": "cancelled"])),
    brought("a lock", .success(["outcome": "lockedOut"])), brought("a JWT", .success(["jwt": "jwt"])),
    brought("keys", .success(keys("proofOfPossession", "userVerification", "clientInstance"))),
    brought("orphans", .success(["done": true, "orphaned": ["POP", "UV"]])),
    brought("signals", .success(["results": [["name": "com.acme.one", "type": "DEFAULT", "signal": "e30="]]])),
    brought("a failure", .failure(DrawFailure(.failed, "failed"))),
    brought("a missing key", .failure(DrawFailure(.missing, "missing"))),
    brought("an invalidated key", .failure(DrawFailure(.invalidated, "invalidated"))),
  ]

  static let replies: [Input] = [
    .reply("204", .answer(.null, status: 204)), .reply("organization", .answer(["id": "00o1"])),
    .reply("policy", .answer(policy)), .reply("enrollment", .answer(enrolled)),
    .reply("discovery", .answer(["jwks_uri": .string(org + "/oauth2/v1/keys")])),
    .reply("discovery of elsewhere", .answer(["jwks_uri": "https://evil.example/keys"])),
    .reply("keys", .answer(["keys": [["kty": "RSA", "kid": "key-1", "n": "n", "e": "AQAB"]]])),
    .reply("token", .answer(["access_token": "a", "token_type": "Bearer"])), .reply("list", .answer([[:]])),
    .reply("401", .answer(["errorCode": "E0000011"], status: 401)),
    .reply("404 gone", .answer(["errorCode": "E0000008"], status: 404)),
    .reply("403 suspended", .answer(["errorCode": "E0000155"], status: 403)),
    .reply("410 device deleted", .answer(["errorCode": "E0000153"], status: 410)),
  ]

  /// Gives up the call that the flow works for, which need not be the last one.
  static let givingUp = Input("give up what resolves or operates") { stage in
    let call = stage.core.challenge?.resolveCall ?? stage.core.operation?.call ?? 99
    return stage.take(.callMade(CallMade(call: CallMade.giveUp, arguments: ["call": .int(call)])))
  }

  static let inputs: [Input] = calls + brought + replies + [givingUp] + Input.ofAnyKind
}
