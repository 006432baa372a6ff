// Classic sign-ins that continue at random, for the tables of the kind.

import EventStore
import FlowRecording

enum AuthnWalks {
  static var all: Set<String> { Set(world.walks(500, steps: 14)) }

  private static let arguments: [JSON] = [
    [
      "username": "ann", "password": "Correct-Horse-7", "factor": 3, "passCode": "123456", "answer": "Tofu",
      "oldPassword": "Correct-Horse-7", "newPassword": "Correct-Horse-8", "phoneNumber": "+1 555 0100",
      "channel": "sms", "link": "https://acme.example/api/v1/authn/own", "allow": ["POST"], "payload": ["a": 1],
      "recoveryToken": "00recovery", "stateToken": "00other", "factorType": "sms", "relayState": "there",
      "rememberDevice": true, "pollMilliseconds": 700, "question": "food", "credentialId": "ann",
      "nextPassCode": "654321",
    ],
    ["factor": 0, "channel": "email", "autoPush": true], ["factor": 3], ["factor": 3, "pollOnceSent": true],
    ["factor": 1, "passCode": "123456", "rememberDevice": false], [:],
    [
      "username": "ann", "password": "Correct-Horse-7", "multiOptionalFactorEnroll": true,
      "warnBeforePasswordExpired": false, "token": "activation-1", "audience": "audience-1",
      "deviceFingerprint": "print-1", "apiToken": "api-1", "forwardedFor": "192.0.2.7", "acceptLanguage": "de",
      "languagesStay": true, "deviceToken": "device-1", "deviceOnceSent": true,
    ],
    ["oldPassword": "a", "newPassword": "b", "revokeSessions": true, "phoneNumber": "1", "phoneExtension": "2"],
    ["factor": 2, "passCode": "", "answer": ""], ["link": "https://b.example/x", "payload": [:], "factor": 99],
  ]

  private static var world: WalkWorld<AuthnCore> {
    let answers: [WalkWorld<AuthnCore>.Answer] = TrialAnswers.all.map { (200, $0.json, []) }
    let refusals = SignInTrials.faults.compactMap { _, fault -> WalkWorld<AuthnCore>.Answer? in
      guard case .success(let response) = fault else { return nil }
      return (response.status, try? JSON(parsing: response.body), response.headers)
    }
    return WalkWorld(
      settings: [
        (
          "org",
          [.string(TrialAnswers.base), "https://acme.example/sub", "https://acme.example:8443", "http://127.0.0.1:80"]
        ),
        ("pollMilliseconds", [2000, nil, 0, 500, 5_000_000_000]), ("handler", [false, true, nil]),
        ("origins", [nil, ["https://b.example"], ["https://acme.example", 5]]),
      ],
      opening: ("authenticate", arguments[0]),
      calls: { _ in
        AuthnCall.allCases.flatMap { call in arguments.map { (call.rawValue, $0) } } + [
          ("dance", [:]), ("release", [:]),
        ]
      },
      answers: { core, _, _ in
        // A factor is usually pending again, or its sign-in goes on.
        let usual = core.current?.status == "MFA_CHALLENGE" ? TrialAnswers.pushed : TrialAnswers.required
        return [(200, usual, [])] + answers + answers + refusals
      },
      draws: { kind, _, _ in [.success(kind == .userAgent ? "agent" : 7), .success(.null)] },
      decisions: { _ in
        ["status", "wait", "poll", "stop", "odd"].map { .success(["outcome": .string($0)]) } + [
          .success(["outcome": "error", "code": "unexpectedResponse"]), .failure(DrawFailure(.cancelled)),
        ]
      },
      state: { $0.json.text })
  }
}
