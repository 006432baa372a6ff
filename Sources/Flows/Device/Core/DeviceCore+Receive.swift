// Receiving a notification (spec/device.md §8.1 P1-P7, §12).

import EventStore
import FlowRecording

extension DeviceCore {
  /// Reads the notification, whether it is the first delivery or a repeated one.
  func received(
    _ arguments: JSON, _ work: ChallengeWork, _ input: FlowRecord, _ draws: Draws
  ) -> [FlowEvent] {
    let call = input.revision
    guard work.position == call else { return receivedAgain(arguments, work, input) }
    let received: FlowEvent = .device(
      .challengeReceived,
      [
        ("source", .string(work.source)), ("payloadVersion", arguments["payloadVersion"]), ("keys", arguments["keys"]),
        ("action", arguments["action"]),
      ])
    let read = draws(
      .deviceRead,
      ["payloadVersion": arguments["payloadVersion"] ?? .null, "challenge": arguments["challenge"] ?? .null])
    if let check = read["check"]?.string {
      let failure = CheckFailure(
        check, CheckFailure.Kind(rawValue: read["error"]?.string ?? "") ?? .jwt, read["message"]?.string ?? "")
      return [received] + refuse(failure, claims: read["claims"], call)
    }
    let challenge = Challenge(header: read["header"] ?? [:], claims: read["claims"] ?? [:])
    let wanted: JSON = [
      "enrollment": .string(challenge.enrollmentID), "org": .string(challenge.orgID),
      "transaction": .string(challenge.transactionID),
    ]
    switch draws.attempt(.deviceStored, wanted) {
    case .failure(let failure):
      return [received, Refusal(failure).ending(call), .flowEnded(FlowEnded(outcome: "failed"))]
    case .success(let stored):
      var work = work
      work.challenge = challenge
      work.stored = stored
      work.fingerprint = read["fingerprint"]?.string ?? ""
      return [received] + parse(arguments, work, input)
    }
  }

  private func receivedAgain(_ arguments: JSON, _ work: ChallengeWork, _ input: FlowRecord) -> [FlowEvent] {
    // A tapped button arrives after the notification that showed it; it answers the challenge if nothing else has.
    let tapped = work.phase == .parsed && work.answer == nil ? preset(arguments, work, input) : []
    return [duplicated(work)] + tapped + [.callReturned(CallReturned(call: input.revision, outcome: .done))]
  }

  private func parse(_ arguments: JSON, _ work: ChallengeWork, _ input: FlowRecord) -> [FlowEvent] {
    guard let challenge = work.challenge else { return [] }
    let call = input.revision
    if let failure = parseFailure(arguments, challenge, work, at: input.at.microseconds) {
      return refuse(failure, claims: challenge.claims, call)
    }
    let transaction = work.stored["transaction"]
    let parsed: FlowEvent = .device(.challengeParsed, facts(challenge, work, before: transaction, at: input.at))
    let done: FlowEvent = .callReturned(CallReturned(call: call, outcome: .done))
    if let signed = Self.signed(transaction) { return [parsed] + takenUp(signed, work, input, done) }
    guard transaction == nil, !challenge.isExpired(at: input.at.microseconds, skew: work.skew) else {
      return [parsed, done]
    }
    return [parsed] + preset(arguments, work, input) + [Self.expiry(work.end, at: input.at), done]
  }

  /// Takes up an answer that an earlier flow signed: it can be sent again until it expires.
  private func takenUp(_ signed: JSON, _ work: ChallengeWork, _ input: FlowRecord, _ done: FlowEvent) -> [FlowEvent] {
    guard Self.isTooOld(signed, at: input.at) else { return Self.answerExpiry(signed, at: input.at) + [done] }
    var work = work
    work.phase = .submissionUnknown
    work.signed = signed
    return [done] + fail(Self.tooOld, work)
  }

  /// Handles a button that answers before the challenge is resolved (§7.1).
  private func preset(_ arguments: JSON, _ work: ChallengeWork, _ input: FlowRecord) -> [FlowEvent] {
    let answer: String? =
      switch arguments["action"]?.string {
      case "APPROVE_BUTTON": "approved"
      case "DENY_BUTTON": "denied"
      case nil, .some: nil
      }
    guard let answer else { return [] }
    return [
      .device(
        .consentGiven,
        [
          ("transactionId", .string(work.transactionID)), ("answer", .string(answer)), ("by", "button"), ("ms", 0),
        ])
    ]
  }

  private func parseFailure(
    _ arguments: JSON, _ challenge: Challenge, _ work: ChallengeWork, at now: Int64
  ) -> CheckFailure? {
    guard let enrollment = work.enrollment else {
      return CheckFailure("P7", .unknownEnrollment, "no enrollment of this id is stored")
    }
    // The same transaction with different claims is an attack, not a second delivery (§12).
    let known = work.stored["transaction"]?["fingerprint"]?.string
    if arguments["conflict"]?.bool == true || known != nil && known != work.fingerprint {
      return .jwt("H7", "another challenge of the same transaction")
    }
    if let pulled = work.pulledFor, pulled != challenge.enrollmentID {
      return .jwt("H9", "another enrollment pulled it")
    }
    guard settings.isStrict else { return nil }
    return challenge.timeAndForm(at: now, skew: work.skew)
      ?? challenge.belongs(to: expectation(of: enrollment, work), allowsCIBA: settings.isReference)
  }

  /// The values that a challenge is checked against.
  func expectation(of enrollment: StoredEnrollment, _ work: ChallengeWork) -> ChallengeExpectation {
    ChallengeExpectation(
      orgURL: enrollment.orgURL, orgID: enrollment.orgID, userID: enrollment.userID,
      transactionTypes: enrollment.transactionTypes,
      audiences: Set(settings.audiences + [enrollment.clientID].compactMap { $0 }), origins: settings.origins,
      pulledFor: work.pulledFor)
  }

  private func refuse(_ failure: CheckFailure, claims: JSON?, _ call: Int) -> [FlowEvent] {
    let refusal = Refusal(failure)
    let outcome =
      switch failure.kind {
      case .notRecognized: "notOurs"
      case .unknownEnrollment: "unknownEnrollment"
      case .jwt, .internalError, .duplicate, .unsupportedType: "rejected"
      }
    return [
      .rejected(failure, refusal, claims), refusal.ending(call),
      .flowEnded(FlowEnded(outcome: outcome)),
    ]
  }

  /// Starts the timer for the expiry of a challenge, which fires in the first millisecond after it.
  static func expiry(_ end: Int64, at now: Timestamp) -> FlowEvent {
    let left = end.subtractingReportingOverflow(now.microseconds)
    let milliseconds = left.overflow ? 86_400_000 : left.partialValue / 1_000 + 1
    return .timerSet(TimerSet(milliseconds: Int(min(max(milliseconds, 1), 86_400_000)), purpose: "expiry"))
  }

  private func facts(
    _ challenge: Challenge, _ work: ChallengeWork, before transaction: JSON?, at now: Timestamp
  ) -> [(String, JSON?)] {
    let context = challenge.context
    let claims = ["jti", "iss", "aud", "iat", "exp", "orgId", "methodEnrollmentId", "userId", "method"]
    let head: [(String, JSON?)] = [
      ("transactionId", .string(challenge.transactionID)), ("enrollmentId", .string(challenge.enrollmentID)),
      ("kid", challenge.header["kid"]), ("alg", challenge.header["alg"]),
      ("userName", work.enrollment?.userName.map(JSON.string)),
    ]
    let more: [(String, JSON?)] = [
      ("requirement", .string(challenge.requirement.rawValue)), ("mediation", challenge.claims["userMediation"]),
      ("transactionType", .string(challenge.transactionType)), ("appInstanceName", challenge.claims["appInstanceName"]),
      ("clientOS", context["clientOS"]), ("clientLocation", context["clientLocation"]),
      ("riskLevel", context["riskLevel"]), ("unusualActivities", context["unusualActivitiesTextItems"]),
      ("hasBindingMessage", .bool(context["bindingMessage"] != nil)),
      ("authorizationServerId", challenge.authorizationServerID.map(JSON.string)), ("skew", .int(work.skew)),
      ("ageSeconds", .int(Self.seconds(now) - challenge.issuedAt)),
    ]
    return head + claims.map { ($0, challenge.claims[$0]) } + more + before(transaction)
  }

  /// Describes what an earlier flow did with the transaction.
  private func before(_ transaction: JSON?) -> [(String, JSON?)] {
    guard let transaction else { return [] }
    if let signed = Self.signed(transaction) { return [("before", "signed"), ("signed", signed)] }
    // Claimed but not signed: the person answered, and the answer was lost with the process that received it.
    return [("before", transaction["stage"] == "ended" ? "ended" : "lost")]
  }

  /// The answer that an earlier flow signed, with its contents; `nil` if none was signed or the transaction has ended.
  private static func signed(_ transaction: JSON?) -> JSON? {
    guard let transaction, transaction["stage"] == "signed", let response = transaction["response"] else { return nil }
    let expiry = transaction["responseExpiry"]?.string.flatMap(Double.init).flatMap { Int(exactly: $0.rounded()) } ?? 0
    let said = ["keyType", "kid", "consent", "amr", "jti", "iat"].map { ($0, transaction["said"]?[$0]) }
    return .members([("response", response), ("exp", .int(expiry))] + said)
  }
}

extension FlowEvent {
  /// The event that reports a failed check.
  static func rejected(_ failure: CheckFailure, _ refusal: Refusal, _ claims: JSON?) -> FlowEvent {
    .device(
      .challengeRejected,
      [
        ("check", .string(failure.check)), ("error", .string(refusal.code)), ("message", .string(failure.message)),
        ("details", refusal.details), ("claims", claims.map(readable)),
      ])
  }

  /// The claims that a reader of the log needs, without the nonce.
  private static func readable(_ claims: JSON) -> JSON {
    .members(
      [
        "transactionId", "jti", "iss", "aud", "iat", "exp", "orgId", "authenticatorEnrollmentId", "userId", "method",
        "verificationUri",
      ].map { ($0, claims[$0]) })
  }
}

extension Refusal {
  /// Converts a failed check to the error that the application receives (§15.1).
  init(_ failure: CheckFailure) {
    switch failure.kind {
    case .jwt:
      self.init(
        "securityError", ["case": "jwtError", "message": .string(failure.message), "check": .string(failure.check)])
    case .notRecognized, .internalError, .unknownEnrollment, .duplicate, .unsupportedType:
      self.init(failure.kind.rawValue, ["message": .string(failure.message), "check": .string(failure.check)])
    }
  }
}
