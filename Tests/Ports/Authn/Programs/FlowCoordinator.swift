// swift-format-ignore-file: NeverForceUnwrap
// A coordinator between screens, as Okta's sample for custom sign-in has it: each status leads to a screen of its own.

import Authn
import Foundation

protocol FlowCoordinatorDelegate: AnyObject {
  @MainActor func onStatusChanged(status: OktaAuthStatus)
  @MainActor func onReturn(prevStatus: OktaAuthStatus)
  @MainActor func onCancel()
}

/// The base of all screens of a sign-in.
class AuthBaseViewController: UIViewController {
  var status: OktaAuthStatus?
  weak var flowCoordinatorDelegate: FlowCoordinatorDelegate?

  func backButtonTapped() {
    guard let status = status, status.canReturn() else { return }
    status.returnToPreviousStatus(
      onStatusChange: { [weak self] status in self?.flowCoordinatorDelegate?.onReturn(prevStatus: status) },
      onError: { [weak self] error in self?.showError(message: error.description) })
  }

  func processCancel() {
    guard let status = status, status.canCancel() else {
      flowCoordinatorDelegate?.onCancel()
      return
    }
    status.cancel(
      onSuccess: { [weak self] in self?.flowCoordinatorDelegate?.onCancel() },
      onError: { [weak self] error in self?.showError(message: error.description) })
  }

  func showError(message: String) {
    present(UIAlertController(title: "Error", message: message, preferredStyle: .alert), animated: true)
  }
}

/// Lists the factors.
final class MFAViewController: AuthBaseViewController {
  var factors: [OktaFactor] { (status as! OktaAuthStatusFactorRequired).availableFactors }

  func tap(row: Int) {
    factors[row].select(
      onStatusChange: { status in self.flowCoordinatorDelegate?.onStatusChanged(status: status) },
      onError: { error in self.showError(message: error.description) })
  }
}

/// Asks for a code by text message.
final class MFASMSViewController: AuthBaseViewController {
  var factor: OktaFactor { (status as! OktaAuthStatusFactorChallenge).factor }
  var canSend: Bool {
    let challenge = status as! OktaAuthStatusFactorChallenge
    return challenge.canVerify() && challenge.canResend()
  }

  func resendTapped() {
    let challenge = status as! OktaAuthStatusFactorChallenge
    challenge.resendFactor(
      onStatusChange: { status in
        self.status = status
        self.title = "sent again"
      },
      onError: { error in self.showError(message: error.description) })
  }

  func verifyTapped(code: String) {
    factor.verify(
      passCode: code, answerToSecurityQuestion: nil,
      onStatusChange: { status in self.flowCoordinatorDelegate?.onStatusChanged(status: status) },
      onError: { error in self.showError(message: error.description) })
  }
}

/// Goes from screen to screen.
@MainActor
final class AuthFlowCoordinator: FlowCoordinatorDelegate {
  let rootViewController: UINavigationController
  private(set) var currentStatus: OktaAuthStatus?
  private(set) var sessionToken: String?
  var arrived: ((AuthBaseViewController) -> Void)?
  var ended: ((String) -> Void)?

  init(with rootViewController: UINavigationController) { self.rootViewController = rootViewController }

  func start(with url: URL, username: String, password: String) {
    OktaAuthSdk.authenticate(
      with: url, username: username, password: password,
      onStatusChange: { status in self.onStatusChanged(status: status) }
    ) { error in
      self.ended?(error.description)
    }
  }

  func handleStatus(status: OktaAuthStatus) {
    currentStatus = status
    switch status.statusType {
    case .success: handleSuccessStatus(status: status as! OktaAuthStatusSuccess)
    case .MFARequired: show(MFAViewController(), status)
    case .MFAChallenge: show(MFASMSViewController(), status)
    default: ended?("no screen for \(status.statusType.rawValue)")
    }
  }

  func handleSuccessStatus(status: OktaAuthStatusSuccess) {
    sessionToken = status.sessionToken
    ended?("signed in")
  }

  private func show(_ controller: AuthBaseViewController, _ status: OktaAuthStatus) {
    controller.status = status
    controller.flowCoordinatorDelegate = self
    rootViewController.pushViewController(controller, animated: true)
    arrived?(controller)
  }

  func onStatusChanged(status: OktaAuthStatus) { handleStatus(status: status) }
  func onReturn(prevStatus: OktaAuthStatus) { handleStatus(status: prevStatus) }
  func onCancel() { ended?("cancelled") }
}
