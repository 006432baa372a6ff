// A phone that cannot scan the QR code gets a link by mail or by text message; the activation goes on meanwhile.

import Authn
import Foundation

final class PushEnrolment {
  private(set) var sent: [String] = []
  private var updates: [String] = []
  private let finished: (String) -> Void

  init(finished: @escaping (String) -> Void) { self.finished = finished }

  func start(_ status: OktaAuthStatusFactorEnroll, phone: String, ready: @escaping () -> Void) {
    guard let push = status.availableFactors.first(where: { $0.type == .push }) as? OktaFactorPush else {
      return finished("no push")
    }
    push.enroll(
      onStatusChange: { status in self.activate(status, phone, ready) }, onError: { self.finished($0.description) })
  }

  private func activate(_ status: OktaAuthStatus, _ phone: String, _ ready: @escaping () -> Void) {
    guard let activate = status as? OktaAuthStatusFactorEnrollActivate, let push = activate.factor as? OktaFactorPush
    else { return finished("not pending") }
    push.activate(
      onStatusChange: { status in
        self.finished("\(self.sent.joined(separator: " ")) \(self.updates.last ?? "?") \(status.statusType.rawValue)")
      },
      onError: { self.finished($0.description) },
      onFactorStatusUpdate: { result in self.updates.append(result.rawValue) })
    guard push.canSendPushCodeViaEmail(), push.canSendPushCodeViaSms() else { return finished("nothing to send") }
    push.sendActivationLinkViaEmail(
      onSuccess: {
        self.sent.append("mail")
        push.sendActivationLinkViaSms(
          with: phone,
          onSuccess: {
            self.sent.append("sms")
            ready()
          },
          onError: { self.finished($0.description) })
      },
      onError: { self.finished($0.description) })
  }
}
