// Validating a challenge: the org's key, its signature, and its claims (spec/device.md §8).

import EventStore
import FlowRecording

extension DeviceCore {
  func validate(_ work: ChallengeWork, _ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
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
    guard work.isRepeated || work.stored["transaction"] == nil else {
      return [duplicated(work)] + fail(Self.duplicate(work), work)
    }
    let key = draws(.deviceOrgKey, ["issuer": .string(work.issuer), "kid": .string(challenge.keyID ?? "")])
    if let jwk = key["jwk"] { return [verifyToken([jwk], isFetched: false, work, call)] }
    guard key["mayFetch"]?.bool == true else { return noKey("no such key, and it was looked for just now", work) }
    let limit = settings.keyDiscoveryMilliseconds.map {
      FlowEvent.timerSet(TimerSet(milliseconds: $0, purpose: ChallengeWork.discovery))
    }
    return [get(work.issuer + DeviceVocabulary.Path.discovery)] + [limit].compactMap(\.self)
  }

  private func get(_ url: String) -> FlowEvent {
    request(RequestPlan(method: "GET", url: url, accept: DeviceVocabulary.Media.plain), token: nil)
  }

  func discovered(_ answer: StepAnswer, _ work: ChallengeWork) -> [FlowEvent] {
    guard let url = answer.body?["jwks_uri"]?.string else {
      return noKey("the org's configuration has no keys", work)
    }
    do throws(LinkRule.Violation) {
      return [get(try LinkRule(home: work.orgURL).allowed(url))]
    } catch {
      return noKey("the URL of the org's keys cannot be used", work)
    }
  }

  func keysArrived(_ answer: StepAnswer, _ work: ChallengeWork) -> [FlowEvent] {
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

  /// Handles the failure to get the org's key.
  func noKey(_ reason: String, _ work: ChallengeWork) -> [FlowEvent] {
    [
      .device(
        .keyFetchFailed,
        [
          ("issuer", .string(work.issuer)), ("kid", work.challenge?.keyID.map(JSON.string)),
          ("reason", .string(reason)),
        ])
    ] + reject(.jwt("V5", "key not available"), work)
  }

  func verified(
    _ answer: StepAnswer, _ work: ChallengeWork, _ input: FlowRecord, _ draws: Draws
  ) -> [FlowEvent] {
    guard let challenge = work.challenge, let call = work.resolveCall, let enrollment = work.enrollment else {
      return []
    }
    let result = answer.value?["result"]?.string ?? ""
    guard result == "verified" || result == "badSignature" else {
      return noKey(result == "weakKey" ? "the key is too short" : "no such key", work)
    }
    let fetched: FlowEvent = .device(
      .keyFetched,
      [
        ("issuer", .string(work.issuer)), ("kid", challenge.keyID.map(JSON.string)),
        ("cached", .bool(work.answers[.orgKeys] == nil)), ("thumbprint", answer.value?["thumbprint"]),
        ("url", work.answers[.discovery]?.body?["jwks_uri"]),
      ])
    guard result == "verified" else { return [fetched] + reject(.jwt("V6", "bad signature"), work) }
    if let failure = challenge.belongs(to: expectation(of: enrollment, work), allowsCIBA: settings.isReference) {
      return [fetched] + reject(failure, work)
    }
    let left = (work.end - input.at.microseconds) / 1_000
    let verified: FlowEvent = .device(
      .challengeVerified,
      [
        ("transactionId", .string(work.transactionID)), ("issuer", .string(work.issuer)),
        ("kid", challenge.keyID.map(JSON.string)), ("leewayMs", .int(Int(clamping: left))),
      ])
    if let refusal = obstacle(work, enrollment) { return [fetched, verified] + fail(refusal, work) }
    // This flow has already claimed the transaction.
    if work.isRepeated { return [fetched, verified] + collect(work, input, draws) }
    if work.answer != nil { return [fetched, verified] + claim(work, input, call) }
    return [fetched, verified, requestConsent(work, call)]
  }

  /// Returns an error if something that is required before the person is asked is missing (§9.2).
  private func obstacle(_ work: ChallengeWork, _ enrollment: StoredEnrollment) -> Refusal? {
    if work.device == nil {
      return Refusal("storageError", ["case": "itemNotFound", "message": "no device record of the organization"])
    }
    return enrollment.proofOfPossessionTag == nil
      ? Refusal("genericError", ["message": "no proof of possession key enrolled"]) : nil
  }
}
