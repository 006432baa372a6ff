import EventStore
import FlowRecording
import Testing

@testable import Authn

/// What an answer says of a factor reaches the closure of the call, in calls too whose factor results have no event.
@Suite struct FactorResultTests {
  private final class OwnHandler: OktaAuthStatusResponseHandler, @unchecked Sendable {}

  private func handler(isOwn: Bool) -> OktaAuthStatusResponseHandler {
    isOwn ? OwnHandler() : OktaAuthStatusResponseHandler()
  }

  private func members(_ result: String?) -> [(String, JSON?)] { [("factorResult", result.map(JSON.string))] }

  private func expectNoEvent(
    _ script: Script, _ status: OktaAuthStatus, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let types = script.recorder.records(of: status.flowID).map(\.event.type)
    #expect(!types.contains(FactorUpdated.type), sourceLocation: sourceLocation)
  }

  @Test("a phone that is enrolled", arguments: ["WAITING", "SUCCESS", nil] as [String?], [false, true])
  func phone(result: String?, isOwn: Bool) async throws {
    let sms = Wire.factor("sms", links: [("enroll", Wire.link("/factors"))])
    let activation = Wire.transaction(
      "MFA_ENROLL_ACTIVATE", embedded: [("factor", Wire.factor("sms", links: []))],
      links: [("next", Wire.link("/factors/fct1/lifecycle/activate", name: "activate")), ("cancel", Wire.cancel)],
      members(result))
    let script = Script(
      Wire.transaction("MFA_ENROLL", embedded: [("factors", [sms])], links: [("cancel", Wire.cancel)]), activation)
    let status: OktaAuthStatusFactorEnroll = try await script.status(handler: handler(isOwn: isOwn))
    let factor = try #require(status.availableFactors.first as? OktaFactorSms)
    let heard = Locked<[String]>([])
    let next = try await factor.enroll(
      phoneNumber: "+15551234567", onFactorStatusUpdate: { result in heard.withLock { $0.append(result.rawValue) } })
    #expect(next.statusType == .MFAEnrollActivate)
    #expect(heard.withLock { $0 } == [result].compactMap(\.self))
    expectNoEvent(script, status)
    try await script.expectWhole(next)
  }

  @Test("an answer that selects its question", arguments: ["SUCCESS", nil] as [String?], [false, true])
  func question(result: String?, isOwn: Bool) async throws {
    let question = Wire.factor("question", links: [("verify", Wire.link("/factors/fct1/verify"))])
    let success = JSON.members(
      [("status", "SUCCESS"), ("sessionToken", "session-token-1")] + members(result))
    let script = Script(Wire.required(question), success)
    let status: OktaAuthStatusFactorRequired = try await script.status(handler: handler(isOwn: isOwn))
    let factor = try #require(status.availableFactors.first as? OktaFactorQuestion)
    let heard = Locked<[String]>([])
    let next = try await factor.select(
      answerToSecurityQuestion: "pizza",
      onFactorStatusUpdate: { result in heard.withLock { $0.append(result.rawValue) } }
    )
    #expect(next.statusType == .success)
    #expect(heard.withLock { $0 } == [result].compactMap(\.self))
    expectNoEvent(script, status)
    try await script.expectWhole(next)
  }
}
