// The application's objects: challenges that were passed in, enrollments, and an authenticator's environment. No flow
// here goes beyond its first request.

import EventStore
import FlowRecording
import Foundation

extension HostTables {
  private static func context(_ storage: MemoryEnrollmentStorage, _ settings: JSON = [:]) -> DeviceContext {
    DeviceContext(
      environment: environment, services: services(storage, HostKeys()), settings: settings,
      apsEnvironment: "production")
  }

  /// A storage with one enrollment.
  private static var enrolled: MemoryEnrollmentStorage {
    let storage = MemoryEnrollmentStorage()
    try? storage.save(HostSamples.enrollment)
    try? storage.save(HostSamples.device)
    return storage
  }

  private static func notification(_ changes: JSON = [:], version: String = "IDXv1") -> PushNotification {
    PushNotification(userInfo: ["payloadVersion": version, "challenge": HostSamples.token(changes)])
  }

  private static func show(_ challenge: (any PushChallengeProtocol)?) -> String {
    guard let challenge else { return "none" }
    let texts = [
      challenge.transactionId, challenge.originURL?.absoluteString, challenge.appInstanceName, challenge.clientLocation,
      challenge.clientOS, (challenge as? any CIBAChallengeProtocol).map { $0.cibaBindingMessage ?? "no message" },
      (challenge as? PushChallenge)?.description,
    ].map { $0 ?? "-" }
    let times = "\(challenge.transactionTime.timeIntervalSince1970) \(challenge.expiresAt.timeIntervalSince1970)"
    let words = "\(challenge.userResponse.rawValue) \(challenge.userVerificationRequirement.rawValue)"
    let items = "\(challenge.challengeTextItems) \(challenge.unusualActivities)"
    return "\(texts) \(times) \(words) \(items) \(challenge.isVerified)"
  }

  private static func received(
    _ context: DeviceContext, _ body: (DeviceAuthenticator) throws -> any PushChallengeProtocol
  ) -> (text: String, challenge: (any PushChallengeProtocol)?) {
    do {
      let challenge = try body(DeviceAuthenticator(context))
      let phase = context.desk[challenge.transactionId]?.work?.phase.rawValue ?? "no work"
      return ("\(phase) \(show(challenge))", challenge)
    } catch {
      let error = error as? DeviceAuthenticatorError
      return ("\(error?.errorCode ?? 0) \(error?.description ?? "another error")", nil)
    }
  }

  /// A notification in each form, with the usual clock skew and with another one, at times around the expiry.
  private static var spelled: [String] {
    [1_768_467_341, 1_768_467_342, 1_768_467_641, 1_768_467_642].flatMap { (expiry: Int) -> [String] in
      let challenge = HostSamples.token(["exp": .int(expiry)])
      let members: [String: any Sendable] = ["payloadVersion": "IDXv1", "challenge": challenge]
      let bytes = Data((["payloadVersion": "IDXv1", "challenge": .string(challenge)] as JSON).bytes)
      let whole = PushNotification(userInfo: members)
      let response = PushNotificationResponse(notification: whole, actionIdentifier: "APPROVE_BUTTON")
      let forms: [(DeviceAuthenticator) throws -> any PushChallengeProtocol] = [
        { try $0.parsePushNotification(whole) }, { try $0.parsePushNotification(members) },
        { try $0.parsePushNotification(members, allowedClockSkewInSeconds: 0) },
        { try $0.parsePushNotification(bytes) },
        { try $0.parsePushNotification(bytes, allowedClockSkewInSeconds: 0) },
        { try $0.parsePushNotificationResponse(response) },
        { try $0.parsePushNotificationResponse(response, allowedClockSkewInSeconds: 0) },
      ]
      return forms.enumerated().map { number, form in
        line("form \(number) \(expiry)", received(context(enrolled, ["strict": true]), form).text)
      }
    }
  }

  /// Notifications, and the challenges in them.
  static var handles: [String] {
    let items: JSON = ["challengeTextItems": ["7"], "unusualActivitiesTextItems": ["new", 5]]
    let ciba: JSON = ["transactionType": "CIBA", "bindingMessage": "Pay%2010%"]
    let compatible: [JSON] = [
      [:], ["authenticatorEnrollmentId": "pfd-9"], ["challengeContext": items, "userVerification": nil, "iss": ""],
      ["challengeContext": ciba], ["nonce": nil],
    ]
    let strict: JSON = ["strict": true, "audiences": ["more"]]
    var trials: [(JSON, JSON, Int)] = [
      (strict, [:], 300), (strict, ["exp": 1_768_467_641], 0), (strict, ["exp": 1_768_467_641], -5),
      (strict, ["aud": "more"], 300), (strict, ["aud": "client-1"], 300), (strict, ["aud": "other"], 300),
      (strict, ["challengeContext": ["transactionType": "CIBA"]], 300),
      (["strict": true, "reference": true], ["challengeContext": ciba], 300),
    ]
    for change in compatible { trials.append(([:], change, 300)) }
    let parsed = trials.map { settings, change, skew in
      let got = received(context(enrolled, settings)) {
        try $0.parsePushNotification(notification(change), allowedClockSkewInSeconds: skew)
      }
      return line("\(settings.text) \(change.text) \(skew)", got.text)
    }
    let other = received(context(enrolled)) { try $0.parsePushNotification(notification(version: "IDXv2")) }
    let actions = ["APPROVE_BUTTON", "DENY_BUTTON", "REVIEW_BUTTON"].map { action in
      let response = PushNotificationResponse(notification: notification(), actionIdentifier: action)
      return line(action, received(context(enrolled)) { try $0.parsePushNotificationResponse(response) }.text)
    }
    return parsed + [line("version", other.text)] + actions + spelled + again + known + pulls
  }

  /// The same notification again, and others for its transaction.
  private static var again: [String] {
    let shared = context(enrolled)
    var kept: [(any PushChallengeProtocol)?] = []
    var lines: [String] = []
    func receive(_ name: String, _ notification: PushNotification, action: String? = nil) {
      let got = received(shared) { authenticator in
        guard let action else { return try authenticator.parsePushNotification(notification) }
        return try authenticator.parsePushNotificationResponse(
          PushNotificationResponse(notification: notification, actionIdentifier: action))
      }
      kept.append(got.challenge)
      lines.append(line(name, "\(got.text) | \(kept.map { $0?.userResponse.rawValue ?? "-" })"))
    }
    receive("first", notification())
    receive("again", notification())
    receive("other nonce", notification(["nonce": "other"]))
    receive("other claim", notification(["clientOS": "other"]))
    receive("other transaction", notification(["transactionId": "ft-2"]))
    receive("denied", notification(), action: "DENY_BUTTON")
    receive("approved", notification(), action: "APPROVE_BUTTON")
    for answer in PushChallengeUserResponse.allCases + [.userApproved] {
      kept[0]?.userResponse = answer
      lines.append(line("set \(answer.rawValue)", "\(kept.map { $0?.userResponse.rawValue ?? "-" })"))
    }
    return lines
  }

  /// Challenges whose transaction another flow has claimed, and a broken storage.
  private static var known: [String] {
    let fingerprint = ChallengeRead.fingerprint(of: Challenge(header: HostSamples.header(), claims: HostSamples.claims))
    // A transaction whose answer has expired is closed concurrently, so how far that has come depends on timing.
    var signed = HostSamples.transaction(.signed, fingerprint: fingerprint, response: "jwt")
    signed.responseExpiry = 1_768_467_700
    let transactions = [
      HostSamples.transaction(fingerprint: fingerprint), HostSamples.transaction(.ended, fingerprint: fingerprint),
      signed, HostSamples.transaction(.signed),
    ]
    let lines = transactions.map { transaction in
      let storage = enrolled
      try? storage.save(transaction)
      let got = received(context(storage)) { try $0.parsePushNotification(notification()) }
      return line("known \(transaction.stage.rawValue) \(transaction.fingerprint)", got.text)
    }
    let broken = enrolled
    broken.fail(with: .sqlite(code: 5, reason: "why"))
    return lines + [line("broken", received(context(broken)) { try $0.parsePushNotification(notification()) }.text)]
  }

  /// Challenges that were pulled.
  private static var pulls: [String] {
    let element: JSON = ["payloadVersion": "IDXv1", "challenge": .string(HostSamples.token()), "more": 1]
    let elements: [(JSON, String)] = [(element, "pfd-1"), (element, "pfd-2"), ([:], "pfd-1"), ("text", "pfd-1")]
    let ended = enrolled
    try? ended.save(HostSamples.transaction(.ended))
    let again = context(ended).pulled(element, for: "pfd-1", skew: 300)
    return elements.map { element, enrollment in
      line("\(element.text) \(enrollment)", show(context(enrolled).pulled(element, for: enrollment, skew: 300)))
    } + [line("ended", show(again))]
  }
}
