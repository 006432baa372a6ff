import EventStore
import FlowRecording
import Foundation
import Scenarios
import Testing

@testable import IDX

/// Polling (idx §10): when, with what, and when no more.
@Suite(.timeLimit(.minutes(5))) struct IDXPollingTests {
  private func polling(_ script: IDXScript, _ flow: InteractionCodeFlow) async throws -> Capability.Pollable {
    let response = try await flow.start()
    return try #require(response.authenticators.current?.pollable)
  }

  @Test("it waits one interval before each poll, and takes the interval of the latest answer")
  func intervals() async throws {
    let script = IDXScript(ION.polled(), ION.polled(refresh: 1000), ION.polled(refresh: nil), ION.success())
    let flow = script.flow()
    let pollable = try await polling(script, flow)
    let result = Task { try await pollable.startPolling() }
    for (interval, sent) in [(4000, 2), (1000, 3), (5000, 4)] {
      await script.time.waitForTimers()
      #expect(script.transport.requests.count == sent)
      #expect(pollable.isPolling)
      #expect(script.time.untilNextTimer == interval)
      script.time.advance(milliseconds: interval - 1)
      #expect(script.transport.requests.count == sent)
      script.time.advance(milliseconds: 1)
      #expect(await script.transport.requests(atLeast: sent + 1).count == sent + 1)
      #expect(script.transport.requests.last?.url.hasSuffix("/challenge/poll") == true)
    }
    #expect(try await result.value.isLoginSuccessful)
    #expect(!pollable.isPolling)
    #expect(try script.lastBody == ["stateHandle": .string(ION.stateHandle)])
    try await script.expectWhole(flow)
  }

  @Test(
    "a lost network does not end it",
    arguments: [.connectionLost, .cannotConnect, .cannotResolveHost, .timedOut] as [TransportError.Code])
  func lostNetwork(code: TransportError.Code) async throws {
    let script = IDXScript(ION.polled())
    let flow = script.flow()
    let pollable = try await polling(script, flow)
    script.fail(code)
    script.fail(code)
    script.add(ION.success())
    let firing = script.firing()
    let response = try await pollable.startPolling()
    firing.cancel()
    #expect(response.isLoginSuccessful)
    #expect(script.transport.requests.count == 5)
    try await script.expectWhole(flow)
  }

  @Test("other failures end it, and are reported")
  func otherFailure() async throws {
    let script = IDXScript(ION.polled())
    let flow = script.flow()
    let pollable = try await polling(script, flow)
    script.fail(.tlsFailed)
    let firing = script.firing()
    let error = try await idxFailure { try await pollable.startPolling() }
    firing.cancel()
    guard case .internalError(let failure) = error else { return #expect(Bool(false), "\(error)") }
    #expect(failure.code == .tlsFailed)
    try await script.expectWhole(flow)
  }

  @Test("stopPolling: no request after it, and a late answer is not delivered")
  func stop() async throws {
    let hold = ScriptedTransport.Hold()
    let script = IDXScript(ION.polled())
    let flow = script.flow()
    let pollable = try await polling(script, flow)
    script.add(ION.success(), hold: hold)
    let result = Task { try await pollable.startPolling() }
    await script.time.waitForTimers()
    script.time.advance(milliseconds: 4000)
    _ = await script.transport.requests(atLeast: 3)
    pollable.stopPolling()
    #expect(!pollable.isPolling)
    await #expect(throws: CancellationError.self) { try await result.value }
    hold.release()
    script.time.advance(milliseconds: 60_000)
    #expect(script.transport.requests.count == 3)
    #expect(script.time.pending == 0)
    try await script.expectWhole(flow)
  }

  @Test("the end of the task stops it within the interval")
  func cancelled() async throws {
    let script = IDXScript(ION.polled())
    let flow = script.flow()
    let pollable = try await polling(script, flow)
    let result = Task { try await pollable.startPolling() }
    await script.time.waitForTimers()
    result.cancel()
    await #expect(throws: CancellationError.self) { try await result.value }
    script.time.advance(milliseconds: 60_000)
    #expect(script.transport.requests.count == 2)
    #expect(script.time.pending == 0)
    try await script.expectWhole(flow)
  }

  @Test("starting again ends the previous round; another request ends polling")
  func replaced() async throws {
    let script = IDXScript(ION.polled(), ION.success())
    let flow = script.flow()
    let response = try await flow.start()
    let pollable = try #require(response.authenticators.current?.pollable)
    let first = Task { try await pollable.startPolling() }
    await script.time.waitForTimers()
    let second = Task { try await pollable.startPolling() }
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(pollable.isPolling)
    let answer = try #require(response.remediations[.challengeAuthenticator])
    answer["credentials.passcode"]?.value = "123456"
    let next = try await answer.proceed()
    #expect(next.isLoginSuccessful)
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(script.time.pending == 0)
    try await script.expectWhole(flow)
  }

  @Test("started again while a poll is in progress: one round of polls continues, and the late answer is recorded")
  func oneRound() async throws {
    let hold = ScriptedTransport.Hold()
    let script = IDXScript(ION.polled())
    let flow = script.flow()
    let pollable = try await polling(script, flow)
    script.add(ION.polled(), hold: hold)
    script.add(ION.success())
    let first = Task { try await pollable.startPolling() }
    await script.time.waitForTimers()
    script.time.advance(milliseconds: 4000)
    _ = await script.transport.requests(atLeast: 3)
    let second = Task { try await pollable.startPolling() }
    await script.time.waitForTimers()
    hold.release()
    await script.wait(for: "response.received", 3, of: flow)
    #expect(script.time.pending == 1)
    // Only now, so that a round that was not ended does not keep the test waiting.
    #expect(script.recorder.records(of: flow.flowID).contains { $0.event.data["outcome"] == "cancelled" })
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    script.time.advance(milliseconds: 4000)
    #expect(try await second.value.isLoginSuccessful)
    #expect(script.transport.requests.count == 4 && script.time.pending == 0)
    try await script.expectWhole(flow)
  }

  @Test("a timer that fires after polling was started again is recorded, and changes nothing")
  func staleTimer() async throws {
    var script = IDXScript(ION.polled(), ION.success())
    script.environment.timers = LateTimers(script.time)
    let flow = script.flow()
    let pollable = try await polling(script, flow)
    let first = Task { try await pollable.startPolling() }
    await script.time.waitForTimers()
    script.time.advance(milliseconds: 1000)
    let second = Task { try await pollable.startPolling() }
    await #expect(throws: CancellationError.self) { try await first.value }
    await script.time.waitForTimers(2)
    script.time.advance(milliseconds: 3000)
    await script.wait(for: "timer.fired", 1, of: flow)
    #expect(script.transport.requests.count == 2)
    script.time.advance(milliseconds: 1000)
    #expect(try await second.value.isLoginSuccessful)
    #expect(script.transport.requests.count == 3)
    try await script.expectWhole(flow)
  }

  @Test("a remediation is polled for as long as one of its name is offered")
  func remediation() async throws {
    let poll = ION.response([ION.form("challenge-poll", "authenticators/poll", [], [("refresh", 500)])])
    let script = IDXScript(poll, poll, poll, ION.challenge)
    let flow = script.flow()
    let response = try await flow.start()
    let firing = script.firing(500)
    let next = try await #require(response.remediations[.challengePoll]?.pollable).startPolling()
    firing.cancel()
    #expect(next.remediations[.challengeAuthenticator] != nil)
    #expect(script.transport.requests.count == 5)
    try await script.expectWhole(flow)
  }

  @Test(
    "an interval of zero, below or tiny is half a second", arguments: ["0", "-5000", "1", "0.0001", "499", "1e-30"])
  func tinyInterval(refresh: String) async throws {
    let poll = ION.response([ION.form("challenge-poll", "authenticators/poll", [], [("refresh", .number(refresh))])])
    let script = IDXScript(poll, poll, ION.success())
    let flow = script.flow()
    let response = try await flow.start()
    let pollable = try #require(response.remediations[.challengePoll]?.pollable)
    let result = Task { try await pollable.startPolling() }
    for sent in [2, 3] {
      await script.time.waitForTimers()
      #expect(script.time.untilNextTimer == 500)
      script.time.advance(milliseconds: 499)
      #expect(script.transport.requests.count == sent)
      script.time.advance(milliseconds: 1)
      #expect(await script.transport.requests(atLeast: sent + 1).count == sent + 1)
    }
    #expect(try await result.value.isLoginSuccessful)
    try await script.expectWhole(flow)
  }

  @Test("authorization_pending goes on, slow_down goes on five seconds slower")
  func slowDown() async throws {
    let script = IDXScript(ION.polled(refresh: 1000))
    let flow = script.flow()
    let pollable = try await polling(script, flow)
    script.add(["error": "authorization_pending"], status: 400)
    script.add(["error": "slow_down"], status: 400)
    script.add(ION.success())
    let result = Task { try await pollable.startPolling() }
    for (interval, sent) in [(1000, 3), (1000, 4), (6000, 5)] {
      await script.time.waitForTimers()
      #expect(script.time.untilNextTimer == interval)
      script.time.advance(milliseconds: interval - 1)
      #expect(script.transport.requests.count == sent - 1)
      script.time.advance(milliseconds: 1)
      #expect(await script.transport.requests(atLeast: sent).count == sent)
    }
    #expect(try await result.value.isLoginSuccessful)
    try await script.expectWhole(flow)
  }

  @Test("a limited poll waits as the org asks, three times at most, and says that it is a retry")
  func limited() async throws {
    let script = IDXScript(ION.polled())
    let flow = script.flow()
    let pollable = try await polling(script, flow)
    let headers = [
      HTTPField("x-rate-limit-limit", "10"), HTTPField("x-rate-limit-remaining", "0"),
      HTTPField("x-rate-limit-reset", "1768467607"), HTTPField("Date", "Thu, 15 Jan 2026 09:00:00 GMT"),
      HTTPField("x-okta-request-id", "reqid-1"),
    ]
    for _ in 0..<4 { script.add(["errorCode": "E0000047", "errorSummary": "too many"], status: 429, headers: headers) }
    let result = Task { try await pollable.startPolling() }
    for interval in [4000, 7000, 7000, 7000] {
      await script.time.waitForTimers()
      #expect(script.time.untilNextTimer == interval)
      script.time.advance(milliseconds: interval - 1)
      script.time.advance(milliseconds: 1)
    }
    #expect(try await idxFailure { try await result.value } == .rateLimited(retryAfter: 7))
    #expect(script.transport.requests.count == 6)
    let counts = script.transport.requests.map { request in
      request.headers.first { $0.name == "X-Okta-Retry-Count" }?.value
    }
    #expect(counts == [nil, nil, nil, "1", "2", "3"])
    #expect(script.transport.requests.last?.headers.first { $0.name == "X-Okta-Retry-For" }?.value == "reqid-1")
    try await script.expectWhole(flow)
  }
}

extension IDXScript {
  /// Waits until the flow has that many records of a type.
  fileprivate func wait(for type: String, _ count: Int, of flow: InteractionCodeFlow) async {
    while recorder.records(of: flow.flowID).count(where: { $0.event.type == type }) < count { await Task.yield() }
  }
}
