// An application of the classic API that takes whatever status comes, and does something there that the objects offer, or do not.

import Authn
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg

extension Scenario {
  /// A walk against the org of a scenario, with the choices of a variation.
  static func wandering(in scenario: Scenario, _ chance: Chance) -> Scenario {
    Scenario(scenario.name, scenario.configuration) { stage in
      try await AuthnWanderer(stage: stage, chance: chance).wander()
      return nil
    }
  }
}

/// Walks through a sign-in by chance.
struct AuthnWanderer: Sendable {
  let stage: Stage
  let chance: Chance
  private let texts = Wandering.texts

  init(stage: Stage, chance: Chance) { (self.stage, self.chance) = (stage, chance) }

  /// Takes some steps.
  func wander() async throws {
    let start = stage.begin(pollInterval: chance.pick([5, 5, 1, 0.5, 20]) ?? 5)
    var status: OktaAuthStatus = start
    var held: [OktaAuthStatus] = [start]
    for _ in 0..<(4 + chance.number(below: 8)) {
      stage.org.answerPush(
        for: Scenario.login, chance.pick(PushAnswer.allCases) ?? .approve, afterPolls: chance.number(below: 3))
      let current = chance.isTrue(90) ? status : chance.pick(held) ?? status
      do {
        guard let next = try await stage.firingTimers(during: { try await act(on: current) }) else { continue }
        status = next
        held.append(next)
      } catch is OktaError {
        if chance.isTrue(40) { status = start }
      }
    }
  }

  private var text: String { chance.pick(texts) ?? "" }
  private var maybe: Bool? { chance.pick([nil, true, false]) ?? nil }
  private func orNone(_ text: String) -> String? { chance.isTrue(60) ? text : nil }
  private var recovery: OktaRecoveryFactors? { chance.isTrue(80) ? chance.pick(OktaRecoveryFactors.allCases) : nil }
  private var relay: String? { chance.isTrue(40) ? "/app/" + text : nil }
  private var code: String {
    if chance.isTrue(75), let code = stage.org.outbox.last?.code { return code }
    if chance.isTrue(50), let code = stage.org.timeCode(secret: "JBSWY3DPEHPK3PXP") { return code }
    return chance.isTrue(50) ? "000000" : text
  }
  private var name: String { chance.isTrue(90) ? Scenario.login : text }

  private func act(on status: OktaAuthStatus) async throws(OktaError) -> OktaAuthStatus? {
    switch chance.number(below: 100) {
    case 0..<6 where status.canReturn(): return try await status.returnToPreviousStatus()
    case 6..<9:
      try await status.cancel()
      return nil
    case 9..<16: return try await request(of: status)
    case 16..<18: return try await status.returnToPreviousStatus()
    default: break
    }
    switch status {
    case let status as OktaAuthStatusUnauthenticated: return try await begin(status)
    case let status as OktaAuthStatusPasswordChange: return try await change(status)
    case let status as OktaAuthStatusPasswordReset:
      return try await status.resetPassword(newPassword: "Newer-Horse-9" + (orNone(text) ?? ""), revokeSessions: maybe)
    case let status as OktaAuthStatusLockedOut:
      return try await status.unlock(username: name, factorType: recovery, relayState: relay)
    case let status as OktaAuthStatusRecovery:
      return chance.isTrue(75)
        ? try await status.recoverWithAnswer(chance.isTrue(70) ? "teddy" : text)
        : try await status.recoverWithToken(text)
    case let status as OktaAuthStatusRecoveryChallenge:
      switch chance.number(below: 4) {
      case 0: return try await status.resendFactor()
      case 1: return try await status.verifyFactor(recoveryToken: text)
      default: return try await status.verifyFactor(passCode: code)
      }
    case let status as OktaAuthStatusFactorEnroll: return try await enroll(status)
    case let status as OktaAuthStatusFactorEnrollActivate: return try await activate(status)
    case let status as OktaAuthStatusFactorRequired:
      guard let factor = chance.pick(status.availableFactors) else { return nil }
      return chance.isTrue(50) ? try await status.selectFactor(factor) : try await select(factor)
    case let status as OktaAuthStatusFactorChallenge: return try await answer(status)
    default: return try await request(of: status)
    }
  }

  private func begin(_ status: OktaAuthStatusUnauthenticated) async throws(OktaError) -> OktaAuthStatus {
    switch chance.number(below: 10) {
    case 0: return try await status.unlockAccount(username: name, factorType: recovery, relayState: relay)
    case 1: return try await status.recoverPassword(username: name, factorType: recovery, relayState: relay)
    case 2: return try await status.recover(with: text, relayState: relay)
    case 3: return try await status.authenticate(username: name, password: text)
    case 4, 5:
      var options = OktaAuthenticationOptions()
      options.relayState = relay
      options.audience = orNone(text)
      options.deviceToken = orNone("device-token-of-the-walk")
      options.deviceFingerprint = orNone("fingerprint-of-the-walk")
      options.forwardedFor = orNone("203.0.113.9")
      options.acceptLanguage = orNone("fr-CH, fr;q=0.9")
      options.multiOptionalFactorEnroll = chance.isTrue(50)
      options.warnBeforePasswordExpired = chance.isTrue(50)
      return try await status.authenticate(username: name, password: Scenario.password, options: options)
    default: return try await status.authenticate(username: name, password: Scenario.password)
    }
  }

  private func change(_ status: OktaAuthStatusPasswordChange) async throws(OktaError) -> OktaAuthStatus {
    if let status = status as? OktaAuthStatusPasswordWarning, chance.isTrue(40) {
      return try await status.skipPasswordChange()
    }
    return try await status.changePassword(
      oldPassword: chance.isTrue(80) ? Scenario.password : text, newPassword: "Newer-Horse-9" + (orNone(text) ?? ""),
      revokeSessions: maybe)
  }

  private func enroll(_ status: OktaAuthStatusFactorEnroll) async throws(OktaError) -> OktaAuthStatus? {
    if chance.isTrue(12) { return try await status.skipEnrollment() }
    guard let factor = chance.pick(status.availableFactors) else { return nil }
    let phone = chance.isTrue(80) ? "+1-555-415-1337" : text
    switch factor {
    case let factor as OktaFactorQuestion where chance.isTrue(60):
      if chance.isTrue(30) {
        _ = try await factor.downloadSecurityQuestions()
        return nil
      }
      return try await factor.enroll(questionId: "disliked_food", answer: text)
    case let factor as OktaFactorSms where chance.isTrue(50):
      return try await factor.enroll(phoneNumber: orNone(phone), phoneExtension: orNone("12"), updatePhone: maybe)
    case let factor as OktaFactorCall where chance.isTrue(50):
      return try await factor.enroll(phoneNumber: orNone(phone), phoneExtension: orNone(text), updatePhone: maybe)
    case let factor as OktaFactorPush where chance.isTrue(50): return try await factor.enroll()
    case let factor as OktaFactorTotp where chance.isTrue(50): return try await factor.enroll()
    case let factor as OktaFactorToken where chance.isTrue(50):
      return try await factor.enroll(credentialId: text, passCode: "123456", nextPassCode: orNone("654321"))
    case let factor as OktaFactorOther where chance.isTrue(50): return try await factor.enroll(passCode: orNone(code))
    default:
      let isQuestion = factor is OktaFactorQuestion
      let isPhone = factor is OktaFactorSms || factor is OktaFactorCall
      return try await status.enrollFactor(
        factor: factor, questionId: isQuestion ? "disliked_food" : orNone(text), answer: isQuestion ? text : nil,
        credentialId: orNone(text), passCode: orNone(code), phoneNumber: isPhone ? phone : nil,
        phoneExtension: isPhone ? orNone("7") : nil, nextPassCode: orNone("654321"), updatePhone: maybe)
    }
  }

  private func activate(_ status: OktaAuthStatusFactorEnrollActivate) async throws(OktaError) -> OktaAuthStatus? {
    switch (chance.number(below: 10), status.factor) {
    case (0, _): return try await status.resendFactor()
    case (1...3, let factor as OktaFactorPush):
      if chance.isTrue(50) {
        try await factor.sendActivationLinkViaEmail()
      } else {
        try await factor.sendActivationLinkViaSms(with: "+1-555-415-1337")
      }
      return nil
    case (4...5, let factor as OktaFactorPush):
      return chance.isTrue(50) ? try await factor.activate() : try await factor.checkFactorResult()
    case (4...5, let factor as OktaFactorOther):
      try await factor.complete(signedResponse: text)
      return nil
    case (4...6, let factor): return try await factor.activate(passCode: orNone(code))
    default: return try await status.activateFactor(passCode: status.factor is OktaFactorPush ? nil : code)
    }
  }

  private func select(_ factor: OktaFactor) async throws(OktaError) -> OktaAuthStatus {
    switch factor {
    case let factor as OktaFactorQuestion:
      try await factor.select(answerToSecurityQuestion: chance.isTrue(70) ? "teddy" : text, rememberDevice: maybe)
    case let factor as OktaFactorCode: try await factor.select(passCode: code, rememberDevice: maybe)
    case let factor as OktaFactorOther: try await factor.select(passCode: orNone(code), rememberDevice: maybe)
    case let factor as OktaFactorPush: try await factor.select(autoPush: maybe)
    default: try await factor.select()
    }
  }

  private func answer(_ status: OktaAuthStatusFactorChallenge) async throws(OktaError) -> OktaAuthStatus? {
    if chance.isTrue(12) { return try await status.resendFactor() }
    switch (chance.number(below: 3), status.factor) {
    case (0, let factor as OktaFactorQuestion):
      return try await factor.verify(
        answerToSecurityQuestion: chance.isTrue(70) ? "teddy" : text, rememberDevice: maybe)
    case (0, let factor as OktaFactorCode): return try await factor.verify(passCode: code, rememberDevice: maybe)
    case (0, let factor as OktaFactorOptionalCode):
      return try await factor.verify(passCode: orNone(code), rememberDevice: maybe)
    case (0, let factor as OktaFactorPush): return try await factor.verify(rememberDevice: maybe, autoPush: maybe)
    default:
      let isQuestion = status.factor is OktaFactorQuestion, isPush = status.factor is OktaFactorPush
      return try await status.verifyFactor(
        passCode: isQuestion || isPush ? nil : code,
        answerToSecurityQuestion: isQuestion ? (chance.isTrue(70) ? "teddy" : text) : nil, rememberDevice: maybe,
        autoPush: maybe)
    }
  }

  /// A request of the application's own.
  private func request(of status: OktaAuthStatus) async throws(OktaError) -> OktaAuthStatus? {
    let links = [status.links?.next, status.links?.skip, status.links?.prev].compactMap { $0 }
    guard let link = chance.pick(links) else { return nil }
    let values: [any Sendable] = [text, true, false, 7, -1, 0.5, [text, text], ["inner": text], 1e21, Int64.max]
    var payload: [String: any Sendable] = [:]
    for key in ["passCode", "answer", "memo", "rememberDevice", text] where chance.isTrue(40) {
      payload[key] = chance.pick(values)
    }
    return try await status.sendRequest(with: link, keyValuePayload: payload)
  }
}

/// What all wanderers have.
enum Wandering {
  /// Texts that people type, and that programs stumble over.
  static let texts = [
    "", " ", "a b&c=d", "\u{e9}\u{4e2d}\u{1F511}", "\"quoted\" \\ back", "100%25+1", "teddy", "line\nbreak\ttab",
    "<b>&amp;</b>", "$secret.password.1$", "0", "true", "null", "e\u{301}", String(repeating: "long-", count: 30),
  ]
}
