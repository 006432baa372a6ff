// An operation on an enrollment: its arguments and what is known so far, which alone determine the next step
// (spec/device.md §12, §13). A step that has an answer is not taken again.

package import EventStore
package import FlowRecording

/// An operation and its progress.
package struct DeviceOperation: Sendable, Equatable {
  /// The call that began the operation.
  package var name: DeviceCall
  /// The arguments of the call, with placeholders for secrets.
  package var arguments: JSON
  /// The revision of the operation's `call.made`.
  package var call: Int
  /// What storage has about the enrollment and its org; null until it has been read.
  package var stored: JSON = .null
  /// The facts known about the device; null until they have been read.
  package var facts: JSON = .null
  /// The answers to the steps taken so far.
  package var answers: [DeviceStep: StepAnswer] = [:]
  /// Why the operation failed; `nil` as long as it has not.
  package var failure: Refusal?

  init(_ name: DeviceCall, _ arguments: JSON, call: Int) {
    self.name = name
    self.arguments = arguments
    self.call = call
  }

  // MARK: Facts

  /// The org's URL.
  var orgURL: String { arguments["orgURL"]?.string ?? stored["enrollment"]?["orgURL"]?.string ?? "" }
  /// The stored enrollment, if there is one.
  var enrollment: StoredEnrollment? { stored["enrollment"].flatMap(StoredEnrollment.init) }
  /// The stored device record.
  var device: StoredDevice? { stored["device"].flatMap(StoredDevice.init) }
  /// The configuration that the org returned.
  var policy: PolicyReading? {
    answers[.policy]?.body.flatMap { try? PolicyReading.choose(from: $0) }
  }
  /// Whether to create or use a user verification key.
  var wantsVerification: Bool {
    switch name {
    case .enroll: arguments["userVerification"]?.bool == true
    case .setUserVerification: arguments["enable"]?.bool == true
    case .downloadPolicy, .updateDeviceToken, .enableCIBATransactions, .delete, .deleteFromDevice,
      .retrieveMaintenanceToken, .retrievePushChallenges, .receive, .respond, .resolve, .provideConsent,
      .provideVerification, .retrySubmission:
      false
    }
  }
  /// The user verification key, if it can be offered again unchanged (§13.4): it exists, and the verifier's enrolled
  /// set has not changed since.
  var healthyKey: JSON? {
    let isHealthy = stored["verificationKey"] == "available" && stored["verificationKeyInvalidated"]?.bool != true
    return isHealthy ? stored["verificationJWK"] : nil
  }

  /// The tags of keys that are no longer referenced after the enrollment was stored: those of an earlier enrollment
  /// with the same ID, and those of the previous device record.
  var replacedTags: [JSON] { answers[.store]?.value?["orphaned"]?.array ?? [] }

  /// Whether the org knows the device and the device can prove its identity.
  var isKnownDevice: Bool { device != nil && answers[.attest]?.value != nil }

  /// Whether the org has replied that it no longer knows the device (§13.2).
  var isDeviceReset: Bool {
    isKnownDevice && answers[.enroll]?.serverError?.isDeviceReset == true
  }

  /// The org's reply to the enrollment; the second one if there were two.
  var enrolled: StepAnswer? { answers[.enrollRetry] ?? (isDeviceReset ? nil : answers[.enroll]) }

  /// The public key that was created for the given role.
  func key(_ role: KeyRole) -> JSON? {
    let steps: [DeviceStep] = [.instanceKeyRetry, .instanceKey, .keys]
    return steps.lazy.compactMap { answers[$0]?.value }.flatMap { $0["keys"]?.array ?? [] }
      .first { $0["role"]?.string == role.rawValue }
  }

  /// The tags of all keys that the operation created.
  var madeTags: [String] {
    let steps: [DeviceStep] = [.keys, .instanceKey, .instanceKeyRetry]
    return steps.compactMap { answers[$0]?.value }.flatMap { $0["keys"]?.array ?? [] }
      .compactMap { $0["tag"]?.string }
  }

  /// The server's error code to store with the enrollment, if it differs from the stored one (§13.7).
  var newCode: String? {
    guard let enrollment, failure?.code == "serverAPIError" else { return nil }
    let code = failure?.details["errorCode"]?.string
    return code == enrollment.serverErrorCode ? nil : code
  }

  // MARK: The next step

  /// The next step; `nil` if no step is left.
  var next: DeviceStep? { sequence.first { answers[$0] == nil } }

  private var sequence: [DeviceStep] {
    guard failure == nil else {
      return (newCode == nil ? [] : [.storeCode]) + (madeTags.isEmpty ? [] : [.rollback])
    }
    switch name {
    case .downloadPolicy: return [.policy]
    case .enroll: return enrollSequence
    case .updateDeviceToken, .enableCIBATransactions: return [.update, .store]
    case .setUserVerification: return verificationSequence
    case .delete: return [.deletion, .storeDeletion, .dropKeys]
    case .deleteFromDevice: return [.storeDeletion, .dropKeys]
    case .retrieveMaintenanceToken: return [.assertion, .token]
    case .retrievePushChallenges: return [.pending]
    case .receive, .respond, .resolve, .provideConsent, .provideVerification, .retrySubmission: return []
    }
  }

  private var enrollSequence: [DeviceStep] {
    var steps: [DeviceStep] = [.organization, .policy, .storePolicy]
    if wantsVerification { steps.append(.verifyPerson) }
    steps.append(.keys)
    if device != nil { steps.append(.attest) }
    // If the client instance key is lost, the device counts as a new one (§13.1 step 5).
    if device != nil, case .undrawn = answers[.attest] { steps.append(.instanceKey) }
    steps.append(.enroll)
    if isDeviceReset { steps += [.instanceKeyRetry, .enrollRetry] }
    return steps + [.store] + (replacedTags.isEmpty ? [] : [.dropKeys])
  }

  private var verificationSequence: [DeviceStep] {
    guard wantsVerification else {
      return [.update, .store] + (enrollment?.userVerificationTag == nil ? [] : [.dropKeys])
    }
    if healthyKey != nil { return [.update, .store] }
    return [.verifyPerson, .keys, .update, .store] + (enrollment?.userVerificationTag == nil ? [] : [.dropKeys])
  }

  // MARK: The fold

  mutating func drawn(_ draw: DrawMade) {
    switch draw.kind {
    case .deviceStored: stored = draw.value
    case .deviceFacts: facts = draw.value
    case let other: _ = other
    }
  }

  mutating func fold(_ event: DomainEvent) {
    switch DeviceEvent(event) {
    case .enrollmentFailed:
      failure = Refusal(event.data["error"]?.string ?? "", event.data["details"] ?? [:])
    case .enrollmentDeleted, .enrollmentStarted, .enrollmentPolicyLoaded, .enrollmentKeysCreated,
      .enrollmentDeviceReset, .enrollmentCompleted, .enrollmentRolledBack, .enrollmentUpdated, .enrollmentStateChanged,
      .maintenanceTokenObtained, .maintenanceTokenFailed, .challengesPulled, .challengeReceived, .challengeParsed,
      .challengeRejected, .challengeDuplicated, .challengeVerified, .challengeResolved, .challengeFailed,
      .challengeExpired, .consentRequested, .consentGiven, .verificationRequested, .verificationCompleted,
      .signalsCollected, .responseSigned, .submissionUnknown, .submissionRetried, .stepIgnored, .keyFetched,
      .keyFetchFailed, .keyFallback, nil:
      break
    }
  }
}
