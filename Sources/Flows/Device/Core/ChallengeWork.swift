// The life of a challenge, from arrival to end (spec/device.md §17.1). If the process dies between two phases, the
// stored state decides what happens: before the person has answered, the challenge starts again; afterward, the person
// is never asked again.

package import EventStore
package import FlowRecording

/// A challenge and its progress.
package struct ChallengeWork: Sendable, Equatable {
  /// The phases of a challenge.
  package enum Phase: String, Sendable, Equatable, CaseIterable {
    /// The application passed it in.
    case received
    /// It was read and can be resolved.
    case parsed
    /// Another flow has answered it; nothing more can be done.
    case answeredBefore
    /// Its signature and claims are being checked.
    case validating
    /// The person is being asked.
    case consentRequested
    /// The person has answered; storage is being asked whether another flow claimed the transaction first.
    case claiming
    /// The plug-ins are being asked for their signals.
    case collecting
    /// The application is being asked to verify the person.
    case verificationRequested
    /// The person is being verified.
    case verifying
    /// The answer is being signed.
    case signing
    /// The answer is signed and is being stored so that it can be sent again.
    case saving
    /// The answer is on its way to the org.
    case submitting
    /// The answer was sent, but it is not known whether it arrived.
    case submissionUnknown
    /// The challenge is over; its end is being stored.
    case closing
    /// The challenge is over.
    case ended
  }

  /// The current phase.
  package var phase = Phase.received
  /// How the challenge arrived: `push`, `action`, or `pull`.
  package var source: String
  /// When the challenge arrived.
  package var receivedAt: Timestamp
  /// The revision of the challenge's first event.
  package var position: Int
  /// The accepted difference between the org's clock and this one, in seconds.
  package var skew: Int
  /// The enrollment whose pull returned the challenge; `nil` if it was not pulled.
  package var pulledFor: String?
  /// The placeholder for the challenge's JWT.
  package var token: String
  /// The contents of the challenge; `nil` until it has been read.
  package var challenge: Challenge?
  /// A hash over the claims that must be the same in every delivery.
  package var fingerprint = ""
  /// What storage has about the enrollment, its org, and the transaction.
  package var stored: JSON = .null
  /// The facts known about the device.
  package var facts: JSON = .null
  /// The person's answer: `approved`, `denied`, or `none`; `nil` if there is none yet.
  package var answer: String?
  /// Whether a button or the application answered before the challenge was resolved.
  package var isPreset = false
  /// When the person answered.
  package var answeredAt: Timestamp?
  /// Whether the org's signature and all claims are valid.
  package var isVerified = false
  /// The revision of the call that resolves the challenge, while that call is in progress.
  package var resolveCall: Int?
  /// The timer for the end of the challenge, or of its signed answer.
  package var timer: Int?
  /// The timer that limits the wait for the org's keys, while it runs.
  package var discoveryTimer: Int?
  /// Whether the org's keys failed to arrive in time.
  package var isDiscoveryOver = false
  /// The answers to the steps taken so far.
  package var answers: [DeviceStep: StepAnswer] = [:]
  /// The consent value that is sent to the org.
  package var consent: DeviceVocabulary.Consent?
  /// Whether the attempt to use the user verification key was abandoned.
  package var isVerificationGivenUp = false
  /// The method by which the person was verified.
  package var method: String?
  /// The contents of the answer that is being signed.
  package var signing: JSON?
  /// The signed answer.
  package var signed: JSON?
  /// Whether the challenge is resolved once more after its end, as the reference does (§21, row 3).
  package var isRepeated = false
  /// How many times the answer was sent.
  package var attempts = 0
  /// How the challenge ended: `approved`, `denied`, `failed`, `rejected`, or `expired`; `nil` if it has not.
  package var ending: String?
  /// The error that the challenge ended with.
  package var failure: Refusal?

  /// The purpose of the timer that limits the wait for the org's keys.
  static let discovery = "discovery"

  /// One year, in seconds. A larger skew would make no difference to any check, and could overflow.
  private static let greatestSkew = 31_536_000

  init(_ arguments: JSON, at record: FlowRecord) {
    source = arguments["source"]?.string ?? "push"
    skew = min(max(0, arguments["skew"]?.int ?? 300), Self.greatestSkew)
    pulledFor = arguments["pulledFor"]?.string
    token = arguments["challenge"]?.string ?? ""
    receivedAt = record.at
    position = record.revision
  }

  // MARK: Facts

  /// The transaction ID; empty until the challenge has been read.
  var transactionID: String { challenge?.transactionID ?? "" }
  /// The enrollment that the challenge is for.
  var enrollment: StoredEnrollment? { stored["enrollment"].flatMap(StoredEnrollment.init) }
  /// The stored device record for the org.
  var device: StoredDevice? { stored["device"].flatMap(StoredDevice.init) }
  /// The org's URL, from storage.
  var orgURL: String { enrollment?.orgURL ?? "" }
  /// The issuer whose keys verify the challenge.
  var issuer: String { challenge?.issuer(atOrg: orgURL) ?? orgURL }
  /// Whether the person agreed.
  var isApproved: Bool { answer == "approved" }
  /// When the challenge expires, in microseconds, including the skew.
  var end: Int64 { challenge?.endMicroseconds(skew: skew) ?? 0 }

  /// The request that is sent in this phase.
  var nextRequest: DeviceStep {
    switch phase {
    case .validating: answers[.discovery] == nil ? .discovery : .orgKeys
    case .received, .parsed, .answeredBefore, .consentRequested, .claiming, .collecting, .verificationRequested,
      .verifying, .signing, .saving, .submitting, .submissionUnknown, .closing, .ended:
      .submission
    }
  }

  /// Whether the challenge can still expire, which is the case until an answer is signed.
  var canExpire: Bool {
    switch phase {
    case .parsed, .validating, .consentRequested, .claiming, .collecting, .verificationRequested, .verifying: true
    case .received, .answeredBefore, .signing, .saving, .submitting, .submissionUnknown, .closing, .ended: false
    }
  }

  /// The names of the plug-ins and providers that the challenge asks for, without duplicates.
  var providers: [String] {
    let asked = (challenge?.names(of: "integrations") ?? []) + (challenge?.names(of: "signalProviders") ?? [])
    var seen: Set<String> = []
    return asked.filter { seen.insert($0).inserted }
  }

  /// The results that the plug-ins returned.
  var collected: [JSON] { answers[.collect]?.value?["results"]?.array ?? [] }

  /// Whether to try the user verification key (§9.2).
  var triesVerification: Bool {
    isApproved && !isVerificationGivenUp && challenge?.requirement.wantsVerification == true
  }
}
