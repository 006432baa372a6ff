// The code of README.md, line for line: what stands there compiles. `DocumentTests` compares the two.

import Authn
import FlowRecording
import Foundation

enum ReadmeCode {
  struct Program {
    func run() throws {
      let recorder = LogRecorder(directory: "audit")  // auditing: .required unless you say .bestEffort
      FlowEnvironment.setDefault(FlowEnvironment(recorder: recorder))
      // ... and at the end, to write what is queued and give the lock on the log back:
      try recorder.close()
    }

    func signIn(org: URL, username: String, password: String) async throws(OktaError) -> String? {
      var status = try await OktaAuthSdk.authenticate(with: org, username: username, password: password)
      if let required = status as? OktaAuthStatusFactorRequired,
        let push = required.availableFactors.first(where: { $0 is OktaFactorPush })
      {
        status = try await required.selectFactor(push)
      }
      if let challenge = status as? OktaAuthStatusFactorChallenge {
        // Polls until the push is answered. Cancelling the task stops the polling.
        status = try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
      }
      return (status as? OktaAuthStatusSuccess)?.sessionToken
    }
  }

  @MainActor
  final class SignInScreen {
    func signIn(url: URL, username: String, password: String) {
      OktaAuthSdk.authenticate(
        with: url, username: username, password: password,
        onStatusChange: { status in self.handleStatus(status) },
        onError: { error in self.handleError(error) })
    }

    func handleStatus(_ status: OktaAuthStatus) {
      switch status.statusType {
      case .success: print((status as? OktaAuthStatusSuccess)?.sessionToken == nil ? "no token" : "signed in")
      case .MFARequired: print("choose a factor")
      default: print("not handled: \(status.statusType)")
      }
    }

    func handleError(_ error: OktaError) { print(error.localizedDescription) }
  }
}
