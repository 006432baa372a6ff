// Back to the list of factors, and forth with another one.

import Authn
import Foundation

final class BackAndForth {
  private(set) var path: [String] = []
  private let finished: (String) -> Void

  init(finished: @escaping (String) -> Void) { self.finished = finished }

  func start(_ url: URL, _ username: String, _ password: String) {
    OktaAuthStatusUnauthenticated(oktaDomain: url)
      .authenticate(username: username, password: password, onStatusChange: next, onError: failed)
  }

  private func next(_ status: OktaAuthStatus) {
    path.append(status.statusType.rawValue)
    switch status {
    case let required as OktaAuthStatusFactorRequired:
      let wanted: FactorType = path.count == 1 ? .sms : .call
      guard let factor = required.availableFactors.first(where: { $0.type == wanted }) else { return finished("none") }
      required.selectFactor(factor, onStatusChange: next, onError: failed)
    case let challenge as OktaAuthStatusFactorChallenge where challenge.factor.type == .sms:
      guard challenge.canReturn() else { return finished("no way back") }
      challenge.returnToPreviousStatus(onStatusChange: next, onError: failed)
    case let challenge as OktaAuthStatusFactorChallenge:
      finished((path + [challenge.factor.type.rawValue]).joined(separator: " "))
    default:
      finished("not expected")
    }
  }

  private func failed(_ error: OktaError) { finished(error.description) }
}
