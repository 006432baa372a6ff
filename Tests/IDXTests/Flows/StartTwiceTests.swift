import EventStore
import FlowRecording
import Foundation
import Testing

@testable import IDX

/// A sign-in that is started twice, or cancelled on its way (idx §11.2): the last start counts.
@Suite struct StartTwiceTests {
  /// A script whose first sign-in gets so many answers and one more, the latter only when the hold is released.
  private func script(answersBefore count: Int) -> (script: IDXScript, hold: ScriptedTransport.Hold) {
    let hold = ScriptedTransport.Hold()
    let first: [JSON] = [["interaction_handle": "handle-of-the-first"], ION.identify]
    let script = IDXScript(
      first.prefix(count + 1).enumerated().map { index, body in
        IDXScript.answer(body, hold: index == count ? hold : nil)
      })
    script.add(["interaction_handle": .string(IDXScript.interactionHandle)])
    script.add(ION.challenge)
    return (script, hold)
  }

  /// Starts a sign-in, and returns once it waits for the answer after so many.
  private func begun(
    _ flow: InteractionCodeFlow, _ script: IDXScript, _ answersBefore: Int
  ) async -> Task<Response, any Error> {
    let first = Task { try await flow.start() }
    _ = await script.transport.requests(atLeast: answersBefore + 1)
    return first
  }

  @Test(
    "a second start while the first waits for interact or introspect succeeds, and cancels the first",
    arguments: [0, 1])
  func twice(answersBefore: Int) async throws {
    let (script, hold) = self.script(answersBefore: answersBefore)
    let (flow, ear) = (script.flow(), Ear())
    flow.add(delegate: ear)
    let first = await begun(flow, script, answersBefore)
    let response = try await flow.start()
    #expect(response.remediations[.challengeAuthenticator] != nil)
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(flow.context?.interactionHandle == IDXScript.interactionHandle)
    #expect(ear.heard.withLock { $0 } == ["started", "finished", "started"])
    hold.release()
    try await script.expectWhole(flow)
    #expect(flow.isAuthenticating)
    #expect(flow.context?.interactionHandle == IDXScript.interactionHandle)
  }

  @Test("a third start counts as the second did")
  func thrice() async throws {
    let hold = ScriptedTransport.Hold()
    let handle: JSON = ["interaction_handle": .string(IDXScript.interactionHandle)]
    let script = IDXScript([IDXScript.answer(handle, hold: hold), IDXScript.answer(handle, hold: hold)])
    script.add(handle)
    script.add(ION.identify)
    let flow = script.flow()
    let first = Task { try await flow.start() }
    _ = await script.transport.requests(atLeast: 1)
    let second = Task { try await flow.start() }
    _ = await script.transport.requests(atLeast: 2)
    let response = try await flow.start()
    #expect(response.remediations[.identify] != nil)
    await #expect(throws: CancellationError.self) { try await first.value }
    await #expect(throws: CancellationError.self) { try await second.value }
    hold.release()
    try await script.expectWhole(flow)
  }

  /// Notes how sign-ins begin and end.
  private final class Ear: InteractionCodeFlowDelegate, Sendable {
    let heard = Locked<[String]>([])

    func authenticationStarted<Flow>(flow: Flow) where Flow: InteractionCodeFlow {
      heard.withLock { $0.append("started") }
    }

    func authenticationFinished<Flow>(flow: Flow) where Flow: InteractionCodeFlow {
      heard.withLock { $0.append("finished") }
    }

    func authentication<Flow>(
      flow: Flow, received error: InteractionCodeFlowError
    ) where Flow: InteractionCodeFlow {
      heard.withLock { $0.append("error") }
    }
  }

  @Test("delegates learn that a sign-in is over before another one begins")
  func finishedBeforeAnother() async throws {
    let script = IDXScript(ION.identify)
    script.add(["interaction_handle": .string(IDXScript.interactionHandle)])
    script.add(ION.challenge)
    let (flow, ear) = (script.flow(), Ear())
    flow.add(delegate: ear)
    _ = try await flow.start()
    _ = try await flow.start()
    #expect(ear.heard.withLock { $0 } == ["started", "finished", "started"])
    // A call that is not made ends nothing.
    struct Odd: Sendable {}
    await #expect(throws: InteractionCodeFlowError.self) { try await flow.start(options: [.maxAge: Odd()]) }
    #expect(ear.heard.withLock { $0 } == ["started", "finished", "started", "error"] && flow.isAuthenticating)
    try await script.expectWhole(flow)
  }

  @Test(
    "a start that fails at interact ends the sign-in for delegates, one that fails behind it does not",
    arguments: [0, 1])
  func failed(answersBefore: Int) async throws {
    let begun = IDXScript.answer(["interaction_handle": .string(IDXScript.interactionHandle)])
    let script = IDXScript(Array(repeating: begun, count: answersBefore))
    script.add([:], status: 403)
    let (flow, ear) = (script.flow(), Ear())
    flow.add(delegate: ear)
    await #expect(throws: InteractionCodeFlowError.self) { try await flow.start() }
    let isOver = answersBefore == 0
    #expect(ear.heard.withLock { $0 } == ["started", "error"] + (isOver ? ["finished"] : []))
    #expect(flow.isAuthenticating != isOver)
    if !isOver {
      script.add(ION.identify)
      let response = try await flow.resume()
      #expect(response.remediations[.identify] != nil)
    }
    try await script.expectWhole(flow)
  }

  @Test("a start whose task is cancelled leaves nothing behind, wherever it was", arguments: [0, 1])
  func cancelled(answersBefore: Int) async throws {
    let (script, hold) = self.script(answersBefore: answersBefore)
    let (flow, ear) = (script.flow(), Ear())
    flow.add(delegate: ear)
    let first = await begun(flow, script, answersBefore)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(!flow.isAuthenticating)
    #expect(flow.context == nil)
    #expect(ear.heard.withLock { $0 } == ["started", "finished"])
    let response = try await flow.start()
    #expect(response.remediations[.challengeAuthenticator] != nil)
    #expect(ear.heard.withLock { $0 } == ["started", "finished", "started"])
    hold.release()
    try await script.expectWhole(flow)
  }

  @Test("a reset while a start waits ends the sign-in once for delegates", arguments: [0, 1])
  func resetMeanwhile(answersBefore: Int) async throws {
    let (script, hold) = self.script(answersBefore: answersBefore)
    let (flow, ear) = (script.flow(), Ear())
    flow.add(delegate: ear)
    let first = await begun(flow, script, answersBefore)
    flow.reset()
    await #expect(throws: CancellationError.self) { try await first.value }
    _ = try await flow.start()
    #expect(ear.heard.withLock { $0 } == ["started", "finished", "started"])
    hold.release()
    try await script.expectWhole(flow)
  }

  @Test("a resume whose task is cancelled leaves the sign-in as it was")
  func cancelledResume() async throws {
    let hold = ScriptedTransport.Hold()
    let script = IDXScript(ION.identify)
    let flow = script.flow()
    _ = try await flow.start()
    script.add(ION.challenge, hold: hold)
    let resume = Task { try await flow.resume() }
    _ = await script.transport.requests(atLeast: 3)
    resume.cancel()
    await #expect(throws: CancellationError.self) { try await resume.value }
    #expect(flow.isAuthenticating)
    hold.release()
    try await script.expectWhole(flow)
  }
}
