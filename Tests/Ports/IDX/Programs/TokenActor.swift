// An actor that owns a flow: closures run on it, delegates are called on it.

import Foundation
import IDX

actor TokenActor {
  private let flow: InteractionCodeFlow
  private(set) var steps: [String] = []
  private var waiting: CheckedContinuation<Token?, Never>?

  init(flow: InteractionCodeFlow) { self.flow = flow }

  func token(username: String, password: String) async -> Token? {
    flow.start { result in
      self.assertIsolated()
      self.next(result, username, password)
    }
    return await withCheckedContinuation { waiting = $0 }
  }

  private func next(_ result: Result<Response, InteractionCodeFlowError>, _ username: String, _ password: String) {
    guard case .success(let response) = result else { return end(nil) }
    steps.append(response.remediations.first?.name ?? "none")
    if response.isLoginSuccessful {
      response.exchangeCode { token, error in
        self.assertIsolated()
        self.end(token)
      }
    } else if let remediation = response.remediations.first, steps.count < 4 {
      remediation["identifier"]?.value = username
      remediation["credentials.passcode"]?.value = password
      remediation.proceed { result in
        self.assertIsolated()
        self.next(result, username, password)
      }
    } else {
      end(nil)
    }
  }

  private func end(_ token: Token?) {
    waiting?.resume(returning: token)
    waiting = nil
  }
}
