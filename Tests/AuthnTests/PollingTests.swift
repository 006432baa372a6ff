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

  @Test("an org cannot make a flow poll or record on and on: past its limits nothing is sent, and the call says why")
  func limits() async throws {
    for limits in [FlowLimits(requests: 4), FlowLimits(recordedBytes: 16_000)] {
      var script = Script(Wire.waiting())
      script.environment.limits = limits
      script.transport.add(.respond(with: HTTPResponse(status: 200, body: Wire.waiting().bytes), uses: 500))
      let challenge: OktaAuthStatusFactorChallenge = try await script.status()
      let firing = script.firing()
      defer { firing.cancel() }
      let error = try await failure { () async throws(OktaError) in
        try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
      }
      guard case .connectionError(let reason as TransportError) = error else { throw error }
      #expect(reason.code == .limitReached, "\(reason)")
      #expect((4...6).contains(script.transport.requests.count), "\(script.transport.requests.count)")
      try await script.expectWhole(challenge)
    }
  }

  @Test("what the application begins anew has its limits to itself")
  func limitsAnew() async throws {
    var script = Script()
    script.environment.limits = FlowLimits(requests: 2)
    let start = script.begin()
    for _ in 0..<5 {
      script.transport.add(
        .respond(with: HTTPResponse(status: 401, body: JSON.members([("errorCode", "E0000004")]).bytes)))
      _ = try await failure { () async throws(OktaError) in
        try await start.authenticate(username: "ann", password: "Horse-7")
      }
    }
    #expect(script.transport.requests.count == 5)
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

  @Test("polling ends when the transaction expires on the org's clock, skew included")
  func expires() async throws {
    let date = HTTPField("Date", "Thu, 15 Jan 2026 10:00:00 GMT")  // One hour ahead of the client.
    let waiting = Wire.waiting([("expiresAt", "2026-01-15T10:00:04.000Z")])
    let answer = HTTPResponse(status: 200, headers: [date], body: waiting.bytes)
    let script = Script([
      .respond(with: answer), .respond(with: answer), .respond(with: answer),
    ])
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    let firing = script.firing(5000)
    defer { firing.cancel() }
    let error = try await failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    }
    guard case .wrongStatus(let text) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(text.contains("expired"))
    #expect(script.transport.requests.count == 2)
    try await script.expectWhole(challenge)
  }

  @Test("five lost polls in a row are tried again after 1, 2, 4, 8 and 16 seconds; the sixth ends it")
  func budget() async throws {
    let lost = ScriptedTransport.Answer.fail(with: TransportError(.connectionLost, "lost"), uses: 9)
    let script = Script([Script.answer(Wire.waiting()), Script.answer(Wire.waiting()), lost])
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    let firing = script.firing(16_000)
    defer { firing.cancel() }
    let error = try await failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    }
    guard case .connectionError = error else {
      Issue.record("\(error)")
      return
    }
    #expect(script.waits(of: challenge) == [5000, 1000, 2000, 4000, 8000, 16_000])
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
      guard case .wrongStatus(let told) = error else {
        Issue.record("\(error)")
        continue
      }
      #expect(told.contains(text))
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

  @Test("a timer that fires after polling was begun anew is recorded, and changes nothing")
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

  @Test("begun anew while a poll is under way: one round of polls goes on, and the late answer is recorded")
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

  @Test("resending a waiting push polls on without telling results")
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

  @Test("the first poll is lost as well as any other: it is tried again after 1, 2 seconds and so on")
  func firstPollIsRetried() async throws {
    let lost = ScriptedTransport.Answer.fail(with: TransportError(.connectionLost, "lost"), uses: 2)
    let script = Script([Script.answer(Wire.waiting()), lost, Script.answer(Wire.success)])
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    let firing = script.firing(2000)
    defer { firing.cancel() }
    let last = try await challenge.verifyFactor(
      passCode: nil, answerToSecurityQuestion: nil, rememberDevice: true)
    #expect(last.statusType == .success)
    #expect(script.waits(of: challenge) == [1000, 2000])
    let url = Script.factorURL + "/fct1/verify?rememberDevice=true"
    #expect(script.transport.requests.map(\.url).dropFirst() == [url, url, url])
    #expect(try script.lastBody == ["stateToken": "state-token-1"])
    try await script.expectWhole(challenge)
  }

  @Test("a rate limit on the first poll is waited for")
  func firstPollIsLimited() async throws {
    let limit: JSON = ["errorCode": "E0000047", "errorSummary": "Too many requests"]
    let limited = HTTPResponse(status: 429, headers: [HTTPField("Retry-After", "7")], body: limit.bytes)
    let script = Script([
      Script.answer(Wire.waiting()), .respond(with: limited), Script.answer(Wire.success),
    ])
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    let firing = script.firing(7000)
    defer { firing.cancel() }
    #expect(try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil).statusType == .success)
    #expect(script.waits(of: challenge) == [7000])
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

  @Test("no poll interval is shorter than half a second, whatever the record says")
  func floor() async throws {
    let script = Script(Wire.waiting(), Wire.waiting())
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    challenge.object.session.flow.call(
      "verifyFactor", arguments: ["pollMilliseconds": 0], on: challenge.object.state,
      sink: CallSink(returned: { _, _ in }))
    await script.time.waitForTimers()
    #expect(script.waits(of: challenge) == [500])
  }

  @Test("an unanswered push is polled more and more rarely after five minutes, and no more after an hour")
  func unanswered() async throws {
    let forever = ScriptedTransport.Answer.respond(
      with: HTTPResponse(status: 200, body: Wire.waiting().bytes), uses: 9999)
    let script = Script([forever])
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    let firing = script.firing(60_000)
    defer { firing.cancel() }
    let error = try await failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    }
    guard case .wrongStatus(let text) = error else { throw error }
    #expect(text.contains("hour"))
    let waits = script.waits(of: challenge)
    #expect(waits.prefix(61).allSatisfy { $0 == 5000 })
    #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(waits.last == 60_000)
    #expect(waits.dropLast().reduce(0, +) < 3_600_000)
    #expect(waits.count < 200)
    try await script.expectWhole(challenge)
  }

  @Test("an interval that is set anew holds from the next call on")
  func newInterval() async throws {
    let script = Script(Wire.waiting(), Wire.waiting(), Wire.success)
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    challenge.responseHandler.pollInterval = 2
    let firing = script.firing(2000)
    defer { firing.cancel() }
    #expect(try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil).statusType == .success)
    #expect(script.waits(of: challenge) == [2000])
    try await script.expectWhole(challenge)
  }

  @Test("an interval that a refused call brings does not count, and one that is set back after it replays")
  func intervalOfRefused() async throws {
    let waiting = Wire.transaction(
      "MFA_CHALLENGE", embedded: [("factor", Wire.factor("push", links: []))],
      links: [("next", Wire.link("/factors/fct1/verify", name: "poll"))], [("factorResult", "WAITING")])
    let script = Script(waiting, waiting, Wire.success)
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    challenge.responseHandler.pollInterval = 2
    let error = try await failure { () async throws(OktaError) in try await challenge.resendFactor() }
    guard case .wrongStatus = error else { throw error }
    #expect(challenge.object.session.flow.core.pollMilliseconds == 5000)
    challenge.responseHandler.pollInterval = 5
    let firing = script.firing()
    defer { firing.cancel() }
    #expect(try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil).statusType == .success)
    #expect(script.waits(of: challenge) == [5000])
    try await script.expectWhole(challenge)
  }

  @Test(
    "a handler's interval stays within its bounds", arguments: [(0.5, 1.0), (-1, 1), (.nan, 1), (.infinity, 86_400)])
  func bounds(set: Double, held: Double) {
    let handler = OktaAuthStatusResponseHandler(pollInterval: set)
    #expect(handler.pollInterval == held)
    handler.pollInterval = 7
    handler.pollInterval = set
    #expect(handler.pollInterval == held)
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

extension Script {
  /// The lengths of the timers that a flow set, in their order.
  func waits(of status: OktaAuthStatus) -> [Int] {
    recorder.records(of: status.flowID).compactMap { record in
      if case .timerSet(let timer) = record.event { timer.milliseconds } else { nil }
    }
  }
}
