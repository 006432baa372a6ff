// The challenges that a device answers, according to its log.

import EventStore
import FlowRecording

/// Follows a device flow record by record. A flow answers one challenge at a time.
struct DevicePushWatch {
  /// The pushes so far; the last one may still be in progress.
  private(set) var pushes: [PushSighting] = []
  /// The call that withdraws an answer, until it turns out to be too late.
  private var withdrawal: Int?

  /// Processes the next record.
  mutating func take(_ record: FlowRecord) {
    switch record.event {
    case .domain(let event): if let kind = DeviceEvent(event) { take(kind, event.data, record) }
    case .flowEnded: end(.abandoned, record)
    case .callMade(let made):
      let isWithdrawal = made.call == DeviceCall.respond.rawValue && made.arguments["answer"] == "none"
      if isWithdrawal { withdrawal = record.revision }
    case .callReturned(let returned): if withdrawal == returned.call { withdraw() }
    case .flowStarted, .noteAdded, .requestSent, .responseReceived, .requestFailed,
      .drawAsked, .drawMade, .timerSet, .timerFired:
      break
    }
    if pushes.last?.outcome == .open { pushes[pushes.count - 1].reach(record) }
  }

  private mutating func change(_ change: (inout PushSighting) -> Void) {
    if !pushes.isEmpty { change(&pushes[pushes.count - 1]) }
  }

  private mutating func end(_ outcome: PushSighting.Outcome, _ record: FlowRecord) {
    if [.open, .unknown].contains(pushes.last?.outcome) { change { $0.end(outcome, at: record) } }
  }

  /// Withdraws the answer, so that the person will be asked.
  private mutating func withdraw() {
    withdrawal = nil
    change {
      _ = $0.answers.popLast()
      $0.facts["answeredBy"] = nil
    }
  }

  private mutating func take(_ kind: DeviceEvent, _ data: JSON, _ record: FlowRecord) {
    switch kind {
    case .challengeParsed: begin(data, record)
    case .consentRequested:
      let shown = data["shown"]?.array?.compactMap(\.string) ?? []
      change { $0.showsNumber = shown.contains("challengeTextItems") }
    case .consentGiven:
      let answer = PushSighting.Answer(at: record.at, word: data["answer"]?.string ?? "none")
      change {
        $0.answers.append(answer)
        $0.facts["answeredBy"] = data["by"]?.string
      }
    case .verificationCompleted: change { $0.facts["verification"] = data["outcome"]?.string }
    case .responseSigned: change { Self.note(signed: data, in: &$0) }
    case .submissionUnknown: change { $0.outcome = .unknown }
    case .challengeResolved: end(data["outcome"]?.string == "approved" ? .approved : .rejected, record)
    case .challengeExpired: end(.timedOut, record)
    case .challengeFailed, .challengeRejected: end(.failed, record)
    case .stepIgnored: withdrawal = nil
    case .challengeReceived, .challengeDuplicated, .challengeVerified, .verificationRequested, .signalsCollected,
      .submissionRetried, .challengesPulled, .keyFetched, .keyFetchFailed, .keyFallback,
      .enrollmentStarted, .enrollmentPolicyLoaded, .enrollmentKeysCreated, .enrollmentDeviceReset,
      .enrollmentCompleted, .enrollmentFailed, .enrollmentRolledBack, .enrollmentUpdated, .enrollmentDeleted,
      .enrollmentStateChanged, .maintenanceTokenObtained, .maintenanceTokenFailed:
      break
    }
  }

  private mutating func begin(_ data: JSON, _ record: FlowRecord) {
    var push = PushSighting(.device, at: record)
    push.org = data["iss"]?.string
    push.userID = data["userId"]?.string
    push.transaction = data["transactionId"]?.string
    push.sent = Self.time(data["iat"])
    push.expires = Self.time(data["exp"])
    push.allowance = min(max(0, data["skew"]?.int ?? 0), 86_400)
    // Another flow signed the answer.
    if let signed = data["signed"] { Self.note(signed: signed, in: &push) }
    pushes.append(push)
  }

  /// Notes the contents of the signed answer.
  private static func note(signed: JSON, in push: inout PushSighting) {
    push.facts["key"] = signed["kid"]?.string
    push.facts["keyType"] = signed["keyType"]?.string
    push.facts["consent"] = signed["consent"]?.string
  }

  /// Converts seconds since 1970; `nil` for a value that is not a valid time.
  private static func time(_ value: JSON?) -> Timestamp? {
    guard let seconds = value?.int, (0...99_999_999_999).contains(seconds) else { return nil }
    return Timestamp(microseconds: Int64(seconds) * 1_000_000)
  }
}
