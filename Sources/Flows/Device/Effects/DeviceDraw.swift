// The draws of a device flow: values that pure code cannot compute.

import EventStore
package import FlowRecording

extension DrawKind {
  // Draws that are answered at once.
  /// Reads the contents of a notification from its JWT.
  package static let deviceRead = DrawKind(rawValue: "device.read")
  /// Reads what storage has about an enrollment, an org, and a transaction.
  package static let deviceStored = DrawKind(rawValue: "device.stored")
  /// Looks up an org's key in the cache, and whether it may be fetched.
  package static let deviceOrgKey = DrawKind(rawValue: "device.orgKey")
  /// Reads the facts known about the device.
  package static let deviceFacts = DrawKind(rawValue: "device.facts")
  // Draws whose answer is awaited.
  /// Verifies that an org's key signed a challenge.
  package static let deviceVerifyToken = DrawKind(rawValue: "device.verifyToken")
  /// Verifies that the person is present.
  package static let deviceVerifyPerson = DrawKind(rawValue: "device.verifyPerson")
  /// Collects the results of the plug-ins for a challenge.
  package static let deviceSignals = DrawKind(rawValue: "device.signals")
  /// Creates keys.
  package static let deviceMakeKeys = DrawKind(rawValue: "device.makeKeys")
  /// Signs a JWT.
  package static let deviceSign = DrawKind(rawValue: "device.sign")
  /// Destroys keys.
  package static let deviceDropKeys = DrawKind(rawValue: "device.dropKeys")
  /// Changes what is stored.
  package static let deviceStore = DrawKind(rawValue: "device.store")
}

/// The draws of a device flow, with the parts of each that may be logged.
package enum DeviceDraws {
  /// The declarations of all draws.
  package static let declarations: DrawDeclarations = [
    .deviceRead: .inline(read) { input, _ in .success(ChallengeRead.value(of: input)) },
    .deviceStored: .inline(stored) { input, environment in
      with(environment) { $0.stored(input) }
    },
    .deviceOrgKey: .inline(.object(["jwk": orgKey, "mayFetch": .boolean])) { input, environment in
      with(environment) { .success($0.keyCache.value(of: input, at: environment.clock.now())) }
    },
    .deviceFacts: .inline(facts) { _, environment in with(environment) { .success($0.facts) } },
    .deviceVerifyToken: awaited(
      .deviceVerifyToken,
      .object(["result": .word(["verified", "noKey", "weakKey", "badSignature"]), "thumbprint": .identifier])),
    .deviceVerifyPerson: awaited(
      .deviceVerifyPerson,
      .object([
        "outcome": .word(["verified", "cancelled", "failed", "lockedOut", "notSetUp", "timedOut"]),
        "method": .word(["none", "pin", "fingerprint", "face"]),
      ])),
    .deviceSignals: awaited(
      .deviceSignals,
      .object([
        "results": .object([
          "name": .identifier, "type": .word(Set(SignalSource.allCases.map(\.rawValue))), "signal": .secret("signal"),
          "timeCollected": .number, "error": .secret("signal"), "errorCode": .number,
        ])
      ])),
    .deviceMakeKeys: awaited(
      .deviceMakeKeys,
      .object(["keys": .object(["tag": .identifier, "role": .identifier, "jwk": jwk, "thumbprint": .identifier])])),
    .deviceSign: awaited(.deviceSign, .object(["jwt": .secret("jwt")])),
    .deviceDropKeys: awaited(
      .deviceDropKeys, .object(["deleted": .array(.identifier), "kept": .array(.identifier)])),
    .deviceStore: awaited(
      .deviceStore,
      .object([
        "done": .boolean, "orphaned": .array(.identifier), "claimed": .boolean, "stage": .identifier,
        "isSame": .boolean,
      ])),
  ]

  private static let noDevice = DrawFailure(.missing, "the environment has no device")

  private static func with(
    _ environment: FlowEnvironment, _ body: (DeviceServices) -> Result<JSON, DrawFailure>
  ) -> Result<JSON, DrawFailure> {
    environment[DeviceSeam.self].map { body($0.services) } ?? .failure(noDevice)
  }

  private static func awaited(_ kind: DrawKind, _ schema: WireSchema) -> DrawDeclaration {
    .awaited(schema) { input, environment in
      await environment[DeviceSeam.self]?.answer(kind, input, environment) ?? .failure(noDevice)
    }
  }

  private static let read: WireSchema = .object([
    "check": .own, "error": .own, "message": .own, "header": DevicePolicy.header, "claims": DevicePolicy.claims,
    "fingerprint": .identifier,
  ])

  private static let jwk: WireSchema = .object([
    "kty": .word(["EC"]), "crv": .word(["P-256"]), "kid": .identifier, "x": .identifier, "y": .identifier,
    "okta:kpr": .word(["SOFTWARE", "HARDWARE"]),
  ])

  private static let orgKey: WireSchema = .object([
    "kty": .word(["RSA", "EC"]), "alg": .word(["RS256", "RS384", "RS512"]), "use": .word(["sig"]), "kid": .identifier,
    "n": .text, "e": .text,
  ])

  private static let stored: WireSchema = .object([
    "enrollment": .object([
      "id": .identifier, "orgID": .identifier, "orgURL": .url, "userID": .identifier, "userName": .personal,
      "deviceID": .identifier, "methodID": .identifier, "pendingURL": .url, "proofOfPossessionTag": .identifier,
      "userVerificationTag": .identifier, "bioOrPinTag": .identifier, "transactionTypes": .array(.identifier),
      "clientID": .text, "serverErrorCode": .errorCode, "created": .text, "updated": .text,
    ]),
    "device": .object([
      "orgID": .identifier, "id": .identifier, "clientInstanceID": .identifier, "clientInstanceTag": .identifier,
    ]),
    "policy": .object(["orgID": .identifier, "id": .identifier, "clientID": .text, "wantsHardware": .boolean]),
    "transaction": .object([
      "stage": .identifier, "fingerprint": .identifier, "response": .secret("jwt"), "responseExpiry": .text,
      "said": said,
    ]),
    "verificationKey": .word(["available", "lockedOut", "lost"]), "verificationKeyInvalidated": .boolean,
    "verificationJWK": jwk,
    "homes": .array(.url),
  ])

  private static let said: WireSchema = .object([
    "keyType": .word(Set(DeviceVocabulary.KeyType.allCases.map(\.rawValue))), "kid": .identifier,
    "consent": .word(Set(DeviceVocabulary.Consent.allCases.map(\.rawValue))),
    "amr": .array(.word(["pin", "fpt", "face", "none"])), "jti": .identifier, "iat": .number,
  ])

  private static let facts: WireSchema = .object([
    "protection": .word(["SOFTWARE", "HARDWARE"]),
    "device": .object([
      "displayName": .personal, "platform": .identifier, "osVersion": .text, "manufacturer": .text, "model": .text,
      "serialNumber": .personal, "udid": .personal, "secureHardwarePresent": .boolean,
      "screenLockType": .identifier, "diskEncryptionType": .identifier, "clientInstanceBundleId": .text,
      "clientInstanceVersion": .text, "clientInstanceDeviceSdkVersion": .text, "authenticatorAppKey": .personal,
    ]),
  ])
}
