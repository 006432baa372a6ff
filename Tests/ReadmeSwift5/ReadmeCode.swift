// The code of README.md, line for line: what is there compiles. `DocumentTests` compares the two.

import Authn
import FlowRecording
import Foundation
import IDX
import OIDC

/// The README's classic code imports `Authn` alone; `OIDC` has an `OktaError` of its own.
typealias OktaError = Authn.OktaError

enum ReadmeCode {
  struct Program {
    func run() throws {
      let recorder = LogRecorder(directory: "audit")
      FlowEnvironment.setDefault(FlowEnvironment(recorder: recorder))
      // ... and at the end, to write what is queued and release the log's lock:
      try recorder.close()
    }
  }

  struct IdentityEngine {
    func signIn(
      issuer: String, username: String, password: String
    ) async throws -> Token? {
      let flow = InteractionCodeFlow(
        issuer: issuer, clientId: "0oa1sampleapp0000001",
        scopes: ["openid", "profile"], redirectUri: "com.example.app:/callback")
      var response = try await flow.start()
      if let identify = response.remediations[.identify] {
        identify["identifier"]?.value = username
        response = try await identify.proceed()
      }
      if let challenge = response.remediations[.challengeAuthenticator] {
        challenge["credentials.passcode"]?.value = password
        response = try await challenge.proceed()
      }
      if let select = response.remediations[.selectAuthenticatorAuthenticate] {
        let choice = select["authenticator"]
        choice?.selectedOption = choice?.options?.first {
          $0.label == "Okta Verify"
        }
        response = try await select.proceed()
      }
      if let push = response.remediations[.challengePoll]?.pollable {
        response = try await push.startPolling()  // until the person has answered
      }
      for message in response.messages.allMessages { print(message.message) }
      return response.isLoginSuccessful ? try await response.exchangeCode() : nil
    }
  }

  struct Classic {
    func signIn(
      org: URL, username: String, password: String
    ) async throws(OktaError) -> String? {
      var status = try await OktaAuthSdk.authenticate(
        with: org, username: username, password: password)
      if let required = status as? OktaAuthStatusFactorRequired,
        let push = required.availableFactors.first(where: { $0 is OktaFactorPush })
      {
        status = try await required.selectFactor(push)
      }
      if let challenge = status as? OktaAuthStatusFactorChallenge {
        // Polls until the push is answered. Canceling the task stops the polling.
        status = try await challenge.verifyFactor(
          passCode: nil, answerToSecurityQuestion: nil)
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
      case .success: print("signed in")
      case .MFARequired: print("choose a factor")
      default: print("not handled: \(status.statusType)")
      }
    }

    func handleError(_ error: OktaError) { print(error.localizedDescription) }
  }
}
