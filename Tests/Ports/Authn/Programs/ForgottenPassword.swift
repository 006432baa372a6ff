// A forgotten password: a code, a recovery question, a new password.

import Authn
import Foundation

final class ForgottenPassword {
  var steps: [String] = []
  private let code: () -> String
  private let finished: (String) -> Void

  init(code: @escaping () -> String, finished: @escaping (String) -> Void) {
    self.code = code
    self.finished = finished
  }

  func start(url: URL, username: String, factor: OktaRecoveryFactors) {
    OktaAuthSdk.recoverPassword(
      with: url, username: username, factorType: factor, onStatusChange: handle(status:), onError: handle(error:))
  }

  /// The same from a status object, which an application keeps to start again; and for a locked account.
  func start(_ status: OktaAuthStatusUnauthenticated, username: String, isLocked: Bool) {
    if isLocked {
      status.unlockAccount(
        username: username, factorType: .sms, onStatusChange: handle(status:), onError: handle(error:))
    } else {
      status.recoverPassword(
        username: username, factorType: .sms, onStatusChange: handle(status:), onError: handle(error:))
    }
  }

  func handle(status: OktaAuthStatus) {
    steps.append(status.statusType.description)
    if let challenge = status as? OktaAuthStatusRecoveryChallenge {
      if challenge.canResend(), steps.count == 1 {
        challenge.resendFactor(onStatusChange: handle(status:), onError: handle(error:))
      } else {
        challenge.verifyFactor(passCode: code(), onStatusChange: handle(status:), onError: handle(error:))
      }
    } else if let recovery = status as? OktaAuthStatusRecovery, recovery.canRecover() {
      steps.append(recovery.recoveryQuestion ?? "?")
      recovery.recoverWithAnswer("cooked spinach", onStatusChange: handle(status:), onError: handle(error:))
    } else if let reset = status as? OktaAuthStatusPasswordReset, reset.canReset() {
      reset.resetPassword(newPassword: "Another-Horse-8", onStatusChange: handle(status:), onError: handle(error:))
    } else {
      finished(steps.joined(separator: ", "))
    }
  }

  func handle(error: OktaError) { finished(error.description) }
}
