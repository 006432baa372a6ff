import EventStore
import FlowRecording
import Foundation
import Testing

@testable import Authn

/// Status classes of an application override the methods as document 000 declares them, and callers reach the override.
@Suite struct OverrideTests {
  /// What was called, in order.
  private final class Calls: Sendable {
    private let names = Locked<[String]>([])
    func note(_ name: String) { names.withLock { $0.append(name) } }
    var all: [String] { names.withLock { $0 } }
  }

  private final class Required: OktaAuthStatusFactorRequired, @unchecked Sendable {
    let calls: Calls

    init(_ calls: Calls, currentState: OktaAuthStatus, model: OktaAPISuccessResponse) throws {
      self.calls = calls
      try super.init(currentState: currentState, model: model)
    }

    override func canCancel() -> Bool { true }

    override func cancel(onSuccess: (() -> Void)? = nil, onError: ((_ error: OktaError) -> Void)? = nil) {
      calls.note("cancel")
      super.cancel(onSuccess: onSuccess, onError: onError)
    }

    override func selectFactor(
      _ factor: OktaFactor,
      onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
      onError: @escaping (_ error: OktaError) -> Void
    ) {
      calls.note("selectFactor")
      super.selectFactor(factor, onStatusChange: onStatusChange, onError: onError)
    }
  }

  private final class Challenge: OktaAuthStatusFactorChallenge, @unchecked Sendable {
    let calls: Calls

    init(_ calls: Calls, currentState: OktaAuthStatus, model: OktaAPISuccessResponse) throws {
      self.calls = calls
      try super.init(currentState: currentState, model: model)
    }

    override func verifyFactor(
      passCode: String?, answerToSecurityQuestion: String?,
      onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
      onError: @escaping (_ error: OktaError) -> Void,
      onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
    ) {
      calls.note("verifyFactor")
      super.verifyFactor(
        passCode: passCode, answerToSecurityQuestion: answerToSecurityQuestion, onStatusChange: onStatusChange,
        onError: onError, onFactorStatusUpdate: onFactorStatusUpdate)
    }
  }

  private final class Start: OktaAuthStatusUnauthenticated, @unchecked Sendable {
    let calls = Calls()

    override func authenticate(
      username: String, password: String,
      onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
      onError: @escaping (_ error: OktaError) -> Void
    ) {
      calls.note("authenticate")
      super.authenticate(username: username, password: password, onStatusChange: onStatusChange, onError: onError)
    }
  }

  private final class Handler: OktaAuthStatusResponseHandler, @unchecked Sendable {
    let calls: Calls
    init(_ calls: Calls) { self.calls = calls }

    override func createAuthStatus(
      basedOn response: OktaAPISuccessResponse, and currentStatus: OktaAuthStatus
    ) throws -> OktaAuthStatus {
      switch response.status {
      case .MFARequired: try Required(calls, currentState: currentStatus, model: response)
      case .MFAChallenge: try Challenge(calls, currentState: currentStatus, model: response)
      default: try super.createAuthStatus(basedOn: response, and: currentStatus)
      }
    }
  }

  @Test("the overrides are what callers of the base class reach, and `super` does the work")
  func overrides() async throws {
    let factor: JSON = [
      "id": "opf1", "factorType": "push", "provider": "OKTA",
      "_links": ["verify": Wire.link("/factors/opf1/verify")],
    ]
    let script = Script(
      Wire.transaction("MFA_REQUIRED", embedded: [("factors", [factor])], links: [("cancel", Wire.link("/cancel"))]),
      Wire.transaction(
        "MFA_CHALLENGE", embedded: [("factor", factor)],
        links: [("next", Wire.link("/factors/opf1/verify", name: "verify")), ("cancel", Wire.link("/cancel"))]),
      Wire.success)
    let calls = Calls()
    let start = Start(
      oktaDomain: URL(string: Script.org) ?? URL(fileURLWithPath: "/"), responseHandler: Handler(calls),
      environment: script.environment)
    let end = await withCheckedContinuation { (done: CheckedContinuation<OktaAuthStatus?, Never>) in
      let failed: (OktaError) -> Void = { _ in done.resume(returning: nil) }
      let base: OktaAuthStatusUnauthenticated = start
      base.authenticate(
        username: "ann", password: "Horse-7",
        onStatusChange: { status in
          guard let required = status as? OktaAuthStatusFactorRequired else { return done.resume(returning: nil) }
          required.selectFactor(
            required.availableFactors[0],
            onStatusChange: { status in
              guard let challenge = status as? OktaAuthStatusFactorChallenge else { return done.resume(returning: nil) }
              challenge.verifyFactor(
                passCode: nil, answerToSecurityQuestion: nil, onStatusChange: { done.resume(returning: $0) },
                onError: failed)
            }, onError: failed)
        }, onError: failed)
    }
    #expect(end?.statusType == .success)
    #expect(start.calls.all == ["authenticate"])
    #expect(calls.all == ["selectFactor", "verifyFactor"])
  }
}
