// A password that expires soon, and one that has expired: skip it, or change it.

import Authn
import Foundation

final class PasswordScreens {
  private let newPassword: String?
  private let finished: (String) -> Void

  /// - Parameter newPassword: nil skips where that is possible.
  init(newPassword: String?, finished: @escaping (String) -> Void) {
    self.newPassword = newPassword
    self.finished = finished
  }

  func signIn(_ url: URL, _ username: String, _ password: String) {
    OktaAuthSdk.authenticate(
      with: url, username: username, password: password,
      onStatusChange: { status in
        if let warning = status as? OktaAuthStatusPasswordWarning {
          self.handle(warning, password)
        } else if let expired = status as? OktaAuthStatusPasswordExpired, expired.canChange() {
          expired.changePassword(
            oldPassword: password, newPassword: self.newPassword ?? "", onStatusChange: self.end, onError: self.failed)
        } else {
          self.end(status)
        }
      },
      onError: { error in self.failed(error) })
  }

  private func handle(_ warning: OktaAuthStatusPasswordWarning, _ password: String) {
    if let newPassword = newPassword, warning.canChange() {
      warning.changePassword(oldPassword: password, newPassword: newPassword, onStatusChange: end, onError: failed)
    } else if warning.canSkip() {
      warning.skipPasswordChange(onStatusChange: end, onError: failed)
    } else {
      finished("stuck")
    }
  }

  private func end(_ status: OktaAuthStatus) { finished(status.statusType.rawValue) }

  private func failed(_ error: OktaError) { finished(error.description) }
}
