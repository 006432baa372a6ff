// Reads a challenge's JWT, which is never logged, and returns the parts that may be logged.

import Crypto
package import EventStore
import FlowRecording
import Foundation

/// Computes the value of the draw that reads a notification.
package enum ChallengeRead {
  /// Returns the contents of a notification, or the check that failed.
  package static func value(of input: JSON) -> JSON {
    switch ChallengeReading(version: input["payloadVersion"], challenge: input["challenge"]) {
    case .challenge(let challenge):
      [
        "header": challenge.header, "claims": challenge.claims,
        "fingerprint": .string(fingerprint(of: challenge)),
      ]
    case .failure(let failure, let readable):
      [
        "check": .string(failure.check), "error": .string(failure.kind.rawValue), "message": .string(failure.message),
        "claims": readable,
      ]
    }
  }

  /// SHA-256 over the claims that must be the same in every delivery of a transaction: nonce, enrollment, and URL
  /// (§12).
  package static func fingerprint(of challenge: Challenge) -> String {
    let parts: JSON = [
      .string(challenge.transactionID), .string(challenge.nonce), .string(challenge.enrollmentID),
      .string(challenge.verificationURI),
    ]
    return Base64URL.encode(Array(SHA256.hash(data: Data(parts.bytes))))
  }
}
