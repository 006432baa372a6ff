// Sending the answer to the org, and every way in which a challenge ends (spec/device.md §11, §17.1).

import EventStore
import FlowRecording

extension DeviceCore {
  /// Sends the signed answer.
  func submit(_ work: ChallengeWork) -> FlowEvent {
    request(
      RequestPlan(
        url: work.challenge?.verificationURI ?? "", accept: DeviceVocabulary.Media.json,
        contentType: DeviceVocabulary.Media.plain,
        body: DeviceRequests.answer(work.signed?["response"]?.string ?? "")), token: nil)
  }

  func submitted(_ answer: StepAnswer, _ work: ChallengeWork, _ input: FlowRecord) -> [FlowEvent] {
    switch answer {
    case .noResponse(let error):
      let unknown: FlowEvent = .device(
        .submissionUnknown,
        [
          ("transactionId", .string(work.transactionID)), ("attempt", .int(work.attempts)),
          ("reason", .string(error.code.rawValue)),
        ])
      return [unknown] + Self.answerExpiry(work.signed, at: input.at)
        + (work.resolveCall.map { [(answer.refusal ?? Refusal("networkError")).ending($0)] } ?? [])
    case .response(200...299, _): return resolved(answer, work, input)
    case .response, .drawn, .undrawn:
      let code = answer.serverError?.code
      let changed =
        settings.isReference || code == nil
        ? [] : Self.stateChanged(work.enrollment?.id ?? "", from: work.enrollment?.serverErrorCode, to: code)
      return changed + fail(answer.refusal ?? Refusal("internalError"), work)
    }
  }

  private func resolved(_ answer: StepAnswer, _ work: ChallengeWork, _ input: FlowRecord) -> [FlowEvent] {
    var status: JSON = .null
    if case .response(let code, _) = answer { status = .int(code) }
    let word = work.signed?["consent"]?.string == DeviceVocabulary.Consent.denied.rawValue ? "denied" : "approved"
    return [
      .device(
        .challengeResolved,
        [
          ("transactionId", .string(work.transactionID)), ("outcome", .string(word)),
          ("keyType", work.signed?["keyType"]), ("consent", work.signed?["consent"]), ("httpStatus", status),
          ("msFromReceived", .int(Self.milliseconds(work.receivedAt, input.at))),
          ("msFromConsent", work.answeredAt.map { .int(Self.milliseconds($0, input.at)) }),
        ])
    ] + conclude(work, as: word, nil)
  }

  /// Sends the same answer again (§11), without asking the person or signing again.
  func retried(_ work: ChallengeWork, _ input: FlowRecord) -> [FlowEvent] {
    let call = input.revision
    guard work.phase == .submissionUnknown, work.resolveCall == call else {
      return [duplicated(work), Self.duplicate(work).ending(call)]
    }
    guard !Self.isTooOld(work.signed, at: input.at) else {
      return fail(Self.tooOld, work)
    }
    return [
      .device(
        .submissionRetried,
        [
          ("transactionId", .string(work.transactionID)), ("attempt", .int(work.attempts + 1)),
          ("jti", work.signed?["jti"] ?? .null),
        ]), submit(work),
    ]
  }

  /// The error if an answer is too old to be sent again.
  static var tooOld: Refusal { Refusal("genericError", ["message": "the answer is too old to be sent again"]) }

  /// Whether a signed answer has expired or has no expiry.
  static func isTooOld(_ signed: JSON?, at now: Timestamp) -> Bool {
    lastMoment(of: signed).map { now.microseconds > $0 } ?? true
  }

  /// Starts the timer for the expiry of a signed answer that may not have arrived (§17.1).
  static func answerExpiry(_ signed: JSON?, at now: Timestamp) -> [FlowEvent] {
    lastMoment(of: signed).map { [expiry($0, at: now)] } ?? []
  }

  /// The last microsecond at which a signed answer is valid: the end of the second that it names.
  private static func lastMoment(of signed: JSON?) -> Int64? {
    signed?["exp"]?.int.map { Int64(min(max($0, 0), latest)) * 1_000_000 + 999_999 }
  }

  /// The last second of the year 9999. A recording may name any number.
  private static let latest = 253_402_300_799

  // MARK: How a challenge ends

  /// Ends the challenge because a check failed.
  func reject(_ failure: CheckFailure, _ work: ChallengeWork) -> [FlowEvent] {
    let refusal = Refusal(failure)
    return [.rejected(failure, refusal, work.challenge?.claims)]
      + conclude(work, as: "rejected", refusal)
  }

  /// Ends the challenge with an error.
  func fail(_ refusal: Refusal, _ work: ChallengeWork) -> [FlowEvent] {
    [
      .device(
        .challengeFailed,
        [
          ("transactionId", .string(work.transactionID)), ("error", .string(refusal.code)),
          ("details", refusal.details), ("stage", .string(work.phase.rawValue)),
          ("serverCode", refusal.details["errorCode"]),
        ])
    ] + conclude(work, as: "failed", refusal)
  }

  /// Ends the challenge because it expired.
  func expired(_ work: ChallengeWork, _ input: FlowRecord) -> [FlowEvent] {
    let refusal = Refusal(CheckFailure.jwt("V1", "push challenge expired"))
    let late = (input.at.microseconds - work.end) / 1_000_000
    return [
      .device(
        .challengeExpired,
        [
          ("transactionId", .string(work.transactionID)), ("stage", .string(work.phase.rawValue)),
          ("secondsLate", .int(Int(clamping: late))), ("error", .string(refusal.code)), ("details", refusal.details),
        ])
    ] + conclude(work, as: "expired", refusal)
  }

  /// Handles a timer: for the org's keys, for the signed answer, or for the challenge itself.
  func timeRanOut(_ work: ChallengeWork, _ input: FlowRecord) -> [FlowEvent] {
    if work.isDiscoveryOver, work.phase == .validating { return noKey("the org's keys did not come in time", work) }
    guard work.timer == nil else { return [] }
    if work.phase == .submissionUnknown {
      return Self.isTooOld(work.signed, at: input.at)
        ? fail(Self.tooOld, work) : Self.answerExpiry(work.signed, at: input.at)
    }
    guard work.canExpire else { return [] }
    return input.at.microseconds > work.end ? expired(work, input) : [Self.expiry(work.end, at: input.at)]
  }

  /// Ends the challenge. If this flow claimed the transaction, the transaction is closed in storage first.
  private func conclude(_ work: ChallengeWork, as word: String, _ refusal: Refusal?) -> [FlowEvent] {
    let isClaimed = work.answers[.claim]?.value?["claimed"]?.bool == true || work.signed != nil
    guard isClaimed, !work.isRepeated else { return ended(work, as: word, refusal) }
    let code = settings.isReference ? nil : refusal?.details["errorCode"]
    // If the call was cancelled in the meantime, the write belongs to the notification's call.
    return [
      Self.ask(
        .deviceStore, .close, for: work.resolveCall ?? work.position,
        [("write", "close"), ("serverErrorCode", code)] + Self.transaction(work))
    ]
  }

  /// Ends the flow and returns the call, unless the call was cancelled.
  private func ended(_ work: ChallengeWork, as word: String, _ refusal: Refusal?) -> [FlowEvent] {
    let end: FlowEvent = .flowEnded(FlowEnded(outcome: word))
    guard let call = work.resolveCall else { return [end] }
    return [refusal?.ending(call) ?? .callReturned(CallReturned(call: call, outcome: .done)), end]
  }

  /// Ends the flow after the transaction was closed in storage. A failed write does not change what the org accepted.
  func closed(_ work: ChallengeWork) -> [FlowEvent] { ended(work, as: work.ending ?? "failed", work.failure) }

  /// Handles the cancellation of the call that resolves the challenge.
  func givenUp(_ work: ChallengeWork, _ call: Int) -> [FlowEvent] {
    let cancelled: [FlowEvent] = [.callReturned(CallReturned(call: call, outcome: .cancelled))]
    switch work.phase {
    case .validating, .consentRequested, .submitting, .received, .parsed, .answeredBefore, .submissionUnknown, .ended:
      return cancelled
    case .claiming, .collecting, .verificationRequested, .verifying, .signing, .saving:
      let failed = FlowEvent.device(
        .challengeFailed,
        [
          ("transactionId", .string(work.transactionID)), ("error", "cancelled"),
          ("stage", .string(work.phase.rawValue)),
        ])
      return [failed] + cancelled + [.flowEnded(FlowEnded(outcome: "cancelled"))]
    case .closing: return cancelled + [.flowEnded(FlowEnded(outcome: work.ending ?? "failed"))]
    }
  }
}
