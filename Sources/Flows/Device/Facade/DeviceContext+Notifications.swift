// Incoming notifications, however they arrive: there is one flow per transaction.

import EventStore
import FlowRecording
import Foundation

extension DeviceContext {
  /// Reads a notification.
  func received(
    version: JSON?, token: JSON?, keys: [String], source: String, action: String? = nil, skew: Int,
    pulledFor: String? = nil
  ) throws(DeviceAuthenticatorError) -> ChallengeSession {
    let arguments: [(String, JSON?)] = [
      ("source", .string(source)), ("payloadVersion", version), ("challenge", token),
      ("keys", .array(keys.map(JSON.string))), ("action", action.map(JSON.string)), ("skew", .int(max(0, skew))),
      ("pulledFor", pulledFor.map(JSON.string)),
    ]
    let result = desk.inOrder { deliver(arguments, ChallengeReading(version: version, challenge: token)) }
    return try result.get()
  }

  private func deliver(
    _ arguments: [(String, JSON?)], _ reading: ChallengeReading
  ) -> Result<ChallengeSession, DeviceAuthenticatorError> {
    var more: [(String, JSON?)] = []
    // A challenge that has ended is treated as after a restart, from what is stored about it: a repeated delivery is
    // not shown as verified.
    if case .challenge(let challenge) = reading, let known = desk[challenge.transactionID], known.work?.phase != .ended
    {
      // The same transaction with different claims is not a second delivery (§12).
      if known.work?.fingerprint == ChallengeRead.fingerprint(of: challenge) {
        return known.receive(arguments).map { _ in known }
      }
      more = [("conflict", true)]
    }
    let session = ChallengeSession(begin())
    let result = session.receive(arguments + more)
    if case .success = result { desk[session.challenge.transactionID] = session }
    return result.map { _ in session }
  }

  /// Creates handles for pending challenges, except for those that fail a check or were answered.
  func pulled(
    _ pending: Result<[JSON], DeviceAuthenticatorError>, for enrollment: String, skew: Int,
    _ done: @escaping @Sendable (Result<[any PushChallengeProtocol], DeviceAuthenticatorError>) -> Void
  ) {
    if let replay {
      return done(
        pending.map { list in
          replay.pull(list, for: enrollment)
          return []
        })
    }
    // Each challenge has its own flow, so it is not read within a step of this one.
    DispatchQueue.global().async { [self] in
      done(pending.map { list in list.compactMap { pulled($0, for: enrollment, skew: skew) } })
    }
  }

  /// Creates a handle for a pending challenge; `nil` if it failed a check, which its own flow reports, or was answered.
  func pulled(_ element: JSON, for enrollment: String, skew: Int) -> (any PushChallengeProtocol)? {
    let keys = (element.object?.members ?? []).map(\.key).filter(DeviceVocabulary.payloadKeys.contains)
    guard
      let session = try? received(
        version: element["payloadVersion"], token: element["challenge"], keys: keys, source: "pull", skew: skew,
        pulledFor: enrollment),
      let work = session.work, session.challenge.enrollmentID == enrollment
    else { return nil }
    switch work.phase {
    case .answeredBefore, .closing, .ended: return nil
    case .received, .parsed, .validating, .consentRequested, .claiming, .collecting, .verificationRequested,
      .verifying, .signing, .saving, .submitting, .submissionUnknown:
      return PushChallenge.make(session)
    }
  }
}
