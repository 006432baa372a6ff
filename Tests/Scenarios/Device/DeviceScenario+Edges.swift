// Challenges and enrollments that an org words, spoils or refuses in every way.

import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg

extension DeviceScenario {
  /// The scenarios of `Recordings/` that are rare.
  public static let rare: [DeviceScenario] = [
    defects, wordings, refusedChanges, refusedAnswers, refusedTokens, refusedEnrollments, policies, notifications,
    suspendedStates, givenUp, answersWithAll,
  ]

  private static func anyhow(_ operation: () async throws -> Void) async {
    do { try await operation() } catch {}
  }

  static func changing(
    _ stage: DeviceStage, _ change: @escaping @Sendable (HTTPRequest, Int) -> ChangedAnswers.Change
  ) throws -> DeviceStage {
    var environment = stage.environment
    environment.transport = ChangedAnswers(over: environment.transport, change)
    return try stage.with(environment)
  }

  private static func answer(_ status: Int, _ body: String) -> ChangedAnswers.Change {
    .answer(
      HTTPResponse(
        status: status, headers: [HTTPField("Content-Type", "application/json")], body: Array(body.utf8)))
  }

  private static func refusal(_ code: String, _ number: Int = 0) -> String {
    """
    {"errorCode":"\(code)","errorSummary":"Summary \(number)","errorLink":"link-\(number)","errorId":"oae-\(number)",\
    "errorCauses":[{"errorSummary":"Cause \(number)"}]}
    """
  }

  private static let codes = [
    ("E0000007", 404), ("E0000008", 404), ("E0000011", 401), ("E0000152", 403), ("E0000153", 410), ("E0000154", 410),
    ("E0000155", 423), ("E0000156", 410), ("E0000158", 400), ("E0000180", 423), ("E0000212", 403), ("E0000001", 400),
  ]

  /// Challenges with everything that can be wrong with them.
  static let defects = DeviceScenario("device-edge-defects") { stage in
    let enrollment = try await stage.enroll()
    let defects: [OrgChallengeDefect] = [
      .wrongSignature, .otherKey, .unknownKey, .unsigned, .sharedSecret, .header("alg", "RS384"),
      .header("alg", "RS512"),
      .header("alg", "ES256"), .header("typ", "JWT"), .header("typ", "okta-devicebind+jwt"), .header("kid", nil),
      .claim("iss", "https://other.example"), .claim("aud", "another"), .claim("aud", .string(OrgClient.sample.id)),
      .claim("orgId", "another"), .claim("userId", "another"), .claim("userId", nil), .claim("method", "sms"),
      .claim("method", nil), .claim("verificationUri", "https://other.example/verify"),
      .claim("verificationUri", "https://ann@acme.example/verify"), .claim("verificationUri", "no address"),
      .claim("verificationUri", nil), .claim("nonce", nil), .claim("transactionId", nil), .claim("exp", nil),
      .claim("iat", nil), .claim("challengeContext", nil), .claim("authenticatorEnrollmentId", nil),
      .claim("authenticatorEnrollmentId", "another"), .claim("authorizationServerId", "default"),
      .claim("authorizationServerId", "no/server"), .claim("userVerification", "SOMETHING_NEW"), .expired(), .early(),
      .expired(seconds: 100), .early(seconds: 100), .payloadVersion("IDXv2"), .payload("no token"),
    ]
    for defect in defects {
      await anyhow {
        let push = try stage.parse(try stage.challenge(enrollment) { $0.defect = defect })
        try await push.resolve(onRemediation: DeviceAnswers().handle)
      }
    }
  }

  /// Challenges as an org may word them: with a context, a message, providers, a server of its own, little time.
  static let wordings = DeviceScenario("device-edge-wordings") { stage in
    var environment = stage.environment
    environment[SignalPluginsSeam.self] = [
      ScriptedPlugin(name: "com.acme.posture", says: .success(#"{"score":93}"#)),
      ScriptedPlugin(name: "com.acme.silent", says: .failure(SignalError("it does not run"))),
    ]
    let stage = try stage.with(environment)
    let enrollment = try await stage.enroll(verification: true, ciba: true)
    let changes: [(inout OrgChallengeRequest) -> Void] = [
      {
        $0.context = [
          "clientOS": "Linux 6", "clientLocation": "Vienna, Austria", "riskLevel": "HIGH",
          "unusualActivitiesTextItems": ["new device", "new place"], "challengeTextItems": ["42", "7"],
        ]
        $0.applicationName = "Name of the app"
      },
      {
        $0.transactionType = .ciba
        $0.bindingMessage = "Pay\u{202E} 100\u{2066}% of it\u{200B}"
        $0.requirement = .required
      },
      { $0.bindingMessage = "Transfer%20to%20Bob" },
      {
        $0.integrations = ["com.acme.posture", "com.acme.silent", "com.acme.posture"]
        $0.signalProviders = ["com.acme.nobody", "com.acme.silent"]
        $0.signals = ["displayName", "displayName", "nothing", "clientInstanceKey", "model", "diskEncryptionType"]
      },
      { $0.signer = .authorizationServer("default") },
      {
        $0.lifetime = 5
        $0.mediation = OrgUserMediation.none
      },
      {
        $0.signals = nil
        $0.requirement = nil
        $0.client = OrgClient.sample.id
      },
    ]
    for change in changes {
      for consent in [UserConsentResponse.approved, .denied] {
        await anyhow {
          let push = try stage.parse(try stage.challenge(enrollment, change))
          stage.time.advance(milliseconds: 1500)
          try await push.resolve(onRemediation: { step in
            stage.time.advance(milliseconds: 700)
            DeviceAnswers(consent).handle(step)
          })
        }
      }
    }
  }

  /// The org refuses changes with each of its codes; the device keeps what that says.
  static let refusedChanges = DeviceScenario("device-edge-refused-changes") { stage in
    for (number, (code, status)) in codes.enumerated() {
      let enrollment = try await stage.enroll(verification: number % 2 == 0)
      let stage = try changing(stage) { request, count in
        guard request.method != "GET", count < 2 else { return .none }
        return answer(status, refusal(code, number))
      }
      guard let held = stage.authenticator.allEnrollments().first(where: { $0.enrollmentId == enrollment.enrollmentId })
      else { continue }
      for _ in 0..<2 {
        await anyhow {
          try await held.updateDeviceToken(.tokenString("dead\(number)"), authenticationToken: try stage.token())
        }
      }
      await anyhow { try await held.setUserVerification(authenticationToken: try stage.token(), enable: true) }
      await anyhow { try await held.enableCIBATransactions(authenticationToken: try stage.token(), enable: true) }
      await anyhow {
        try await stage.authenticator.delete(enrollment: held, authenticationToken: try stage.token())
      }
      await anyhow { try held.deleteFromDevice() }
    }
  }

  /// The org refuses answers to challenges with each of its codes, and takes them with another status.
  static let refusedAnswers = DeviceScenario("device-edge-refused-answers") { stage in
    let enrollment = try await stage.enroll(verification: true)
    let bodies =
      codes.map { ($0.1, refusal($0.0)) } + [
        (400, #"{"error":"invalid_request","error_description":"Bad"}"#), (400, #"{"status":"UNKNOWN"}"#), (400, ""),
        (500, "<html>"), (201, ""), (204, ""), (299, "{}"),
      ]
    for (status, body) in bodies {
      await anyhow {
        let challenge = try stage.challenge(enrollment, requirement: .required)
        let stage = try changing(stage) { request, _ in
          request.url.hasSuffix("/verify") ? answer(status, body) : .none
        }
        let push = try stage.parse(challenge)
        stage.time.advance(milliseconds: 900)
        try await push.resolve(onRemediation: { step in
          stage.time.advance(milliseconds: 400)
          DeviceAnswers().handle(step)
        })
      }
    }
  }

  /// Tokens without a person, with scopes of the application's own, and what else the org may answer.
  static let refusedTokens = DeviceScenario("device-edge-tokens") { stage in
    let enrollment = try await stage.enroll()
    let bodies = [
      (
        200,
        #"{"access_token":"access-canary","token_type":"Bearer","expires_in":60,"refresh_token":"refresh-canary","scope":"a b"}"#
      ), (200, #"{"token_type":"Bearer"}"#), (200, "{}"), (400, #"{"error":"invalid_client"}"#), (503, ""),
    ]
    for (status, body) in bodies {
      let stage = try changing(stage) { request, _ in
        request.url.hasSuffix("/token") ? answer(status, body) : .none
      }
      guard let held = stage.authenticator.allEnrollments().first else { continue }
      await anyhow { _ = try await held.retrieveMaintenanceToken(scopes: ["okta.one", "okta.two"]) }
      await anyhow { _ = try await held.retrieveMaintenanceToken(scopes: []) }
    }
    let lists = [
      (200, "[]"), (200, "{}"), (200, "[7]"), (404, refusal("E0000008")), (200, #"[{"challenge":"no token"}]"#),
    ]
    for (status, body) in lists {
      let stage = try changing(stage) { request, _ in
        request.method == "GET" ? answer(status, body) : .none
      }
      guard let held = stage.authenticator.allEnrollments().first else { continue }
      await anyhow { _ = try await held.retrievePushChallenges(authenticationToken: try stage.token()) }
    }
    withExtendedLifetime(enrollment) {}
  }

  /// Enrollments that the org refuses at each step, or answers otherwise; for the second time on a known device.
  static let refusedEnrollments = DeviceScenario("device-edge-enrollments") { stage in
    let bodies: [(String, Int, String)] = [
      ("/okta-organization", 200, "{}"), ("/okta-organization", 404, ""),
      ("/app-authenticator-configuration", 200, "[]"), ("/app-authenticator-configuration", 200, "{}"),
      ("/app-authenticator-configuration", 200, "[{}]"),
      ("/app-authenticator-configuration", 400, refusal("E0000021")), ("/app-authenticators", 200, "{}"),
      ("/app-authenticators", 400, refusal("E0000158")), ("/app-authenticators", 401, refusal("E0000011")),
      ("/app-authenticators", 410, refusal("E0000153")), ("/app-authenticators", 403, refusal("E0000152")),
    ]
    for isKnown in [false, true] {
      if isKnown { _ = try await stage.enroll(DeviceScenario.secondLogin) }
      for (path, status, body) in bodies {
        let stage = try changing(stage) { request, count in
          (URLParts(request.url)?.path ?? "").hasSuffix(path) && count == 0 ? answer(status, body) : .none
        }
        await anyhow { _ = try await stage.enroll(verification: false, ciba: true) }
      }
    }
    let enrollment = try await stage.enroll()
    try await enrollment.setUserVerification(authenticationToken: try stage.token(), enable: false)
    try await enrollment.setUserVerification(authenticationToken: try stage.token(), enable: true)
    try await enrollment.setUserVerification(authenticationToken: try stage.token(), enable: false)
    _ = try await stage.enroll(pushToken: "")
  }

  /// Policies as orgs word them.
  static let policies = DeviceScenario("device-edge-policies") { stage in
    for (words, protection) in [
      ("PREFERRED", "ANY"), ("required", "ANY"), ("Something", "ANY"), ("REQUIRED", "hardware"), ("", "HARDWARE"),
    ] {
      let stage = try changing(stage) { request, _ in
        guard request.url.contains("/app-authenticator-configuration") else { return .none }
        return .edit { response in
          guard var list = (try? JSON(parsing: response.body))?.array, var first = list.first?.object else { return }
          if var settings = first["settings"]?.object {
            settings["userVerification"] = .string(words)
            first["settings"] = .object(settings)
          }
          if var methods = first["supportedMethods"]?.array, var push = methods.first?.object,
            var settings = push["settings"]?.object
          {
            settings["keyProtection"] = .string(protection)
            push["settings"] = .object(settings)
            methods[0] = .object(push)
            first["supportedMethods"] = .array(methods)
          }
          list[0] = .object(first)
          response.body = JSON.array(list).bytes
        }
      }
      for _ in 0..<2 {
        await anyhow {
          _ = try await stage.authenticator.downloadPolicy(
            authenticationToken: try stage.token(), authenticatorConfig: stage.config)
        }
      }
      await anyhow { _ = try await stage.enroll() }
    }
  }

  /// Notifications with the names that they may have, and with a tolerance of the application's own.
  static let notifications = DeviceScenario("device-edge-notifications") { stage in
    let enrollment = try await stage.enroll()
    for prefix in ["", "okta."] {
      for skew in [0, 30, 900] {
        await anyhow {
          let challenge = try stage.challenge(enrollment) { $0.defect = .expired(seconds: 40) }
          let push = try stage.authenticator.parsePushNotification(
            PushNotification(userInfo: [
              prefix + "payloadVersion": "IDXv1", prefix + "challenge": challenge.token ?? "", "aps": "alert",
              "other": "not ours",
            ]), allowedClockSkewInSeconds: skew)
          try await push.resolve(onRemediation: DeviceAnswers().handle)
        }
      }
    }
    await anyhow {
      _ = try stage.authenticator.parsePushNotification(PushNotification(userInfo: ["other": "not ours"]))
    }
    let challenge = try stage.challenge(enrollment)
    let push = try stage.parse(challenge)
    _ = try stage.parse(challenge)
    await anyhow { try await push.retrySubmission() }
    try await push.resolve(onRemediation: DeviceAnswers().handle)
    push.userResponse = .userDenied
    await anyhow { try await push.resolve(onRemediation: DeviceAnswers().handle) }
    // One button after another of the same notification: the first counts.
    for buttons in [
      ["APPROVE_BUTTON", "DENY_BUTTON"], ["DENY_BUTTON", "APPROVE_BUTTON"], [nil, "DENY_BUTTON", "APPROVE_BUTTON"],
    ] as [[String?]] {
      let challenge = try stage.challenge(enrollment)
      var pushes: [any PushChallengeProtocol] = []
      for button in buttons {
        await anyhow {
          let notification = stage.notification(challenge)
          pushes.append(
            try button.map {
              try stage.authenticator.parsePushNotificationResponse(
                PushNotificationResponse(notification: notification, actionIdentifier: $0))
            } ?? stage.authenticator.parsePushNotification(notification))
        }
      }
      for push in pushes { await anyhow { try await push.resolve(onRemediation: DeviceAnswers().handle) } }
    }
  }

  /// The org calls an enrollment suspended, then deleted, then reset, and takes it back.
  static let suspendedStates = DeviceScenario("device-edge-states", deletesSuspended: false) { stage in
    let enrollment = try await stage.enroll()
    for (code, status) in [
      ("E0000180", 423), ("E0000180", 423), ("E0000156", 410), ("E0000154", 410), ("E0000152", 403),
    ] {
      let refusing = try changing(stage) { request, _ in
        request.method == "PATCH" ? answer(status, refusal(code)) : .none
      }
      guard let held = refusing.authenticator.allEnrollments().first else { return }
      await anyhow { try await held.updateDeviceToken(.tokenString("dead01"), authenticationToken: try stage.token()) }
      if status == 410 {
        try await enrollment.updateDeviceToken(.tokenString("beef02"), authenticationToken: try stage.token())
      }
    }
    for (code, status) in [("E0000180", 423), ("E0000008", 404)] {
      let refusing = try changing(stage) { request, _ in
        request.method == "DELETE" ? answer(status, refusal(code)) : .none
      }
      guard let held = refusing.authenticator.allEnrollments().first else { return }
      await anyhow { try await refusing.authenticator.delete(enrollment: held, authenticationToken: try stage.token()) }
    }
  }

  /// Tasks that wait are cancelled: while the org is asked, and while the person is.
  static let givenUp = DeviceScenario("device-edge-given-up") { stage in
    let enrollment = try await stage.enroll()
    let push = try stage.parse(try stage.challenge(enrollment))
    let asked = AsyncStream.makeStream(of: Void.self)
    let resolving = Task { try await push.resolve(onRemediation: { _ in asked.continuation.yield() }) }
    for await _ in asked.stream { break }
    resolving.cancel()
    _ = await resolving.result
    try await push.resolve(onRemediation: DeviceAnswers().handle)
  }
}
