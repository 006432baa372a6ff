// Phones set up as factors: a text message sent again, and a call; with the concrete classes and with the status.

import Authn
import Foundation

final class PhoneEnrolment {
  private let code: () -> String
  private let finished: (String) -> Void

  init(code: @escaping () -> String, finished: @escaping (String) -> Void) {
    self.code = code
    self.finished = finished
  }

  func textMessage(_ status: OktaAuthStatusFactorEnroll, phone: String) {
    guard let sms = status.availableFactors.first(where: { $0 is OktaFactorSms }) as? OktaFactorSms else {
      return finished("no text messages")
    }
    sms.enroll(
      phoneNumber: phone,
      onStatusChange: { status in
        guard let activate = status as? OktaAuthStatusFactorEnrollActivate, activate.canResend(factor: activate.factor)
        else { return self.finished("not sent") }
        activate.resendFactor(
          onStatusChange: { status in self.activate(status, as: OktaFactorSms.self) },
          onError: { self.finished($0.description) })
      },
      onError: { self.finished($0.description) }, onFactorStatusUpdate: nil)
  }

  private func activate(_ status: OktaAuthStatus, as type: OktaFactorSms.Type) {
    guard let factor = (status as? OktaAuthStatusFactorEnrollActivate)?.factor as? OktaFactorSms else {
      return finished("no factor")
    }
    factor.activate(
      passCode: code(),
      onStatusChange: { self.finished("\(factor.phoneNumber ?? "?") \($0.statusType.rawValue)") },
      onError: { self.finished($0.description) })
  }

  func call(_ status: OktaAuthStatusFactorEnroll, phone: String) {
    guard let call = status.availableFactors.compactMap({ $0 as? OktaFactorCall }).first else {
      return finished("no calls")
    }
    status.enrollFactor(
      factor: call, questionId: nil, answer: nil, credentialId: nil, passCode: nil, phoneNumber: phone,
      onStatusChange: { status in
        guard let activate = status as? OktaAuthStatusFactorEnrollActivate,
          let called = activate.factor as? OktaFactorCall
        else { return self.finished("not called") }
        called.activate(
          passCode: self.code(), onStatusChange: { self.finished($0.statusType.rawValue) },
          onError: { self.finished($0.description) })
      },
      onError: { self.finished($0.description) })
  }
}
