// The events of the kind in one closed list.

package import EventStore
package import FlowRecording

/// The data of an event of a device, checked for what it must have.
package protocol DevicePayload: DomainPayload {
  /// The members that there must be.
  static var required: [String] { get }
  /// Takes data that is known to have them.
  init(unchecked data: JSON)
}

extension DevicePayload {
  /// Makes an event of its members; those that are nil are left out.
  package init(_ members: [(String, JSON?)]) { self.init(unchecked: .members(members)) }

  /// Reads an event's data.
  package init(data: JSON) throws(EventError) {
    for member in Self.required where data[member] == nil { throw EventError(type: Self.type, member: member) }
    self.init(unchecked: data)
  }

  /// The call that hears of it, if it names one.
  package var audience: Int? { data["call"]?.int }
}

/// The events of a device by their names in the log.
package enum DeviceEvent: String, Sendable, CaseIterable {
  case challengeReceived = "challenge.received"
  case challengeParsed = "challenge.parsed"
  case challengeRejected = "challenge.rejected"
  case challengeDuplicated = "challenge.duplicated"
  case challengeVerified = "challenge.verified"
  case challengeResolved = "challenge.resolved"
  case challengeFailed = "challenge.failed"
  case challengeExpired = "challenge.expired"
  case consentRequested = "consent.requested"
  case consentGiven = "consent.given"
  case verificationRequested = "verification.requested"
  case verificationCompleted = "verification.completed"
  case signalsCollected = "signals.collected"
  case responseSigned = "response.signed"
  case submissionUnknown = "submission.unknown"
  case submissionRetried = "submission.retried"
  case stepIgnored = "step.ignored"
  case challengesPulled = "challenges.pulled"
  case keyFetched = "key.fetched"
  case keyFetchFailed = "key.fetch.failed"
  case keyFallback = "key.fallback"
  case enrollmentStarted = "enrollment.started"
  case enrollmentPolicyLoaded = "enrollment.policyLoaded"
  case enrollmentKeysCreated = "enrollment.keysCreated"
  case enrollmentDeviceReset = "enrollment.deviceReset"
  case enrollmentCompleted = "enrollment.completed"
  case enrollmentFailed = "enrollment.failed"
  case enrollmentRolledBack = "enrollment.rolledBack"
  case enrollmentUpdated = "enrollment.updated"
  case enrollmentDeleted = "enrollment.deleted"
  case enrollmentStateChanged = "enrollment.stateChanged"
  case maintenanceTokenObtained = "maintenanceToken.obtained"
  case maintenanceTokenFailed = "maintenanceToken.failed"

  /// The name of an event, if it is one of a device's in a version that this build knows.
  package init?(_ event: DomainEvent) {
    guard event.version == 1 else { return nil }
    self.init(rawValue: event.type)
  }

  /// The typed view of each.
  package static let types: [any DomainPayload.Type] = allCases.map(\.payload)

  private var payload: any DomainPayload.Type {
    switch self {
    case .challengeReceived: ChallengeReceived.self
    case .challengeParsed: ChallengeParsed.self
    case .challengeRejected: ChallengeRejected.self
    case .challengeDuplicated: ChallengeDuplicated.self
    case .challengeVerified: ChallengeVerified.self
    case .challengeResolved: ChallengeResolved.self
    case .challengeFailed: ChallengeFailed.self
    case .challengeExpired: ChallengeExpired.self
    case .consentRequested: ConsentRequested.self
    case .consentGiven: ConsentGiven.self
    case .verificationRequested: VerificationRequested.self
    case .verificationCompleted: VerificationCompleted.self
    case .signalsCollected: SignalsCollected.self
    case .responseSigned: ResponseSigned.self
    case .submissionUnknown: SubmissionUnknown.self
    case .submissionRetried: SubmissionRetried.self
    case .stepIgnored: StepIgnored.self
    case .challengesPulled: ChallengesPulled.self
    case .keyFetched: KeyFetched.self
    case .keyFetchFailed: KeyFetchFailed.self
    case .keyFallback: KeyFellBack.self
    case .enrollmentStarted: EnrollmentStarted.self
    case .enrollmentPolicyLoaded: EnrollmentPolicyLoaded.self
    case .enrollmentKeysCreated: EnrollmentKeysCreated.self
    case .enrollmentDeviceReset: EnrollmentDeviceReset.self
    case .enrollmentCompleted: EnrollmentCompleted.self
    case .enrollmentFailed: EnrollmentFailed.self
    case .enrollmentRolledBack: EnrollmentRolledBack.self
    case .enrollmentUpdated: EnrollmentUpdated.self
    case .enrollmentDeleted: EnrollmentDeleted.self
    case .enrollmentStateChanged: EnrollmentStateChanged.self
    case .maintenanceTokenObtained: MaintenanceTokenObtained.self
    case .maintenanceTokenFailed: MaintenanceTokenFailed.self
    }
  }
}
