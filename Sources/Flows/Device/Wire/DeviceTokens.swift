// The JWTs that a device creates: headers and claims (spec/device.md §6, §10.1).

package import EventStore

/// A JWT that is not signed yet.
package struct UnsignedJWT: Sendable, Equatable {
  /// The header.
  package var header: JSON
  /// The claims.
  package var claims: JSON
}

/// Creates the JWTs of a device.
package enum DeviceTokens {
  /// The lifetime of each JWT, and how far its start is backdated, in seconds.
  package static let lifetime = 300

  private static func header(_ type: String, _ key: String) -> JSON {
    ["alg": "ES256", "typ": .string(type), "kid": .string(key)]
  }

  private static func times(_ now: Int, _ id: String) -> [(String, JSON?)] {
    [
      ("iat", .int(now)), ("exp", .int(now + lifetime)), ("nbf", .int(now - lifetime)), ("jti", .string(id)),
    ]
  }

  /// Attests that this device is the one in the device record (§6.2).
  package static func attestation(
    clientInstanceID: String, deviceID: String, orgURL: String, key: String, at now: Int, id: String
  ) -> UnsignedJWT {
    UnsignedJWT(
      header: header("", key),
      claims: .members(
        [("iss", .string(clientInstanceID)), ("aud", .string(orgURL)), ("sub", .string(deviceID))] + times(now, id)))
  }

  /// The assertion that is exchanged for a maintenance token (§6.4).
  package static func assertion(
    methodID: String, userID: String, orgURL: String, key: String, at now: Int, id: String
  ) -> UnsignedJWT {
    UnsignedJWT(
      header: header("JWT", key),
      claims: .members(
        [
          ("iss", .string(DeviceVocabulary.maintenanceIssuer)), ("aud", .string(orgURL)), ("sub", .string(userID)),
          ("methodEnrollmentId", .string(methodID)),
        ] + times(now, id)))
  }

  /// The parts of an answer that do not repeat the challenge.
  package struct Answer: Sendable, Equatable {
    package var enrollmentID: String
    package var userID: String
    package var methodID: String
    package var key: String
    package var keyType: DeviceVocabulary.KeyType
    package var consent: DeviceVocabulary.Consent
    /// The methods by which the person was verified, such as `pin`; empty for the proof-of-possession key.
    package var methods: [String]
    package var signals: JSON
    /// The results of plug-ins, with their names.
    package var collected: [JSON]

    package init(
      enrollmentID: String, userID: String, methodID: String, key: String, keyType: DeviceVocabulary.KeyType,
      consent: DeviceVocabulary.Consent, methods: [String], signals: JSON, collected: [JSON] = []
    ) {
      self.enrollmentID = enrollmentID
      self.userID = userID
      self.methodID = methodID
      self.key = key
      self.keyType = keyType
      self.consent = consent
      self.methods = methods
      self.signals = signals
      self.collected = collected
    }
  }

  /// The answer to a challenge (§10.1).
  package static func response(to challenge: Challenge, _ answer: Answer, at now: Int, id: String) -> UnsignedJWT {
    let body: [(String, JSON?)] = [
      ("iss", .string(answer.enrollmentID)), ("aud", .string(challenge.issuer)), ("sub", .string(answer.userID)),
    ]
    let more: [(String, JSON?)] = [
      ("tx", .string(challenge.transactionID)), ("amr", .array(answer.methods.map(JSON.string))),
      ("deviceSignals", answer.signals), ("nonce", .string(challenge.nonce)),
      ("methodEnrollmentId", .string(answer.methodID)), ("keyType", .string(answer.keyType.rawValue)),
      (
        "challengeResponseContext",
        [
          "userConsent": .string(answer.consent.rawValue),
          "transactionType": .string(challenge.transactionType),
        ]
      ),
      ("integrations", results(challenge.names(of: "integrations"), answer.collected)),
      ("signalProviders", results(challenge.names(of: "signalProviders"), answer.collected)),
    ]
    return UnsignedJWT(
      header: header(DeviceVocabulary.challengeType, answer.key), claims: .members(body + times(now, id) + more))
  }

  /// The result of each plug-in (§10.2). A missing plug-in is reported as a result, not as a failure.
  private static func results(_ names: [String], _ collected: [JSON]) -> JSON {
    .array(
      names.map { name in
        guard let result = collected.first(where: { $0["name"]?.string == name }) else {
          return ["name": .string(name), "error": "no such provider"]
        }
        return .members([
          ("name", .string(name)), ("configuration", .members([("type", result["type"]), ("format", "JSON")])),
          ("signal", result["signal"]), ("timeCollected", result["timeCollected"]), ("error", result["error"]),
          ("errorCode", result["errorCode"]),
        ])
      })
  }
}
