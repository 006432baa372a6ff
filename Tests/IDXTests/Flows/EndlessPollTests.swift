import EventStore
import FlowRecording
import Foundation
import Scenarios
import Testing

@testable import IDX

/// Polling ends, whoever still waits for it (idx §10).
@Suite struct EndlessPollTests {
  /// A response that is polled, with another end of the transaction.
  private func polled(until end: JSON?, refresh: Int = 4000) -> JSON {
    guard case .object(var object) = ION.polled(refresh: refresh) else { return .null }
    object["expiresAt"] = end
    return .object(object)
  }

  /// A script whose first answer says what time it is at the org: the same as here.
  private var script: IDXScript {
    IDXScript([
      IDXScript.answer(
        ["interaction_handle": .string(IDXScript.interactionHandle)],
        headers: [HTTPField("Date", "Thu, 15 Jan 2026 09:00:00 GMT")])
    ])
  }

  /// Fires timers until none comes any more; the intervals, in milliseconds.
  private func intervals(_ script: IDXScript, while isPolling: () -> Bool, limit: Int = 5000) async -> [Int] {
    var intervals: [Int] = []
    while intervals.count < limit, await holdsSoon({ script.time.pending > 0 || !isPolling() }), isPolling() {
      guard let next = script.time.untilNextTimer else { break }
      intervals.append(next)
      script.time.advance(milliseconds: next)
      // The answer is taken on another thread: either it sets the next timer or it ends the poll.
    }
    return intervals
  }

  @Test("a transaction is polled until it ends, and no longer")
  func expiry() async throws {
    let script = script
    for _ in 0..<3 { script.add(polled(until: "2026-01-15T09:00:10.000Z")) }
    let flow = script.flow()
    let pollable = try #require(try await flow.start().authenticators.current?.pollable)
    let result = Task { try await pollable.startPolling() }
    for _ in 0..<3 {
      await script.time.waitForTimers()
      script.time.advance(milliseconds: 4000)
    }
    #expect(try await idxFailure { try await result.value } == .transactionExpired)
    #expect(script.transport.requests.count == 4)
    #expect(script.time.pending == 0)
    try await script.expectWhole(flow)
  }

  @Test("an org cannot make a flow poll or record on and on: past its limits nothing is sent, and the call says why")
  func limits() async throws {
    for limits in [FlowLimits(requests: 6), FlowLimits(recordedBytes: 24_000)] {
      var script = script
      script.environment.limits = limits
      script.transport.add(.respond(with: HTTPResponse(status: 200, body: polled(until: nil).bytes), uses: 500))
      let flow = script.flow()
      let pollable = try #require(try await flow.start().authenticators.current?.pollable)
      let firing = script.firing(4000)
      defer { firing.cancel() }
      guard case .internalError(let failure) = try await idxFailure({ try await pollable.startPolling() }) else {
        throw ShouldHaveFailed()
      }
      #expect(failure.code == .limitReached)
      #expect((5...8).contains(script.transport.requests.count), "\(script.transport.requests.count)")
      try await script.expectWhole(flow)
      // A new sign-in has its limits to itself.
      script.add(["interaction_handle": .string(IDXScript.interactionHandle)])
      _ = try? await flow.start()
      #expect(script.transport.requests.count > 6)
    }
  }

  @Test("the end is one of the org's clock, and the latest answer says when it is")
  func orgClock() async throws {
    let handle: JSON = ["interaction_handle": .string(IDXScript.interactionHandle)]
    let script = IDXScript([IDXScript.answer(handle)])
    // The org is an hour ahead.
    script.add(
      polled(until: "2026-01-15T10:00:06.000Z"), headers: [HTTPField("Date", "Thu, 15 Jan 2026 10:00:00 GMT")])
    script.add(
      polled(until: "2026-01-15T10:00:14.000Z"), headers: [HTTPField("Date", "Thu, 15 Jan 2026 10:00:04 GMT")])
    script.add(ION.success())
    let flow = script.flow()
    let pollable = try #require(try await flow.start().authenticators.current?.pollable)
    let firing = script.firing(4000)
    #expect(try await pollable.startPolling().isLoginSuccessful)
    firing.cancel()
    try await script.expectWhole(flow)
  }

  @Test("where the org's clock is not known, its times end nothing")
  func unknownClock() async throws {
    let script = IDXScript(polled(until: "2020-01-15T09:00:00.000Z"), ION.success())
    let flow = script.flow()
    let pollable = try #require(try await flow.start().authenticators.current?.pollable)
    let firing = script.firing()
    #expect(try await pollable.startPolling().isLoginSuccessful)
    firing.cancel()
    try await script.expectWhole(flow)
  }

  @Test("after everything was let go, polling goes on until the transaction ends, and then the flow ends too")
  func letGo() async throws {
    let script = script
    for _ in 0..<21 { script.add(polled(until: "2026-01-15T09:01:00.000Z")) }
    let errors = Locked<[InteractionCodeFlowError]>([])
    func begin() async throws -> String {
      let response = try await script.flow().start()
      let pollable = try #require(response.authenticators.current?.pollable)
      pollable.startPolling { (result: Result<Response, InteractionCodeFlowError>) in
        if case .failure(let error) = result { errors.withLock { $0.append(error) } }
      }
      return response.origin.session.flow.stream
    }
    let stream = try await begin()
    for _ in 0..<15 {
      await script.time.waitForTimers()
      script.time.advance(milliseconds: 4000)
    }
    #expect(
      await holdsSoon {
        script.recorder.records(of: stream).last?.event == .flowEnded(FlowEnded(outcome: "failed"))
      })
    #expect(errors.withLock { $0 } == [.transactionExpired])
    #expect(script.transport.requests.count == 16)
    #expect(script.time.pending == 0)
  }

  @Test(
    "polling becomes rarer after ten minutes, once a minute at the end, and stops after an hour if no end is known or it is far off",
    arguments: [nil, "2026-02-15T09:00:00.000Z"] as [JSON?])
  func rarer(end: JSON?) async throws {
    let script = script
    script.add(polled(until: end))
    script.transport.add(.respond(with: HTTPResponse(status: 200, body: polled(until: end).bytes), uses: 5000))
    let flow = script.flow()
    let pollable = try #require(try await flow.start().authenticators.current?.pollable)
    let isOver = Locked(false)
    let result = Task {
      defer { isOver.withLock { $0 = true } }
      return try await pollable.startPolling()
    }
    let intervals = await intervals(script) { !isOver.withLock { $0 } }
    #expect(try await idxFailure { try await result.value } == .transactionExpired)
    #expect(intervals.prefix(150).allSatisfy { $0 == 4000 })
    #expect(Array(Set(intervals)).sorted() == [4000, 8000, 16_000, 32_000, 60_000])
    #expect(intervals == intervals.sorted())
    #expect((3_600_000...3_660_000).contains(intervals.reduce(0, +)))
    try await script.expectWhole(flow)
  }
}
