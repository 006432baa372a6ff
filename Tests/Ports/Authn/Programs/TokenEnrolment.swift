// An RSA token set up with its credential id, and an authenticator app set up with its shared secret.

import Authn
import Foundation

final class TokenEnrolment {
  private let finished: (String) -> Void

  init(finished: @escaping (String) -> Void) { self.finished = finished }

  func token(_ status: OktaAuthStatusFactorEnroll, credentialId: String, passCode: String) {
    for case let token as OktaFactorToken in status.availableFactors {
      return token.enroll(
        credentialId: credentialId, passCode: passCode, onStatusChange: { self.finished($0.statusType.rawValue) },
        onError: { self.finished($0.description) })
    }
    finished("no token")
  }

  func app(_ status: OktaAuthStatusFactorEnroll, code: @escaping (_ sharedSecret: String) -> String) {
    for case let totp as OktaFactorTotp in status.availableFactors {
      return totp.enroll(
        onStatusChange: { status in
          guard let pending = (status as? OktaAuthStatusFactorEnrollActivate)?.factor as? OktaFactorTotp else {
            return self.finished("not pending")
          }
          let activation = pending.activation
          guard let secret = activation?.sharedSecret, pending.qrCodeLink?.href != nil,
            activation?.links?.qrcode?.type == "image/png"
          else { return self.finished("no secret") }
          pending.activate(
            passCode: code(secret), onStatusChange: { self.finished($0.statusType.rawValue) },
            onError: { self.finished($0.description) })
        },
        onError: { self.finished($0.description) })
    }
    finished("no app")
  }
}
