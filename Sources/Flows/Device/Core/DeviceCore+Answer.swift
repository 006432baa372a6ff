// The answer to a challenge: choosing the key, signing, and sending (spec/device.md §9-§11).

import EventStore
import FlowRecording

extension DeviceCore {
  // MARK: The key

  /// Chooses the key after the person has answered, if it is this flow that sends the answer.
  func chooseKey(_ work: ChallengeWork, _ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    guard let call = work.resolveCall else { return [] }
    var work = work
    work.facts = draws(.deviceFacts)
    let asked = work.challenge?.names(of: "signals") ?? []
    let given = (signals(work).object?.members ?? []).map { JSON.string($0.key) }
    let missing = work.providers.filter { name in
      !work.collected.contains { $0["name"]?.string == name && $0["signal"] != nil }
    }
    let collected: FlowEvent = .device(
      .signalsCollected,
      [
        ("transactionId", .string(work.transactionID)), ("asked", .array(asked.map(JSON.string))),
        ("given", .array(given)),
        ("providers", work.providers.isEmpty ? nil : .array(work.providers.map(JSON.string))),
        ("failed", missing.isEmpty ? nil : .array(missing.map(JSON.string))),
      ])
    guard work.triesVerification else { return [collected] + signSilently(work, input, draws) }
    switch work.stored["verificationKey"]?.string {
    case "available":
      return [
        collected,
        .device(
          .verificationRequested,
          [
            ("transactionId", .string(work.transactionID)),
            ("kid", .string(work.enrollment?.userVerificationTag ?? "")), ("call", .int(call)),
          ]),
      ]
    case "lockedOut": return [collected] + fallBack(.lockedOut, work, input, draws)
    case nil: return [collected] + fallBack(.notEnrolled, work, input, draws)
    case .some: return [collected] + fallBack(.lost, work, input, draws)
    }
  }

  /// Verifies the person, using the texts that the application provided.
  func verifyPerson(
    _ arguments: JSON, _ work: ChallengeWork, _ input: FlowRecord, _ call: Int
  ) -> FlowEvent {
    let left = max(1, (work.end - input.at.microseconds) / 1_000)
    let reason = arguments["reason"]?.string ?? "Confirm the sign-in"
    return Self.ask(
      .deviceVerifyPerson, .verifyPerson, for: call,
      [
        ("reason", .string(reason)), ("cancelTitle", arguments["cancelTitle"]),
        ("fallbackTitle", arguments["fallbackTitle"]), ("milliseconds", .int(Int(clamping: left))),
      ])
  }

  func personVerified(
    _ answer: StepAnswer, _ work: ChallengeWork, _ input: FlowRecord, _ draws: Draws
  ) -> [FlowEvent] {
    let outcome = answer.value?["outcome"]?.string ?? "failed"
    let method = answer.value?["method"]?.string
    let completed: FlowEvent = .device(
      .verificationCompleted,
      [
        ("transactionId", .string(work.transactionID)), ("outcome", .string(outcome)),
        ("amr", method.map { .string(Self.reference(of: $0)) }),
      ])
    guard outcome == "verified" else {
      return [completed] + fallBack(KeyFallback.Cause(rawValue: outcome) ?? .other, work, input, draws)
    }
    var work = work
    work.method = method.map(Self.reference)
    let tag = work.enrollment?.userVerificationTag ?? ""
    return [completed] + sign(.userVerification, tag, .verified, work, input, draws)
  }

  /// The `amr` value for a verification method (§10.1).
  private static func reference(of method: String) -> String {
    switch method {
    case "fingerprint": "fpt"
    case "face": "face"
    case "pin": "pin"
    case let other: other == "none" ? "none" : "none"
    }
  }

  private func fallBack(
    _ cause: KeyFallback.Cause, _ work: ChallengeWork, _ input: FlowRecord, _ draws: Draws
  ) -> [FlowEvent] {
    guard let call = work.resolveCall else { return [] }
    let fallback = KeyFallback(
      cause, work.challenge?.requirement ?? .preferred, isReference: settings.isReference)
    var work = work
    work.isVerificationGivenUp = true
    work.consent = fallback.consent
    work.method = nil
    return [
      KeyFallback.event(fallback, cause, work.transactionID, call)
    ] + signSilently(work, input, draws)
  }

  private func signSilently(_ work: ChallengeWork, _ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    let consent = work.isApproved ? work.consent ?? .approved : .denied
    let tag = work.enrollment?.proofOfPossessionTag ?? ""
    return sign(.proofOfPossession, tag, consent, work, input, draws)
  }

  // MARK: The signature

  private func signals(_ work: ChallengeWork) -> JSON {
    DeviceRequests.signals(
      work.facts["device"] ?? [:], deviceID: work.device?.id ?? "",
      clientInstanceID: work.device?.clientInstanceID ?? "", asked: work.challenge?.names(of: "signals") ?? [])
  }

  private func sign(
    _ keyType: DeviceVocabulary.KeyType, _ tag: String, _ consent: DeviceVocabulary.Consent, _ work: ChallengeWork,
    _ input: FlowRecord, _ draws: Draws
  ) -> [FlowEvent] {
    guard let challenge = work.challenge, let enrollment = work.enrollment, let call = work.resolveCall else {
      return []
    }
    // The person may have taken a long time to answer (§8.3).
    if input.at.microseconds > work.end { return expired(work, input) }
    let isBound = keyType == .userVerification
    let answer = DeviceTokens.Answer(
      enrollmentID: enrollment.id, userID: enrollment.userID, methodID: enrollment.methodID ?? "", key: tag,
      keyType: keyType, consent: consent, methods: isBound ? [work.method ?? "none"] : [], signals: signals(work),
      collected: work.collected)
    let id = draws(.uuid).string ?? ""
    let jwt = DeviceTokens.response(to: challenge, answer, at: Self.seconds(input.at), id: id)
    let about: JSON = .members([
      ("keyType", .string(keyType.rawValue)), ("kid", .string(tag)), ("consent", .string(consent.rawValue)),
      ("amr", jwt.claims["amr"]), ("jti", .string(id)), ("iat", jwt.claims["iat"]), ("exp", jwt.claims["exp"]),
    ])
    return [
      Self.ask(
        .deviceSign, .sign, for: call,
        [
          ("tag", .string(tag)), ("bound", .bool(isBound)), ("header", jwt.header), ("claims", jwt.claims),
          ("about", about),
        ])
    ]
  }

  func signed(_ answer: StepAnswer, _ work: ChallengeWork, _ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    guard let call = work.resolveCall, let about = work.signing else { return [] }
    let isBound = about["keyType"]?.string == DeviceVocabulary.KeyType.userVerification.rawValue
    if case .undrawn(let failure) = answer, isBound {
      return fallBack(KeyFallback.Cause(failure.reason), work, input, draws)
    }
    guard let jwt = answer.value?["jwt"] else {
      if case .undrawn(let failure) = answer, failure.reason == .missing {
        return fail(
          Refusal("genericError", ["message": "proof of possession key not in the key store"]), work)
      }
      return fail(answer.refusal ?? Refusal("internalError", ["message": "nothing was signed"]), work)
    }
    let members = (about.object?.members ?? []).map { ($0.key, Optional($0.value)) }
    let response: [(String, JSON?)] = [("transactionId", .string(work.transactionID))] + members + [("response", jwt)]
    // The answer stored first remains: a stored answer is never replaced by another.
    if work.isRepeated {
      var work = work
      work.signed = .members(response)
      return [.device(.responseSigned, response), submit(work)]
    }
    return [
      .device(.responseSigned, response),
      Self.ask(
        .deviceStore, .saveAnswer, for: call,
        [("write", "answer"), ("response", jwt), ("responseExpiry", about["exp"])] + Self.transaction(work)),
    ]
  }
}

extension KeyFallback {
  /// The event that reports the fallback.
  static func event(_ fallback: KeyFallback, _ cause: Cause, _ transaction: String, _ call: Int) -> FlowEvent {
    .device(
      .keyFallback,
      [
        ("transactionId", .string(transaction)), ("from", "userVerification"), ("to", "proofOfPossession"),
        ("reason", .string(fallback.reason.rawValue)), ("consent", .string(fallback.consent.rawValue)),
        ("cause", .string(cause.rawValue)), ("error", .string(fallback.error)), ("message", .string(fallback.message)),
        ("call", .int(call)),
      ])
  }
}

extension KeyFallback.Cause {
  /// Converts the reason for which a signature failed.
  init(_ reason: DrawFailure.Reason) {
    switch reason {
    case .cancelled: self = .cancelled
    case .lockedOut: self = .lockedOut
    case .invalidated: self = .invalidated
    case .missing: self = .lost
    case .timedOut, .failed: self = .other
    }
  }
}
