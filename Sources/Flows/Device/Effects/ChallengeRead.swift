// Reads a challenge's JWT, which no log has, into what a log may have.

import Crypto
package import EventStore
import FlowRecording
import Foundation

/// The value of the draw that reads a notification.
package enum ChallengeRead {
  /// What a notification says, or which check it fails.
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

  /// SHA-256 over what must not differ in a second delivery of a transaction: nonce, enrollment, URL (§12).
  package static func fingerprint(of challenge: Challenge) -> String {
    let parts: JSON = [
      .string(challenge.transactionID), .string(challenge.nonce), .string(challenge.enrollmentID),
      .string(challenge.verificationURI),
    ]
    return Base64URL.encode(Array(SHA256.hash(data: Data(parts.bytes))))
  }
}
