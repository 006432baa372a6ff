import AuditReports
import EventStore
import FlowKinds
import FlowRecording
import FlowTestKit
import Foundation
import MagicLink
import Replay
import Testing

/// A kind of flow that the project knows nothing of: it signs in, is recorded, verified, replayed and shown as a time line.
@Suite struct MagicLinkTests {
  private let session = "session-token-of-ann"

  @Test("a sign-in by magic link is recorded in a log, verified, replayed and shown; the session is in none of it")
  func signIn() async throws {
    let server = try await MagicLinkServer(opensAfter: 2, session: session)
    let folder = NSTemporaryDirectory() + "magic-link-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let recorder = LogRecorder(directory: folder)
    let time = HurriedTime(start: Timestamp(microseconds: 1_767_225_600_000_000))
    let environment = FlowEnvironment(recorder: recorder, clock: time, timers: time, device: nil, userAgent: "Magic/1")
    let flow = MagicLinkFlow(server: server.url, environment: environment)
    let signedIn = try await flow.signIn(email: "ann@example.com")
    #expect(signedIn == session)
    try recorder.close()

    // Whole; nothing signs it, since no key was given.
    #expect(try Verifier(directory: folder).run().verdict == .unanchored)
    let log = try LogReader(directory: folder)
    // The one line that makes replay and time line know the kind.
    let kinds = KindRegistry.standard.adding(MagicLinkKind.self)
    #expect(try Replay.replay(Recording(flow: flow.flowID, of: log, kinds: kinds), kinds: kinds) == [])
    let report = try #require(try FlowReport(of: flow.flowID, in: log, kinds: kinds))
    let text = report.lines().joined(separator: "\n")
    #expect(text.contains("link L-1 is in the mail") && text.contains("the person opened the link"))
    #expect(text.contains("ann@example.com, ") && text.contains("success after 6"))
    let last = try log.records(of: flow.flowID).count - 1
    #expect(
      report.state(at: last)?["session"] == "$secret.session.1$" && report.state(at: last)?["outcome"] == "success")
    #expect(!text.contains(session))

    // A reader that was not extended shows the flow in general words, and says that it cannot replay it.
    #expect(throws: ReplayError.self) { try Replay.replay(Recording(flow: flow.flowID, of: log)) }
  }

  @Test("what does not fit is a named error: the link is never opened by a task that ends, the server refuses")
  func failures() async throws {
    let answers = ScriptedTransport([.respond(with: HTTPResponse(status: 500, headers: [], body: Array("{}".utf8)))])
    let environment = FlowEnvironment(recorder: MemoryRecorder(), transport: answers)
    let flow = MagicLinkFlow(server: "https://login.example", environment: environment)
    await #expect(throws: MagicLinkFlow.Failure(reason: "serverError")) { try await flow.signIn(email: "ann") }
  }

  @Test("the kind stands the battery: spoiled answers, every input at every state, the whole state, no secret")
  func battery() async throws {
    let scenario = FlowScenario(
      "magic link", secrets: [session], transport: { CurlTransport.standard },
      play: { [session] environment in
        let server = try await MagicLinkServer(opensAfter: 2, session: session)
        _ = try await MagicLinkFlow(server: server.url, environment: environment).signIn(email: "ann@example.com")
      })
    #expect(await FlowBattery(MagicLinkKind.self, [scenario]).findings() == [])
  }
}
