import Authn
import FlowRecording
import Foundation
import SimulatedOrg
import Testing

/// The README's code at work: it is called back where it was called from.
@Suite struct ReadmeTests {
  private let login = "ann@acme.example"
  private let password = "Correct-Horse-7"

  @Test("the Identity Engine sign-in of the README brings tokens, with a push that is approved")
  func identityEngine() async throws {
    let user = OrgUser(login: login, password: password, factors: [.push(device: "Ann's phone")])
    let org = try await SimulatedOrg.start(OrgConfiguration(users: [user]))
    org.answerPush(for: login, .approve)
    let token = try await FlowEnvironment(recorder: MemoryRecorder()).run {
      try await ReadmeCode.IdentityEngine().signIn(
        issuer: "\(org.url.absoluteString)/oauth2/default", username: login, password: password)
    }
    #expect(token != nil)
    await org.stop()
  }

  @Test("the classic sign-in of the README brings a session token, with a push that is approved")
  func classic() async throws {
    let user = OrgUser(login: login, password: password, factors: [.push(device: "Ann's phone")])
    let org = try await SimulatedOrg.start(OrgConfiguration(users: [user]))
    org.answerPush(for: login, .approve)
    let token = try await FlowEnvironment(recorder: MemoryRecorder()).run {
      try await ReadmeCode.Classic().signIn(org: org.url, username: login, password: password)
    }
    #expect(token != nil)
    await org.stop()
  }

  @MainActor
  @Test("a screen on the main actor signs in with a push")
  func screen() async throws {
    let user = OrgUser(login: login, password: password, factors: [.push(device: "Ann's phone")])
    let org = try await SimulatedOrg.start(OrgConfiguration(users: [user]))
    org.answerPush(for: login, .approve)
    var screen: SignInScreen?
    await withCheckedContinuation { continuation in
      FlowEnvironment(recorder: MemoryRecorder()).run {
        let made = SignInScreen(url: org.url) { continuation.resume() }
        screen = made
        made.signIn(username: login, password: password)
      }
    }
    #expect(screen?.lines == ["factors: 1", "success, token: yes"])
    await org.stop()
  }

  @Test("a tool without an actor is called back on the flow's queue")
  func tool() async throws {
    let org = try await SimulatedOrg.start(OrgConfiguration(users: [OrgUser(login: login, password: password)]))
    let outcome = await Tool.run(org.url, login, password)
    #expect(outcome == "success")
    await org.stop()
  }

  @Test("an actor of the application is called back on itself")
  func service() async throws {
    let org = try await SimulatedOrg.start(OrgConfiguration(users: [OrgUser(login: login, password: password)]))
    #expect(await SignInService().signIn(with: org.url, username: login, password: password) == "success")
    #expect(
      await SignInService().signIn(with: org.url, username: login, password: "wrong").contains("Server responded"))
    await org.stop()
  }
}

private enum Tool {
  /// Runs the tool from a plain thread, as a program would.
  static func run(_ url: URL, _ login: String, _ password: String) async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let done = DispatchSemaphore(value: 0)
        let tool = SignInTool { done.signal() }
        tool.signIn(with: url, username: login, password: password)
        done.wait()
        continuation.resume(returning: tool.outcome)
      }
    }
  }
}
