// What a device sends, and how it reads the org's responses.

import EventStore
import FlowRecording

extension HostTables {
  /// The consequences if the user verification key cannot be used.
  static var fallbacks: [String] {
    KeyFallback.Cause.allCases.flatMap { cause in
      VerificationRequirement.allCases.flatMap { requirement in
        [false, true].map { isReference -> String in
          let fallback = KeyFallback(cause, requirement, isReference: isReference)
          let event = KeyFallback.event(fallback, cause, "ft-1", 3)
          return line("\(cause.rawValue) \(requirement.rawValue) \(isReference)", event.data.text)
        }
      }
    }
  }

  /// Bodies and JWTs of requests.
  static var sent: [String] {
    let facts: JSON = ["osVersion": "1.2", "diskEncryptionType": "FULL", "udid": "udid", "model": nil, "id": "own"]
    let names = ["osVersion", "udid", "osVersion", "nothing", "model", "id", "authenticatorAppKey", "clientInstanceId"]
    let asked: [[String]] = [[], names]
    let signals = asked.map { asked in
      line("\(asked)", DeviceRequests.signals(facts, deviceID: "d", clientInstanceID: "c", asked: asked).text)
    }
    let keys: [JSON?] = [nil, .null, ["kid": "uv-1"]]
    let enrolls = keys.map { key in
      DeviceRequests.enroll(
        authenticatorID: "a", device: facts, pushToken: "p", environment: "production",
        transactionTypes: ["LOGIN", "CIBA"], possession: ["kid": "pop-1"], verification: key
      ).text
    }
    let updates = [
      DeviceRequests.update(), DeviceRequests.update(pushToken: ""), DeviceRequests.update(pushToken: "p"),
      DeviceRequests.update(verification: .null), DeviceRequests.update(verification: ["kid": "uv-1"]),
      DeviceRequests.update(transactionTypes: []), DeviceRequests.update(transactionTypes: ["LOGIN"]),
      DeviceRequests.answer("jwt"), DeviceRequests.device(facts, identity: ["clientInstanceKey": ["kid": "k"]]),
      DeviceRequests.device(.null, identity: .null),
      DeviceRequests.maintenanceToken(clientID: "c", scopes: ["a", "b"], assertion: "jwt"),
    ].map(\.text)
    let tokens = [
      DeviceTokens.attestation(clientInstanceID: "c", deviceID: "d", orgURL: "u", key: "k", at: 1_000, id: "i"),
      DeviceTokens.assertion(methodID: "m", userID: "p", orgURL: "u", key: "k", at: 1_000, id: "i"),
    ].map { "\($0.header.text) \($0.claims.text)" }
    return signals + enrolls + updates + tokens + responses
  }

  /// Answers to challenges.
  private static var responses: [String] {
    let collected: [[JSON]] = [
      [],
      [
        ["name": "agent", "type": "FILE", "signal": "c2ln", "timeCollected": 5],
        ["name": "probe", "type": "DEFAULT", "error": "d2h5", "errorCode": 7], ["name": "agent", "type": "second"],
      ],
    ]
    let ciba = HostSamples.with(["challengeContext": ["transactionType": "CIBA"]], in: HostSamples.claims)
    let answers = [HostSamples.claims, ciba, [:]].flatMap { claims in
      collected.flatMap { collected in
        DeviceVocabulary.KeyType.allCases.map { keyType -> String in
          let answer = DeviceTokens.Answer(
            enrollmentID: "e", userID: "u", methodID: "m", key: "k", keyType: keyType, consent: .approved,
            methods: keyType == .userVerification ? ["pin"] : [], signals: ["id": "d"], collected: collected)
          let challenge = Challenge(header: HostSamples.header(), claims: claims)
          let token = DeviceTokens.response(to: challenge, answer, at: 1_000, id: "i")
          return line(keyType.rawValue, "\(token.header.text) \(token.claims.text)")
        }
      }
    }
    return answers + DeviceVocabulary.Consent.allCases.map(\.rawValue)
  }

  /// What is read from policies and enrollments.
  static var readings: [String] {
    let changes: [JSON] = [
      [:], ["authenticatorId": nil], ["orgId": 5], ["key": nil], ["appAuthenticatorEnrollEndpoint": nil],
      ["supportedMethods": nil], ["supportedMethods": []], ["supportedMethods": [["type": "push"]]],
      ["supportedMethods": [["status": "ACTIVE"]]], ["supportedMethods": [["type": "push", "status": "INACTIVE"]]],
      ["supportedMethods": [["type": "totp", "status": "ACTIVE"]]], ["settings": nil],
      ["supportedMethods": [["type": "push", "status": "ACTIVE"]]], ["settings": ["userVerification": "REQUIRED"]],
      ["supportedMethods": [["type": "push", "status": "ACTIVE", "settings": ["keyProtection": "SOFTWARE"]]]],
    ]
    let policies = changes.map { HostSamples.with($0, in: HostSamples.policy) }
    let read = policies.map { line($0.text, PolicyReading($0).map { show($0) }) }
    let answers: [JSON] = [
      [:], [], .array([policies[0]]), .array([policies[6], policies[0]]), .array([policies[1], policies[0]]),
      .array([policies[9], policies[10]]), .array([policies[12], policies[0]]),
    ]
    let chosen = answers.enumerated().map { number, answer in line("answer \(number)", choice(of: answer)) }
    let enrollments: [JSON] = [
      [:], ["id": nil], ["authenticatorId": nil], ["user": nil], ["user": ["id": "00u-1"]], ["device": nil],
      ["device": ["id": "guo-1", "status": "ACTIVE"]], ["device": ["id": "guo-1", "clientInstanceId": "c"]],
      ["device": ["status": "ACTIVE", "clientInstanceId": "c"]], ["methods": nil], ["methods": ["push": "on"]],
      ["methods": ["push": [:]]], ["methods": ["push": ["id": "m", "links": [:]]]],
    ].map { HostSamples.with($0, in: HostSamples.enrolled) }
    return read + chosen + enrollments.map { line($0.text, EnrollmentReading($0).map { show($0) }) }
  }

  private static func show(_ policy: PolicyReading) -> String {
    "\(policy.authenticatorID) \(policy.orgID) \(policy.enrollURL) \(policy.userVerification) "
      + "\(policy.isPushActive) \(policy.wantsHardware)"
  }

  private static func show(_ reading: EnrollmentReading) -> String {
    let more = [reading.userName, reading.methodID, reading.pendingURL].map { $0 ?? "-" }
    return "\(reading.id) \(reading.userID) \(reading.deviceID) \(reading.clientInstanceID) \(more)"
  }

  private static func choice(of answer: JSON) -> String {
    do throws(PolicyReading.ReadingFailure) {
      return try PolicyReading.choose(from: answer).content.text
    } catch {
      return switch error {
      case .malformed: "malformed"
      case .notFound: "not found"
      case .nothingToEnroll: "nothing to enroll"
      }
    }
  }

  /// The claims of challenges as they are read.
  static var claims: [String] {
    let changes: [JSON] = [
      [:], ["signals": nil, "integrations": [5, ["name": 5], "a"]], ["userVerification": "REQUIRED"],
      ["authorizationServerId": "aus-1"], ["authorizationServerId": ""], ["appInstanceName": nil, "userId": nil],
      ["challengeContext": ["transactionType": "CIBA", "bindingMessage": "Pay%2010"]], ["challengeContext": nil],
    ]
    let times: [JSON] = [
      0, -1, 253_402_300_799, 253_402_300_800, "5", "-1", "soon", .number("1.5"), nil, .number("1e3"), .bool(true),
      " 5",
    ]
    let read = changes.map { change in
      let challenge = Challenge(header: HostSamples.header(), claims: HostSamples.with(change, in: HostSamples.claims))
      let names = ["signals", "integrations", "signalProviders", "none"].map { challenge.names(of: $0) }
      let more = [
        challenge.method, challenge.userID, challenge.tokenID, challenge.keyID, challenge.authorizationServerID,
        challenge.appInstanceName, challenge.clientLocation, challenge.clientOS, challenge.bindingMessage,
      ].map { $0 ?? "-" }
      let issuer = challenge.issuer(atOrg: "https://acme.example")
      let words = "\(challenge.requirement.rawValue) \(challenge.transactionType)"
      return line(change.text, "\(names) \(more) \(issuer) \(words)")
    }
    let seconds = times.map { line($0.text, Challenge.seconds($0).map { "\($0)" }) }
    let payloads: [JSON] = [
      [:], ["payloadVersion": "IDXv1", "challenge": "a.b.c"],
      ["payloadVersion": "IDXv1", "challenge": .string(HostSamples.token())],
    ]
    let none = Challenge.seconds(nil).map { "\($0)" }
    return read + seconds + payloads.map { line("payload", ChallengeRead.value(of: $0).text) } + [line("none", none)]
  }
}
