// Resolving a challenge up to the person's answer (spec/device.md §8, §9.1, §17.1).

import EventStore
import FlowRecording

extension DeviceCore {
  /// A call on a challenge.
  func called(
    _ name: DeviceCall, _ arguments: JSON, _ work: ChallengeWork, _ input: FlowRecord, _ draws: Draws
  ) -> [FlowEvent] {
    let call = input.revision
    switch name {
    case .receive: return received(arguments, work, input, draws)
    case .respond: return responded(arguments, work, input)
    case .resolve:
      guard work.resolveCall == call else { return [duplicated(work), Self.duplicate(work).ending(call)] }
      return validate(work, input, draws)
    case .provideConsent:
      guard work.phase == .consentRequested, let resolve = work.resolveCall else {
        return ignored("consent", work, call)
      }
      let done: FlowEvent = .callReturned(CallReturned(call: call, outcome: .done))
      return [done]
        + consent(arguments["answer"]?.string ?? "none", arguments["by"]?.string ?? "step", work, input, resolve)
    case .provideVerification:
      guard work.phase == .verificationRequested, let resolve = work.resolveCall else {
        return ignored("verification", work, call)
      }
      return [.callReturned(CallReturned(call: call, outcome: .done)), verifyPerson(arguments, work, input, resolve)]
    case .retrySubmission: return retried(work, input)
    case .downloadPolicy, .enroll, .updateDeviceToken, .setUserVerification, .enableCIBATransactions, .delete,
      .deleteFromDevice, .retrieveMaintenanceToken, .retrievePushChallenges:
      return [Refusal("internalError", ["message": "the flow is about a challenge"]).ending(call)]
    }
  }

  /// An answer to a step.
  func answered(
    _ step: DeviceStep, _ work: ChallengeWork, _ input: FlowRecord, _ draws: Draws
  ) -> [FlowEvent] {
    guard let answer = work.answers[step] else { return [] }
    switch (step, work.phase) {
    case (.discovery, .validating): return discovered(answer, work)
    case (.orgKeys, .validating): return keysArrived(answer, work)
    case (.verifyToken, .validating): return verified(answer, work, input)
    case (.claim, .claiming): return claimed(answer, work, input, draws)
    case (.verifyPerson, .verifying): return personVerified(answer, work, input, draws)
    case (.sign, .signing): return signed(answer, work, input, draws)
    case (.saveAnswer, .saving): return [submit(work)]
    case (.submission, .submitting): return submitted(answer, work, input)
    case (.close, .closing): return closed(work)
    case (_, .received), (_, .parsed), (_, .answeredBefore), (_, .validating), (_, .consentRequested), (_, .claiming),
      (_, .verificationRequested), (_, .verifying), (_, .signing), (_, .saving), (_, .submitting),
      (_, .submissionUnknown), (_, .closing), (_, .ended):
      // Too late: the challenge has moved on.
      return []
    }
  }

  // MARK: Before it is resolved

  private func responded(_ arguments: JSON, _ work: ChallengeWork, _ input: FlowRecord) -> [FlowEvent] {
    let done: FlowEvent = .callReturned(CallReturned(call: input.revision, outcome: .done))
    guard work.phase == .parsed else { return ignored("respond", work, input.revision) }
    return [
      .domain(
        ConsentGiven([
          ("transactionId", .string(work.transactionID)), ("answer", arguments["answer"] ?? "none"),
          ("by", arguments["by"] ?? "application"), ("ms", .int(Self.milliseconds(work.receivedAt, input.at))),
        ])), done,
    ]
  }

  func ignored(_ step: String, _ work: ChallengeWork, _ call: Int) -> [FlowEvent] {
    [
      .domain(
        StepIgnored([
          ("transactionId", .string(work.transactionID)), ("step", .string(step)),
          ("stage", .string(work.phase.rawValue)),
        ])), .callReturned(CallReturned(call: call, outcome: .done)),
    ]
  }

  func duplicated(_ work: ChallengeWork) -> FlowEvent {
    .domain(
      ChallengeDuplicated([
        ("transactionId", .string(work.transactionID)), ("first", .int(work.position)),
        ("stage", .string(work.phase.rawValue)),
      ]))
  }

  static func duplicate(_ work: ChallengeWork) -> Refusal {
    Refusal("duplicateChallenge", ["transactionId": .string(work.transactionID)])
  }

  // MARK: Validation

  private func validate(_ work: ChallengeWork, _ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    guard let challenge = work.challenge, let call = work.resolveCall else { return [] }
    var work = work
    if let failure = challenge.timeAndForm(at: input.at.microseconds, skew: work.skew) {
      return failure.check == "V1" ? expired(work, input) : reject(failure, work)
    }
    let wanted: JSON = [
      "enrollment": .string(challenge.enrollmentID), "org": .string(challenge.orgID),
      "transaction": .string(challenge.transactionID),
    ]
    switch draws.attempt(.deviceStored, wanted) {
    case .failure(let failure): return fail(Refusal(failure), work)
    case .success(let value): work.stored = value
    }
    guard work.enrollment != nil else {
      return reject(CheckFailure("P7", .unknownEnrollment, "no enrollment of this id is stored"), work)
    }
    guard work.stored["transaction"] == nil else { return [duplicated(work)] + fail(Self.duplicate(work), work) }
    let key = draws(.deviceOrgKey, ["issuer": .string(work.issuer), "kid": .string(challenge.keyID ?? "")])
    if let jwk = key["jwk"] { return [verifyToken([jwk], isFetched: false, work, call)] }
    guard key["mayFetch"]?.bool == true else { return noKey("no such key, and it was looked for just now", work) }
    return [
      get(work.issuer + DeviceVocabulary.Path.discovery)
    ]
  }

  private func get(_ url: String) -> FlowEvent {
    request(RequestPlan(method: "GET", url: url, accept: DeviceVocabulary.Media.plain), token: nil)
  }

  private func discovered(_ answer: StepAnswer, _ work: ChallengeWork) -> [FlowEvent] {
    guard let url = answer.body?["jwks_uri"]?.string else {
      return noKey("the org's configuration has no keys", work)
    }
    do throws(LinkRule.Violation) {
      return [get(try LinkRule(home: work.orgURL).allowed(url))]
    } catch {
      return noKey("the URL of the org's keys cannot be used", work)
    }
  }

  private func keysArrived(_ answer: StepAnswer, _ work: ChallengeWork) -> [FlowEvent] {
    guard let keys = answer.body?["keys"]?.array, let call = work.resolveCall else {
      return noKey("the org's keys could not be had", work)
    }
    return [verifyToken(keys, isFetched: true, work, call)]
  }

  private func verifyToken(_ keys: [JSON], isFetched: Bool, _ work: ChallengeWork, _ call: Int) -> FlowEvent {
    Self.ask(
      .deviceVerifyToken, .verifyToken, for: call,
      [
        ("issuer", .string(work.issuer)), ("kid", work.challenge?.keyID.map(JSON.string)),
        ("token", .string(work.token)), ("keys", .array(keys)), ("fetched", .bool(isFetched)),
      ])
  }

  private func noKey(_ reason: String, _ work: ChallengeWork) -> [FlowEvent] {
    [
      .domain(
        KeyFetchFailed([
          ("issuer", .string(work.issuer)), ("kid", work.challenge?.keyID.map(JSON.string)),
          ("reason", .string(reason)),
        ]))
    ] + reject(.jwt("V5", "key not available"), work)
  }

  private func verified(_ answer: StepAnswer, _ work: ChallengeWork, _ input: FlowRecord) -> [FlowEvent] {
    guard let challenge = work.challenge, let call = work.resolveCall, let enrollment = work.enrollment else {
      return []
    }
    let result = answer.value?["result"]?.string ?? ""
    guard result == "verified" || result == "badSignature" else {
      return noKey(result == "weakKey" ? "the key is too short" : "no such key", work)
    }
    let fetched: FlowEvent = .domain(
      KeyFetched([
        ("issuer", .string(work.issuer)), ("kid", challenge.keyID.map(JSON.string)),
        ("cached", .bool(work.answers[.orgKeys] == nil)), ("thumbprint", answer.value?["thumbprint"]),
        ("url", work.answers[.discovery]?.body?["jwks_uri"]),
      ]))
    guard result == "verified" else { return [fetched] + reject(.jwt("V6", "bad signature"), work) }
    if let failure = challenge.belongs(to: expectation(of: enrollment, work), allowsCIBA: settings.isReference) {
      return [fetched] + reject(failure, work)
    }
    let left = (work.end - input.at.microseconds) / 1_000
    let verified: FlowEvent = .domain(
      ChallengeVerified([
        ("transactionId", .string(work.transactionID)), ("issuer", .string(work.issuer)),
        ("kid", challenge.keyID.map(JSON.string)), ("leewayMs", .int(Int(clamping: left))),
      ]))
    if let refusal = obstacle(work, enrollment) { return [fetched, verified] + fail(refusal, work) }
    if let answer = work.answer { return [fetched, verified] + claim(answer, work, input, call) }
    return [fetched, verified, requestConsent(work, call)]
  }

  /// What must be there before the person is asked (§9.2).
  private func obstacle(_ work: ChallengeWork, _ enrollment: StoredEnrollment) -> Refusal? {
    if work.device == nil {
      return Refusal("storageError", ["case": "itemNotFound", "message": "no device record of the organization"])
    }
    return enrollment.proofOfPossessionTag == nil
      ? Refusal("genericError", ["message": "no proof of possession key enrolled"]) : nil
  }

  // MARK: Consent

  private func requestConsent(_ work: ChallengeWork, _ call: Int) -> FlowEvent {
    let context = work.challenge?.context
    let shown = ["clientOS", "clientLocation", "bindingMessage", "challengeTextItems", "unusualActivitiesTextItems"]
      .filter { context?[$0] != nil }
    return .domain(
      ConsentRequested([
        ("transactionId", .string(work.transactionID)),
        ("transactionType", .string(work.challenge?.transactionType ?? "")), ("verified", true),
        ("shown", .array(shown.map(JSON.string))), ("call", .int(call)),
      ]))
  }

  private func consent(
    _ answer: String, _ by: String, _ work: ChallengeWork, _ input: FlowRecord, _ call: Int
  ) -> [FlowEvent] {
    [
      .domain(
        ConsentGiven([
          ("transactionId", .string(work.transactionID)), ("answer", .string(answer)), ("by", .string(by)),
          ("ms", .int(Self.milliseconds(work.receivedAt, input.at))),
        ]))
    ] + claim(answer, work, input, call)
  }

  /// The person has answered: from here on nobody may ask them again, in whatever process.
  private func claim(_ answer: String, _ work: ChallengeWork, _ input: FlowRecord, _ call: Int) -> [FlowEvent] {
    [
      Self.ask(
        .deviceStore, .claim, for: call,
        [("write", "claim"), ("now", .int(Self.seconds(input.at)))] + Self.transaction(work))
    ]
  }

  /// What names a transaction in storage.
  static func transaction(_ work: ChallengeWork) -> [(String, JSON?)] {
    [
      ("transaction", .string(work.transactionID)), ("enrollment", work.enrollment.map { .string($0.id) }),
      ("fingerprint", .string(work.fingerprint)), ("expiry", .int(Int(clamping: work.end / 1_000_000) + 1)),
    ]
  }

  static func milliseconds(_ from: Timestamp, _ to: Timestamp) -> Int {
    Int(clamping: (to.microseconds - from.microseconds) / 1_000)
  }

  /// Whether this flow was the first, and what comes then.
  private func claimed(
    _ answer: StepAnswer, _ work: ChallengeWork, _ input: FlowRecord, _ draws: Draws
  ) -> [FlowEvent] {
    if let refusal = answer.refusal { return fail(refusal, work) }
    guard answer.value?["claimed"]?.bool == true else {
      if answer.value?["isSame"]?.bool == false {
        return reject(.jwt("H7", "another challenge of the same transaction"), work)
      }
      return [duplicated(work)] + fail(Self.duplicate(work), work)
    }
    return chooseKey(work, input, draws)
  }
}
