// Factors held weakly while the status is kept: the same object each time, not a new one.

import Authn
import Foundation

final class WeakFactors {
  private var status: OktaAuthStatus?
  private weak var factor: OktaFactorTotp?
  private let finished: (String) -> Void

  init(finished: @escaping (String) -> Void) { self.finished = finished }

  func begin(_ url: URL, _ username: String, _ password: String, ready: @escaping () -> Void) {
    OktaAuthSdk.authenticate(
      with: url, username: username, password: password,
      onStatusChange: { [weak self] status in
        guard let self = self, let required = status as? OktaAuthStatusFactorRequired else { return }
        self.status = status
        self.factor = required.availableFactors.first as? OktaFactorTotp
        ready()
      },
      onError: { [weak self] error in self?.finished(error.description) })
  }

  func codeTyped(_ code: String) {
    guard let factor = factor else { return finished("the factor is gone") }
    let required = status as? OktaAuthStatusFactorRequired
    guard required?.availableFactors.contains(where: { $0 === factor }) == true else {
      return finished("another factor")
    }
    factor.select(passCode: code, onStatusChange: { [weak self] in self?.finished($0.statusType.rawValue) }) {
      [weak self] error in self?.finished(error.description)
    }
  }
}
