import EventStore
import FlowRecording
import Foundation
import Scenarios
import Testing

@testable import Authn

/// What starts polling and what ends it (authn §14).
@Suite struct PollingTests {
  @Test("the first waiting answer is a change of status: polling starts when the application asks")
  func firstWaiting() async throws {
    let script = Script(Wire.waiting())
    let _: OktaAuthStatusFactorChallenge = try await script.status()
    #expect(script.time.pending == 0)
  }

  @Test("polls report each result, wait from the end of the last, and end with the status that follows")
  func polls() async throws {
    let script = Script(Wire.waiting(), Wire.waiting(), Wire.waiting(token: "state-token-2"), Wire.success)
    let challenge: OktaAuthStatusFactorChallenge = try await script.status(
      handler: OktaAuthStatusResponseHandler(pollInterval: 2))
    let firing = script.firing(2000)
    defer { firing.cancel() }
    let results = Locked<[OktaAPISuccessResponse.FactorResult]>([])
    let shown = Locked(0)
    let last = try await challenge.verifyFactor(
      passCode: nil, answerToSecurityQuestion: nil,
      onFactorStatusUpdate: { result in results.withLock { $0.append(result) } },
      onWaitingStatus: { _ in shown.withLock { $0 += 1 } })
    #expect(last.statusType == .success)
    #expect(results.withLock { $0 } == [.waiting, .waiting])
    #expect(shown.withLock { $0 } == 2)
    // The newest token is sent.
    #expect(try script.lastBody["stateToken"] == "state-token-2")
    #expect(script.waits(of: challenge) == [2000, 2000])
    try await script.expectWhole(challenge)
  }

  @Test(
    "a result that is not waiting ends polling with a status of the same kind",
    arguments: [
      "REJECTED", "TIMEOUT", "CANCELLED", "ERROR", "SOMETHING_NEW",
    ])
  func ends(result: String) async throws {
    var ended = Wire.waiting()
    if case .object(var object) = ended {
      object["factorResult"] = .string(result)
      ended = .object(object)
    }
    let script = Script(Wire.waiting(), Wire.waiting(), ended)
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    let firing = script.firing()
    defer { firing.cancel() }
    let last = try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    #expect((last as? OktaAuthStatusFactorChallenge)?.factorResult?.raw == result)
    #expect(script.time.pending == 0)
    try await script.expectWhole(challenge)
  }

  @Test("what is missing while polling is reported as a wrong status")
  func missing() async throws {
    for (member, text) in [("stateToken", "stateToken"), ("_links", "next")] {
      var broken = Wire.waiting()
      if case .object(var object) = broken {
        object[member] = nil
        broken = .object(object)
      }
      let script = Script(Wire.waiting(), broken)
      let challenge: OktaAuthStatusFactorChallenge = try await script.status()
      let error = try await failure { () async throws(OktaError) in
        try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
      }
      guard case .wrongStatus(let reason) = error else {
        Issue.record("\(error)")
        continue
      }
      #expect(reason.contains(text))
      try await script.expectWhole(challenge)
    }
  }

  @Test("any other operation stops polling; no poll of the left state follows, and its closures stay silent")
  func yields() async throws {
    let required = Wire.required(Wire.factor("push", links: [("verify", Wire.link("/factors/fct1/verify"))]))
    let script = Script(Wire.waiting(), Wire.waiting(), required)
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    async let polling = failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    }
    await script.time.waitForTimers()
    let back = try await challenge.returnToPreviousStatus()
    #expect(back.statusType == .MFARequired)
    guard case .cancelled = try await polling else { throw ShouldHaveFailed() }
    script.time.advance(milliseconds: 60_000)
    #expect(script.transport.requests.count == 3)
    try await script.expectWhole(back)
  }

  @Test("a timer that fires after polling was started again is recorded, and changes nothing")
  func staleTimer() async throws {
    var script = Script(Wire.waiting(), Wire.waiting(), Wire.waiting(), Wire.success)
    script.environment.timers = LateTimers(script.time)
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    async let first = failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    }
    await script.time.waitForTimers()
    script.time.advance(milliseconds: 1000)
    async let second = challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    guard case .cancelled = try await first else { throw ShouldHaveFailed() }
    await script.time.waitForTimers(2)
    #expect(script.transport.requests.count == 3)
    script.time.advance(milliseconds: 4000)
    while !script.recorder.records(of: challenge.flowID).contains(where: { $0.event.type == "timer.fired" }) {
      await Task.yield()
    }
    #expect(script.transport.requests.count == 3)
    script.time.advance(milliseconds: 1000)
    #expect(try await second.statusType == .success)
    #expect(script.transport.requests.count == 4)
    try await script.expectWhole(challenge)
  }

  @Test("started again while a poll is in progress: one round of polls continues, and the late answer is recorded")
  func oneRound() async throws {
    let hold = ScriptedTransport.Hold()
    let script = Script([
      Script.answer(Wire.waiting()), Script.answer(Wire.waiting(), hold: hold), Script.answer(Wire.waiting()),
      Script.answer(Wire.success),
    ])
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    let first = Task {
      try await failure { () async throws(OktaError) in
        try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
      }
    }
    _ = await script.transport.requests(atLeast: 2)
    let second = Task { try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil) }
    hold.release()
    await script.time.waitForTimers()
    while script.recorder.records(of: challenge.flowID).count(where: { $0.event.type == "response.received" }) < 3 {
      await Task.yield()
    }
    // A timer starts after the records of its step are there.
    await script.time.waitForTimers()
    #expect(script.time.pending == 1)
    // Only now, so that a round that was not ended does not keep the test waiting.
    #expect(script.recorder.records(of: challenge.flowID).contains { $0.event.data["outcome"] == "cancelled" })
    first.cancel()
    guard case .cancelled = try await first.value else { throw ShouldHaveFailed() }
    script.time.advance(milliseconds: 5000)
    #expect(try await second.value.statusType == .success)
    #expect(script.transport.requests.count == 4 && script.time.pending == 0)
    try await script.expectWhole(challenge)
  }

  @Test("cancel counts from the moment of the call: a poll in flight is recorded and not delivered")
  func cancelInFlight() async throws {
    let hold = ScriptedTransport.Hold()
    let script = Script([
      Script.answer(Wire.waiting()), Script.answer(Wire.waiting(), hold: hold), Script.answer([:]),
    ])
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    let heard = Locked<[String]>([])
    challenge.verifyFactor(
      passCode: nil, answerToSecurityQuestion: nil, onStatusChange: { _ in heard.withLock { $0.append("S") } },
      onError: { _ in heard.withLock { $0.append("E") } },
      onFactorStatusUpdate: { _ in heard.withLock { $0.append("F") } })
    _ = await script.transport.requests(atLeast: 2)
    try await challenge.cancel()
    hold.release()
    // The transport completes on one queue: what was held has arrived once this has.
    _ = try? await script.begin().authenticate(username: "ann", password: "x")
    script.time.advance(milliseconds: 60_000)
    #expect(heard.withLock { $0 } == [])
    #expect(
      script.recorder.records(of: challenge.flowID).contains { record in
        if case .flowEnded(let end) = record.event { end.outcome == "cancelled" } else { false }
      })
    #expect(script.time.pending == 0)
    try await script.expectWhole(challenge)
  }

  @Test("a cancel that fails reports it, and polling stays stopped")
  func cancelFails() async throws {
    let script = Script([
      Script.answer(Wire.waiting()), Script.answer(Wire.waiting()),
      Script.answer(["errorCode": "E0000009", "errorSummary": "Internal"], status: 500),
    ])
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    async let polling = failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    }
    await script.time.waitForTimers()
    let error = try await failure { () async throws(OktaError) in try await challenge.cancel() }
    guard case .serverRespondedWithError = error else { throw error }
    guard case .cancelled = try await polling else { throw ShouldHaveFailed() }
    #expect(script.time.pending == 0)
    try await script.expectWhole(challenge)
  }

  @Test("resending a waiting push continues to poll without reporting results")
  func resendIsSilent() async throws {
    let script = Script(Wire.waiting(), Wire.waiting(), Wire.waiting(), Wire.success)
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    let firing = script.firing()
    defer { firing.cancel() }
    #expect(try await challenge.resendFactor().statusType == .success)
    #expect(
      script.transport.requests.map { String($0.url.split(separator: "/").last ?? "") } == [
        "authn", "resend", "verify", "verify",
      ])
    try await script.expectWhole(challenge)
  }

  @Test("flags for the device go along with every poll, in a stable order, beside what the link has")
  func queries() async throws {
    var waiting = Wire.waiting()
    if case .object(var object) = waiting {
      object["_links"] = ["next": Wire.link("/factors/fct1/verify?kept=1", name: "poll")]
      waiting = .object(object)
    }
    let script = Script(waiting, waiting, Wire.success)
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    let firing = script.firing()
    defer { firing.cancel() }
    _ = try await challenge.verifyFactor(
      passCode: nil, answerToSecurityQuestion: nil, rememberDevice: true, autoPush: false)
    let url = Script.factorURL + "/fct1/verify?kept=1&autoPush=false&rememberDevice=true"
    #expect(script.transport.requests.map(\.url).dropFirst() == [url, url])
    try await script.expectWhole(challenge)
  }

  @Test("cancelling the task stops polling, and the transaction can go on")
  func taskCancelled() async throws {
    let script = Script(Wire.waiting(), Wire.waiting(), Wire.success)
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    let polling = Task {
      try await failure { () async throws(OktaError) in
        try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
      }
    }
    await script.time.waitForTimers()
    polling.cancel()
    guard case .cancelled = try await polling.value else { throw ShouldHaveFailed() }
    #expect(script.time.pending == 0)
    #expect(try await challenge.verifyFactor(passCode: "1", answerToSecurityQuestion: nil).statusType == .success)
    try await script.expectWhole(challenge)
  }

  @Test("what sends a new push, or a code, is not sent again by itself", arguments: ["REJECTED", "code"])
  func sendingIsNotRetried(kind: String) async throws {
    var offered = Wire.waiting()
    if kind == "REJECTED", case .object(var object) = offered {
      object["factorResult"] = "REJECTED"
      offered = .object(object)
    }
    let lost = ScriptedTransport.Answer.fail(with: TransportError(.connectionLost, "lost"), uses: 9)
    let script = Script([Script.answer(offered), lost])
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    let error = try await failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: kind == "code" ? "1" : nil, answerToSecurityQuestion: nil)
    }
    guard case .connectionError = error else { throw error }
    #expect(script.transport.requests.count == 2)
  }

  @Test("an activation link is sent beside the polling, which goes on: the closures of `activate` still come")
  func activationLink() async throws {
    let script = Script(Wire.activating, Wire.activating, [:], Wire.activating, Wire.success)
    let status: OktaAuthStatusFactorEnrollActivate = try await script.status()
    let push = try #require(status.factor as? OktaFactorPush)
    let heard = Locked<[String]>([])
    push.activate(
      onStatusChange: { last in heard.withLock { $0.append(last.statusType.rawValue) } },
      onError: { error in heard.withLock { $0.append("\(error)") } },
      onFactorStatusUpdate: { result in heard.withLock { $0.append(result.rawValue) } })
    await script.time.waitForTimers()
    try await push.sendActivationLinkViaEmail()
    #expect(script.time.pending == 1)
    for _ in 0..<2 {
      await script.time.waitForTimers()
      script.time.advance(milliseconds: 5000)
    }
    await eventually("the end is heard") { heard.withLock { $0 } == ["WAITING", "WAITING", "SUCCESS"] }
    #expect(
      script.transport.requests.map { String($0.url.split(separator: "/").last ?? "") } == [
        "authn", "poll", "email", "poll", "poll",
      ])
    try await script.expectWhole(status)
  }

  @Test("a poll that comes due while an activation link is being sent is made, and both are answered")
  func pollBesideLink() async throws {
    let hold = ScriptedTransport.Hold()
    let script = Script([
      Script.answer(Wire.activating), Script.answer(Wire.activating), Script.answer([:], hold: hold),
      Script.answer(Wire.success),
    ])
    let status: OktaAuthStatusFactorEnrollActivate = try await script.status()
    let push = try #require(status.factor as? OktaFactorPush)
    async let activated = push.activate()
    await script.time.waitForTimers()
    async let sent: Void = push.sendActivationLinkViaSms(with: "+1 555 0100")
    _ = await script.transport.requests(atLeast: 3)
    script.time.advance(milliseconds: 5000)
    #expect(try await activated.statusType == .success)
    hold.release()
    try await sent
    try await script.expectWhole(status)
  }

  @Test("cancelling the handler stops its polling and no more: the closures stay silent, the transaction goes on")
  func handlerCancel() async throws {
    let script = Script(Wire.waiting(), Wire.waiting(), Wire.success)
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    async let polling = failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    }
    await script.time.waitForTimers()
    challenge.responseHandler.cancel()
    guard case .cancelled = try await polling else { throw ShouldHaveFailed() }
    #expect(script.time.pending == 0)
    // Without a poll there is nothing to stop, and nothing to record.
    let count = script.recorder.records(of: challenge.flowID).count
    challenge.responseHandler.cancel()
    #expect(script.recorder.records(of: challenge.flowID).count == count)
    #expect(try await challenge.verifyFactor(passCode: "1", answerToSecurityQuestion: nil).statusType == .success)
    try await script.expectWhole(challenge)
  }

  @Test("checkFactorResult asks once, and hands over the waiting status as any other", arguments: [true, false])
  func check(standard: Bool) async throws {
    final class Own: OktaAuthStatusResponseHandler, @unchecked Sendable {}
    let script = Script(Wire.waiting(), Wire.waiting(), Wire.success)
    let challenge: OktaAuthStatusFactorChallenge = try await script.status(
      handler: standard ? OktaAuthStatusResponseHandler() : Own())
    #expect(challenge.canPoll())
    let push = try #require(challenge.factor as? OktaFactorPush)
    let next = try await push.checkFactorResult()
    #expect(next.factorResult == .waiting)
    #expect(next.canPoll())
    #expect(script.time.pending == 0)
    let again = try #require((next as? OktaAuthStatusFactorChallenge)?.factor as? OktaFactorPush)
    let last: OktaAuthStatus = try await withCheckedThrowingContinuation { continuation in
      again.checkFactorResult(
        onStatusChange: { continuation.resume(returning: $0) }, onError: { continuation.resume(throwing: $0) })
    }
    #expect(last.statusType == .success)
    #expect(last.factorResult == nil)
    #expect(!last.canPoll())
    try await script.expectWhole(last)
  }

  @Test("checkFactorResult where nothing is polled is refused")
  func checkRefused() async throws {
    let link = ("verify", Wire.link("/factors/fct1/verify")) as (String, JSON?)
    let script = Script(Wire.required(Wire.factor("push", links: [link])))
    let required: OktaAuthStatusFactorRequired = try await script.status()
    let push = try #require(required.availableFactors.first as? OktaFactorPush)
    let error = try await failure { () async throws(OktaError) in try await push.checkFactorResult() }
    guard case .wrongStatus = error else { throw error }
    #expect(script.transport.requests.count == 1)
  }
}
