// Each factor by its own class: selected and verified with the methods of the seed document.

import Authn
import Foundation

final class FactorsByClass {
  private let code: () -> String
  private let finished: (String) -> Void

  init(code: @escaping () -> String, finished: @escaping (String) -> Void) {
    self.code = code
    self.finished = finished
  }

  /// One step where the factor allows it.
  func select(_ required: OktaAuthStatusFactorRequired) {
    guard let factor = required.availableFactors.first, factor.canSelect() else { return finished("none") }
    switch factor {
    case let totp as OktaFactorTotp: totp.select(passCode: code(), onStatusChange: next, onError: failed)
    case let token as OktaFactorToken: token.select(passCode: code(), onStatusChange: next, onError: failed)
    case let question as OktaFactorQuestion:
      question.select(answerToSecurityQuestion: code(), onStatusChange: next, onError: failed)
    case let sms as OktaFactorSms: sms.select(onStatusChange: next, onError: failed)
    case let call as OktaFactorCall: call.select(onStatusChange: next, onError: failed)
    case let push as OktaFactorPush: push.select(onStatusChange: next, onError: failed)
    default: finished("no class for \(factor.type.rawValue)")
    }
  }

  /// Two steps: selected by the status, verified by the factor.
  func selectThenVerify(_ required: OktaAuthStatusFactorRequired) {
    required.selectFactor(required.availableFactors[0], onStatusChange: next, onError: failed)
  }

  private func next(_ status: OktaAuthStatus) {
    guard let challenge = status as? OktaAuthStatusFactorChallenge else { return finished(status.statusType.rawValue) }
    let update: (OktaAPISuccessResponse.FactorResult) -> Void = { _ in }
    switch challenge.factor {
    case let sms as OktaFactorSms:
      sms.verify(passCode: code(), onStatusChange: next, onError: failed, onFactorStatusUpdate: update)
    case let call as OktaFactorCall:
      call.verify(passCode: code(), onStatusChange: next, onError: failed, onFactorStatusUpdate: update)
    case let totp as OktaFactorTotp:
      totp.verify(passCode: code(), onStatusChange: next, onError: failed, onFactorStatusUpdate: update)
    case let token as OktaFactorToken:
      token.verify(passCode: code(), onStatusChange: next, onError: failed, onFactorStatusUpdate: update)
    case let question as OktaFactorQuestion:
      question.verify(answerToSecurityQuestion: code(), onStatusChange: next, onError: failed)
    case let push as OktaFactorPush:
      push.verify(onStatusChange: next, onError: failed, onFactorStatusUpdate: update)
    default: finished("no class")
    }
  }

  private func failed(_ error: OktaError) { finished(error.description) }
}
