// The answers that a flow running on its own receives: the usual ones and alternatives.

import EventStore
import FlowRecording

extension CoreTrial {
  /// The usual answer, which lets a flow continue.
  static func usual(_ step: DeviceStep, _ input: JSON) -> Answer {
    switch step {
    case .organization: .response(200, ["id": "00o-1"])
    case .policy: .response(200, [soft])
    case .enroll, .enrollRetry: .response(201, HostSamples.enrolled)
    case .update: .response(200, ["methods": ["push": [:]]])
    case .deletion: .response(204, nil)
    case .token: .response(200, ["access_token": "t", "token_type": "Bearer", "expires_in": 300, "scope": "s"])
    case .pending: .response(200, [["challenge": "c"], [:]])
    case .discovery: .response(200, ["jwks_uri": "https://acme.example/oauth2/v1/keys"])
    case .orgKeys: .response(200, ["keys": [HostSamples.with(["n": nil], in: HostSamples.key)]])
    case .submission: .response(200, nil)
    case .verifyPerson: .value(["outcome": "verified", "method": "fingerprint"])
    case .keys, .instanceKey, .instanceKeyRetry:
      .value(["keys": .array((input["keys"]?.array ?? []).map { HostSamples.with(["jwk": ["kid": "k"]], in: $0) })])
    case .attest, .assertion, .sign: .value(["jwt": "jwt"])
    case .storeDeletion: .value(["done": true, "orphaned": ["pop-1", "uv-1"]])
    case .dropKeys, .rollback: .value(["deleted": input["tags"] ?? []])
    case .verifyToken: .value(["result": "verified", "thumbprint": "print"])
    case .claim: .value(["claimed": true])
    case .collect: .value(["results": [["name": "agent", "type": "FILE", "signal": "c2ln"]]])
    case .storePolicy, .store, .storeCode, .saveAnswer, .close: .value(["done": true])
    }
  }

  private static func refusal(_ status: Int, _ code: String) -> Answer {
    .response(status, ["errorCode": .string(code), "errorSummary": "summary"])
  }

  private static let storage = Answer.failure(.failed, "storage.sqliteError: broken (5)")

  /// Alternative answers to the same step.
  static func others(_ step: DeviceStep) -> [Answer] {
    switch step {
    case .organization, .token: [.response(200, [:]), refusal(401, "E0000011"), .noResponse(.timedOut)]
    case .policy:
      [
        .response(200, nil), .response(200, []), .response(200, [["key": "k"]]), .response(200, [HostSamples.policy]),
        .response(200, [HostSamples.with(["supportedMethods": []], in: soft)]),
        .response(200, [HostSamples.with(["appAuthenticatorEnrollEndpoint": "https://b.example"], in: soft)]),
        refusal(403, "E0000152"),
      ]
    case .enroll, .enrollRetry:
      [
        .response(200, [:]), refusal(400, "E0000158"), refusal(410, "E0000153"), refusal(401, "E0000011"),
        .noResponse(.connectionLost),
      ]
    case .update: [.response(200, [:]), .response(200, nil), refusal(403, "E0000152"), refusal(410, "E0000153")]
    case .deletion:
      [
        refusal(404, "E0000008"), refusal(410, "E0000153"), refusal(403, "E0000152"), refusal(404, "E0000007"),
        .response(500, nil), .noResponse(.cannotConnect),
      ]
    case .pending: [.response(200, []), .response(200, ["text"]), .response(200, nil), refusal(410, "E0000154")]
    case .discovery: [.response(200, [:]), .response(404, nil), .response(200, ["jwks_uri": "http://acme.example/"])]
    case .orgKeys: [.response(200, [:]), .noResponse(.timedOut), .response(200, ["keys": []])]
    case .submission:
      [
        .noResponse(.connectionLost), .response(299, nil), .response(300, nil), refusal(403, "E0000152"),
        .response(400, ["status": "REJECT"]), .response(400, ["errorCode": 7]), .response(400, ["errorCode": ""]),
      ]
    case .verifyPerson:
      [
        .value(["outcome": "cancelled"]), .value(["outcome": "failed"]), .value(["outcome": "lockedOut"]),
        .value(["outcome": "notSetUp"]), .value(["outcome": "timedOut"]), .value(["outcome": "other"]),
        .value(["outcome": "verified", "method": "pin"]), .value(["outcome": "verified", "method": "face"]),
        .value(["outcome": "verified", "method": "none"]), .value([:]), .failure(.timedOut, nil),
      ]
    case .keys, .instanceKey, .instanceKeyRetry, .assertion: [.failure(.failed, "keyGenFailed: why")]
    case .attest: [.failure(.missing, "gone")]
    case .sign:
      [
        .failure(.missing, "why"), .failure(.cancelled, "why"), .failure(.invalidated, nil), .failure(.lockedOut, nil),
        .failure(.failed, "failedToSignPayload: why"), .value([:]),
      ]
    case .verifyToken:
      [
        .value(["result": "badSignature"]), .value(["result": "weakKey"]), .value(["result": "noKey"]),
        .failure(.failed, nil),
      ]
    case .claim:
      [
        .value(["claimed": false, "isSame": true, "stage": "asked"]), .value(["claimed": false, "isSame": false]),
        .value([:]), storage,
      ]
    case .collect: [.value(["results": []]), .failure(.failed, "why")]
    case .storePolicy, .store, .storeDeletion, .storeCode, .saveAnswer, .close, .dropKeys, .rollback: [storage]
    }
  }

  /// A policy that accepts software keys.
  static let soft = HostSamples.with(
    ["supportedMethods": [["type": "push", "status": "ACTIVE"]]], in: HostSamples.policy)

  /// Performs the person's action if the flow waits for one.
  ///
  /// - Returns: whether an action was performed.
  private mutating func act() -> Bool {
    guard step == nil, core.ledger.outcome == nil else { return false }
    let phase = core.challenge?.phase
    if phase == .consentRequested { call("provideConsent", ["answer": "approved", "by": "step"]) }
    if phase == .verificationRequested { call("provideVerification", ["reason": "why", "cancelTitle": "no"]) }
    return phase == .consentRequested || phase == .verificationRequested
  }

  /// Takes the next step with the usual answer.
  ///
  /// - Returns: whether there was a step to take.
  mutating func goOn() -> Bool {
    guard let step else { return act() }
    answer(Self.usual(step, input))
    return true
  }

  /// Continues with usual answers to the end.
  mutating func run() {
    // A limit above the length of any flow, for a flow that does not end.
    for _ in 0..<40 {
      guard goOn() else { return }
    }
  }
}
