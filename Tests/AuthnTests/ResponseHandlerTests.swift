import EventStore
import FlowRecording
import Foundation
import Replay
import Scenarios
import SimulatedOrg
import Testing

@testable import Authn

/// The seed's «SDK extension»: an application's own response handler and status classes. Its answers are recorded, and a
/// replay runs none of its code (SPINE §2).
@Suite struct ResponseHandlerTests {
  private final class Greeting: OktaAuthStatusSuccess, @unchecked Sendable {
    var greeting: String { "Welcome, \(user?.profile?.firstName ?? "stranger")" }
  }

  private final class Consent: OktaAuthStatus, @unchecked Sendable {
    let scopes: [String]

    override init(currentState: OktaAuthStatus, model: OktaAPISuccessResponse) throws {
      scopes = (model.json["_embedded"]?["scopes"]?.array ?? []).compactMap { $0["name"]?.string }
      try super.init(currentState: currentState, model: model)
    }
  }

  private struct Foreign: Error {}

  private class Classes: OktaAuthStatusResponseHandler, @unchecked Sendable {
    override func createAuthStatus(
      basedOn response: OktaAPISuccessResponse, and currentStatus: OktaAuthStatus
    ) throws -> OktaAuthStatus {
      switch response.status {
      case .success: return try Greeting(currentState: currentStatus, model: response)
      case .unknown("CONSENT_REQUIRED"): return try Consent(currentState: currentStatus, model: response)
      case .lockedOut: throw Foreign()
      default: return try super.createAuthStatus(basedOn: response, and: currentStatus)
      }
    }
  }

  /// Shows every waiting answer instead of polling, and turns errors of the org into the status before.
  private final class Impatient: OktaAuthStatusResponseHandler, @unchecked Sendable {
    override func handleServerResponse(
      _ response: OktaAPIRequest.Result, currentStatus: OktaAuthStatus,
      onStatusChanged: @escaping (OktaAuthStatus) -> Void, onError: @escaping (OktaError) -> Void,
      onFactorStatusUpdate: ((OktaAPISuccessResponse.FactorResult) -> Void)?
    ) {
      switch response {
      case .success(let answer):
        do {
          onStatusChanged(try createAuthStatus(basedOn: answer, and: currentStatus))
        } catch { onError(.unexpectedResponse) }
      case .error(.serverRespondedWithError): onStatusChanged(currentStatus)
      case .error(let error): onError(error)
      }
      onError(.internalError("the second word does not count"))
    }
  }

  private func asked(_ script: Script, _ flow: String) -> Int {
    script.recorder.records(of: flow).count { if case .drawAsked = $0.event { true } else { false } }
  }

  @Test("the SDK's own handler is not asked")
  func standard() async throws {
    let script = Script(Wire.success)
    let success: OktaAuthStatusSuccess = try await script.status()
    #expect(asked(script, success.flowID) == 0)
  }

  @Test("a subclass of a status class is handed over, and the log replays without it")
  func ownClass() async throws {
    let script = Script(Wire.success)
    let greeting: Greeting = try await script.status(handler: Classes())
    #expect(greeting.greeting == "Welcome, stranger")
    #expect(greeting.sessionToken == "session-token-1")
    #expect(asked(script, greeting.flowID) == 1)
    try await script.expectWhole(greeting)
  }

  @Test("a status that the SDK does not model becomes a class of the application, and goes on by its links")
  func ownStatus() async throws {
    let consent = Wire.transaction(
      "CONSENT_REQUIRED", embedded: [("scopes", [["name": "calendar"]])],
      links: [("next", Wire.link("/consent", name: "consent")), ("cancel", Wire.cancel)])
    let script = Script(consent, Wire.success)
    let status: Consent = try await script.status(handler: Classes())
    #expect(status.scopes == ["calendar"])
    let link = try #require(status.links?.next)
    let last = try await status.sendRequest(with: link, keyValuePayload: ["consent": ["scopes": ["calendar"]]])
    #expect(last is Greeting)
    #expect(try script.lastBody.sorted == ["consent": ["scopes": ["calendar"]], "stateToken": "state-token-1"])
    try await script.expectWhole(last)
  }

  @Test("what the handler does not make, the SDK makes: unknown statuses and foreign errors among it")
  func fallThrough() async throws {
    let script = Script(
      Wire.transaction("PROFILE_REQUIRED"), ["status": "LOCKED_OUT"], ["status": "MFA_REQUIRED"], Wire.waiting())
    let start = script.begin(handler: Classes())
    func attempt() async throws -> OktaError {
      try await failure { () async throws(OktaError) in try await start.authenticate(username: "ann", password: "x") }
    }
    guard case .unknownStatus(let response) = try await attempt() else { throw ShouldHaveFailed() }
    #expect(response.status == .unknown("PROFILE_REQUIRED"))
    guard case .unexpectedResponse = try await attempt() else { throw ShouldHaveFailed() }
    guard case .invalidResponse = try await attempt() else { throw ShouldHaveFailed() }
    #expect(try await start.authenticate(username: "ann", password: "x") is OktaAuthStatusFactorChallenge)
    try await script.expectWhole(start)
  }

  @Test("super goes on polling")
  func polling() async throws {
    let script = Script(Wire.waiting(), Wire.waiting(), Wire.waiting(), Wire.success)
    let challenge: OktaAuthStatusFactorChallenge = try await script.status(handler: Classes())
    let firing = script.firing()
    defer { firing.cancel() }
    let results = Locked(0)
    let last = try await challenge.verifyFactor(
      passCode: nil, answerToSecurityQuestion: nil, onFactorStatusUpdate: { _ in results.withLock { $0 += 1 } })
    #expect(last is Greeting)
    #expect(results.withLock { $0 } == 2)
    #expect(script.transport.requests.count == 4)
    try await script.expectWhole(last)
  }

  @Test("handleServerResponse decides: no polling, errors turned into a status; its first word counts")
  func decides() async throws {
    let script = Script([
      Script.answer(Wire.waiting()), Script.answer(Wire.waiting()),
      Script.answer(["errorCode": "E0000068", "errorSummary": "Invalid"], status: 403),
      .fail(with: TransportError(.connectionLost, "lost")),
    ])
    let challenge: OktaAuthStatusFactorChallenge = try await script.status(handler: Impatient())
    let shown = try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    #expect(shown is OktaAuthStatusFactorChallenge)
    #expect(script.time.pending == 0)
    let kept = try await challenge.verifyFactor(passCode: "1", answerToSecurityQuestion: nil)
    #expect(kept === challenge)
    let error = try await failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: "1", answerToSecurityQuestion: nil)
    }
    guard case .connectionError = error else { throw error }
    #expect(asked(script, challenge.flowID) == 4, "the lost answer is asked about too")
    try await script.expectWhole(challenge)
  }

  @Test("the status of a handler's making can be acted on, in the replay too")
  func receiver() async throws {
    let required = Wire.required(Wire.factor("push", links: [("verify", Wire.link("/factors/fct1/verify"))]))
    let script = Script(required, Wire.waiting(), required)
    let status: OktaAuthStatusFactorRequired = try await script.status(handler: Classes())
    let challenge = try await status.selectFactor(try #require(status.availableFactors.first))
    #expect(try await challenge.returnToPreviousStatus() is OktaAuthStatusFactorRequired)
    try await script.expectWhole(challenge)
  }

  /// Decides when the test says so.
  private final class Thoughtful: OktaAuthStatusResponseHandler, @unchecked Sendable {
    let decide = Locked<[@Sendable () -> Void]>([])
    override func handleServerResponse(
      _ response: OktaAPIRequest.Result, currentStatus: OktaAuthStatus,
      onStatusChanged: @escaping (OktaAuthStatus) -> Void, onError: @escaping (OktaError) -> Void,
      onFactorStatusUpdate: ((OktaAPISuccessResponse.FactorResult) -> Void)?
    ) {
      nonisolated(unsafe) let answer = onStatusChanged
      decide.withLock { $0.append { answer(currentStatus) } }
    }

    func take() async -> @Sendable () -> Void {
      while true {
        if let first = decide.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return first }
        await Task.yield()
      }
    }
  }

  @Test("while the handler thinks, other operations wait; cancel does not, and the late answer is recorded only")
  func lateAnswer() async throws {
    let script = Script(Wire.success, [:])
    let handler = Thoughtful()
    let start = script.begin(handler: handler)
    async let signIn = failure { () async throws(OktaError) in
      try await start.authenticate(username: "ann", password: "x")
    }
    let decide = await handler.take()
    let second = try await failure { () async throws(OktaError) in
      try await start.authenticate(username: "ann", password: "y")
    }
    guard case .alreadyInProgress = second else { throw second }
    try await start.cancel()
    guard case .cancelled = try await signIn else { throw ShouldHaveFailed() }
    decide()
    let last = script.recorder.records(of: start.flowID).last
    guard case .drawMade = last?.event else {
      Issue.record("the late answer should be the last record, not \(last?.event.type ?? "none")")
      return
    }
    try await script.expectWhole(start)
  }

  @Test("secrets in an error of the application are masked before they are recorded")
  func masked() async throws {
    final class Talkative: OktaAuthStatusResponseHandler, @unchecked Sendable {
      override func createAuthStatus(
        basedOn response: OktaAPISuccessResponse, and currentStatus: OktaAuthStatus
      ) throws -> OktaAuthStatus {
        throw OktaError.wrongStatus("I do not like \(response.stateToken ?? "")")
      }
    }
    let script = Script(Wire.waiting(token: "state-token-that-is-secret"))
    let start = script.begin(handler: Talkative())
    let error = try await failure { () async throws(OktaError) in
      try await start.authenticate(username: "ann", password: "x")
    }
    #expect(error.description.contains("state-token-that-is-secret"), "the application's own text reaches it")
    let written = script.recorder.records(of: start.flowID).map { $0.event.data.text }.joined()
    #expect(!written.contains("state-token-that-is-secret"))
    try await script.expectWhole(start)
  }

  /// A handler of the application that adds nothing.
  private final class Nothing: OktaAuthStatusResponseHandler, @unchecked Sendable {}

  @Test(
    "a password that is a word of the handler's answers signs in", arguments: ["status", "wait", "outcome", "code"])
  func handlerWords(password: String) async throws {
    let user = OrgUser(login: Scenario.login, password: password)
    let scenario = Scenario("words", OrgConfiguration(users: [user])) { stage in
      let start = OktaAuthStatusUnauthenticated(
        oktaDomain: URL(string: Stage.orgURL) ?? stage.org.url, responseHandler: Nothing(),
        environment: stage.environment)
      return try await start.authenticate(username: Scenario.login, password: password)
    }
    try await scenario.run(recorder: MemoryRecorder()) { _, last in #expect(last?.statusType == .success) }
  }
}
