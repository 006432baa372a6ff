// What becomes of a challenge (spec/device.md §17.2).

package import EventStore
import FlowRecording

/// `challenge.received`: a notification was handed in, or pulled.
package struct ChallengeReceived: DevicePayload {
  package static let type = "challenge.received"
  package static let needsBarrier = false
  package static let required = ["source"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `challenge.parsed`: it is a challenge for an enrollment that is stored. Nothing of it is verified.
package struct ChallengeParsed: DevicePayload {
  package static let type = "challenge.parsed"
  package static let needsBarrier = true
  package static let required = ["transactionId"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `challenge.rejected`: a check failed; the check's id says which.
package struct ChallengeRejected: DevicePayload {
  package static let type = "challenge.rejected"
  package static let needsBarrier = true
  package static let required = ["check", "error", "message"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `challenge.duplicated`: it came again, or was to be resolved again.
package struct ChallengeDuplicated: DevicePayload {
  package static let type = "challenge.duplicated"
  package static let needsBarrier = true
  package static let required = ["transactionId"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `challenge.verified`: the org signed it, and it is for this enrollment.
package struct ChallengeVerified: DevicePayload {
  package static let type = "challenge.verified"
  package static let needsBarrier = true
  package static let required = ["transactionId", "issuer"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `challenge.resolved`: the org took the answer.
package struct ChallengeResolved: DevicePayload {
  package static let type = "challenge.resolved"
  package static let needsBarrier = true
  package static let required = ["transactionId", "outcome"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `challenge.failed`: it ended without an answer that the org took.
package struct ChallengeFailed: DevicePayload {
  package static let type = "challenge.failed"
  package static let needsBarrier = true
  package static let required = ["transactionId", "error", "stage"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `challenge.expired`: its time ran out.
package struct ChallengeExpired: DevicePayload {
  package static let type = "challenge.expired"
  package static let needsBarrier = true
  package static let required = ["transactionId", "stage"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `consent.requested`: the person is asked. The step goes to the application.
package struct ConsentRequested: DevicePayload {
  package static let type = "consent.requested"
  package static let needsBarrier = true
  package static let required = ["transactionId", "transactionType"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `consent.given`: the person answered, or a button of the notification did.
package struct ConsentGiven: DevicePayload {
  package static let type = "consent.given"
  package static let needsBarrier = true
  package static let required = ["transactionId", "answer", "by"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `verification.requested`: the person is to be verified. The step goes to the application.
package struct VerificationRequested: DevicePayload {
  package static let type = "verification.requested"
  package static let needsBarrier = true
  package static let required = ["transactionId", "kid"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `verification.completed`: how the verification of the person ended.
package struct VerificationCompleted: DevicePayload {
  package static let type = "verification.completed"
  package static let needsBarrier = true
  package static let required = ["transactionId", "outcome"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `signals.collected`: what of the device the answer says; names only.
package struct SignalsCollected: DevicePayload {
  package static let type = "signals.collected"
  package static let needsBarrier = false
  package static let required = ["transactionId", "given"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `response.signed`: the answer is signed; it stands as a placeholder.
package struct ResponseSigned: DevicePayload {
  package static let type = "response.signed"
  package static let needsBarrier = true
  package static let required = ["transactionId", "keyType", "kid", "consent", "jti", "exp", "response"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `submission.unknown`: the answer was sent, and whether the org took it is not known.
package struct SubmissionUnknown: DevicePayload {
  package static let type = "submission.unknown"
  package static let needsBarrier = true
  package static let required = ["transactionId", "attempt"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `submission.retried`: the same answer is sent again.
package struct SubmissionRetried: DevicePayload {
  package static let type = "submission.retried"
  package static let needsBarrier = true
  package static let required = ["transactionId", "attempt", "jti"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `step.ignored`: a step was answered twice, or too late.
package struct StepIgnored: DevicePayload {
  package static let type = "step.ignored"
  package static let needsBarrier = false
  package static let required = ["transactionId", "step", "stage"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `challenges.pulled`: pending challenges were fetched.
package struct ChallengesPulled: DevicePayload {
  package static let type = "challenges.pulled"
  package static let needsBarrier = true
  package static let required = ["enrollmentId", "count"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}
