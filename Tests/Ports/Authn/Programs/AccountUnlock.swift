// Unlocking an account: by a text message from the first screen, or from the status that says it is locked.

import Authn
import Foundation

final class AccountUnlock {
  private let finished: (String) -> Void

  init(finished: @escaping (String) -> Void) { self.finished = finished }

  /// From the first screen; the code is asked for when it was sent.
  func unlock(url: URL, username: String, by factor: OktaRecoveryFactors, code: @escaping () -> String) {
    OktaAuthSdk.unlockAccount(
      with: url, username: username, factorType: factor,
      onStatusChange: { status in self.handle(status, code) },
      onError: { error in self.finished(error.description) })
  }

  /// From a sign-in that found the account locked.
  func signIn(url: URL, username: String, password: String, code: @escaping () -> String) {
    OktaAuthSdk.authenticate(
      with: url, username: username, password: password,
      onStatusChange: { status in
        guard let locked = status as? OktaAuthStatusLockedOut, locked.canUnlock() else {
          return self.finished(status.statusType.rawValue)
        }
        locked.unlock(
          username: username, factorType: .sms, onStatusChange: { status in self.handle(status, code) },
          onError: { error in self.finished(error.description) })
      },
      onError: { error in self.finished(error.description) })
  }

  private func handle(_ status: OktaAuthStatus, _ code: @escaping () -> String) {
    switch status.statusType {
    case .recoveryChallenge:
      guard let challenge = status as? OktaAuthStatusRecoveryChallenge else { return }
      guard challenge.canVerify() else {
        return finished("\(challenge.factorType?.rawValue ?? "?") \(challenge.factorResult?.rawValue ?? "?")")
      }
      challenge.verifyFactor(
        passCode: code(), onStatusChange: { status in self.handle(status, code) },
        onError: { error in self.finished(error.description) })
    case .success:
      let type = status.model.recoveryType?.rawValue ?? "?"
      finished("\(type) \(status.statusType.rawValue)")
    default:
      finished("not expected: \(status.statusType.rawValue)")
    }
  }
}
