import EventStore
import FlowRecording
import Foundation
import Testing

@testable import Authn

/// What an org says of how long to wait: `Retry-After`, which may be a date (RFC 9110 §10.2.3), and `X-Rate-Limit-Reset`.
@Suite struct RateLimitTests {
  /// What an org sends beside its date, 10:00:00, and the seconds to wait.
  private static let waits: [([HTTPField], Int)] = [
    ([HTTPField("Retry-After", "Thu, 15 Jan 2026 10:00:42 GMT")], 42),
    (
      [
        HTTPField("X-Rate-Limit-Limit", "600"), HTTPField("X-Rate-Limit-Remaining", "0"),
        HTTPField("X-Rate-Limit-Reset", "1768471217"),
      ], 17
    ),
  ]

  @Test(
    "what a person typed is never sent again by itself: a rate limit is reported, with the wait on the org's clock",
    arguments: waits)
  func typedIsNotRetried(headers: [HTTPField], seconds: Int) async throws {
    let limit: JSON = ["errorCode": "E0000047", "errorSummary": "Too many requests"]
    let limited = HTTPResponse(
      status: 429, headers: [HTTPField("Date", "Thu, 15 Jan 2026 10:00:00 GMT")] + headers, body: limit.bytes)
    let script = Script([Script.answer(Wire.waiting()), .respond(with: limited)])
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    let error = try await failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: "1", answerToSecurityQuestion: nil)
    }
    guard case .serverRespondedWithError(let response) = error else { throw error }
    #expect(response.retryAfterSeconds == seconds)
    #expect(response.httpStatus == 429)
    #expect(script.time.pending == 0)
    #expect(script.transport.requests.count == 2)
    try await script.expectWhole(challenge)
  }

  /// A limit whose end is a date, 42 seconds after `Stage.start`, in an answer without a date of its own.
  private static let undated = HTTPResponse(
    status: 429, headers: [HTTPField("Retry-After", "Thu, 15 Jan 2026 09:00:42 GMT")],
    body: (["errorCode": "E0000047", "errorSummary": "Too many requests"] as JSON).bytes)

  @Test("without a date of the org, a `Retry-After` date counts from the time of the answer")
  func noDate() async throws {
    let script = Script([Script.answer(Wire.waiting()), .respond(with: Self.undated)])
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    let error = try await failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: "1", answerToSecurityQuestion: nil)
    }
    guard case .serverRespondedWithError(let response) = error else { throw error }
    #expect(response.retryAfterSeconds == 42)
    try await script.expectWhole(challenge)
  }

  @Test("and so it does for a poll")
  func noDateWhilePolling() async throws {
    let script = Script([
      Script.answer(Wire.waiting()), .respond(with: Self.undated), Script.answer(Wire.success),
    ])
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    let firing = script.firing(42_000)
    defer { firing.cancel() }
    #expect(try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil).statusType == .success)
    #expect(script.waits(of: challenge) == [42_000])
    try await script.expectWhole(challenge)
  }

  @Test(
    "a rate-limit header of any number waits a sane time or none, and does not trap",
    arguments: ["-9223372036854775808", "9223372036854775807", "0", "-1", "x", ""])
  func rateLimitOverflow(reset: String) {
    let response = ResponseReceived(
      status: 429,
      headers: [
        HTTPField("Date", "Thu, 15 Jan 2026 09:00:00 GMT"), HTTPField("X-Rate-Limit-Limit", "10"),
        HTTPField("X-Rate-Limit-Reset", reset),
      ], body: .empty)
    if let wait = RateLimit(response, at: nil).waitSeconds { #expect((1...3600).contains(wait)) }
  }
}
