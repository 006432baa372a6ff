import EventStore
import FlowRecording
import Foundation
import Testing

@testable import Authn

/// `Retry-After` may be a date (RFC 9110 §10.2.3).
@Suite struct RetryAfterDateTests {
  @Test("a Retry-After that is a date is told as seconds, on the org's clock")
  func date() async throws {
    let limit: JSON = ["errorCode": "E0000047", "errorSummary": "Too many requests"]
    let limited = HTTPResponse(
      status: 429,
      headers: [
        HTTPField("Date", "Thu, 15 Jan 2026 10:00:00 GMT"), HTTPField("Retry-After", "Thu, 15 Jan 2026 10:00:42 GMT"),
      ], body: limit.bytes)
    let script = Script([Script.answer(Wire.waiting()), .respond(with: limited)])
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    let error = try await failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: "1", answerToSecurityQuestion: nil)
    }
    guard case .serverRespondedWithError(let response) = error else { throw error }
    #expect(response.retryAfterSeconds == 42)
    try await script.expectWhole(challenge)
  }
}
