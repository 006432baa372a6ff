// Methods of the SDK passed about as values, and the application's own methods passed as closures.

import Authn
import Foundation

final class MethodReferences {
  private var finished: ((String) -> Void)?
  private var cancelled: (() -> Void)?

  func signIn(_ url: URL, _ username: String, _ password: String, finished: @escaping (String) -> Void) {
    self.finished = finished
    OktaAuthSdk.authenticate(
      with: url, username: username, password: password, onStatusChange: self.handle, onError: self.handleError)
  }

  func handle(_ status: OktaAuthStatus) {
    guard let required = status as? OktaAuthStatusFactorRequired, let factor = required.availableFactors.first else {
      finished?(status.statusType.rawValue)
      return
    }
    let select = required.selectFactor(_:onStatusChange:onError:)
    select(factor, self.giveUp, self.handleError)
  }

  func giveUp(_ status: OktaAuthStatus) {
    let cancel = status.cancel(onSuccess:onError:)
    cancel({ self.finished?("cancelled at \(status.statusType.rawValue)") }, self.handleError)
  }

  func handleError(_ error: OktaError) { finished?(error.description) }
}

/// Unapplied: a method of a class as a function of an object.
enum Actions {
  static var canCancel: (OktaAuthStatus) -> () -> Bool { OktaAuthStatus.canCancel }

  static func all(of status: OktaAuthStatus) -> [String: Bool] {
    let questions: [(String, () -> Bool)] = [
      ("cancel", canCancel(status)), ("return", status.canReturn), ("poll", status.canPoll),
    ]
    return Dictionary(uniqueKeysWithValues: questions.map { ($0.0, $0.1()) })
  }
}
