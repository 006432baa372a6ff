// The late era's way to wait for a push: the application polls by itself, with `canPoll` and `checkFactorResult`.

import Authn
import Foundation

protocol PushFactorHandlerProtocol: AnyObject {
  func onStatusChanged(status: OktaAuthStatus)
  func onPollingProgress(status: OktaAuthStatus)
  func onPollingStopped(status: OktaAuthStatus)
  func onError(error: OktaError)
}

final class PushFactorHandler {
  weak var delegate: PushFactorHandlerProtocol?

  func handlePushFactorResponse(status: OktaAuthStatus) {
    guard status.canPoll() else {
      delegate?.onStatusChanged(status: status)
      return
    }
    guard let factorResult = status.factorResult else { return }
    if factorResult != OktaAPISuccessResponse.FactorResult.waiting {
      delegate?.onPollingStopped(status: status)
    } else if let factor = pushFactor(of: status) {
      delegate?.onPollingProgress(status: status)
      check(factor: factor)
    } else {
      delegate?.onStatusChanged(status: status)
    }
  }

  private func pushFactor(of status: OktaAuthStatus) -> OktaFactorPush? {
    if let status = status as? OktaAuthStatusFactorChallenge, let factor = status.factor as? OktaFactorPush {
      return factor
    }
    if let status = status as? OktaAuthStatusFactorEnrollActivate, let factor = status.factor as? OktaFactorPush {
      return factor
    }
    return nil
  }

  private func check(factor: OktaFactorPush) {
    factor.checkFactorResult(
      onStatusChange: { [weak self] status in self?.handlePushFactorResponse(status: status) },
      onError: { [weak self] error in self?.delegate?.onError(error: error) })
  }
}

/// Signs in with a push that it polls for.
final class PollingSignIn: PushFactorHandlerProtocol {
  private let handler = PushFactorHandler()
  private(set) var polls = 0
  var finished: ((String) -> Void)?

  init() { handler.delegate = self }

  func signIn(url: URL, username: String, password: String) {
    OktaAuthSdk.authenticate(
      with: url, username: username, password: password,
      onStatusChange: { [self] status in
        guard let required = status as? OktaAuthStatusFactorRequired,
          let push = required.availableFactors.first(where: { $0.type == .push })
        else { return onStatusChanged(status: status) }
        push.select(
          onStatusChange: { [self] status in handler.handlePushFactorResponse(status: status) },
          onError: { [self] error in onError(error: error) })
      },
      onError: { [self] error in onError(error: error) })
  }

  func onStatusChanged(status: OktaAuthStatus) { finished?("\(status.statusType.rawValue) after \(polls)") }
  func onPollingProgress(status: OktaAuthStatus) { polls += 1 }
  func onPollingStopped(status: OktaAuthStatus) { finished?("stopped: \(status.factorResult?.rawValue ?? "?")") }
  func onError(error: OktaError) { finished?(error.description) }
}
