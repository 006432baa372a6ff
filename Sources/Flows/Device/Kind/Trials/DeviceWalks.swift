// Challenges and operations of the push authenticator that continue at random, for the tables of the kind.

import EventStore
import FlowRecording

/// Flows with made-up enrollments, challenges, answers, and settings.
enum DeviceWalks {
  private typealias World = WalkWorld<DeviceCore>

  static var all: [String] { challenges.walks(400, steps: 16) + operations.walks(400, steps: 16) }

  // MARK: What is stored

  private static let records = JSON.members([
    ("enrollment", HostSamples.enrollment.json), ("device", HostSamples.device.json), ("verificationKey", "available"),
    ("policy", ["orgID": "00o-1", "id": "aut-1", "clientID": "client-1", "wantsHardware": false]),
  ])

  private static func records(_ changes: JSON) -> JSON {
    HostSamples.with(["enrollment": HostSamples.with(changes, in: HostSamples.enrollment.json)], in: records)
  }

  private static let stored: [Result<JSON, DrawFailure>] = [
    .success(records), .success([:]), .success(records(["userVerificationTag": .null])),
    .success(HostSamples.with(["verificationKey": "invalidated"], in: records)),
    .success(HostSamples.with(["verificationKey": "available", "verificationJWK": ["kid": "uv-1"]], in: records)),
    .success(HostSamples.with(["verificationKey": .null, "verificationKeyInvalidated": true], in: records)),
    .success(
      HostSamples.with(["verificationKeyInvalidated": true, "verificationJWK": ["kid": "uv-1"]], in: records)),
    .success(records(["serverErrorCode": .null, "transactionTypes": ["LOGIN"]])),
    .success(records(["pendingURL": "https://b.example/"])), .success(HostSamples.with(["policy": .null], in: records)),
    .success(["homes": ["https://acme.example"]]), .success(["homes": ["https://b.example"]]),
    .failure(DrawFailure(.failed, "storage.sqliteError: broken (5)")),
  ]

  private static func draws(_ kind: DrawKind, _ input: JSON, _ number: Int) -> [Result<JSON, DrawFailure>] {
    switch kind {
    case .deviceStored: stored
    case .deviceOrgKey: [.success(["mayFetch": true]), .success(["jwk": HostSamples.key, "mayFetch": false])]
    case let other: [CoreTrial.World().draw(other, input, number)]
    }
  }

  // MARK: What happens

  private static func answers(_ core: DeviceCore, _ revision: Int, _: RequestSent) -> [World.Answer] {
    guard let step = core.ledger.requests[revision]?.tag else { return [(200, nil, [])] }
    let usual = CoreTrial.usual(step, .null)
    return ([usual, usual] + CoreTrial.others(step)).compactMap { answer -> World.Answer? in
      guard case .response(let status, let body) = answer else { return nil }
      return (status, body, [])
    }
  }

  private static func decisions(_ draw: DrawAsked) -> [Result<JSON, DrawFailure>] {
    guard let step = draw.input["step"]?.string.flatMap(DeviceStep.init) else { return [.success(true)] }
    return ([CoreTrial.usual(step, draw.input)] + CoreTrial.others(step)).compactMap { answer in
      switch answer {
      case .value(let value): .success(value)
      case .failure(let reason, let detail): .failure(DrawFailure(reason, detail))
      case .response, .unread, .noResponse: nil
      }
    }
  }

  private static let settings: [(name: String, values: [JSON?])] = [
    ("userAgent", ["agent", nil]), ("plugins", [["agent", "unasked"], nil, ["probe"]]),
    ("origins", [["https://alias.example"], nil, ["https://b.example"]]), ("audiences", [nil, ["client-1"]]),
    ("strict", [nil, true, false]), ("deleteOnSuspended", [nil, true, false]), ("reference", [nil, true]),
    ("application", [nil, ["name": "App", "version": "2"]]), ("keyDiscoveryMilliseconds", [nil, 500]),
  ]

  private static func world(
    opening: (name: String, arguments: JSON), calls: [(name: String, arguments: JSON)]
  ) -> World {
    World(
      settings: settings, opening: opening, calls: { _ in calls + [("dance", [:]), ("release", [:])] },
      answers: answers, draws: draws, decisions: decisions, state: { $0.json.text })
  }

  // MARK: Flows

  private static var challenges: World {
    func notified(_ changes: JSON = [:], claims: JSON = [:], header: JSON = [:]) -> JSON {
      let usual: JSON = [
        "source": "push", "payloadVersion": "IDXv1", "challenge": .string(HostSamples.token(claims, header: header)),
        "keys": ["payloadVersion", "challenge"], "skew": 300,
      ]
      return HostSamples.with(changes, in: usual)
    }
    let received = [
      notified(), notified(["source": "pull", "pulledFor": "pfd-1"]),
      notified(claims: ["userVerification": "REQUIRED"]),
      notified(["source": "action", "action": "DENY_BUTTON"]),
      notified(["source": "action", "action": "APPROVE_BUTTON"]),
      notified(claims: ["userVerification": "DISCOURAGED"]), notified(["skew": 0]),
      notified(["payloadVersion": "IDXv2"]),
      notified(claims: ["challengeContext": ["transactionType": "CIBA", "bindingMessage": "Pay%2010"]]),
      notified(claims: ["aud": "client-1", "signals": .null, "integrations": .null]),
      notified(header: ["alg": "ES256"]),
    ]
    let others: [(name: String, arguments: JSON)] = [
      ("resolve", [:]), ("resolve", [:]), ("retrySubmission", [:]),
      ("provideConsent", ["answer": "approved", "by": "step"]),
      ("provideConsent", ["answer": "denied", "by": "button"]),
      ("provideConsent", ["answer": "none", "by": "default"]),
      ("provideVerification", ["reason": "why", "cancelTitle": "no"]),
      ("respond", ["answer": "approved", "by": "button"]),
      ("respond", ["answer": "denied"]),
    ]
    return world(opening: ("receive", received[0]), calls: received.map { ("receive", $0) } + others + others)
  }

  private static var operations: World {
    let org: JSON = [
      "token": "t", "orgURL": "https://acme.example", "clientId": "client 1", "pushToken": "p",
      "userVerification": true,
      "ciba": true, "apsEnvironment": "development", "enrollmentId": "pfd-1", "enable": true, "scopes": ["a", 5, "b"],
    ]
    let arguments: [JSON] = [
      org, ["token": "t", "enrollmentId": "pfd-1", "pushToken": "p", "enable": false],
      HostSamples.with(["userVerification": false, "orgURL": "https://b.example"], in: org),
    ]
    let names: [DeviceCall] = [
      .downloadPolicy, .enroll, .updateDeviceToken, .setUserVerification, .enableCIBATransactions, .delete,
      .deleteFromDevice, .retrieveMaintenanceToken, .retrievePushChallenges,
    ]
    let calls = names.flatMap { name in arguments.map { (name: name.rawValue, arguments: $0) } }
    return world(opening: ("enroll", org), calls: calls)
  }
}
