// Resolving a challenge up to the person's answer (spec/device.md §8, §9.1, §17.1).

import EventStore
import FlowRecording

extension DeviceCore {
  /// Handles a call on a challenge.
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

  /// Handles the answer to a step.
  func answered(
    _ step: DeviceStep, _ work: ChallengeWork, _ input: FlowRecord, _ draws: Draws
  ) -> [FlowEvent] {
    // A late answer has no effect, because the challenge has moved on.
    guard let answer = work.answers[step], work.phase == Self.phase(of: step) else { return [] }
    switch step {
    case .discovery: return discovered(answer, work)
    case .orgKeys: return keysArrived(answer, work)
    case .verifyToken: return verified(answer, work, input, draws)
    case .claim: return claimed(answer, work, input, draws)
    case .collect: return chooseKey(work, input, draws)
    case .verifyPerson: return personVerified(answer, work, input, draws)
    case .sign: return signed(answer, work, input, draws)
    case .saveAnswer: return [submit(work)]
    case .submission: return submitted(answer, work, input)
    case .close: return closed(work)
    case .organization, .policy, .enroll, .enrollRetry, .update, .deletion, .token, .pending, .storePolicy, .keys,
      .attest, .instanceKey, .instanceKeyRetry, .assertion, .store, .storeDeletion, .storeCode, .dropKeys, .rollback:
      return []
    }
  }

  /// The phase in which a challenge waits for the given step.
  private static func phase(of step: DeviceStep) -> ChallengeWork.Phase? {
    switch step {
    case .discovery, .orgKeys, .verifyToken: .validating
    case .claim: .claiming
    case .collect: .collecting
    case .verifyPerson: .verifying
    case .sign: .signing
    case .saveAnswer: .saving
    case .submission: .submitting
    case .close: .closing
    case .organization, .policy, .enroll, .enrollRetry, .update, .deletion, .token, .pending, .storePolicy, .keys,
      .attest, .instanceKey, .instanceKeyRetry, .assertion, .store, .storeDeletion, .storeCode, .dropKeys, .rollback:
      nil
    }
  }

  // MARK: Before the challenge is resolved

  private func responded(_ arguments: JSON, _ work: ChallengeWork, _ input: FlowRecord) -> [FlowEvent] {
    let done: FlowEvent = .callReturned(CallReturned(call: input.revision, outcome: .done))
    guard work.phase == .parsed else { return ignored("respond", work, input.revision) }
    // The application withdrew the answer, so the person will be asked.
    if arguments["answer"] == "none" { return [done] }
    return [
      .device(
        .consentGiven,
        [
          ("transactionId", .string(work.transactionID)), ("answer", arguments["answer"] ?? "none"),
          ("by", arguments["by"] ?? "application"), ("ms", .int(Self.milliseconds(work.receivedAt, input.at))),
        ]), done,
    ]
  }

  func ignored(_ step: String, _ work: ChallengeWork, _ call: Int) -> [FlowEvent] {
    [
      .device(
        .stepIgnored,
        [
          ("transactionId", .string(work.transactionID)), ("step", .string(step)),
          ("stage", .string(work.phase.rawValue)),
        ]), .callReturned(CallReturned(call: call, outcome: .done)),
    ]
  }

  func duplicated(_ work: ChallengeWork) -> FlowEvent {
    .device(
      .challengeDuplicated,
      [
        ("transactionId", .string(work.transactionID)), ("first", .int(work.position)),
        ("stage", .string(work.phase.rawValue)),
      ])
  }

  static func duplicate(_ work: ChallengeWork) -> Refusal {
    Refusal("duplicateChallenge", ["transactionId": .string(work.transactionID)])
  }
}
