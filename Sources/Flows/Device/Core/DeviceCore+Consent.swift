// Asking the person, and claiming their answer (spec/device.md §9.1, §12).

import EventStore
import FlowRecording

extension DeviceCore {
  func requestConsent(_ work: ChallengeWork, _ call: Int) -> FlowEvent {
    let context = work.challenge?.context
    let shown = ["clientOS", "clientLocation", "bindingMessage", "challengeTextItems", "unusualActivitiesTextItems"]
      .filter { context?[$0] != nil }
    return .device(
      .consentRequested,
      [
        ("transactionId", .string(work.transactionID)),
        ("transactionType", .string(work.challenge?.transactionType ?? "")), ("verified", true),
        ("shown", .array(shown.map(JSON.string))), ("call", .int(call)),
      ])
  }

  func consent(
    _ answer: String, _ by: String, _ work: ChallengeWork, _ input: FlowRecord, _ call: Int
  ) -> [FlowEvent] {
    [
      .device(
        .consentGiven,
        [
          ("transactionId", .string(work.transactionID)), ("answer", .string(answer)), ("by", .string(by)),
          ("ms", .int(Self.milliseconds(work.receivedAt, input.at))),
        ])
    ] + claim(work, input, call)
  }

  /// Claims the person's answer. From here on, no process asks the person again.
  func claim(_ work: ChallengeWork, _ input: FlowRecord, _ call: Int) -> [FlowEvent] {
    [
      Self.ask(
        .deviceStore, .claim, for: call,
        [("write", "claim"), ("now", .int(Self.seconds(input.at)))] + Self.transaction(work))
    ]
  }

  /// The members that identify a transaction in storage.
  static func transaction(_ work: ChallengeWork) -> [(String, JSON?)] {
    [
      ("transaction", .string(work.transactionID)), ("enrollment", work.enrollment.map { .string($0.id) }),
      ("fingerprint", .string(work.fingerprint)), ("expiry", .int(Int(clamping: work.end / 1_000_000) + 1)),
    ]
  }

  static func milliseconds(_ from: Timestamp, _ to: Timestamp) -> Int {
    Int(clamping: (to.microseconds - from.microseconds) / 1_000)
  }

  /// Handles the result of the claim: whether this flow was the first, and what comes next.
  func claimed(
    _ answer: StepAnswer, _ work: ChallengeWork, _ input: FlowRecord, _ draws: Draws
  ) -> [FlowEvent] {
    if let refusal = answer.refusal { return fail(refusal, work) }
    guard answer.value?["claimed"]?.bool == true else {
      if answer.value?["isSame"]?.bool == false {
        return reject(.jwt("H7", "another challenge of the same transaction"), work)
      }
      return [duplicated(work)] + fail(Self.duplicate(work), work)
    }
    return collect(work, input, draws)
  }

  /// Asks the application's plug-ins for the signals that the challenge requests (§10.2).
  func collect(_ work: ChallengeWork, _ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    let names = work.providers.filter(settings.plugins.contains)
    guard !names.isEmpty, let call = work.resolveCall else { return chooseKey(work, input, draws) }
    return [Self.ask(.deviceSignals, .collect, for: call, [("names", .array(names.map(JSON.string)))])]
  }
}
