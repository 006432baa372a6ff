import EventStore
import FlowRecording
import Foundation
import OIDC
import Scenarios
import Testing

@testable import IDX

/// A response keeps its flow: code that keeps nothing else works, and letting go of it ends the flow.
@Suite struct KeptResponseTests {
  /// Notes the end of a flow.
  private final class Watcher: InteractionCodeFlowDelegate, Sendable {
    let heard = Locked<[String]>([])

    func authentication<Flow>(flow: Flow, received response: Response) where Flow: InteractionCodeFlow {
      heard.withLock { $0.append(response.remediations[0]?.name ?? "success") }
    }

    func authentication<Flow>(flow: Flow, received token: Token) where Flow: InteractionCodeFlow {
      heard.withLock { $0.append("token") }
    }
  }

  @Test("the response alone leads to tokens, and delegates are called throughout")
  func responseAlone() async throws {
    let script = IDXScript(ION.identify, ION.success(), ION.token, ION.metadata, ION.keys)
    let watcher = Watcher()
    func begin() async throws -> Response {
      let flow = script.flow()
      flow.add(delegate: watcher)
      return try await flow.start()
    }
    var response = try await begin()
    let identify = try #require(response.remediations[.identify])
    identify.identifier?.value = "ann"
    response = try await identify.proceed()
    #expect(try await response.exchangeCode().accessToken == "access-token-1")
    #expect(watcher.heard.withLock { $0 } == ["identify", "cancel", "token"])
  }

  @Test("one part of a response is enough to keep", arguments: ["remediation", "pollable"])
  func partAlone(part: String) async throws {
    let script = IDXScript(ION.polled(), ION.success())
    func begin() async throws -> (Remediation?, Capability.Pollable?) {
      let response = try await script.flow().start()
      let challenge = response.remediations[.challengeAuthenticator]
      challenge?["credentials.passcode"]?.value = "123456"
      return part == "remediation" ? (challenge, nil) : (nil, response.authenticators.current?.pollable)
    }
    let (remediation, pollable) = try await begin()
    let firing = script.firing()
    var response = try await remediation?.proceed()
    if let pollable { response = try await pollable.startPolling() }
    firing.cancel()
    #expect(response?.isLoginSuccessful == true)
  }

  @Test("closures alone are enough, for a code that keeps nothing")
  func closuresAlone() async throws {
    let script = IDXScript(ION.identify, ION.success(), ION.token, ION.metadata, ION.keys)
    let token: Token = try await withCheckedThrowingContinuation { continuation in
      script.flow().start { result in
        guard case .success(let response) = result, let identify = response.remediations[.identify] else {
          return continuation.resume(throwing: ShouldHaveFailed())
        }
        identify.identifier?.value = "ann"
        identify.proceed { result in
          guard case .success(let response) = result else { return continuation.resume(throwing: ShouldHaveFailed()) }
          response.exchangeCode { (result: Result<Token, InteractionCodeFlowError>) in
            continuation.resume(with: result)
          }
        }
      }
    }
    #expect(token.accessToken == "access-token-1")
  }

  @Test("who lets go of the last response lets go of the flow, and the log says so")
  func released() async throws {
    let script = IDXScript(ION.polled(), ION.polled(), ION.success())
    var response: Response? = try await script.flow().start()
    let stream = try #require(response?.origin.session.flow.stream)
    weak let session = response?.origin.session
    weak let mailbox = response?.origin.session.flow
    #expect(session != nil)
    #expect(!script.recorder.records(of: stream).contains { $0.event.type == "flow.ended" })
    response = nil
    #expect(await holdsSoon { session == nil && mailbox == nil })
    #expect(script.recorder.records(of: stream).last?.event == .flowEnded(FlowEnded(outcome: "abandoned")))
  }

  @Test("polling that has ended keeps nothing")
  func releasedAfterPolling() async throws {
    let script = IDXScript(ION.polled(), ION.polled(), ION.success())
    func poll() async throws -> Response {
      try await #require(script.flow().start().authenticators.current?.pollable).startPolling()
    }
    let firing = script.firing()
    var last: Response? = try await poll()
    firing.cancel()
    let stream = try #require(last?.origin.session.flow.stream)
    weak let mailbox = last?.origin.session.flow
    #expect(mailbox != nil)
    last = nil
    #expect(await holdsSoon { mailbox == nil })
    #expect(script.recorder.records(of: stream).last?.event == .flowEnded(FlowEnded(outcome: "abandoned")))
  }
}
