// The push authenticator for those who read its log.

package import EventStore
package import FlowRecording

/// The kind `device`.
package enum DeviceKind: FlowKind {
  package typealias Core = DeviceCore
  package typealias Narrator = DeviceNarrator

  package static var declarations: [EventDeclaration] { DeviceEvent.declarations }

  package static func state(of core: DeviceCore) -> JSON { core.json }

  package static func note(_ type: String, _ data: () -> JSON, in facts: inout SignInFacts) {
    guard let event = DeviceEvent(rawValue: type) else { return }
    switch event {
    case .challengeParsed:
      facts.status = "challenged"
      facts.challenged("push")
      let data = data()
      if let user = data["userName"]?.string ?? data["userId"]?.string { facts.login = facts.login ?? user }
    case .enrollmentCompleted:
      facts.status = "enrolled"
      if let name = data()["userName"]?.string { facts.login = name }
    case .challengeRejected: facts.status = "rejected"
    case .challengeExpired: facts.status = "expired"
    case .challengeFailed: facts.status = "failed"
    case .challengeResolved: facts.status = data()["outcome"]?.string
    case .consentRequested: facts.status = "asked"
    case .submissionUnknown: facts.status = "unknown"
    case .enrollmentUpdated: facts.status = data()["changed"]?.string
    case .enrollmentDeleted: facts.status = "deleted"
    case .enrollmentFailed: facts.status = "failed"
    case .challengesPulled: facts.status = "pulled"
    case .maintenanceTokenObtained: facts.status = "token"
    case .challengeReceived, .challengeDuplicated, .challengeVerified, .consentGiven, .verificationRequested,
      .verificationCompleted, .signalsCollected, .responseSigned, .submissionRetried, .stepIgnored, .keyFetched,
      .keyFetchFailed, .keyFallback, .enrollmentStarted, .enrollmentPolicyLoaded, .enrollmentKeysCreated,
      .enrollmentDeviceReset, .enrollmentRolledBack, .enrollmentStateChanged, .maintenanceTokenFailed:
      break
    }
  }

  package static func pushes(in records: [FlowRecord]) -> [PushSighting] {
    var watch = DevicePushWatch()
    for record in records { watch.take(record) }
    return watch.pushes
  }
}
