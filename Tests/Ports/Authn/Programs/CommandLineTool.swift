// A plain class on a plain thread that waits with a semaphore, as tools without an event loop do.

import Authn
import Dispatch
import Foundation

final class CommandLineTool {
  private(set) var output: [String] = []
  private let done = DispatchSemaphore(value: 0)

  func run(url: URL, username: String, password: String, code: @escaping () -> String) {
    OktaAuthSdk.authenticate(
      with: url, username: username, password: password,
      onStatusChange: { status in self.handle(status, code) },
      onError: { error in self.end(error.description) })
    done.wait()
  }

  private func handle(_ status: OktaAuthStatus, _ code: @escaping () -> String) {
    output.append(status.statusType.rawValue)
    switch status {
    case let required as OktaAuthStatusFactorRequired:
      required.selectFactor(
        required.availableFactors[0], onStatusChange: { self.handle($0, code) }, onError: { self.end($0.description) })
    case let challenge as OktaAuthStatusFactorChallenge:
      challenge.verifyFactor(
        passCode: code(), answerToSecurityQuestion: nil, onStatusChange: { self.handle($0, code) },
        onError: { self.end($0.description) })
    default:
      end("done")
    }
  }

  private func end(_ text: String) {
    output.append(text)
    done.signal()
  }
}
