// Operations on enrollments: interpreting answers and choosing the next step (spec/device.md §12, §13).

import EventStore
import FlowRecording

extension DeviceCore {
  /// Takes the first step of an operation.
  func began(_ operation: DeviceOperation, _ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    var operation = operation
    let start: FlowEvent = .device(
      .enrollmentStarted,
      [
        ("operation", .string(operation.name.rawValue)), ("enrollmentId", operation.arguments["enrollmentId"]),
        ("userVerification", operation.arguments["userVerification"]), ("ciba", operation.arguments["ciba"]),
        ("enable", operation.arguments["enable"]),
      ])
    if let id = operation.arguments["enrollmentId"] {
      if let refusal = read(&operation, ["enrollment": id], draws) {
        return [start] + fail(operation, refusal, input, draws)
      }
      if let refusal = operation.obstacle { return [start] + fail(operation, refusal, input, draws) }
    }
    return [start] + go(on: operation, input, draws)
  }

  /// Handles the answer to a step.
  func answered(
    _ step: DeviceStep, _ operation: DeviceOperation, _ input: FlowRecord, _ draws: Draws
  ) -> [FlowEvent] {
    var operation = operation
    guard let answer = operation.answers[step] else { return [] }
    if operation.failure != nil {
      // Answers to a cancelled step have no effect once keys are being destroyed.
      guard !asked.values.contains(.rollback) else { return [] }
      return news(of: step, answer, operation) + go(on: operation, input, draws)
    }
    if let refusal = operation.refusal(of: step, answer, deletesSuspended: settings.deletesSuspended) {
      return fail(operation, refusal, input, draws)
    }
    if step == .policy, operation.name == .enroll, let policy = operation.policy {
      if let refusal = read(&operation, ["org": .string(policy.orgID)], draws) {
        return fail(operation, refusal, input, draws)
      }
      if let refusal = impostor(operation) {
        return news(of: step, answer, operation) + fail(operation, refusal, input, draws)
      }
      if policy.wantsHardware, operation.facts["protection"] != "HARDWARE" {
        return news(of: step, answer, operation)
          + fail(
            operation,
            Refusal("securityError", ["case": "keyGenFailed", "message": "the policy wants keys in hardware"]), input,
            draws)
      }
    }
    return news(of: step, answer, operation) + go(on: operation, input, draws)
  }

  /// Returns a refusal if the org may be impersonating another. An org chooses the ID that it reports. If that ID is
  /// already known from an origin that is neither the org's own nor trusted by the application, the org must not use or
  /// replace the device record and enrollments stored under it.
  private func impostor(_ operation: DeviceOperation) -> Refusal? {
    let org = URLParts(operation.orgURL)
    let homes = (operation.stored["homes"]?.array ?? []).compactMap(\.string)
    let isTrusted = (homes + settings.origins).contains { org?.isSameOrigin(as: URLParts($0)) == true }
    guard !homes.isEmpty, !isTrusted else { return nil }
    return Refusal(
      "genericError",
      [
        "message":
          "an org of this id is known under another URL; if both are one org, name this one in trustedOrigins"
      ])
  }

  private func read(_ operation: inout DeviceOperation, _ what: JSON, _ draws: Draws) -> Refusal? {
    switch draws.attempt(.deviceStored, what) {
    case .success(let value): operation.stored = value
    case .failure(let failure): return Refusal(failure)
    }
    operation.facts = draws(.deviceFacts)
    return nil
  }

  private func fail(
    _ operation: DeviceOperation, _ refusal: Refusal, _ input: FlowRecord, _ draws: Draws
  ) -> [FlowEvent] {
    var operation = operation
    operation.failure = refusal
    var events: [FlowEvent] = [
      .device(
        .enrollmentFailed,
        [
          ("operation", .string(operation.name.rawValue)), ("error", .string(refusal.code)),
          ("details", refusal.details),
        ])
    ]
    if operation.name == .retrieveMaintenanceToken {
      events.append(.device(.maintenanceTokenFailed, [("error", .string(refusal.code)), ("details", refusal.details)]))
    }
    return events + go(on: operation, input, draws)
  }

  /// Takes the next step, or ends the flow.
  private func go(on operation: DeviceOperation, _ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    if let step = operation.next { return perform(step, operation, input, draws) }
    let isGivenUp = ledger.calls[operation.call] == nil
    let outcome = operation.failure == nil ? "success" : isGivenUp ? "cancelled" : "failed"
    let end: FlowEvent = .flowEnded(FlowEnded(outcome: outcome))
    if isGivenUp { return [end] }
    return [
      operation.failure?.ending(operation.call) ?? .callReturned(CallReturned(call: operation.call, outcome: .done)),
      end,
    ]
  }

  /// Handles the cancellation of an operation. If the org has already accepted the change, it is stored anyway;
  /// otherwise, keys that were created for the operation, or are being created, are destroyed.
  func givenUp(_ operation: DeviceOperation, _ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    guard operation.failure == nil, let step = operation.next else { return [] }
    let (agreed, making): ([DeviceStep], [DeviceStep]) = (
      [.store, .storeDeletion, .dropKeys], [.keys, .instanceKey, .instanceKeyRetry]
    )
    if agreed.contains(step) { return [] }
    let isMaking = making.contains(step)
    guard isMaking || !operation.madeTags.isEmpty else { return [.flowEnded(FlowEnded(outcome: "cancelled"))] }
    let failed: FlowEvent = .device(
      .enrollmentFailed,
      [("operation", .string(operation.name.rawValue)), ("error", "cancelled"), ("details", [:])])
    return [failed] + (isMaking ? [] : perform(.rollback, operation, input, draws))
  }

  // MARK: Events of a step

  /// Returns the events that follow from a successful answer.
  private func news(of step: DeviceStep, _ answer: StepAnswer, _ operation: DeviceOperation) -> [FlowEvent] {
    switch step {
    case .policy:
      guard let policy = operation.policy else { return [] }
      return [
        .device(
          .enrollmentPolicyLoaded,
          [
            ("authenticatorId", .string(policy.authenticatorID)), ("orgId", .string(policy.orgID)),
            ("userVerification", .string(policy.userVerification)),
          ])
      ]
    case .keys, .instanceKey, .instanceKeyRetry:
      let keys = (answer.value?["keys"]?.array ?? []).map { key in
        JSON.members(["tag", "role", "thumbprint"].map { ($0, key[$0]) })
      }
      return [.device(.enrollmentKeysCreated, [("keys", .array(keys)), ("protection", operation.facts["protection"])])]
    case .enroll where operation.isDeviceReset:
      return [.device(.enrollmentDeviceReset, [("reason", .string(answer.serverError?.code ?? ""))])]
    case .store: return stored(operation)
    case .dropKeys:
      guard operation.name == .delete || operation.name == .deleteFromDevice else { return [] }
      return [deleted(operation)]
    case .rollback: return [.device(.enrollmentRolledBack, [("keys", answer.value?["deleted"] ?? [])])]
    case .storeCode: return stateChanged(operation, to: operation.failure?.details["errorCode"]?.string)
    case .token:
      return [
        .device(
          .maintenanceTokenObtained,
          [
            ("scopes", answer.body?["scope"] ?? ""), ("expiresIn", answer.body?["expires_in"]),
          ])
      ]
    case .pending:
      return [
        .device(
          .challengesPulled,
          [
            ("enrollmentId", operation.arguments["enrollmentId"]), ("count", .int(answer.body?.array?.count ?? 0)),
          ])
      ]
    case .organization, .enroll, .enrollRetry, .update, .deletion, .storePolicy, .verifyPerson, .attest, .assertion,
      .storeDeletion, .discovery, .orgKeys, .submission, .verifyToken, .claim, .collect, .sign, .saveAnswer, .close:
      return []
    }
  }

  private func stored(_ operation: DeviceOperation) -> [FlowEvent] {
    if operation.name == .enroll {
      guard let reading = operation.enrolled?.body.flatMap(EnrollmentReading.init) else { return [] }
      return [
        .device(
          .enrollmentCompleted,
          [
            ("enrollmentId", .string(reading.id)), ("userId", .string(reading.userID)),
            ("userName", reading.userName.map(JSON.string)), ("deviceId", .string(reading.deviceID)),
            ("methodEnrollmentId", reading.methodID.map(JSON.string)),
            ("knownDevice", .bool(operation.isKnownDevice && !operation.isDeviceReset)),
          ])
      ]
    }
    return [
      .device(
        .enrollmentUpdated,
        [
          ("enrollmentId", operation.arguments["enrollmentId"]), ("changed", .string(operation.changed)),
          ("oldTag", operation.enrollment?.userVerificationTag.map(JSON.string)),
          ("newTag", operation.key(.userVerification)?["tag"]),
        ])
    ] + stateChanged(operation, to: nil)
  }

  private func deleted(_ operation: DeviceOperation) -> FlowEvent {
    let error = operation.answers[.deletion]?.serverError
    let by: JSON =
      if operation.name == .deleteFromDevice {
        "localOnly"
      } else if error?.isSuspended == true {
        "serverSaidSuspended"
      } else if error?.isGone == true {
        "serverSaidGone"
      } else {
        "server"
      }
    return .device(
      .enrollmentDeleted,
      [
        ("enrollmentId", operation.arguments["enrollmentId"]), ("by", by),
        ("keys", operation.answers[.dropKeys]?.value?["deleted"] ?? []),
      ])
  }

  private func stateChanged(_ operation: DeviceOperation, to code: String?) -> [FlowEvent] {
    guard let enrollment = operation.enrollment else { return [] }
    return Self.stateChanged(enrollment.id, from: enrollment.serverErrorCode, to: code)
  }

  /// Returns an event if a new error code from the server changes the enrollment's state.
  static func stateChanged(_ enrollment: String, from old: String?, to new: String?) -> [FlowEvent] {
    let before = ServerError.meaning(of: old)
    let after = ServerError.meaning(of: new)
    guard before != after else { return [] }
    return [
      .device(
        .enrollmentStateChanged,
        [
          ("enrollmentId", .string(enrollment)), ("from", .string(before.rawValue)), ("to", .string(after.rawValue)),
          ("code", new.map(JSON.string)),
        ])
    ]
  }
}
