// A screen whose calls go through a helper that knows of no actor: the closures still run where the screen lives.

import Authn
import Foundation

/// An application's own layer over the SDK.
enum AuthService {
  static func login(
    _ url: URL, _ username: String, _ password: String,
    onStatus: @escaping (OktaAuthStatus) -> Void, onError: @escaping (OktaError) -> Void
  ) {
    OktaAuthSdk.authenticate(
      with: url, username: username, password: password, onStatusChange: onStatus, onError: onError)
  }

  static func select(
    _ factor: OktaFactor, of status: OktaAuthStatusFactorRequired,
    then: @escaping (Result<OktaAuthStatus, OktaError>) -> Void
  ) {
    status.selectFactor(factor, onStatusChange: { then(.success($0)) }, onError: { then(.failure($0)) })
  }

  static func poll(
    _ status: OktaAuthStatusFactorChallenge, update: @escaping (String) -> Void,
    then: @escaping (Result<OktaAuthStatus, OktaError>) -> Void
  ) {
    status.verifyFactor(
      passCode: nil, answerToSecurityQuestion: nil, onStatusChange: { then(.success($0)) },
      onError: { then(.failure($0)) }, onFactorStatusUpdate: { update($0.rawValue) })
  }
}

@MainActor
final class HelpedScreen {
  private(set) var lines: [String] = []
  private let finished: (String) -> Void

  init(finished: @escaping (String) -> Void) { self.finished = finished }

  func login(_ url: URL, _ username: String, _ password: String) {
    AuthService.login(
      url, username, password,
      onStatus: { status in
        MainActor.assertIsolated()
        self.show(status)
      },
      onError: { error in
        MainActor.assertIsolated()
        self.finished(error.description)
      })
  }

  private func show(_ status: OktaAuthStatus) {
    lines.append(status.statusType.rawValue)
    if let required = status as? OktaAuthStatusFactorRequired, let factor = required.availableFactors.first {
      AuthService.select(factor, of: required) { result in
        MainActor.assertIsolated()
        self.show(result)
      }
    } else if let challenge = status as? OktaAuthStatusFactorChallenge {
      AuthService.poll(
        challenge,
        update: { line in
          MainActor.assertIsolated()
          self.lines.append(line)
        },
        then: { result in
          MainActor.assertIsolated()
          self.show(result)
        })
    } else {
      finished(lines.joined(separator: " "))
    }
  }

  private func show(_ result: Result<OktaAuthStatus, OktaError>) {
    switch result {
    case .success(let status): show(status)
    case .failure(let error): finished(error.description)
    }
  }
}
