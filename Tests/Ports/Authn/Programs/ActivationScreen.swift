// Setting up Okta Verify: a QR code to scan for a push, or a code to type for one-time passwords.

import Authn
import Foundation

final class ActivationScreen: AuthBaseViewController {
  let factorResultLabel = UILabel()
  private(set) var qrCode: URL?
  private(set) var sharedSecret: String?
  var ended: ((String) -> Void)?

  var factor: OktaFactor? { (status as? OktaAuthStatusFactorEnrollActivate)?.factor }

  override func viewDidLoad() {
    super.viewDidLoad()
    guard let factor = factor else { return }
    qrCode = factor.factor.embedded?.activation?.links?.qrcode?.href
    sharedSecret = factor.factor.embedded?.activation?.sharedSecret
    if let push = factor as? OktaFactorPush {
      push.activate(
        onStatusChange: { [weak self] status in self?.ended?(status.statusType.rawValue) },
        onError: { [weak self] error in self?.showError(message: error.description) },
        onFactorStatusUpdate: { [weak self] result in self?.factorResultLabel.text = result.rawValue })
    }
  }

  func activateTapped(code: String) {
    factor?.activate(
      passCode: code,
      onStatusChange: { [weak self] status in
        if status.statusType == self?.status?.statusType { return }
        self?.ended?(status.statusType.rawValue)
      },
      onError: { [weak self] error in self?.showError(message: error.description) })
  }
}

/// Starts to set a factor up.
@MainActor
func enroll(_ factor: OktaFactor, showing screen: ActivationScreen) {
  let shown: @MainActor (OktaAuthStatus) -> Void = { status in
    screen.status = status
    screen.viewDidLoad()
  }
  switch factor {
  case let push as OktaFactorPush:
    push.enroll(onStatusChange: { shown($0) }, onError: { screen.showError(message: $0.description) })
  case let totp as OktaFactorTotp:
    totp.enroll(onStatusChange: { shown($0) }, onError: { screen.showError(message: $0.description) })
  default:
    screen.showError(message: "No factor handler for \(factor.type.description)")
  }
}
