// swift-format-ignore-file: NeverForceUnwrap
// What the example application of okta-auth-swift 1.3.0 does, in other words: one screen that leads through any sign-in.

import Authn
import Foundation

class ExampleViewController: UIViewController {
  let stateLabel = UILabel()
  let usernameField = UITextField()
  let passwordField = UITextField()
  let loginButton = UIButton()
  let activityIndicator = UIActivityIndicatorView()
  let url: URL
  var currentStatus: OktaAuthStatus?

  init(url: URL) {
    self.url = url
    super.init()
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    updateStatus(status: nil)
  }

  func loginTapped() {
    guard let username = usernameField.text, let password = passwordField.text else { return }
    activityIndicator.startAnimating()
    loginButton.isEnabled = false
    OktaAuthSdk.authenticate(
      with: url, username: username, password: password,
      onStatusChange: { authStatus in self.handleStatus(status: authStatus) },
      onError: { error in self.handleError(error) })
  }

  func handleStatus(status: OktaAuthStatus) {
    updateStatus(status: status)
    currentStatus = status

    switch status.statusType {
    case .success:
      let successState: OktaAuthStatusSuccess = status as! OktaAuthStatusSuccess
      handleSuccess(sessionToken: successState.model.sessionToken)
    case .passwordWarning:
      let warning: OktaAuthStatusPasswordWarning = status as! OktaAuthStatusPasswordWarning
      warning.skipPasswordChange(onStatusChange: { status in
        self.handleStatus(status: status)
      }) { error in
        self.handleError(error)
      }
    case .passwordExpired:
      let expired: OktaAuthStatusPasswordExpired = status as! OktaAuthStatusPasswordExpired
      handleChangePassword(expired)
    case .MFAEnroll:
      let enroll: OktaAuthStatusFactorEnroll = status as! OktaAuthStatusFactorEnroll
      handleEnrollment(enroll)
    case .MFAEnrollActivate:
      let activate: OktaAuthStatusFactorEnrollActivate = status as! OktaAuthStatusFactorEnrollActivate
      handleActivation(activate)
    case .MFARequired:
      let required: OktaAuthStatusFactorRequired = status as! OktaAuthStatusFactorRequired
      handleFactorRequired(required)
    case .MFAChallenge:
      let challenge: OktaAuthStatusFactorChallenge = status as! OktaAuthStatusFactorChallenge
      let factor = challenge.factor
      switch factor.type {
      case .sms: handleSmsChallenge(factor as! OktaFactorSms)
      case .TOTP: handleTotpChallenge(factor as! OktaFactorTotp)
      case .question: handleQuestionChallenge(factor as! OktaFactorQuestion)
      case .push: handlePushChallenge(factor as! OktaFactorPush)
      default: fail("A challenge for a factor that is not supported")
      }
    case .recovery, .recoveryChallenge, .passwordReset, .lockedOut, .unauthenticated:
      fail("No handler for \(status.statusType.description)")
    case .unknown(_):
      fail("A status that is not known")
    }
  }

  func updateStatus(status: OktaAuthStatus?, factorResult: OktaAPISuccessResponse.FactorResult? = nil) {
    guard let status = status else {
      stateLabel.text = "Unauthenticated"
      return
    }
    if let factorResult = factorResult {
      stateLabel.text = "\(status.statusType.description) \(factorResult.rawValue)"
    } else {
      stateLabel.text = status.statusType.description
    }
  }

  func handleSuccess(sessionToken: String?) {
    activityIndicator.stopAnimating()
    loginButton.isEnabled = true
    show("Hooray!", sessionToken == nil ? "Unlocked" : "We are logged in")
  }

  func handleError(_ error: OktaError) {
    activityIndicator.stopAnimating()
    loginButton.isEnabled = true
    show("Error", error.description)
  }

  func handleChangePassword(_ status: OktaAuthStatusPasswordExpired) {
    let alert = UIAlertController(title: "Change Password", message: "Choose a new one", preferredStyle: .alert)
    alert.addTextField { $0.placeholder = "Old Password" }
    alert.addTextField { $0.placeholder = "New Password" }
    alert.addAction(
      UIAlertAction(
        title: "OK", style: .default,
        handler: { _ in
          guard let old = alert.textFields?[0].text, let new = alert.textFields?[1].text else { return }
          status.changePassword(
            oldPassword: old, newPassword: new,
            onStatusChange: { status in self.handleStatus(status: status) },
            onError: { error in self.handleError(error) })
        }))
    alert.addAction(UIAlertAction(title: "Cancel", style: .cancel, handler: { _ in self.cancelTransaction() }))
    present(alert, animated: true, completion: nil)
  }

  func handleFactorRequired(_ required: OktaAuthStatusFactorRequired) {
    let alert = UIAlertController(title: "Select a factor", message: nil, preferredStyle: .actionSheet)
    required.availableFactors.forEach { factor in
      alert.addAction(
        UIAlertAction(
          title: factor.type.description, style: .default,
          handler: { _ in
            required.selectFactor(
              factor,
              onStatusChange: { status in self.handleStatus(status: status) },
              onError: { error in self.handleError(error) })
          }))
    }
    alert.addAction(UIAlertAction(title: "Cancel", style: .cancel, handler: { _ in self.cancelTransaction() }))
    present(alert, animated: true, completion: nil)
  }

  func handleEnrollment(_ enroll: OktaAuthStatusFactorEnroll) {
    if enroll.canSkipEnrollment() {
      enroll.skipEnrollment(onStatusChange: { status in
        self.handleStatus(status: status)
      }) { error in
        self.handleError(error)
      }
      return
    }
    let alert = UIAlertController(title: "Select factor to enroll", message: nil, preferredStyle: .actionSheet)
    enroll.availableFactors.forEach { factor in
      var title = factor.type.description
      if let factorStatus = factor.status {
        title = title + " - " + "(\(factorStatus))"
      }
      alert.addAction(
        UIAlertAction(
          title: title, style: .default,
          handler: { _ in
            if factor.type == .sms {
              self.askForPhone(factor as! OktaFactorSms)
            } else if factor.type == .push {
              let pushFactor = factor as! OktaFactorPush
              pushFactor.enroll(
                questionId: nil, answer: nil, credentialId: nil, passCode: nil, phoneNumber: nil,
                onStatusChange: { status in self.handleStatus(status: status) },
                onError: { error in self.handleError(error) })
            } else {
              self.fail("No handler for \(factor.type.description) factor")
            }
          }))
    }
    present(alert, animated: true, completion: nil)
  }

  func askForPhone(_ factor: OktaFactorSms) {
    let alert = UIAlertController(title: "MFA Enroll", message: "Please enter phone number", preferredStyle: .alert)
    alert.addTextField { $0.placeholder = "Phone" }
    alert.addAction(
      UIAlertAction(
        title: "OK", style: .default,
        handler: { _ in
          guard let phone = alert.textFields?[0].text else { return }
          factor.enroll(
            phoneNumber: phone,
            onStatusChange: { status in self.handleStatus(status: status) },
            onError: { error in self.handleError(error) })
        }))
    present(alert, animated: true, completion: nil)
  }

  func handleActivation(_ status: OktaAuthStatusFactorEnrollActivate) {
    let factor = status.factor
    guard factor.type == .sms || factor.type == .push else {
      fail("No handler for \(factor.type.description) factor")
      return
    }
    if factor.type == .sms {
      let smsFactor = factor as! OktaFactorSms
      ask("MFA Activate", "Code from SMS on \(smsFactor.phoneNumber ?? "?")") { code in
        status.activateFactor(
          passCode: code,
          onStatusChange: { status in self.handleStatus(status: status) },
          onError: { error in self.handleError(error) },
          onFactorStatusUpdate: { result in self.updateStatus(status: self.currentStatus, factorResult: result) })
      }
    } else {
      if status.factorResult == nil || status.factorResult == .waiting {
        status.activateFactor(
          passCode: nil,
          onStatusChange: { status in
            self.handleStatus(status: status)
          },
          onError: { error in
            self.handleError(error)
          }
        ) { factorResult in
          self.updateStatus(status: status, factorResult: factorResult)
        }
      }
    }
  }

  func handleSmsChallenge(_ factor: OktaFactorSms) {
    ask("MFA", "Please enter code from SMS on \(factor.phoneNumber ?? "?")") { [weak factor] code in
      factor?.verify(
        passCode: code,
        onStatusChange: { status in self.handleStatus(status: status) },
        onError: { error in self.handleError(error) },
        onFactorStatusUpdate: { result in self.updateStatus(status: self.currentStatus, factorResult: result) })
    }
  }

  func handleTotpChallenge(_ factor: OktaFactorTotp) {
    ask("MFA", "Please enter TOTP code") { [weak factor] code in
      factor?.verify(
        passCode: code,
        onStatusChange: { status in self.handleStatus(status: status) },
        onError: { error in self.handleError(error) },
        onFactorStatusUpdate: { result in self.updateStatus(status: self.currentStatus, factorResult: result) })
    }
  }

  func handleQuestionChallenge(_ factor: OktaFactorQuestion) {
    ask("MFA", "Please answer: \(factor.factorQuestionText ?? "?")") { [weak factor] answer in
      factor?.verify(
        answerToSecurityQuestion: answer,
        onStatusChange: { status in self.handleStatus(status: status) },
        onError: { error in self.handleError(error) },
        onFactorStatusUpdate: { result in self.updateStatus(status: self.currentStatus, factorResult: result) })
    }
  }

  func handlePushChallenge(_ factor: OktaFactorPush) {
    factor.verify(
      onStatusChange: { (status) in self.handleStatus(status: status) },
      onError: { (error) in self.handleError(error) }
    ) { result in
      self.updateStatus(status: self.currentStatus, factorResult: result)
    }
  }

  func cancelTransaction() {
    guard let status = currentStatus else { return }
    if status.canCancel() {
      status.cancel(
        onSuccess: {
          self.activityIndicator.stopAnimating()
          self.loginButton.isEnabled = true
          self.currentStatus = nil
          self.updateStatus(status: nil)
          self.show("Cancelled", nil)
        },
        onError: { error in self.handleError(error) })
    }
  }

  private func ask(_ title: String, _ message: String, then answer: @escaping (String) -> Void) {
    let alert = UIAlertController(title: title, message: message, preferredStyle: .alert)
    alert.addTextField { $0.placeholder = "Code" }
    alert.addAction(
      UIAlertAction(
        title: "OK", style: .default,
        handler: { _ in
          guard let text = alert.textFields?[0].text else { return }
          answer(text)
        }))
    alert.addAction(UIAlertAction(title: "Cancel", style: .cancel, handler: { _ in self.cancelTransaction() }))
    present(alert, animated: true, completion: nil)
  }

  private func fail(_ message: String) {
    show("Error", message)
    cancelTransaction()
  }

  private func show(_ title: String, _ message: String?) {
    let alert = UIAlertController(title: title, message: message, preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "OK", style: .default, handler: nil))
    present(alert, animated: true, completion: nil)
  }
}
