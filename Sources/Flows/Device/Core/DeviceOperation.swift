// An operation on an enrollment: what is asked, what is known so far, and from that alone the next step
// (spec/device.md §12, §13). A step that has an answer is not taken again.

package import EventStore
package import FlowRecording

/// An operation and how far it is.
package struct DeviceOperation: Sendable, Equatable {
  /// What is asked.
  package var name: DeviceCall
  /// Its arguments, secrets as placeholders.
  package var arguments: JSON
  /// The revision of its `call.made`.
  package var call: Int
  /// What is stored of the enrollment and its org; null before it is known.
  package var stored: JSON = .null
  /// What is known of the device; null before it is asked.
  package var facts: JSON = .null
  /// What the steps brought.
  package var answers: [DeviceStep: StepAnswer] = [:]
  /// Why it cannot be done; nil as long as it may.
  package var failure: Refusal?

  init(_ name: DeviceCall, _ arguments: JSON, call: Int) {
    self.name = name
    self.arguments = arguments
    self.call = call
  }

  // MARK: Facts

  /// The org's URL.
  var orgURL: String { arguments["orgURL"]?.string ?? stored["enrollment"]?["orgURL"]?.string ?? "" }
  /// The enrollment that is stored, if there is one.
  var enrollment: StoredEnrollment? { stored["enrollment"].flatMap(StoredEnrollment.init) }
  /// The device record that is stored.
  var device: StoredDevice? { stored["device"].flatMap(StoredDevice.init) }
  /// The configuration that the org answered with.
  var policy: PolicyReading? {
    answers[.policy]?.body.flatMap { try? PolicyReading.choose(from: $0) }
  }
  /// Whether a key of a verified person is to be made or used.
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
  /// A key of a verified person that can be offered again as it is (§13.4): it is there, and counts under the enrolled set of
  /// now.
  var healthyKey: JSON? {
    let isHealthy = stored["verificationKey"] == "available" && stored["verificationKeyInvalidated"]?.bool != true
    return isHealthy ? stored["verificationJWK"] : nil
  }

  /// The tags of keys that nothing names any more since the enrollment is stored: of one with the same id, and of the device
  /// record before.
  var replacedTags: [JSON] { answers[.store]?.value?["orphaned"]?.array ?? [] }

  /// Whether the org knows the device, and the device can show that it is the one.
  var isKnownDevice: Bool { device != nil && answers[.attest]?.value != nil }

  /// Whether the org has answered that it does not know the device any more (§13.2).
  var isDeviceReset: Bool {
    isKnownDevice && answers[.enroll]?.serverError?.isDeviceReset == true
  }

  /// The org's answer to the enrollment, the second if there were two.
  var enrolled: StepAnswer? { answers[.enrollRetry] ?? (isDeviceReset ? nil : answers[.enroll]) }

  /// The public keys that were made, by their role.
  func key(_ role: KeyRole) -> JSON? {
    let steps: [DeviceStep] = [.instanceKeyRetry, .instanceKey, .keys]
    return steps.lazy.compactMap { answers[$0]?.value }.flatMap { $0["keys"]?.array ?? [] }
      .first { $0["role"]?.string == role.rawValue }
  }

  /// The tags of all keys that the operation made.
  var madeTags: [String] {
    let steps: [DeviceStep] = [.keys, .instanceKey, .instanceKeyRetry]
    return steps.compactMap { answers[$0]?.value }.flatMap { $0["keys"]?.array ?? [] }
      .compactMap { $0["tag"]?.string }
  }

  /// The server's code that is to be kept with the enrollment, if it is another than the one kept (§13.7).
  var newCode: String? {
    guard let enrollment, failure?.code == "serverAPIError" else { return nil }
    let code = failure?.details["errorCode"]?.string
    return code == enrollment.serverErrorCode ? nil : code
  }

  // MARK: The next step

  /// What is to be done next; nil if nothing is left to do.
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
    // A client instance key that is lost makes the device a new one (§13.1 step 5).
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
