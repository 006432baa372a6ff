// «Password recovery» of the seed document: recover, name the user, prove the mailbox, set a password by its rules.

import Foundation
import IDX

final class PasswordRecovery {
  enum Failure: Error { case notRecoverable, notOffered }
  private(set) var rules = ""

  func recover(_ flow: InteractionCodeFlow, login: String, newPassword: String, code: () -> String) async throws
    -> Token
  {
    var response = try await flow.start()
    guard let recoverable = response.authenticators.current?.recoverable else { throw Failure.notRecoverable }
    response = try await recoverable.recover()

    guard let remediation = response.remediations[.identifyRecovery],
      let identifierField = remediation["identifier"]
    else { throw Failure.notOffered }
    identifierField.value = login
    response = try await remediation.proceed()

    while !response.isLoginSuccessful {
      if let reset = response.remediations[.resetAuthenticator] {
        let settings = response.authenticators.compactMap(\.passwordSettings).first
        rules = "\(settings?.minLength ?? 0) characters, \(settings?.minNumber ?? 0) digits"
        reset["credentials.passcode"]?.value = newPassword
        response = try await reset.proceed()
      } else if let challenge = response.remediations[.challengeAuthenticator] {
        challenge["credentials.passcode"]?.value = code()
        response = try await challenge.proceed()
      } else if let data = response.remediations[.authenticatorVerificationData] {
        response = try await data.proceed()
      } else if let select = response.remediations[.selectAuthenticatorAuthenticate] {
        select["authenticator"]?.selectedOption = select["authenticator"]?.options?.first
        response = try await select.proceed()
      } else {
        throw Failure.notOffered
      }
    }
    return try await response.exchangeCode()
  }
}
