// Closures kept in properties, and handed on from there.

import Authn
import Foundation

struct AuthCallbacks {
  var onStatusChange: (OktaAuthStatus) -> Void
  var onError: (OktaError) -> Void
  var onFactorStatusUpdate: ((OktaAPISuccessResponse.FactorResult) -> Void)?
}

final class AuthManager {
  private let url: URL
  private let callbacks: AuthCallbacks

  init(url: URL, callbacks: AuthCallbacks) {
    self.url = url
    self.callbacks = callbacks
  }

  func login(username: String, password: String?) {
    OktaAuthSdk.authenticate(
      with: url, username: username, password: password, onStatusChange: callbacks.onStatusChange,
      onError: callbacks.onError)
  }

  func verify(_ status: OktaAuthStatusFactorChallenge, code: String?) {
    status.verifyFactor(
      passCode: code, answerToSecurityQuestion: nil, onStatusChange: callbacks.onStatusChange,
      onError: callbacks.onError, onFactorStatusUpdate: callbacks.onFactorStatusUpdate)
  }
}
