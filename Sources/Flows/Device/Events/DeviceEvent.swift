// The events of a device in one closed list (spec/device.md §17.2, docs/EVENTS.md).

import EventStore
package import FlowRecording

/// The events of a device by their names in the log.
package enum DeviceEvent: String, Sendable, CaseIterable {
  /// A notification was passed by the application, or pulled.
  case challengeReceived = "challenge.received"
  /// It is a challenge for an enrollment that is stored. Nothing of it is verified.
  case challengeParsed = "challenge.parsed"
  /// A check failed, named by its id.
  case challengeRejected = "challenge.rejected"
  /// It came again, or was to be resolved again.
  case challengeDuplicated = "challenge.duplicated"
  /// The org signed it, and it is for this enrollment.
  case challengeVerified = "challenge.verified"
  /// The org took the answer.
  case challengeResolved = "challenge.resolved"
  /// It ended without an answer that the org took.
  case challengeFailed = "challenge.failed"
  /// Its time ran out.
  case challengeExpired = "challenge.expired"
  /// The person is asked. The step goes to the application.
  case consentRequested = "consent.requested"
  /// The person answered, or a button of the notification did.
  case consentGiven = "consent.given"
  /// The person must be verified. The step is passed to the application.
  case verificationRequested = "verification.requested"
  /// How the verification of the person ended.
  case verificationCompleted = "verification.completed"
  /// The signals of the device in the answer; names only.
  case signalsCollected = "signals.collected"
  /// The answer is signed; it is recorded as a placeholder.
  case responseSigned = "response.signed"
  /// The answer was sent, and whether the org took it is not known.
  case submissionUnknown = "submission.unknown"
  /// The same answer is sent again.
  case submissionRetried = "submission.retried"
  /// A step was answered twice, or too late.
  case stepIgnored = "step.ignored"
  /// Pending challenges were fetched.
  case challengesPulled = "challenges.pulled"
  /// The org's key of a challenge is known.
  case keyFetched = "key.fetched"
  /// The org's key of a challenge could not be had.
  case keyFetchFailed = "key.fetch.failed"
  /// A key could not be used and another signs. The message goes to the application.
  case keyFallback = "key.fallback"
  /// An operation on an enrollment began.
  case enrollmentStarted = "enrollment.started"
  /// The authenticator's configuration is known.
  case enrollmentPolicyLoaded = "enrollment.policyLoaded"
  /// Keys were made.
  case enrollmentKeysCreated = "enrollment.keysCreated"
  /// The org no longer knows the device; it is enrolled as a new one.
  case enrollmentDeviceReset = "enrollment.deviceReset"
  /// The org has enrolled the device, and it is stored.
  case enrollmentCompleted = "enrollment.completed"
  /// The operation cannot be done.
  case enrollmentFailed = "enrollment.failed"
  /// The keys that the operation made are destroyed.
  case enrollmentRolledBack = "enrollment.rolledBack"
  /// The org took a change.
  case enrollmentUpdated = "enrollment.updated"
  /// The enrollment is no longer on this device.
  case enrollmentDeleted = "enrollment.deleted"
  /// The org's last answer implies another state.
  case enrollmentStateChanged = "enrollment.stateChanged"
  /// The org gave a maintenance token.
  case maintenanceTokenObtained = "maintenanceToken.obtained"
  /// It did not.
  case maintenanceTokenFailed = "maintenanceToken.failed"

  /// The name of an event, if it is one of a device's in a version that this build knows.
  package init?(_ event: DomainEvent) {
    guard event.version == 1 else { return nil }
    self.init(rawValue: event.type)
  }

  /// The declaration of each.
  package static let declarations = allCases.map { EventDeclaration($0.rawValue, required: $0.required) }

  /// The members that its data must have.
  private var required: [String] {
    switch self {
    case .challengeReceived: ["source"]
    case .challengeParsed, .challengeDuplicated: ["transactionId"]
    case .challengeRejected: ["check", "error", "message"]
    case .challengeVerified: ["transactionId", "issuer"]
    case .challengeResolved, .verificationCompleted: ["transactionId", "outcome"]
    case .challengeFailed: ["transactionId", "error", "stage"]
    case .challengeExpired: ["transactionId", "stage"]
    case .consentRequested: ["transactionId", "transactionType"]
    case .consentGiven: ["transactionId", "answer", "by"]
    case .verificationRequested: ["transactionId", "kid"]
    case .signalsCollected: ["transactionId", "given"]
    case .responseSigned: ["transactionId", "keyType", "kid", "consent", "jti", "exp", "response"]
    case .submissionUnknown: ["transactionId", "attempt"]
    case .submissionRetried: ["transactionId", "attempt", "jti"]
    case .stepIgnored: ["transactionId", "step", "stage"]
    case .challengesPulled: ["enrollmentId", "count"]
    case .keyFetched: ["issuer", "kid", "cached"]
    case .keyFetchFailed: ["issuer", "reason"]
    case .keyFallback: ["transactionId", "from", "to", "reason", "consent"]
    case .enrollmentStarted: ["operation"]
    case .enrollmentPolicyLoaded: ["authenticatorId", "orgId"]
    case .enrollmentKeysCreated, .enrollmentRolledBack: ["keys"]
    case .enrollmentDeviceReset: ["reason"]
    case .enrollmentCompleted: ["enrollmentId"]
    case .enrollmentFailed: ["operation", "error", "details"]
    case .enrollmentUpdated: ["enrollmentId", "changed"]
    case .enrollmentDeleted: ["enrollmentId", "by", "keys"]
    case .enrollmentStateChanged: ["enrollmentId", "from", "to"]
    case .maintenanceTokenObtained: ["scopes"]
    case .maintenanceTokenFailed: ["error"]
    }
  }

  /// Whether the log must have it before anything of its step leaves the machine or reaches the application.
  var needsBarrier: Bool {
    switch self {
    case .challengeReceived, .signalsCollected, .stepIgnored, .keyFetched, .keyFetchFailed, .enrollmentStarted,
      .enrollmentPolicyLoaded, .enrollmentKeysCreated:
      false
    case .challengeParsed, .challengeRejected, .challengeDuplicated, .challengeVerified, .challengeResolved,
      .challengeFailed, .challengeExpired, .consentRequested, .consentGiven, .verificationRequested,
      .verificationCompleted, .responseSigned, .submissionUnknown, .submissionRetried, .challengesPulled, .keyFallback,
      .enrollmentDeviceReset, .enrollmentCompleted, .enrollmentFailed, .enrollmentRolledBack, .enrollmentUpdated,
      .enrollmentDeleted, .enrollmentStateChanged, .maintenanceTokenObtained, .maintenanceTokenFailed:
      true
    }
  }
}

extension FlowEvent {
  /// An event of a device. Members that are `nil` are omitted; the call named by `call` receives it.
  static func device(_ event: DeviceEvent, _ members: [(String, JSON?)]) -> FlowEvent {
    let data = JSON.members(members)
    return .domain(
      DomainEvent(
        type: event.rawValue, data: data, needsBarrier: event.needsBarrier, audience: data["call"]?.int))
  }
}
