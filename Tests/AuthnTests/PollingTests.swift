import EventStore
import FlowRecording
import Foundation
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

  @Test("polls tell each result, wait from the end of the last, and end with the status that follows")
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
    let waits = script.recorder.records(of: challenge.flowID).compactMap { record -> Int? in
      if case .timerSet(let timer) = record.event { timer.milliseconds } else { nil }
    }
    #expect(waits == [2000, 2000])
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
    let waits = script.recorder.records(of: challenge.flowID).compactMap { record -> Int? in
      if case .timerSet(let timer) = record.event { timer.milliseconds } else { nil }
    }
    #expect(waits == [5000, 1000, 2000, 4000, 8000, 16_000])
    try await script.expectWhole(challenge)
  }

  @Test("what is missing while polling is told as the status being wrong")
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

  @Test("a cancel that fails tells so, and polling stays stopped")
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

  @Test("what a person typed is never sent again by itself: a rate limit is told, with the wait on the org's clock")
  func typedIsNotRetried() async throws {
    let limit: JSON = ["errorCode": "E0000047", "errorSummary": "Too many requests"]
    let limited = HTTPResponse(
      status: 429,
      headers: [
        HTTPField("Date", "Thu, 15 Jan 2026 10:00:00 GMT"), HTTPField("X-Rate-Limit-Limit", "600"),
        HTTPField("X-Rate-Limit-Remaining", "0"), HTTPField("X-Rate-Limit-Reset", "1768471217"),
      ], body: limit.bytes)
    let script = Script([Script.answer(Wire.waiting()), .respond(with: limited)])
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    let error = try await failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: "1", answerToSecurityQuestion: nil)
    }
    guard case .serverRespondedWithError(let response) = error else { throw error }
    #expect(response.retryAfterSeconds == 17)
    #expect(response.httpStatus == 429)
    #expect(script.time.pending == 0)
    #expect(script.transport.requests.count == 2)
    try await script.expectWhole(challenge)
  }
}
