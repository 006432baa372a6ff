import EventStore
import FlowRecording
import Foundation
import Scenarios
import SimulatedOrg
import Testing

@testable import Authn

/// One test for each fault that a review found.
@Suite struct ReviewFindingsTests {
  @Test(
    "a rate-limit header of any number waits a sane time or none, and does not trap",
    arguments: ["-9223372036854775808", "9223372036854775807", "0", "-1", "x", ""])
  func rateLimitOverflow(reset: String) {
    let response = ResponseReceived(
      status: 429,
      headers: [
        HTTPField("Date", "Thu, 15 Jan 2026 09:00:00 GMT"), HTTPField("X-Rate-Limit-Limit", "10"),
        HTTPField("X-Rate-Limit-Reset", reset),
      ], body: .empty)
    if let wait = RateLimit(response).waitSeconds { #expect((1...3600).contains(wait)) }
  }

  @Test("a sign-in that succeeded stays a success, whatever is called on it afterwards")
  func successStays() async throws {
    let recorder = MemoryRecorder()
    let scenario = Scenario("tidy", Scenario.passwordOnly.configuration) { stage in
      let status = try await stage.begin().authenticate(username: Scenario.login, password: Scenario.password)
      do throws(OktaError) {
        try await status.cancel()
      } catch {
        guard case .wrongStatus = error else { throw error }
      }
      return nil
    }
    try await scenario.run(recorder: recorder)
    let records = try #require(recorder.streams.first.map(recorder.records(of:)))
    let ends = records.filter { $0.event.type == "flow.ended" }.map { $0.event.data["outcome"]?.string }
    #expect(ends == ["success"])
  }

  @Test("flows that begin together after a loss tell of the gap once")
  func gapToldOnce() async throws {
    try await withTemporaryFolder { folder in
      let holder = try EventLog.open(at: folder + "/audit")
      let recorder = LogRecorder(directory: folder + "/audit", auditing: .bestEffort)
      try await Scenario.passwordOnly.run(recorder: recorder, seed: 1)
      let lost = recorder.lost
      #expect(lost > 0)
      try holder.close()
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<16 { group.addTask { _ = recorder.journal(for: "authn/\(index)") } }
      }
      #expect(recorder.lost == 0)
      try recorder.close()
      let gaps = try LogReader(directory: folder + "/audit").records(of: "log").filter { $0.type == "log.gap" }
      let told = try gaps.map { try JSON(parsing: $0.data)["lost"]?.int ?? 0 }
      #expect(told.reduce(0, +) == lost)
    }
  }

  @Test("a recorder that cannot sign at its close gives the lock back all the same")
  func closeGivesTheLockBack() async throws {
    try await withTemporaryFolder { folder in
      let recorder = LogRecorder(directory: folder + "/audit", signingKey: try SigningKey(name: "another-origin"))
      try await Scenario.passwordOnly.run(recorder: recorder)
      #expect(throws: StoreError.self) { try recorder.close() }
      try EventLog.open(at: folder + "/audit").close()
    }
  }

  @Test("an actor that keeps its status is freed with it, and the flow ends")
  func actorIsFreed() async throws {
    let recorder = MemoryRecorder()
    let stage = try await Stage(Scenario.wrongPassword.configuration, recorder: recorder)
    weak var kept: Keeper?
    do {
      let keeper = Keeper(stage.begin())
      await keeper.fail()
      kept = keeper
    }
    let stream = try #require(recorder.streams.first)
    // What lets go of it runs on other threads; it is waited for by its effect, not by the clock.
    await eventually("the actor is freed, and the flow ended") {
      kept == nil && recorder.records(of: stream).last?.event.type == "flow.ended"
    }
    await stage.org.stop()
  }

  @Test(
    "a password that is a word of the handler's answers signs in", arguments: ["status", "wait", "outcome", "code"])
  func handlerWords(password: String) async throws {
    let user = OrgUser(login: Scenario.login, password: password)
    let scenario = Scenario("words", OrgConfiguration(users: [user])) { stage in
      let start = OktaAuthStatusUnauthenticated(
        oktaDomain: URL(string: Stage.orgURL) ?? stage.org.url, responseHandler: OwnHandler(),
        environment: stage.environment)
      return try await start.authenticate(username: Scenario.login, password: password)
    }
    try await scenario.run(recorder: MemoryRecorder()) { _, last in #expect(last?.statusType == .success) }
  }

  @Test("requests, responses and links print nothing that they hold")
  func messagesPrintNothing() throws {
    let request = HTTPRequest(
      method: "POST", url: "https://acme.example/?token=hush", headers: [HTTPField("Cookie", "hush")],
      body: Array("hush".utf8))
    let response = HTTPResponse(status: 200, headers: [HTTPField("Set-Cookie", "hush")], body: Array("hush".utf8))
    let url = try #require(URL(string: "https://acme.example/?token=hush"))
    let link = LinksResponse.Link(href: url, name: "next")
    for value in [request, response, link] as [Any] {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        #expect(!text.contains("hush") && !text.contains("104"), "\(text)")
      }
    }
  }
}

/// An application's actor that calls the SDK and keeps what it got.
private actor Keeper {
  private let start: OktaAuthStatusUnauthenticated
  private var error: OktaError?
  private var waiting: CheckedContinuation<Void, Never>?

  init(_ start: OktaAuthStatusUnauthenticated) { self.start = start }

  func fail() async {
    start.authenticate(
      username: Scenario.login, password: "wrong", onStatusChange: { _ in self.heard(nil) },
      onError: { self.heard($0) })
    await withCheckedContinuation { waiting = $0 }
  }

  private func heard(_ error: OktaError?) {
    self.error = error
    waiting?.resume()
    waiting = nil
  }
}

/// A handler of the application that adds nothing.
private final class OwnHandler: OktaAuthStatusResponseHandler, @unchecked Sendable {}
