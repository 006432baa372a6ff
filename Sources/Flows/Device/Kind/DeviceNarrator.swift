// Describes the flows of a push authenticator in words.

package import EventStore
package import FlowRecording

/// Describes the events of one device flow in words.
package struct DeviceNarrator: FlowNarrator {
  package private(set) var status = ""

  package init() {}

  package mutating func words(for event: DomainEvent, at revision: Int) -> Words? {
    guard let name = DeviceEvent(event) else { return nil }
    let data = event.data
    func text(_ member: String) -> String { data[member].map(Self.words) ?? "" }
    switch name {
    case .challengeReceived: return Words("a notification comes in by \(text("source"))")
    case .challengeParsed:
      status = "challenged"
      return Words(
        "challenge \(text("transactionId")) of type \(text("transactionType")) for \(text("enrollmentId")), not verified",
        .notice)
    case .challengeRejected:
      status = "rejected"
      return Words("check \(text("check")) fails: \(text("message"))", .bad)
    case .challengeDuplicated: return Words("the same challenge again, at \(text("stage"))", .notice)
    case .challengeVerified: return Words("the org signed the challenge, key \(text("kid"))", .good)
    case .challengeResolved:
      status = text("outcome")
      return Words("\(text("outcome")) by key \(text("keyType")), \(text("consent"))", .good)
    case .challengeFailed:
      status = "failed"
      return Words("the challenge failed while \(text("stage")): \(text("error"))", .bad)
    case .challengeExpired:
      status = "expired"
      return Words("the challenge expired while \(text("stage"))", .bad)
    case .consentRequested: return Words("the person is asked", .notice)
    case .consentGiven: return Words("the person answers \(text("answer")) by \(text("by"))", .notice)
    case .verificationRequested: return Words("the person is to be verified for key \(text("kid"))", .notice)
    case .verificationCompleted: return Words("verification of the person: \(text("outcome"))")
    case .signalsCollected, .stepIgnored, .responseSigned, .submissionUnknown, .submissionRetried, .challengesPulled,
      .keyFetched, .keyFetchFailed, .keyFallback:
      return details(name, text)
    case .enrollmentStarted, .enrollmentPolicyLoaded, .enrollmentKeysCreated, .enrollmentDeviceReset,
      .enrollmentCompleted, .enrollmentFailed, .enrollmentRolledBack, .enrollmentUpdated, .enrollmentDeleted,
      .enrollmentStateChanged, .maintenanceTokenObtained, .maintenanceTokenFailed:
      return enrollment(name, text)
    }
  }

  package func words(forArgument name: String, _ value: JSON) -> String? {
    value.array == nil ? nil : "\(name) \(Self.words(value))"
  }

  /// Formats a value; the elements of a list are joined.
  private static func words(_ value: JSON) -> String {
    guard let list = value.array else { return Narration.brief(value) }
    return list.isEmpty ? "none" : Narration.cut(list.map { $0.string ?? $0.text }.joined(separator: ", "), to: 200)
  }

  private mutating func details(_ event: DeviceEvent, _ text: (String) -> String) -> Words? {
    switch event {
    case .signalsCollected: return Words("signals of the device: \(text("given"))", .quiet)
    case .stepIgnored: return Words("an answer to \(text("step")) comes too late, at \(text("stage"))", .notice)
    case .responseSigned: return Words("the answer is signed by \(text("keyType")), key \(text("kid"))")
    case .submissionUnknown:
      status = "unknown"
      return Words("whether the org has the answer is not known", .bad)
    case .submissionRetried: return Words("the same answer is sent again, attempt \(text("attempt"))", .notice)
    case .challengesPulled: return Words("\(text("count")) pending")
    case .keyFetched: return Words("the org's key \(text("kid")) is known", .quiet)
    case .keyFetchFailed: return Words("the org's key could not be had: \(text("reason"))", .bad)
    case .keyFallback: return Words("another key signs: \(text("reason")), \(text("consent"))", .notice)
    case .challengeReceived, .challengeParsed, .challengeRejected, .challengeDuplicated, .challengeVerified,
      .challengeResolved, .challengeFailed, .challengeExpired, .consentRequested, .consentGiven, .verificationRequested,
      .verificationCompleted, .enrollmentStarted, .enrollmentPolicyLoaded, .enrollmentKeysCreated,
      .enrollmentDeviceReset, .enrollmentCompleted, .enrollmentFailed, .enrollmentRolledBack, .enrollmentUpdated,
      .enrollmentDeleted, .enrollmentStateChanged, .maintenanceTokenObtained, .maintenanceTokenFailed:
      return nil
    }
  }

  private mutating func enrollment(_ event: DeviceEvent, _ text: (String) -> String) -> Words? {
    switch event {
    case .enrollmentStarted: return Words("\(text("operation")) begins")
    case .enrollmentPolicyLoaded: return Words("authenticator \(text("authenticatorId"))")
    case .enrollmentKeysCreated: return Words("keys are made, \(text("protection"))")
    case .enrollmentDeviceReset: return Words("the org does not know the device: \(text("reason"))", .notice)
    case .enrollmentCompleted:
      status = "enrolled"
      return Words("enrolled as \(text("enrollmentId")) for \(text("userId"))", .good)
    case .enrollmentFailed:
      status = "failed"
      return Words("\(text("operation")) cannot be done: \(text("error"))", .bad)
    case .enrollmentRolledBack: return Words("the keys that were made are destroyed", .notice)
    case .enrollmentUpdated:
      status = text("changed")
      return Words("the org took \(text("changed"))", .good)
    case .enrollmentDeleted:
      status = "deleted"
      return Words("the enrollment is gone: \(text("by"))", .notice)
    case .enrollmentStateChanged: return Words("the enrollment is \(text("to")), before \(text("from"))", .notice)
    case .maintenanceTokenObtained: return Words("a token for \(text("scopes"))", .good)
    case .maintenanceTokenFailed: return Words("no token: \(text("error"))", .bad)
    case .challengeReceived, .challengeParsed, .challengeRejected, .challengeDuplicated, .challengeVerified,
      .challengeResolved, .challengeFailed, .challengeExpired, .consentRequested, .consentGiven, .verificationRequested,
      .verificationCompleted, .signalsCollected, .responseSigned, .submissionUnknown, .submissionRetried, .stepIgnored,
      .challengesPulled, .keyFetched, .keyFetchFailed, .keyFallback:
      return nil
    }
  }
}
