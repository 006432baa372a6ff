// How events update the state of a challenge.

import EventStore
import FlowRecording

extension ChallengeWork {
  /// Folds a call into the challenge.
  ///
  /// - Parameter repeats: whether a challenge that was already answered is answered again.
  mutating func called(_ call: DeviceCall, _ arguments: JSON, _ revision: Int, repeats: Bool) {
    switch (call, phase) {
    case (.respond, .parsed) where arguments["answer"] == "none": (answer, isPreset, answeredAt) = (nil, false, nil)
    case (.resolve, .ended) where repeats && signed != nil: beginAgain(revision)
    case (.resolve, .parsed):
      phase = .validating
      resolveCall = revision
      answers = [:]
      (discoveryTimer, isDiscoveryOver) = (nil, false)
    case (.retrySubmission, .submissionUnknown): resolveCall = revision
    case (.receive, _), (.respond, _), (.resolve, _), (.provideConsent, _), (.provideVerification, _),
      (.retrySubmission, _), (.downloadPolicy, _), (.enroll, _), (.updateDeviceToken, _), (.setUserVerification, _),
      (.enableCIBATransactions, _), (.delete, _), (.deleteFromDevice, _), (.retrieveMaintenanceToken, _),
      (.retrievePushChallenges, _):
      break
    }
  }

  /// Starts again from the person's answer, which is kept; every later step is repeated.
  private mutating func beginAgain(_ revision: Int) {
    phase = .validating
    resolveCall = revision
    isRepeated = true
    answers = [:]
    (discoveryTimer, isDiscoveryOver) = (nil, false)
    (consent, method, isVerificationGivenUp) = (nil, nil, false)
    (signing, signed, attempts) = (nil, nil, 0)
    (ending, failure) = (nil, nil)
  }

  mutating func returned(_ returned: CallReturned) {
    guard resolveCall == returned.call else { return }
    resolveCall = nil
    discoveryTimer = nil
    switch phase {
    case .validating, .consentRequested: phase = .parsed
    case .closing: phase = .ended
    case .received, .parsed, .answeredBefore, .claiming, .collecting, .verificationRequested, .verifying, .signing,
      .saving, .submitting, .submissionUnknown, .ended:
      break
    }
  }

  mutating func set(_ timer: TimerSet, _ revision: Int) {
    if timer.purpose == Self.discovery { discoveryTimer = revision } else { self.timer = revision }
  }

  mutating func fired(_ cause: Int?) {
    if timer == cause { timer = nil }
    guard let discoveryTimer, discoveryTimer == cause else { return }
    self.discoveryTimer = nil
    isDiscoveryOver = true
  }

  mutating func sent(_ step: DeviceStep) {
    guard step == .submission else { return }
    phase = .submitting
    attempts += 1
    answers[.submission] = nil
  }

  mutating func asked(_ step: DeviceStep, _ about: JSON?) {
    answers[step] = nil
    // The keys have arrived.
    if step == .verifyToken { discoveryTimer = nil }
    switch step {
    case .claim: phase = .claiming
    case .collect: phase = .collecting
    case .verifyPerson: phase = .verifying
    case .sign:
      phase = .signing
      signing = about
    case .saveAnswer: phase = .saving
    case .organization, .policy, .enroll, .enrollRetry, .update, .deletion, .token, .pending, .storePolicy, .keys,
      .attest, .instanceKey, .instanceKeyRetry, .assertion, .store, .storeDeletion, .storeCode, .dropKeys, .rollback,
      .discovery, .orgKeys, .submission, .verifyToken, .close:
      break
    }
  }

  mutating func drawn(_ draw: DrawMade) {
    switch draw.kind {
    case .deviceRead:
      guard draw.value["check"] == nil, challenge == nil else { return }
      challenge = Challenge(header: draw.value["header"] ?? [:], claims: draw.value["claims"] ?? [:])
      fingerprint = draw.value["fingerprint"]?.string ?? ""
    case .deviceStored: stored = draw.value
    case .deviceFacts: facts = draw.value
    case let other: _ = other
    }
  }

  mutating func fold(_ event: DomainEvent, at time: Timestamp) {
    let data = event.data
    switch DeviceEvent(event) {
    case .challengeParsed: fold(parsed: data)
    case .challengeRejected: finish("rejected", data, phase == .validating ? .closing : .ended)
    case .challengeExpired: finish("expired", data, .closing)
    case .challengeFailed: finish("failed", data, .closing)
    case .challengeVerified: isVerified = true
    case .consentRequested: phase = .consentRequested
    case .consentGiven:
      answer = data["answer"]?.string
      isPreset = data["by"] != "step"
      answeredAt = time
    case .verificationRequested: phase = .verificationRequested
    case .verificationCompleted: method = data["amr"]?.string
    case .keyFallback:
      isVerificationGivenUp = true
      method = nil
      consent = data["consent"]?.string.flatMap(DeviceVocabulary.Consent.init)
    case .responseSigned: signed = data
    case .submissionUnknown: phase = .submissionUnknown
    case .challengeResolved:
      ending = data["outcome"]?.string
      phase = .closing
    case .challengeReceived, .challengeDuplicated, .signalsCollected, .submissionRetried, .stepIgnored,
      .challengesPulled, .keyFetched, .keyFetchFailed, .enrollmentStarted, .enrollmentPolicyLoaded,
      .enrollmentKeysCreated, .enrollmentDeviceReset, .enrollmentCompleted, .enrollmentFailed, .enrollmentRolledBack,
      .enrollmentUpdated, .enrollmentDeleted, .enrollmentStateChanged, .maintenanceTokenObtained,
      .maintenanceTokenFailed, nil:
      break
    }
  }

  /// Folds the contents of the challenge. If another flow has already answered the transaction, either its answer can
  /// be sent again or nothing more can be done.
  private mutating func fold(parsed data: JSON) {
    switch data["before"]?.string {
    case nil: phase = .parsed
    case "signed":
      phase = .submissionUnknown
      signed = data["signed"]
      answer = data["signed"].flatMap(DeviceVocabulary.Consent.word)
    case .some: phase = .answeredBefore
    }
  }

  private mutating func finish(_ word: String, _ data: JSON, _ phase: Phase) {
    ending = word
    discoveryTimer = nil
    failure = data["error"]?.string.map { Refusal($0, data["details"] ?? [:]) }
    self.phase = phase
  }
}
