// A task that awaits a challenge and ends before it (docs/ARCHITECTURE.md, "Calls that are given up").

import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg
import Testing

@Suite struct GivenUpTests {
  /// Resolves in a task, and ends that once a step has come.
  private func giveUp(_ push: any PushChallengeProtocol, at step: @escaping @Sendable (RemediationStep) -> Bool) async {
    let (reached, continuation) = AsyncStream<Void>.makeStream()
    let task = Task { () -> DeviceAuthenticatorError? in
      do throws(DeviceAuthenticatorError) {
        try await push.resolve { if step($0) { continuation.yield() } }
        return nil
      } catch {
        return error
      }
    }
    for await _ in reached { break }
    task.cancel()
    #expect(await task.value == .genericError(""))
  }

  @Test func `the end of the task while the person is asked gives it up, and it can be resolved again`() async throws {
    try await withRig { rig in
      let challenge = try rig.challenge(try await rig.enroll()) { $0.requirement = nil }
      let push = try rig.parse(challenge)
      await giveUp(push) { _ in true }
      #expect(rig.org.challenge(id: challenge.id)?.status == .pending)
      let answers = Answers()
      try await push.resolve(onRemediation: answers.handle)
      #expect(answers.steps == ["consent"] && rig.org.challenge(id: challenge.id)?.status == .approved)
    }
  }

  @Test func `the end of the task after the person has answered ends the challenge here, and the org gets no answer`()
    async throws
  {
    try await withRig { rig in
      let challenge = try rig.challenge(try await rig.enroll(verification: true))
      let push = try rig.parse(challenge)
      await giveUp(push) { step in
        if let consent = step as? RemediationStepUserConsent { consent.provide(.approved) }
        return step is RemediationStepUserVerification
      }
      #expect(Rig.data("challenge.failed", in: rig.lastFlow)?["error"] == "cancelled")
      #expect(rig.org.challenge(id: challenge.id)?.status == .pending)
      await #expect(throws: DeviceAuthenticatorError.self) { try await push.resolve(onRemediation: Answers().handle) }
    }
  }

  @Test func `a question to the person ends with the challenge that it was for`() async throws {
    try await withRig(verifier: ScriptedVerifier(answers: [.verified, .waits, .waits])) { rig in
      let enrollment = try await rig.enroll(verification: true)
      // The task is cancelled.
      let push = try rig.parse(try rig.challenge(enrollment))
      let task = Task { () -> Bool in (try? await push.resolve(onRemediation: Answers().handle)) != nil }
      while rig.verifier.waiting == 0 { await Task.yield() }
      task.cancel()
      #expect(await !task.value)
      while rig.verifier.waiting > 0 { await Task.yield() }
      // Run out.
      let late = try rig.parse(try rig.challenge(enrollment))
      let (ended, continuation) = AsyncStream<DeviceAuthenticatorError?>.makeStream()
      late.resolve(onRemediation: Answers().handle, onCompletion: { continuation.yield($0) })
      while rig.verifier.waiting == 0 { await Task.yield() }
      rig.time.advance(milliseconds: 700_000)
      for await error in ended {
        #expect(error == .securityError(.jwtError("")))
        break
      }
      while rig.verifier.waiting > 0 { await Task.yield() }
      while rig.lastFlow.last?.event.type != "draw.made" { await Task.yield() }
    }
  }

  @Test func `an answer that arrives after its task ended is closed like any other`() async throws {
    let org = try await SimulatedOrg.start(
      OrgConfiguration(users: [OrgUser(login: Rig.login, password: "Correct-horse-1")]))
    let transport = HeldTransport("/verify")
    let rig = try Rig(org, environment: FlowEnvironment(recorder: nil, transport: transport, device: nil))
    let challenge = try rig.challenge(try await rig.enroll()) { $0.requirement = nil }
    let push = try rig.parse(challenge)
    let task = Task { () -> Bool in (try? await push.resolve(onRemediation: Answers().handle)) != nil }
    await transport.isHeld()
    task.cancel()
    #expect(await !task.value)
    #expect(try rig.storage.transaction(id: challenge.id)?.stage == .signed)
    transport.release()
    // The answer as it was signed is not kept any longer than it is of use.
    while try rig.storage.transaction(id: challenge.id)?.stage != .ended { await Task.yield() }
    #expect(try rig.storage.transaction(id: challenge.id)?.response == nil)
    #expect(org.challenge(id: challenge.id)?.status == .approved)
    await org.stop()
  }

  @Test func `an enrollment that is cancelled leaves no key behind`() async throws {
    let org = try await SimulatedOrg.start(
      OrgConfiguration(users: [OrgUser(login: Rig.login, password: "Correct-horse-1")]))
    let transport = HeldTransport("/app-authenticators")
    let recorder = MemoryRecorder()
    let rig = try Rig(
      org, recorder: recorder, environment: FlowEnvironment(recorder: recorder, transport: transport, device: nil))
    let task = Task { () -> Bool in (try? await rig.enroll(verification: true)) != nil }
    await transport.isHeld()
    #expect(try rig.keys.tags().count == 3)
    task.cancel()
    #expect(await !task.value)
    while try !rig.keys.tags().isEmpty { await Task.yield() }
    transport.release()
    while rig.lastFlow.last?.event.type != "response.received" { await Task.yield() }
    #expect(Rig.events(rig.lastFlow).suffix(2) == ["enrollment.failed", "enrollment.rolledBack"])
    #expect(rig.authenticator.allEnrollments().isEmpty)
    #expect(try rig.divergences() == [])
    await org.stop()
  }

  @Test func `who leaves the loop over the steps gives it up`() async throws {
    try await withRig { rig in
      let challenge = try rig.challenge(try await rig.enroll()) { $0.requirement = nil }
      let push = try rig.parse(challenge)
      for try await _ in push.remediations { break }
      // The next call comes after the one that gives up: the flow takes them one at a time.
      while rig.lastFlow.last(where: { $0.event.type == "call.returned" })?.event.data["outcome"] != "cancelled" {
        await Task.yield()
      }
      #expect(rig.org.challenge(id: challenge.id)?.status == .pending)
    }
  }

  @Test func `calls that wait on their threads do not wait for each other, however many there are`() async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll()
      let count = 4 * ProcessInfo.processInfo.activeProcessorCount
      // Each holds a thread of the cooperative pool until storage and keys have answered.
      let done = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<count { group.addTask { (try? enrollment.deleteFromDevice()) != nil } }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(done >= 1 && rig.authenticator.allEnrollments().isEmpty)
      #expect(try rig.keys.tags().isEmpty)
    }
  }
}
