// «Authenticating using an Email authenticator» of the seed document: the code is typed; another can be sent.

import Foundation
import IDX

struct MailedCode {
  enum Failure: Error { case noCodeAsked, nothingToResend }

  func enter(_ code: String, into response: Response) async throws -> Response {
    guard let remediation = response.remediations[.challengeAuthenticator],
      let passcodeField = remediation["credentials.passcode"]
    else { throw Failure.noCodeAsked }
    passcodeField.value = code
    return try await remediation.proceed()
  }

  func sendAgain(_ response: Response) async throws -> Response {
    guard let resendable = response.authenticators.current?.resendable else { throw Failure.nothingToResend }
    return try await resendable.resend()
  }

  /// To where the code was sent, as far as the org shows it.
  func hint(_ response: Response) -> String? {
    response.authenticators.current?.profile?.values["email"] ?? response.authenticators.current?.profile?["email"]
  }
}
