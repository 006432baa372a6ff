// A handler of the application's own: it polls at its own interval, writes the polls down, and can be stopped.

import Authn
import Foundation

class CountingHandler: OktaAuthStatusResponseHandler, @unchecked Sendable {
  private(set) var answers: [String] = []
  private(set) var isStopped = false

  override func handleServerResponse(
    _ response: OktaAPIRequest.Result, currentStatus: OktaAuthStatus,
    onStatusChanged: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    switch response {
    case .success(let success):
      answers.append(success.factorResult?.rawValue ?? success.status?.rawValue ?? "?")
    case .error(let error):
      answers.append(error.description)
    }
    super.handleServerResponse(
      response, currentStatus: currentStatus, onStatusChanged: onStatusChanged, onError: onError,
      onFactorStatusUpdate: onFactorStatusUpdate)
  }

  override func cancel() {
    isStopped = true
    super.cancel()
  }
}

final class PolledSignIn {
  let handler = CountingHandler()
  private let finished: (String) -> Void

  init(finished: @escaping (String) -> Void) {
    self.finished = finished
    handler.pollInterval = 1
  }

  func signIn(_ url: URL, _ username: String, _ password: String) {
    let start = OktaAuthStatusUnauthenticated(oktaDomain: url, responseHandler: handler)
    start.authenticate(username: username, password: password, onStatusChange: next, onError: failed)
  }

  private func next(_ status: OktaAuthStatus) {
    if let required = status as? OktaAuthStatusFactorRequired, let factor = required.availableFactors.first {
      required.selectFactor(factor, onStatusChange: next, onError: failed)
    } else if let challenge = status as? OktaAuthStatusFactorChallenge {
      challenge.verifyFactor(
        passCode: nil, answerToSecurityQuestion: nil, onStatusChange: next, onError: failed, onFactorStatusUpdate: nil)
    } else {
      challengeOver(status)
    }
  }

  private func challengeOver(_ status: OktaAuthStatus) {
    status.responseHandler.cancel()
    finished("\(status.statusType.rawValue) every \(Int(handler.pollInterval)) s")
  }

  private func failed(_ error: OktaError) { finished(error.description) }
}
