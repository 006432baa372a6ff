// «Get new tokens using username & password» of the seed document, and «Cancel the OIE transaction».

import Foundation
import IDX

struct PasswordSignIn {
  let flow: InteractionCodeFlow

  func signIn(username: String, password: String) async throws -> Token? {
    var response = try await flow.start()

    guard let remediation = response.remediations[.identify],
      let usernameField = remediation["identifier"],
      let passwordField = remediation["credentials.passcode"]
    else { return nil }

    usernameField.value = username
    passwordField.value = password

    response = try await remediation.proceed()
    guard response.isLoginSuccessful else { return nil }
    return try await response.exchangeCode()
  }

  /// Begins, thinks better of it, and starts again.
  func restart() async throws -> Response {
    let response = try await flow.start()
    guard response.canCancel else { return response }
    return try await response.cancel()
  }
}
