// Presents the push authenticator to readers of its log.

package import EventStore
package import FlowRecording

/// The flow kind `device`.
package enum DeviceKind: FlowKind {
  package typealias Core = DeviceCore
  package typealias Narrator = DeviceNarrator

  package static var declarations: [EventDeclaration] { DeviceEvent.declarations }

  package static var calls: [String] { DeviceCall.allCases.map(\.rawValue) }

  package static func state(of core: DeviceCore) -> JSON { core.json }

  package static func note(_ type: String, _ data: () -> JSON, in facts: inout SignInFacts) {
    if type == CallMade.type {
      // These calls begin or continue a challenge; all others are operations on an enrollment.
      let data = data()
      let isChallenge = ["receive", "resolve", "retrySubmission"].contains(data["call"]?.string)
      facts.purpose = facts.purpose ?? (isChallenge ? .challenge : .enrollment)
      // The answer is withdrawn.
      if data["call"] == "respond", data["arguments"]?["answer"] == "none" { facts.memory["answer"] = nil }
      return
    }
    guard let event = DeviceEvent(rawValue: type) else { return }
    switch event {
    case .challengeParsed:
      facts.status = "challenged"
      facts.purpose = .challenge
      facts.begin(.push)
      let data = data()
      facts.memory["transaction"] = data["transactionId"]?.string
      if let user = data["userName"]?.string ?? data["userId"]?.string { facts.login = facts.login ?? user }
      // Another flow signed the answer.
      if let signed = data["signed"] {
        facts.memory["key"] = signed["kid"]?.string
        facts.memory["keyType"] = signed["keyType"]?.string
        facts.memory["answer"] = DeviceVocabulary.Consent.word(of: signed)
      }
    case .enrollmentCompleted:
      facts.status = "enrolled"
      if let name = data()["userName"]?.string { facts.login = name }
      facts.changed(.factorEnrolled, factor: .push)
    case .challengeRejected:
      facts.status = "rejected"
      facts.fail(.org)
    case .challengeExpired:
      facts.status = "expired"
      facts.fail(.expired)
    case .challengeFailed:
      facts.status = "failed"
      facts.fail(FailureReason(error: data()["error"]?.string ?? "", details: [:], isPassword: false))
    case .challengeResolved:
      facts.status = data()["outcome"]?.string
      if facts.status == "approved" { facts.succeed() } else { facts.fail(.rejected) }
    case .consentRequested: facts.status = "asked"
    case .consentGiven: facts.memory["answer"] = data()["answer"]?.string
    case .verificationRequested: facts.memory["verification"] = "asked"
    case .verificationCompleted: facts.memory["verification"] = data()["outcome"]?.string
    case .responseSigned:
      let data = data()
      facts.memory["key"] = data["kid"]?.string
      facts.memory["keyType"] = data["keyType"]?.string
    case .submissionUnknown: facts.status = "unknown"
    case .enrollmentUpdated: facts.status = data()["changed"]?.string
    case .enrollmentDeleted:
      facts.status = "deleted"
      facts.changed(.factorRemoved, factor: .push)
    case .enrollmentFailed: facts.status = "failed"
    case .challengesPulled: facts.status = "pulled"
    case .maintenanceTokenObtained: facts.status = "token"
    case .challengeReceived, .challengeDuplicated, .challengeVerified, .signalsCollected, .submissionRetried,
      .stepIgnored, .keyFetched, .keyFetchFailed, .keyFallback, .enrollmentStarted, .enrollmentPolicyLoaded,
      .enrollmentKeysCreated,
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
