// A class from before actors, used from the main thread alone: it never said so, and counts on being called back there.

import Authn
import Foundation

final class LegacyPresenter {
  private(set) var places: [Bool] = []
  private let finished: (String) -> Void

  init(finished: @escaping (String) -> Void) { self.finished = finished }

  func login(_ url: URL, _ username: String, _ password: String) {
    OktaAuthSdk.authenticate(
      with: url, username: username, password: password,
      onStatusChange: { [weak self] status in self?.show(status) },
      onError: { [weak self] error in self?.finished(error.description) })
  }

  private func show(_ status: OktaAuthStatus) {
    places.append(MainQueue.isCurrent)
    if let required = status as? OktaAuthStatusFactorRequired, let factor = required.availableFactors.first {
      factor.select(
        onStatusChange: { [weak self] status in self?.show(status) },
        onError: { [weak self] error in self?.finished(error.description) })
    } else {
      finished("\(status.statusType.rawValue) \(places)")
    }
  }
}
