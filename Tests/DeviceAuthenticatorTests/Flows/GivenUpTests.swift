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
