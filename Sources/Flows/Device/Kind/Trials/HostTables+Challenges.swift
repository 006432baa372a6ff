// The results for made-up challenges, from arrival to end.

import EventStore
import FlowRecording

extension HostTables {
  private static func notification(_ changes: JSON = [:], claims: JSON = [:]) -> JSON {
    let usual: JSON = [
      "source": "push", "payloadVersion": "IDXv1", "challenge": .string(HostSamples.token(claims)),
      "keys": ["payloadVersion", "challenge"], "skew": 300,
    ]
    return HostSamples.with(changes, in: usual)
  }

  /// What is stored about the enrollment that a challenge is for.
  private static let records = JSON.members([
    ("enrollment", HostSamples.enrollment.json), ("device", HostSamples.device.json), ("verificationKey", "available"),
  ])

  private static func records(_ changes: JSON) -> JSON {
    HostSamples.with(["enrollment": HostSamples.with(changes, in: HostSamples.enrollment.json)], in: records)
  }

  private static let settings: JSON = [
    "userAgent": "agent", "plugins": ["agent", "unasked"], "origins": ["https://alias.example"],
  ]

  private static func received(
    _ arguments: JSON, _ stored: JSON? = nil, settings changes: JSON = [:]
  ) -> CoreTrial {
    let settings = HostSamples.with(changes, in: settings)
    var trial = CoreTrial(settings, CoreTrial.World(stored: .success(stored ?? records)))
    trial.call("receive", arguments)
    return trial
  }

  private static func resolved(
    _ claims: JSON = [:], _ stored: JSON? = nil, settings: JSON = [:], _ change: (inout CoreTrial) -> Void = { _ in }
  ) -> String {
    var trial = received(notification(claims: claims), stored, settings: settings)
    _ = trial.takeLines()
    change(&trial)
    trial.call("resolve")
    trial.run()
    return trial.takeLines()
  }

  /// Challenges that are resolved.
  static var resolutions: [String] {
    var begun = received(notification())
    begun.call("resolve")
    var denied = received(notification(["action": "DENY_BUTTON", "source": "action"]))
    denied.call("resolve")
    return walk("resolve", begun, interruptions: interruptions) + walk("denied", denied) + checked + submitted
  }

  /// Calls that interrupt a challenge, and its expiry.
  private static func interruptions(of trial: CoreTrial) -> [String] {
    // While keys are fetched and answers are stored, interruptions make no further difference.
    guard trial.step == nil || [.verifyToken, .collect, .submission, .close].contains(trial.step) else { return [] }
    let calls: [(String, JSON)] = [
      ("resolve", [:]), ("provideConsent", ["answer": "denied", "by": "step"]), ("provideConsent", [:]),
      ("provideVerification", [:]), ("respond", ["answer": "denied", "by": "application"]), ("retrySubmission", [:]),
      ("receive", notification()), ("receive", notification(["action": "APPROVE_BUTTON"])), ("enroll", [:]),
      ("unknown", [:]), ("release", [:]), ("giveUp", ["call": 99]),
    ]
    let lines = calls.map { name, arguments -> String in
      var fork = trial
      fork.call(name, arguments)
      return fork.takeLines()
    }
    let late = [Int64(0), 1].map { microseconds -> String in
      var fork = trial
      fork.now = HostSamples.time(599, microseconds: microseconds)
      fork.fire()
      return fork.takeLines()
    }
    return lines + late
  }

  /// Challenges with a difference before the person is asked.
  private static var checked: [String] {
    let claims: [JSON] = [
      ["exp": 1_768_467_341], ["iat": 1_768_467_943], ["iss": "https://other.example"], ["method": "totp"],
      ["authorizationServerId": "aus-1", "iss": "https://acme.example/oauth2/aus-1"], ["userVerification": "NONE"],
      ["userVerification": "REQUIRED"], ["integrations": nil, "signalProviders": nil], ["signals": nil],
      ["challengeContext": ["transactionType": "CIBA", "bindingMessage": "Pay"]],
    ]
    var lines = claims.map { line("claims \($0.text)", resolved($0)) }
    let stored: [JSON] = [
      [:], HostSamples.with(["device": nil], in: records), HostSamples.with(["verificationKey": nil], in: records),
      HostSamples.with(["verificationKey": "lockedOut"], in: records),
      HostSamples.with(["verificationKey": "lost"], in: records),
      HostSamples.with(["transaction": ["stage": "asked"]], in: records), records(["proofOfPossessionTag": nil]),
      records(["methodID": nil, "transactionTypes": ["LOGIN"]]),
    ]
    for (number, stored) in stored.enumerated() {
      for reference in [false, true] {
        let said = resolved(settings: ["reference": .bool(reference)]) { $0.world.stored = .success(stored) }
        lines.append(line("stored \(number) \(reference)", said))
      }
    }
    let broken = DrawFailure(.failed, "storage.generalStorageError: why")
    lines.append(line("broken", resolved { $0.world.stored = .failure(broken) }))
    lines.append(line("cached", resolved { $0.world.orgKey = ["jwk": HostSamples.key, "mayFetch": true] }))
    lines.append(line("no fetch", resolved { $0.world.orgKey = ["mayFetch": false] }))
    lines.append(line("no plug-in", resolved(settings: ["plugins": nil])))
    for milliseconds in [0, 5_000, 86_400_001] {
      var late = received(notification(), settings: ["keyDiscoveryMilliseconds": .int(milliseconds)])
      late.call("resolve")
      let begun = late.takeLines(withState: true)
      var intime = late
      intime.run()
      late.fire()
      let ends = "\(intime.takeLines()) \(late.takeLines(withState: true))"
      lines.append(line("keys in \(milliseconds)", "\(begun) \(ends)"))
    }
    lines.append(line("approved", resolved { $0.call("respond", ["answer": "approved", "by": "application"]) }))
    return lines
  }

  /// Answers that are sent, sent again, and abandoned.
  private static var submitted: [String] {
    var sent = received(notification(claims: ["userVerification": "NONE"]))
    sent.call("resolve")
    for _ in 0..<20 {
      guard sent.step != .submission, sent.goOn() else { break }
    }
    _ = sent.takeLines()
    sent.answer(.noResponse(.connectionLost))
    var lines = [line("unknown", sent.takeLines(withState: true))]
    for seconds: Int64 in [0, 300, 301] {
      var again = sent
      again.now = HostSamples.time(seconds)
      again.call("retrySubmission")
      again.run()
      lines.append(line("again after \(seconds)", again.takeLines()))
      var over = sent
      over.now = HostSamples.time(seconds)
      over.fire()
      over.run()
      lines.append(line("over after \(seconds)", over.takeLines()))
    }
    var twice = sent
    twice.call("retrySubmission")
    twice.call("retrySubmission")
    twice.answer(.noResponse(.timedOut))
    lines.append(line("twice", twice.takeLines()))
    var repeated = received(notification(claims: ["userVerification": "NONE"]), settings: ["reference": true])
    repeated.call("resolve")
    repeated.run()
    _ = repeated.takeLines()
    repeated.call("resolve")
    repeated.run()
    lines.append(line("repeated", repeated.takeLines(withState: true)))
    return lines
  }

  /// Incoming notifications.
  static var arrivals: [String] {
    let arguments: [JSON] = [
      notification(), notification(["action": "APPROVE_BUTTON", "source": "action"]),
      notification(["action": "REVIEW_BUTTON"]), notification(["conflict": true]), notification(["pulledFor": "pfd-1"]),
      notification(["pulledFor": "pfd-2", "source": "pull"]), notification(["payloadVersion": "IDXv2"]),
      notification(["challenge": nil]), notification(["challenge": "a.b.c"]), notification(["skew": -5]),
      notification(["skew": 99_999_999_999]), notification(["skew": nil, "source": nil]),
      notification(claims: ["nonce": nil]), notification(claims: ["exp": 1_768_467_341]),
      notification(claims: ["exp": 253_402_300_799, "iat": 0]),
    ]
    let settings: [JSON] = [[:], ["strict": true], ["strict": true, "reference": true]]
    let came = settings.enumerated().flatMap { number, settings in
      arguments.enumerated().map { place, arguments -> String in
        var trial = received(arguments, settings: settings)
        return line("settings \(number) arguments \(place)", trial.takeLines(withState: place < 2))
      }
    }
    let challenge = Challenge(header: HostSamples.header(), claims: HostSamples.claims)
    let fingerprint = JSON.string(ChallengeRead.fingerprint(of: challenge))
    let signed: JSON = ["stage": "signed", "fingerprint": fingerprint, "response": "jwt"]
    let good = HostSamples.with(["responseExpiry": "1768467700"], in: signed)
    let transactions: [JSON] = [
      signed, HostSamples.with(["stage": "asked"], in: signed), HostSamples.with(["stage": "ended"], in: signed),
      HostSamples.with(["response": nil], in: signed), HostSamples.with(["fingerprint": "other"], in: signed),
      HostSamples.with(["fingerprint": nil], in: signed), HostSamples.with(["responseExpiry": "soon"], in: signed),
      HostSamples.with(["responseExpiry": "1768467700.4"], in: signed),
      HostSamples.with(["responseExpiry": "1768467641"], in: signed),
      HostSamples.with(["responseExpiry": "1768467642"], in: signed),
      HostSamples.with(["said": HostSamples.said("DENIED_CONSENT_PROMPT")], in: good),
      HostSamples.with(["said": HostSamples.said("APPROVED_USER_VERIFICATION")], in: good),
      HostSamples.with(["said": ["consent": 5]], in: good),
    ]
    let known = transactions.map { transaction -> String in
      var trial = received(notification(), HostSamples.with(["transaction": transaction], in: records))
      trial.call("retrySubmission")
      trial.call("resolve")
      trial.run()
      return line(transaction.text, trial.takeLines())
    }
    var (none, broken) = (received(notification(), [:]), CoreTrial(settings[0]))
    broken.world.stored = .failure(DrawFailure(.failed, "storage.storageMigrationError: why"))
    broken.call("receive", notification())
    return came + known + [line("not enrolled", none.takeLines()), line("broken", broken.takeLines())]
  }
}
