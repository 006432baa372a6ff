import EventStore
import FlowRecording
import Foundation
import Testing

@testable import Authn

/// The application's own code, called in the middle of a step, calls the SDK: it gets an answer, and nothing hangs.
@Suite struct ReentryTests {
  @Test("a listener that reads the flow and calls it gets `alreadyInProgress`, and the sign-in goes on")
  func listener() async throws {
    let script = Script(Wire.success)
    var environment = script.environment
    let start = Locked<OktaAuthStatusUnauthenticated?>(nil)
    let errors = Locked<[OktaError]>([])
    environment.requestListener = { request in
      guard let start = start.withLock({ $0 }) else { return request }
      _ = start.model.json
      start.authenticate(
        username: "eve", password: "x", onStatusChange: { _ in },
        onError: { error in errors.withLock { $0.append(error) } })
      return request
    }
    let status = OktaAuthStatusUnauthenticated(
      oktaDomain: try #require(URL(string: Script.org)), environment: environment)
    start.withLock { $0 = status }
    let last = try await status.authenticate(username: "ann", password: "Horse-7")
    #expect(last.statusType == .success)
    script.settle()
    guard case .alreadyInProgress = errors.withLock({ $0.first }) else { throw ShouldHaveFailed() }
    #expect(script.transport.requests.count == 1)
    start.withLock { $0 = nil }
    try await script.expectWhole(last, "listener")
  }

  @Test("what comes while a step is under way is taken in the order in which it came")
  func order() async throws {
    let script = Script(Wire.success)
    var environment = script.environment
    let start = Locked<OktaAuthStatusUnauthenticated?>(nil)
    environment.requestListener = { request in
      if let flow = start.withLock({ $0 })?.object.session.flow { for number in 0..<10 { flow.note("\(number)") } }
      return request
    }
    let status = OktaAuthStatusUnauthenticated(
      oktaDomain: try #require(URL(string: Script.org)), environment: environment)
    start.withLock { $0 = status }
    let last = try await status.authenticate(username: "ann", password: "Horse-7")
    start.withLock { $0 = nil }
    script.settle()
    let notes = script.recorder.records(of: last.flowID).compactMap { record in
      if case .noteAdded(let note) = record.event { note.text } else { nil }
    }
    #expect(notes == (0..<10).map(String.init))
    try await script.expectWhole(last, "order")
  }

  private final class Curious: OktaAuthStatusResponseHandler, @unchecked Sendable {
    let errors = Locked<[OktaError]>([])

    override func createAuthStatus(
      basedOn response: OktaAPISuccessResponse, and currentStatus: OktaAuthStatus
    ) throws -> OktaAuthStatus {
      (currentStatus as? OktaAuthStatusUnauthenticated)?.authenticate(
        username: "eve", password: "x", onStatusChange: { _ in },
        onError: { error in self.errors.withLock { $0.append(error) } })
      return try super.createAuthStatus(basedOn: response, and: currentStatus)
    }
  }

  @Test("a response handler that calls the transaction it is asked about gets `alreadyInProgress`")
  func handler() async throws {
    let script = Script(Wire.success)
    let handler = Curious()
    let last = try await script.begin(handler: handler).authenticate(username: "ann", password: "Horse-7")
    #expect(last.statusType == .success)
    script.settle()
    guard case .alreadyInProgress = handler.errors.withLock({ $0.first }) else { throw ShouldHaveFailed() }
    #expect(script.transport.requests.count == 1)
    try await script.expectWhole(last, "handler")
  }
}
