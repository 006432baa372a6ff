// A challenge from its arrival to its end (spec/device.md §17.1). What dies between two phases is decided by what is stored:
// before the person has answered, it starts again; once they have, it is never asked for again.

package import EventStore
package import FlowRecording

/// A challenge and how far it is.
package struct ChallengeWork: Sendable, Equatable {
  /// How far a challenge is.
  package enum Phase: String, Sendable, Equatable, CaseIterable {
    /// It was handed in.
    case received
    /// It can be resolved.
    case parsed
    /// It was answered in another flow; nothing can be done with it.
    case answeredBefore
    /// Its signature and claims are checked.
    case validating
    /// The person is asked.
    case consentRequested
    /// The person has answered; whether another flow was first is asked.
    case claiming
    /// The plug-ins are asked for their signals.
    case collecting
    /// The application is asked how the person is to be verified.
    case verificationRequested
    /// The person is being verified.
    case verifying
    /// The answer is being signed.
    case signing
    /// The answer is signed, and kept so that it can be sent again.
    case saving
    /// The answer was sent.
    case submitting
    /// The answer was sent, and whether it arrived is not known.
    case submissionUnknown
    /// It is over; that is being stored.
    case closing
    /// It is over.
    case ended
  }

  /// How far it is.
  package var phase = Phase.received
  /// How it came: `push`, `action`, `pull`.
  package var source: String
  /// When it came.
  package var receivedAt: Timestamp
  /// The revision of its first event.
  package var position: Int
  /// How many seconds the org's clock may be off.
  package var skew: Int
  /// The enrollment that pulled it.
  package var pulledFor: String?
  /// The placeholder of its JWT.
  package var token: String
  /// What it says; nil as long as it has not been read.
  package var challenge: Challenge?
  /// What must be the same in each delivery.
  package var fingerprint = ""
  /// What is stored of its enrollment.
  package var stored: JSON = .null
  /// What is known of the device.
  package var facts: JSON = .null
  /// What the person answered: `approved`, `denied`, `none`; nil if they have not.
  package var answer: String?
  /// Whether a button or the application answered before it was resolved.
  package var isPreset = false
  /// When the person answered.
  package var answeredAt: Timestamp?
  /// Whether the org's signature and all claims are right.
  package var isVerified = false
  /// The revision of the call that resolves it, while it is under way.
  package var resolveCall: Int?
  /// The timer of its end, or of that of its answer.
  package var timer: Int?
  /// The timer of the org's keys, while they are waited for.
  package var discoveryTimer: Int?
  /// Whether the org's keys did not come in time.
  package var isDiscoveryOver = false
  /// What the steps brought.
  package var answers: [DeviceStep: StepAnswer] = [:]
  /// What the person's answer is to the org.
  package var consent: DeviceVocabulary.Consent?
  /// Whether the key of a verified person is given up.
  package var isVerificationGivenUp = false
  /// How the person was verified.
  package var method: String?
  /// What the answer says that is being signed.
  package var signing: JSON?
  /// The signed answer.
  package var signed: JSON?
  /// Whether it is resolved once more after its end, as the reference does (§21, row 3).
  package var isRepeated = false
  /// How often the answer was sent.
  package var attempts = 0
  /// How it ended, as far as it did: `approved`, `denied`, `failed`, `rejected`, `expired`.
  package var ending: String?
  /// The error that it ended with.
  package var failure: Refusal?

  /// What the timer of the org's keys is for.
  static let discovery = "discovery"

  /// A year in seconds. More is the same to every check, and would overflow.
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

  /// The transaction.
  var transactionID: String { challenge?.transactionID ?? "" }
  /// The enrollment that is meant.
  var enrollment: StoredEnrollment? { stored["enrollment"].flatMap(StoredEnrollment.init) }
  /// The device record of the org.
  var device: StoredDevice? { stored["device"].flatMap(StoredDevice.init) }
  /// The org's URL, from storage.
  var orgURL: String { enrollment?.orgURL ?? "" }
  /// The server of the org's keys.
  var issuer: String { challenge?.issuer(atOrg: orgURL) ?? orgURL }
  /// Whether the person agreed.
  var isApproved: Bool { answer == "approved" }
  /// When it ends, with the skew.
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

  /// Whether it still can run out: nothing is signed.
  var canExpire: Bool {
    switch phase {
    case .parsed, .validating, .consentRequested, .claiming, .collecting, .verificationRequested, .verifying: true
    case .received, .answeredBefore, .signing, .saving, .submitting, .submissionUnknown, .closing, .ended: false
    }
  }

  /// The names of plug-ins and providers that the challenge asks for, each once.
  var providers: [String] {
    let asked = (challenge?.names(of: "integrations") ?? []) + (challenge?.names(of: "signalProviders") ?? [])
    var seen: Set<String> = []
    return asked.filter { seen.insert($0).inserted }
  }

  /// What the plug-ins said.
  var collected: [JSON] { answers[.collect]?.value?["results"]?.array ?? [] }

  /// Whether the key of a verified person is to be tried (§9.2).
  var triesVerification: Bool {
    isApproved && !isVerificationGivenUp && challenge?.requirement.wantsVerification == true
  }
}
