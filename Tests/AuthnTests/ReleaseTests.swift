import Dispatch
import EventStore
import FlowRecording
import Foundation
import Testing

@testable import Authn

/// Polling ends when the application lets go of its objects (DESIGN §2 rule 8, authn §14.1).
@Suite struct ReleaseTests {
  /// What an application keeps of a transaction.
  private final class Screen: Sendable {
    let kept = Locked<[any Sendable]>([])
    let heard = Locked<[String]>([])
  }

  /// Begins to poll a push with the closure form, and waits until the SDK has let go of what it kept for the call.
  ///
  /// - Parameter keep: what the screen keeps, and what the closures capture.
  private func poll(
    _ script: Script, _ screen: Screen, capturing: Bool = false, keep: (OktaAuthStatusFactorChallenge) -> any Sendable
  ) async throws -> String {
    let flow: String
    do {
      let challenge: OktaAuthStatusFactorChallenge = try await script.status()
      flow = challenge.flowID
      screen.kept.withLock { $0 = [keep(challenge)] }
      let captured = capturing ? challenge : nil
      challenge.verifyFactor(
        passCode: nil, answerToSecurityQuestion: nil,
        onStatusChange: { status in
          screen.heard.withLock { $0.append("\(captured?.flowID ?? "") \(status.statusType.raw)") }
        },
        onError: { error in screen.heard.withLock { $0.append("\(error)") } },
        onFactorStatusUpdate: { _ in screen.heard.withLock { $0.append("F") } })
    }
    await script.time.waitForTimers()
    script.settle()
    return flow
  }

  @Test("an application that drops its status stops polling: no request more, nothing heard, recorded, replayed")
  func dropped() async throws {
    let script = Script(Wire.waiting(), Wire.waiting(), Wire.success)
    let screen = Screen()
    let flow = try await poll(script, screen) { $0 }
    #expect(script.time.pending == 1)
    script.time.advance(milliseconds: 1000)
    screen.kept.withLock { $0 = [] }
    await script.ended(flow)
    await eventually("the timer is stopped") { script.time.pending == 0 }
    script.time.advance(milliseconds: 60_000)
    #expect(script.transport.requests.count == 2)
    #expect(screen.heard.withLock { $0 } == ["F"])
    let tail = script.recorder.records(of: flow).suffix(3).map(\.event)
    #expect(tail.first == .callMade(CallMade(call: "release", arguments: [:])))
    guard case .callReturned(let returned) = tail.dropFirst().first else { throw ShouldHaveFailed() }
    #expect(returned.outcome == .cancelled)
    #expect(tail.last == .flowEnded(FlowEnded(outcome: "abandoned")))
    try expectReplays(script.recorder, "dropped")
  }

  @Test("a factor or a transaction object is enough to keep, and dropping it stops polling as well", arguments: [0, 1])
  func parts(kind: Int) async throws {
    let script = Script(Wire.waiting(), Wire.waiting(), Wire.waiting(), Wire.success)
    let screen = Screen()
    let flow = try await poll(script, screen) { challenge in
      if kind == 0 { return challenge.factor }
      return challenge.model
    }
    script.time.advance(milliseconds: 5000)
    await script.time.waitForTimers()
    #expect(script.transport.requests.count == 3)
    screen.kept.withLock { $0 = [] }
    await script.ended(flow)
    script.time.advance(milliseconds: 60_000)
    #expect(script.transport.requests.count == 3)
    try expectReplays(script.recorder, "parts")
  }

  @Test("an activation link that is sent while polling changes nothing of who keeps what")
  func activationLink() async throws {
    let script = Script(Wire.activating, Wire.activating, [:], Wire.success)
    let kept: Locked<OktaAuthStatusFactorEnrollActivate?> = Locked(nil)
    let flow: String
    do {
      let status: OktaAuthStatusFactorEnrollActivate = try await script.status()
      flow = status.flowID
      kept.withLock { $0 = status }
      status.activateFactor(passCode: nil, onStatusChange: { _ in }, onError: { _ in })
      await script.time.waitForTimers()
      script.settle()
      try await (status.factor as? OktaFactorPush)?.sendActivationLinkViaEmail()
    }
    script.time.advance(milliseconds: 1000)
    kept.withLock { $0 = nil }
    await script.ended(flow)
    script.time.advance(milliseconds: 60_000)
    #expect(script.transport.requests.count == 3)
    try expectReplays(script.recorder, "activation link")
  }

  @Test("a poll in flight when the last object goes is recorded and not delivered")
  func inFlight() async throws {
    let hold = ScriptedTransport.Hold()
    let script = Script([
      Script.answer(Wire.waiting()), Script.answer(Wire.waiting()), Script.answer(Wire.success, hold: hold),
    ])
    let screen = Screen()
    let flow = try await poll(script, screen) { $0 }
    script.time.advance(milliseconds: 5000)
    _ = await script.transport.requests(atLeast: 3)
    screen.kept.withLock { $0 = [] }
    await script.ended(flow)
    hold.release()
    await eventually("the late answer is recorded") {
      script.recorder.records(of: flow).last?.event.type == "response.received"
    }
    script.settle()
    #expect(screen.heard.withLock { $0 } == ["F"])
    try expectReplays(script.recorder, "in flight")
  }

  @Test("an application that keeps nothing, as the seed's code, is polled for until the end")
  func seedCode() async throws {
    let script = Script(Wire.waiting(), Wire.waiting(), Wire.waiting(), Wire.success)
    let screen = Screen()
    let flow = try await poll(script, screen) { _ in 0 }
    for _ in 0..<2 {
      await script.time.waitForTimers()
      script.time.advance(milliseconds: 5000)
    }
    await script.ended(flow)
    let heard = ["F", "F", " SUCCESS"]
    await eventually("the success is heard") { screen.heard.withLock { $0 } == heard }
    try expectReplays(script.recorder, "seed code")
  }

  @Test("an object that goes within a second of the wait was a local variable, and polling goes on")
  func local() async throws {
    let script = Script(Wire.waiting(), Wire.waiting(), Wire.success)
    let screen = Screen()
    let flow = try await poll(script, screen) { $0 }
    script.time.advance(milliseconds: 999)
    screen.kept.withLock { $0 = [] }
    script.time.advance(milliseconds: 5000)
    await script.ended(flow)
    let heard = ["F", " SUCCESS"]
    await eventually("the success is heard") { screen.heard.withLock { $0 } == heard }
    try expectReplays(script.recorder, "local")
  }

  @Test("closures of the call that hold the status keep it")
  func closures() async throws {
    let script = Script(Wire.waiting(), Wire.waiting(), Wire.success)
    let screen = Screen()
    let flow = try await poll(script, screen, capturing: true) { $0 }
    script.time.advance(milliseconds: 1000)
    screen.kept.withLock { $0 = [] }
    script.settle()
    script.time.advance(milliseconds: 5000)
    await script.ended(flow)
    let heard = ["F", "\(flow) SUCCESS"]
    await eventually("the success is heard") { screen.heard.withLock { $0 } == heard }
    try expectReplays(script.recorder, "closures")
  }
}

extension Script {
  /// Waits until what is queued for the application's callbacks has run.
  func settle() { environment.callbackQueue?.sync {} }

  /// Waits until a flow has ended: what lets go of it may run on other threads.
  func ended(_ flow: String) async {
    await eventually("the flow has ended") {
      recorder.records(of: flow).contains { $0.event.type == "flow.ended" }
    }
  }
}
