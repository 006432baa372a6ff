import EventStore
import FlowRecording
import Foundation
import Scenarios
import Testing

@testable import IDX

/// What a limited request waits for, and for how long (idx §3.2, RFC 9110 §10.2.3).
@Suite struct RateLimitTests {
  /// Notes each wait.
  private final class Watcher: InteractionCodeFlowDelegate, Sendable {
    let waits = Locked<[Int]>([])

    func authentication<Flow>(flow: Flow, retriesAfter seconds: Int) where Flow: InteractionCodeFlow {
      waits.withLock { $0.append(seconds) }
    }
  }

  private static let date = HTTPField("Date", "Thu, 15 Jan 2026 12:00:00 GMT")

  private func identify(_ script: IDXScript) async throws -> (InteractionCodeFlow, Remediation, Watcher) {
    let flow = script.flow()
    let watcher = Watcher()
    flow.add(delegate: watcher)
    let remediation = try #require(try await flow.start().remediations[.identify])
    remediation.identifier?.value = "ann"
    return (flow, remediation, watcher)
  }

  private func limit(_ script: IDXScript, _ headers: HTTPField...) {
    script.add(["errorCode": "E0000047", "errorSummary": "too many"], status: 429, headers: headers)
  }

  @Test(
    "a limit on concurrency is waited for, each time twice as long and a little more: its reset is only a hint",
    .timeLimit(.minutes(1)))
  func concurrency() async throws {
    let script = IDXScript(ION.identify)
    let (flow, remediation, _) = try await identify(script)
    for _ in 0..<2 {
      limit(
        script, HTTPField("X-Rate-Limit-Limit", "0"), HTTPField("X-Rate-Limit-Remaining", "0"),
        HTTPField("X-Rate-Limit-Reset", "1768478400"), Self.date)
    }
    script.add(ION.challenge)
    let result = Task { try await remediation.proceed() }
    for (seconds, sent) in [(1, 3), (2, 4)] {
      await script.time.waitForTimers()
      script.time.advance(milliseconds: seconds * 1000 - 1)
      #expect(script.transport.requests.count == sent)
      script.time.advance(milliseconds: 1001)
    }
    #expect(try await result.value.remediations[.challengeAuthenticator] != nil)
    try await script.expectWhole(flow)
  }

  @Test("a Retry-After that is a date counts from the answer's own date, else from the flow's clock")
  func dates() async throws {
    let script = IDXScript(ION.identify)
    let (flow, remediation, watcher) = try await identify(script)
    limit(script, HTTPField("Retry-After", "Thu, 15 Jan 2026 12:00:10 GMT"), Self.date)
    limit(script, HTTPField("Retry-After", "Thu, 15 Jan 2026 09:00:30 GMT"))
    limit(script, HTTPField("Retry-After", "Thu, 15 Jan 2026 08:00:00 GMT"))
    script.add(ION.challenge)
    let result = Task { try await remediation.proceed() }
    for (seconds, sent) in [(10, 3), (20, 4), (1, 5)] {
      await script.time.waitForTimers()
      #expect(script.transport.requests.count == sent)
      #expect(await holdsSoon { watcher.waits.withLock { $0.last } == seconds })
      script.time.advance(milliseconds: seconds * 1000 - 1)
      #expect(script.transport.requests.count == sent)
      script.time.advance(milliseconds: 1)
    }
    #expect(try await result.value.remediations[.challengeAuthenticator] != nil)
    #expect(watcher.waits.withLock { $0 } == [10, 20, 1])
    try await script.expectWhole(flow)
  }

  @Test(
    "a wait of more than a minute is not waited: the call fails at once and says how long the org wants",
    arguments: [
      (HTTPField("Retry-After", "61"), 61), (HTTPField("Retry-After", "7200"), 7200),
      (HTTPField("Retry-After", "Thu, 15 Jan 2026 13:00:00 GMT"), 3600),
      (HTTPField("x-rate-limit-reset", "1768482000"), 3600),
    ])
  func tooLong(header: HTTPField, seconds: Int) async throws {
    let script = IDXScript(ION.identify)
    let (flow, remediation, watcher) = try await identify(script)
    limit(script, header, Self.date)
    let error = try await idxFailure { try await remediation.proceed() }
    #expect(error == .rateLimited(retryAfter: seconds))
    #expect(error.errorDescription?.contains("\(seconds) seconds") == true)
    #expect(error.details?.httpStatus == 429)
    #expect(script.time.pending == 0)
    #expect(watcher.waits.withLock { $0 } == [])
    try await script.expectWhole(flow)
  }

  @Test("one request waits for a minute in all")
  func total() async throws {
    let script = IDXScript(ION.identify)
    let (flow, remediation, watcher) = try await identify(script)
    for seconds in ["25", "30", "6"] { limit(script, HTTPField("Retry-After", seconds)) }
    let result = Task { try await remediation.proceed() }
    for seconds in [25, 30] {
      await script.time.waitForTimers()
      script.time.advance(milliseconds: seconds * 1000)
    }
    #expect(try await idxFailure { try await result.value } == .rateLimited(retryAfter: 6))
    #expect(watcher.waits.withLock { $0 } == [25, 30])
    // The next request has a minute of its own.
    limit(script, HTTPField("Retry-After", "60"))
    script.add(ION.challenge)
    let again = Task { try await remediation.proceed() }
    await script.time.waitForTimers()
    script.time.advance(milliseconds: 60_000)
    #expect(try await again.value.remediations[.challengeAuthenticator] != nil)
    try await script.expectWhole(flow)
  }

  @Test("a limited poll waits as well, and a long limit ends it with the time")
  func polls() async throws {
    let script = IDXScript(ION.polled())
    let flow = script.flow()
    let watcher = Watcher()
    flow.add(delegate: watcher)
    let pollable = try #require(try await flow.start().authenticators.current?.pollable)
    limit(script, HTTPField("Retry-After", "7"))
    limit(script, HTTPField("Retry-After", "600"))
    let result = Task { try await pollable.startPolling() }
    for milliseconds in [4000, 7000] {
      await script.time.waitForTimers()
      script.time.advance(milliseconds: milliseconds)
    }
    #expect(try await idxFailure { try await result.value } == .rateLimited(retryAfter: 600))
    #expect(watcher.waits.withLock { $0 } == [7])
    try await script.expectWhole(flow)
  }

  @Test("a limit without a time is the org's error, as before")
  func noTime() async throws {
    let script = IDXScript(ION.identify)
    let (_, remediation, _) = try await identify(script)
    limit(script, HTTPField("Retry-After", "soon"))
    guard case .apiError(let error) = try await idxFailure({ try await remediation.proceed() }) else {
      throw ShouldHaveFailed()
    }
    #expect(error.httpStatus == 429)
  }
}
