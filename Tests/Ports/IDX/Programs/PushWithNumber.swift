// A push that shows a number: the screen shows it, the phone has it among others, and the screen polls.

import Foundation
import IDX

@MainActor
final class PushWithNumber {
  private(set) var number: String?
  private(set) var isPolling = false
  private var pollable: Capability.Pollable?

  func wait(_ response: Response, shown: (String) -> Void, then: @escaping @MainActor (String) -> Void) {
    number = response.authenticators.current?.numberChallenge?.correctAnswer
    if let number = number { shown(number) }
    pollable = response.remediations[.challengePoll]?.pollable ?? response.authenticators.current?.pollable
    pollable?.startPolling { [weak self] result in
      MainActor.assertIsolated()
      self?.pollable = nil
      switch result {
      case .success(let response):
        then(response.isLoginSuccessful ? "approved" : response.messages.first?.message ?? "?")
      case .failure(let error): then(error.localizedDescription)
      }
    }
    isPolling = pollable?.isPolling ?? false
  }
}
