// An actor that signs in: its closures run on it, and reach its state without a hop.

import Authn
import Foundation

actor AccountActor {
  private(set) var history: [String] = []
  private var waiting: CheckedContinuation<String, Never>?

  func signIn(_ url: URL, _ username: String, _ password: String) async -> String {
    OktaAuthSdk.authenticate(
      with: url, username: username, password: password,
      onStatusChange: { status in
        self.assertIsolated()
        self.next(status)
      },
      onError: { error in
        self.assertIsolated()
        self.end(error.description)
      })
    return await withCheckedContinuation { waiting = $0 }
  }

  private func next(_ status: OktaAuthStatus) {
    history.append(status.statusType.rawValue)
    guard let required = status as? OktaAuthStatusFactorRequired,
      let question = required.availableFactors.first as? OktaFactorQuestion
    else { return end(history.joined(separator: " ")) }
    question.select(
      answerToSecurityQuestion: "cooked spinach",
      onStatusChange: { status in
        self.assertIsolated()
        self.next(status)
      },
      onError: { error in
        self.assertIsolated()
        self.end(error.description)
      })
  }

  private func end(_ text: String) {
    waiting?.resume(returning: text)
    waiting = nil
  }
}
