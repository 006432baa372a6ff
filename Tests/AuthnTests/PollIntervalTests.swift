import EventStore
import FlowRecording
import Foundation
import Scenarios
import Testing

@testable import Authn

/// How often a flow polls, and for how long (authn §14).
@Suite struct PollIntervalTests {
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

  @Test("an interval that is changed applies from the next call on")
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

  @Test("an org cannot make a flow poll or record forever: past its limits nothing is sent, and the call says why")
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

  @Test("what the application begins later has limits of its own")
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
}
