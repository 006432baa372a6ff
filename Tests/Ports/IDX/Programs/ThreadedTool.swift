// A plain class on a plain thread that waits with a semaphore.

import Dispatch
import Foundation
import IDX

final class ThreadedTool {
  private let flow: InteractionCodeFlow
  private let done = DispatchSemaphore(value: 0)
  private(set) var output: [String] = []

  init(issuer: URL, clientId: String, redirectUri: URL) {
    flow = InteractionCodeFlow(issuer: issuer, clientId: clientId, scopes: "openid profile", redirectUri: redirectUri)
  }

  func run(username: String, password: String) {
    flow.start(options: [.state: "tool"]) { result in
      switch result {
      case .success(let response): self.step(response, username, password)
      case .failure(let error): self.end(error.localizedDescription)
      }
    }
    done.wait()
  }

  private func step(_ response: Response, _ username: String, _ password: String) {
    guard let remediation = response.remediations.first, !response.isLoginSuccessful else {
      return response.exchangeCode { result in self.end((try? result.get()) == nil ? "no token" : "token") }
    }
    output.append(remediation.name)
    remediation["identifier"]?.value = username
    remediation["credentials.passcode"]?.value = password
    remediation.proceed { result in
      switch result {
      case .success(let response): self.step(response, username, password)
      case .failure(let error): self.end(error.localizedDescription)
      }
    }
  }

  private func end(_ text: String) {
    output.append(text)
    done.signal()
  }
}
