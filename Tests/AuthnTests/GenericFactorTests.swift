import EventStore
import FlowRecording
import Foundation
import Testing

@testable import Authn

/// The operations that every factor has, called on the base class as programs for okta-auth-swift call them.
@Suite struct GenericFactorTests {
  private static let required: JSON = {
    let link = ("verify", Wire.link("/factors/fct1/verify")) as (String, JSON?)
    return Wire.required(Wire.factor("question", links: [link]))
  }()
  private static let enrolling = Wire.transaction(
    "MFA_ENROLL",
    embedded: [("factors", [Wire.factor("sms", links: [("enroll", Wire.link("/factors"))])])])

  @Test("enroll sends what it is given")
  func enroll() async throws {
    let script = Script(Self.enrolling, Wire.success)
    let status: OktaAuthStatusFactorEnroll = try await script.status()
    let factor: OktaFactor = try #require(status.availableFactors.first)
    let last = try await ended { done, failed in
      factor.enroll(
        questionId: nil, answer: nil, credentialId: nil, passCode: nil, phoneNumber: "+1 555 0100",
        onStatusChange: done, onError: failed)
    }
    #expect(last.statusType == .success)
    #expect(try script.lastBody["profile"] == ["phoneNumber": "+1 555 0100"])
    try await script.expectWhole(last)
  }

  @Test("select sends no code, whatever the factor")
  func select() async throws {
    let script = Script(Self.required, Wire.success)
    let status: OktaAuthStatusFactorRequired = try await script.status()
    let factor: OktaFactor = try #require(status.availableFactors.first)
    _ = try await ended { done, failed in factor.select(onStatusChange: done, onError: failed) }
    #expect(try script.lastBody == ["stateToken": "state-token-1"])
  }

  @Test("verify sends a code or an answer")
  func verify() async throws {
    for (code, answer) in [("1", nil), (nil, "tea")] as [(String?, String?)] {
      let script = Script(Wire.waiting(), Wire.success)
      let status: OktaAuthStatusFactorChallenge = try await script.status()
      let factor = status.factor
      _ = try await ended { done, failed in
        factor.verify(
          passCode: code, answerToSecurityQuestion: answer, onStatusChange: done, onError: failed,
          onFactorStatusUpdate: { _ in })
      }
      #expect(try script.lastBody["passCode"] == code.map(JSON.string))
      #expect(try script.lastBody["answer"] == answer.map(JSON.string))
    }
  }

  @Test("verify of a factor that is not enrolled sends nothing, and replays")
  func verifyBeforeEnrolment() async throws {
    let script = Script(Self.enrolling)
    let status: OktaAuthStatusFactorEnroll = try await script.status()
    let factor: OktaFactor = try #require(status.availableFactors.first)
    _ = try await failure { () async throws(OktaError) in
      try await factor.verify(passCode: nil, answerToSecurityQuestion: nil)
    }
    #expect(script.transport.requests.count == 1)
    try await script.expectWhole(status)
  }

  @Test("activate sends a code")
  func activate() async throws {
    let script = Script(Wire.activating, Wire.success)
    let status: OktaAuthStatusFactorEnrollActivate = try await script.status()
    let factor = status.factor
    _ = try await ended { done, failed in
      factor.activate(passCode: "123456", onStatusChange: done, onError: failed)
    }
    #expect(try script.lastBody["passCode"] == "123456")
  }

  @Test("the async forms do the same")
  func asyncForms() async throws {
    let script = Script(Self.enrolling, Self.required, Wire.activating, Wire.waiting(), Wire.success)
    var status: OktaAuthStatus = try await script.status(OktaAuthStatusFactorEnroll.self)
    func factor() throws -> OktaFactor { try #require(status.factors.first) }
    status = try await factor().enroll(
      questionId: nil, answer: nil, credentialId: nil, passCode: nil, phoneNumber: "+1 555 0100")
    status = try await factor().select()
    status = try await factor().activate(passCode: "1")
    status = try await factor().verify(passCode: "2", answerToSecurityQuestion: nil)
    #expect(status.statusType == .success)
  }

  @Test("a factor's operation shows the application's handler the very status that the factor is of")
  func currentStatus() async throws {
    final class Own: OktaAuthStatusFactorChallenge, @unchecked Sendable {}
    final class Handler: OktaAuthStatusResponseHandler, @unchecked Sendable {
      let seen = Locked<[String]>([])
      override func createAuthStatus(
        basedOn response: OktaAPISuccessResponse, and currentStatus: OktaAuthStatus
      ) throws -> OktaAuthStatus {
        seen.withLock { $0.append("\(type(of: currentStatus))") }
        guard response.status == .MFAChallenge else {
          return try super.createAuthStatus(basedOn: response, and: currentStatus)
        }
        return try Own(currentState: currentStatus, model: response)
      }
    }
    let handler = Handler()
    let script = Script(Wire.waiting(), Wire.success)
    let challenge: Own = try await script.status(handler: handler)
    _ = try await challenge.factor.verify(passCode: "1", answerToSecurityQuestion: nil)
    #expect(handler.seen.withLock { $0 } == ["OktaAuthStatusUnauthenticated", "Own"])
  }

  @Test("a class made of an answer that lacks what its status needs is refused")
  func incomplete() async throws {
    final class Handler: OktaAuthStatusResponseHandler, @unchecked Sendable {
      override func createAuthStatus(
        basedOn response: OktaAPISuccessResponse, and currentStatus: OktaAuthStatus
      ) throws -> OktaAuthStatus {
        try OktaAuthStatusFactorChallenge(currentState: currentStatus, model: response)
      }
    }
    let script = Script(Wire.transaction("MFA_CHALLENGE"))
    let start = script.begin(handler: Handler())
    let error = try await failure { () async throws(OktaError) in
      try await start.authenticate(username: "ann", password: "x")
    }
    guard case .invalidResponse = error else { throw error }
  }

  private func ended(
    _ call: (@escaping (OktaAuthStatus) -> Void, @escaping (OktaError) -> Void) -> Void
  ) async throws -> OktaAuthStatus {
    try await withCheckedThrowingContinuation { continuation in
      call({ continuation.resume(returning: $0) }, { continuation.resume(throwing: $0) })
    }
  }
}
